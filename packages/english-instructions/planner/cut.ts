import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { MAX_CLAUSE } from '../tasks/clause.ts';
import { isGreeting, isPolite, plain, thanksForMore, withoutThanks } from './courtesy.ts';
import { type Fence, type Item, isName, itemsOf, type Line } from './lines.ts';
import { add, fenceAlone, hasWords, type Judge, type Open, type Piece, pieceOf, shows } from './pieces.ts';
import { atEachAnd } from './split.ts';
import {
  isClosingLine,
  isThanks,
  underReminders,
  withoutAdded,
  withoutHeaders,
  withoutQuoted,
  withoutSignature,
} from './spoken-lines.ts';

interface Doubt {
  readonly text: string;
}

const BETWEEN =
  /^(?:and|with|to|against|vs\.?|versus|or|and then)(?: (?:with|to|against))?(?: (?:this|that|this one|that one|the other(?: one)?|these|the second(?: one)?))?:?$/i;
/** A quotation and the text after the end of its sentence. */
const QUOTE_THEN =
  /^("[^"]*"|“[^”]*”|`[^`]*`)(?:[.?!;,]?\s+(?:and then|and also|then|after that|and)[,:]?\s+|[.?!;]\s+)(?:and |then )*(\S.*)$/i;
/** A text and an instruction behind it that names it by a pronoun: "a 3 b 4 and then sum them". */
const TEXT_THEN =
  /^([^"“`]{1,500}?)(?:[,;.]? (?:and )?then|[,;]? and(?: also)?) ((?:[a-z]+ ){1,3}(?:it|them|these|those|the (?:result|list|items|numbers|words|lines))(?: .{1,60})?)$/i;
const MAX_INLINE = 2_000;

const INTRO =
  /^(?:[^:]{0,60}\b)?(?:please|the following|following|these|two|three|four|several|some|a few|few)?\s*(?:do|things?|steps?|tasks?|instructions?|questions?|in this order|as follows|to ?do(?: list)?|pls|please|favou?rs?)\s*:$/i;
const GOES_ON = /^(?:and|then|after that|finally)\b/i;

const isReminder = (text: string): boolean => /^(?:please )?remind me\b/i.test(text);

const isScript = ({ language }: Fence): boolean => language !== undefined && /^(?:js|javascript|mjs)$/.test(language);

export interface Cut {
  readonly pieces: readonly Piece[];
  readonly doubt?: Doubt;
  /** Whether cutting stopped at a limit. */
  readonly endless?: true;
}

/** The maximum number of characters of instructions, without pasted text. */
export const MAX_TEXT = 16_384;
/** The maximum number of instructions and blocks that are cut out; far more than may run. */
const MAX_PIECES = 1_000;
/** The maximum number of pasted lines tested as instructions; after that the rest counts as pasted. */
const MAX_JUDGED = 300;

/**
 * Cuts a message into instructions and their pasted text. A fenced block, the lines after a line that ends with a colon,
 * and the text after a colon on its line are never instructions. A line after the latter is one only when it stands in the
 * same list, or clearly continues with the result and changes nothing; otherwise it is a doubt. Lines that are no
 * instructions after one that refers to "these" are its subject. `pasted` stands below the message.
 */
export function cut(body: string, judge: Judge, pasted?: Fence): Cut {
  const spokenItems = [withoutAdded, withoutSignature, withoutQuoted, withoutHeaders, underReminders].reduce(
    (items, without) => without(items, judge),
    itemsOf(body) as readonly Item[],
  );
  const items = pasted === undefined ? spokenItems : [...spokenItems, pasted];
  return new Cutting(items, judge, pasted).cut();
}

class Cutting {
  readonly #items: readonly Item[];
  readonly #judge: Judge;
  readonly #open: Open[] = [];
  /** For each item the next item that is not blank. */
  readonly #next: readonly (Item | undefined)[];
  readonly #end: number;
  #before: Item | undefined;
  #characters = 0;
  #fences = 0;
  #doubted: string | undefined;
  #held: Fence | undefined;

  constructor(items: readonly Item[], judge: Judge, pasted: Fence | undefined) {
    this.#items = items;
    let left = MAX_JUDGED;
    this.#judge = (text, pasted) => (text.length <= MAX_CLAUSE && left-- > 0 ? judge(text, pasted) : undefined);
    const next: (Item | undefined)[] = [];
    let after: Item | undefined;
    for (let at = items.length - 1; at >= 0; at--) {
      next[at] = after;
      if (items[at] !== 'gap') after = items[at];
    }
    this.#next = next;
    const end = items.findLastIndex(
      (one) => one !== 'gap' && one !== pasted && !('text' in one && isThanks(one.text)) && !isName(one),
    );
    // Several names below a closing are more than the one under a mail.
    const last = items.slice(end + 1);
    const names = last.slice(last.findLastIndex(isClosingLine) + 1).filter(isName).length;
    this.#end = names > 1 && last.some(isClosingLine) ? items.length : end;
  }

  cut(): Cut {
    for (const [index, item] of this.#items.entries()) {
      if (item === 'gap') this.#gap();
      else if ('data' in item) this.#fence(item);
      else if (this.#line(item, index) === 'doubt')
        return { pieces: [], doubt: { text: (this.#doubted ?? item.text).slice(0, 200) } };
      if (item !== 'gap') this.#before = item;
      if (this.#characters > MAX_TEXT || Math.max(this.#open.length, this.#fences) > MAX_PIECES)
        return { pieces: [], endless: true };
    }
    if (this.#held !== undefined) this.#open.unshift(fenceAlone(this.#held));
    const pieces = this.#open.map(({ text, data, language, fenced, mark }) => {
      return { text, data: data && trimmed(fenced ? data : unquoted(data)), language, fenced, mark };
    });
    return { pieces };
  }

  #gap(): void {
    const last = this.#open.at(-1);
    if (last?.all && last.data !== undefined && last.data.length > 0) last.data.push('');
  }

  #fence(fence: Fence): void {
    this.#fences++;
    const taker = this.#taker();
    if (taker !== undefined) {
      taker.data = [fence.data];
      taker.language = fence.language;
      taker.fenced = true;
      taker.all = false;
      return;
    }
    const last = this.#open.at(-1);
    // Two blocks for one instruction, as for a comparison, are joined by a line of dashes.
    if (last?.fenced && last.data !== undefined) last.data.push('---', fence.data);
    else this.#held = fence;
  }

  /**
   * The instruction that a fenced block belongs to: the last one, unless an earlier one refers to "this" and has no text
   * yet.
   */
  #taker(): Open | undefined {
    const last = this.#open.at(-1);
    if (last === undefined || (last.all && last.data === undefined)) return last;
    const free = this.#open.filter(({ data }) => data === undefined);
    return free.find(({ text }) => shows(text)) ?? (last.data === undefined ? last : undefined);
  }

  #line(item: Line, index: number): 'doubt' | undefined {
    const last = this.#open.at(-1);
    const listed = last !== undefined && item.mark !== undefined && item.mark === last.mark;
    const polite = this.#isLast(index) && this.#isPolite(item);
    // Words between two blocks for one instruction.
    if (last?.fenced && last.data !== undefined && BETWEEN.test(item.text) && this.#isBeforeFence(index))
      return undefined;
    if (last !== undefined && !listed) {
      if (last.all) {
        const behind = polite ? undefined : this.#behindList(last, item, index);
        if (behind !== undefined) return behind === 'doubt' ? 'doubt' : this.#begin(item);
        if (!(polite || this.#isSignature(item, index)) || this.#isOwn(last, index, polite)) add(last, item);
        return undefined;
      }
      if (last.inline && last.data !== undefined) {
        const seen = this.#judge(plain(item.text));
        const linked = seen?.refers === true || /^(?:and )?then\b/i.test(item.text);
        const goesOn = seen !== undefined && seen.sure >= 0.7 && !seen.effects && linked;
        // Words that are sent or kept may say so themselves.
        if (goesOn ? hasWords(last, this.#judge) : seen !== undefined && (seen.sure >= 0.9 || isReminder(item.text)))
          return 'doubt';
        if (!goesOn) {
          if (!(polite || this.#isSignature(item, index)) || this.#isOwn(last, index, polite)) add(last, item);
          return undefined;
        }
      } else if (
        last.data === undefined &&
        !polite &&
        !this.#isSignature(item, index) &&
        this.#isAbout(last, item, index)
      ) {
        last.all = true;
        add(last, item);
        return undefined;
      }
    }
    if (item.text === '--' && last !== undefined && hasWords(last, this.#judge)) {
      const next = this.#next[index];
      this.#doubted = `-- ${typeof next === 'object' && 'text' in next ? next.text : ''}`.trim();
      return 'doubt';
    }
    if (this.#isPolite(item) || this.#isSignature(item, index) || this.#announces(item, index)) return undefined;
    return this.#begin(item);
  }

  /**
   * Whether a line behind a list and a gap is an instruction on its result, or a doubt; undefined for what
   * stays text.
   */
  #behindList(last: Open, { text, mark }: Line, at: number): 'instruction' | 'doubt' | undefined {
    if (last.listed !== true || mark !== undefined || this.#items[at - 1] !== 'gap') return undefined;
    const seen = this.#judge(plain(text));
    if (seen === undefined || seen.sure < 0.7) return undefined;
    if (!seen.effects && (seen.refers || GOES_ON.test(text))) return 'instruction';
    return seen.sure >= 0.9 ? 'doubt' : undefined;
  }

  /** An instruction after a quotation that follows a colon, as in `count the words: "a b". Then reverse it`. */
  #afterQuote(piece: Open): 'doubt' | Line | undefined {
    const [quotation = ''] = piece.data ?? [];
    if (!piece.inline || quotation.length > MAX_INLINE) return undefined;
    const [all, quoted, behind = ''] = QUOTE_THEN.exec(quotation) ?? TEXT_THEN.exec(quotation) ?? [];
    // A message and a note may say so themselves.
    if (all !== undefined && !/^["“`]/.test(quotation) && this.#judge(plain(piece.text), quoted)?.effects !== false)
      return undefined;
    const line = { text: behind, mark: piece.mark, indent: 0 };
    const next = pieceOf(line);
    const seen = all === undefined ? undefined : this.#judge(plain(next.text), next.inline);
    if (quoted === undefined || seen === undefined || seen.sure < (seen.refers ? 0.7 : 0.9)) return undefined;
    if (seen.effects) {
      this.#doubted = behind;
      return 'doubt';
    }
    piece.data = [quoted];
    return line;
  }

  #begin(item: Line): 'doubt' | undefined {
    const piece = pieceOf(item);
    const [list = ''] = piece.inline ? (piece.data ?? []) : [];
    const items = withoutThanks(list);
    if (items !== list && !hasWords(piece, this.#judge)) piece.data = [items];
    const behind = this.#afterQuote(piece);
    if (behind === 'doubt') return 'doubt';
    this.#push(piece);
    return behind === undefined ? undefined : this.#begin(behind);
  }

  #push(piece: Open): void {
    const held = this.#held;
    if (held !== undefined) {
      this.#held = undefined;
      // A script at the start is run, unless what follows is about it.
      if (isScript(held) && !shows(piece.text)) this.#open.push(fenceAlone(held));
      else if (piece.data === undefined) {
        piece.data = [held.data];
        piece.language = held.language;
        piece.fenced = true;
      } else this.#open.push(fenceAlone(held));
    }
    this.#open.push(piece);
    this.#characters += piece.text.length;
  }

  /** Whether a line that is no instruction is what the one before it needs. */
  #isAbout(last: Open, item: Line, index: number): boolean {
    const seen = this.#judge(plain(item.text));
    if (seen !== undefined && seen.sure >= 0.7) return false;
    const [first = ''] = atEachAnd(last.text);
    const asks = [last.text, first].some((text) => this.#judge(plain(text))?.asks === true);
    return shows(last.text) || asks || this.#isTable(last, item, index);
  }

  #isTable({ text }: Open, item: Line, at: number): boolean {
    const next = this.#next[at];
    if (typeof next !== 'object' || !('text' in next)) return false;
    const separated = ['\t', ';', '|', ','].some((mark) => {
      const marks = item.text.split(mark).length;
      return marks > 1 && next.text.split(mark).length === marks;
    });
    const seen = separated ? this.#judge(plain(text), `${item.text}\n${next.text}`) : undefined;
    return seen !== undefined && seen.sure >= 0.9 && !seen.effects;
  }

  /** Whether a line announces a list of instructions: it ends with a colon and is no instruction about that list. */
  #announces(item: Line, at: number): boolean {
    const next = this.#next[at];
    if (!item.text.endsWith(':') || item.mark !== undefined || next === undefined) return false;
    if (!(typeof next === 'object' && 'mark' in next && next.mark !== undefined)) return false;
    return INTRO.test(item.text) || (this.#judge(plain(item.text.slice(0, -1)), true)?.sure ?? 0) < 0.5;
  }

  /** Whether a line is only a courtesy; "hi what is 5+5" is not. */
  #isPolite({ text }: Line): boolean {
    // Below an instruction a greeting is a part of its text.
    if (!(this.#open.length === 0 ? isPolite(text) : isThanks(text))) return false;
    const last = this.#open.at(-1);
    if (last !== undefined && thanksForMore(text) && hasWords(last, this.#judge)) return false;
    return !((this.#judge(plain(text))?.sure ?? 0) >= 0.7);
  }

  #isBeforeFence(at: number): boolean {
    const next = this.#next[at];
    return typeof next === 'object' && 'data' in next;
  }

  /**
   * Whether closing thanks and a name belong to the text, because it is a letter with a greeting or goes to someone and
   * nothing separates them from it.
   */
  #isOwn(open: Open, index: number, polite: boolean): boolean {
    if (open.data === undefined) return false;
    // A name stays with the "Kind regards" above it.
    if (!polite) return isPolite(open.data.at(-1) ?? '');
    if (isGreeting(open.data[0] ?? '')) return true;
    return this.#items[index - 1] !== 'gap' && this.#judge(plain(open.text), true)?.effects === true;
  }

  #isSignature(item: Line, index: number): boolean {
    const before = this.#before;
    const closed = typeof before === 'object' && 'text' in before && isPolite(before.text) && this.#isPolite(before);
    return closed && index > 1 && isName(item) && this.#isLast(index);
  }

  #isLast(at: number): boolean {
    return at >= this.#end;
  }
}

/** The lines of a quoted mail without their marks. */
const unquoted = (lines: readonly string[]): readonly string[] =>
  lines.some((line) => line !== '') && lines.every((line) => /^(?:>|$)/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, ''))
    : lines;
const trimmed = (lines: readonly string[]): string => withoutTrailing(lines.join('\n').replace(/^\n+/, ''), '\n');
