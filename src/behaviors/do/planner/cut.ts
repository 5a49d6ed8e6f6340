import { withoutTrailing } from '../../../core/values/trailing.ts';
import { jsonIn } from '../../../language/json-spans.ts';
import { MAX_CLAUSE } from '../../../tasks/clause.ts';
import { isClosing, isGreeting, isPolite, plain, thanksForMore } from './courtesy.ts';
import { masked } from './split.ts';

/** One instruction of a message with the text pasted to it. */
export interface Piece {
  readonly text: string;
  readonly data: string | undefined;
  readonly language: string | undefined;
  /** Whether the pasted text was fenced or stood after a colon. */
  readonly fenced: boolean;
  /** The list mark before it, such as `-` or `1.`; undefined outside a list. */
  readonly mark: string | undefined;
}

interface Doubt {
  readonly text: string;
}

interface Line {
  readonly text: string;
  readonly mark: string | undefined;
  readonly indent: number;
  /** Whether it is the line above a signature (RFC 3676, section 4.3). */
  readonly signs?: true;
}
/** A pasted block. */
export interface Fence {
  readonly data: string;
  readonly language: string | undefined;
}
type Item = Line | Fence | 'gap';

// "2.5" and "10:30" are not list marks.
const MARK = /^(\s*)(?:([-*•–—])\s+|(\(?(?:step\s+)?\d{1,4}(?:\)|[.:](?!\d)))\s*)(?=\S)/i;
const FENCE = /^\s*(`{3,}|~{3,})/;
const LANGUAGE = /^\s*([A-Za-z0-9_+-]+)/;

const BETWEEN =
  /^(?:and|with|to|against|vs\.?|versus|or|and then)(?: (?:with|to|against))?(?: (?:this|that|this one|that one|the other(?: one)?|these|the second(?: one)?))?:?$/i;
/** A quotation and the text after the end of its sentence. */
const QUOTE_THEN =
  /^("[^"]*"|“[^”]*”|`[^`]*`)(?:[.?!;,]?\s+(?:and then|and also|then|after that|and)[,:]?\s+|[.?!;]\s+)(?:and |then )*(\S.*)$/i;
/** A text and an instruction behind it that names it by a pronoun: "a 3 b 4 and then sum them". */
const TEXT_THEN =
  /^([^"“`]{1,500}?)(?:[,;.]? (?:and )?then|[,;]? and(?: also)?) ((?:[a-z]+ ){1,3}(?:it|them|these|those|the (?:result|list|items|numbers|words|lines))(?: .{1,60})?)$/i;
const MAX_INLINE = 2_000;
const ANNOUNCE =
  /^(?:(?:hi|hello|hey|ok|okay|so|good (?:morning|afternoon|evening|day))\b[^.!?:]{0,20}[,.!]\s+)?(?:(?:a |just a |another |my |the |one |here['’]?s (?:a|my) )?(?:(?:quick|short|small|simple|last|next|first|second|one|other) )*(?:one|question|thing|task|request|favou?r|to-?do|job|instruction|q)|(?:(?:please|kindly) )?do (?:this|the following|the needful)) ?(?:for me)?(?::| [-–—])\s+(?=\S)/i;
const INTRO =
  /^(?:[^:]{0,60}\b)?(?:please|the following|following|these|two|three|four|several|some|a few|few)?\s*(?:do|things?|steps?|tasks?|instructions?|questions?|in this order|as follows|to ?do(?: list)?|pls|please|favou?rs?)\s*:$/i;
const GOES_ON = /^(?:and|then|after that|finally)\b/i;
/** Whether a text begins like a list item. */
export const isListed = (text: string): boolean => MARK.test(text);

/** A line "1) … 2) …" as a line for each number. */
function numbered(line: string): readonly string[] {
  if (line.length > MAX_CLAUSE || !/^\s*\(?1[.)] /.test(line)) return [line];
  const starts: number[] = [0];
  for (const { index, 1: n } of masked(line).matchAll(/ \(?(\d{1,2})[.)] (?=\p{L})/gu))
    if (Number(n) === starts.length + 1) starts.push(index + 1);
  return starts.map((from, at) => line.slice(from, starts[at + 1]));
}

function itemsOf(body: string): Item[] {
  const items: Item[] = [];
  const lines = body.split(/\r\n|[\n\r\u2028\u2029]/).flatMap(numbered);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    const fence = FENCE.exec(line);
    const info = line.slice(fence?.[0].length);
    if (fence !== null && !info.includes('`')) {
      const close = (fence[1] as string).slice(0, 3);
      let last = index + 1;
      while (last < lines.length && !isFenceEnd(lines[last] as string, close)) last++;
      items.push({ data: lines.slice(index + 1, last).join('\n'), language: LANGUAGE.exec(info)?.[1]?.toLowerCase() });
      index = last;
      continue;
    }
    if (line.trim() === '') {
      items.push('gap');
      continue;
    }
    const mark = MARK.exec(line);
    if (mark === null) {
      const signs = line === '-- ' && ({ signs: true } as const);
      items.push({ text: line.trim(), mark: undefined, indent: line.length - line.trimStart().length, ...signs });
    } else {
      const kind = mark[2] ?? '1.';
      items.push({ text: line.slice(mark[0].length).trim(), mark: kind, indent: (mark[1] as string).length });
    }
  }
  return items;
}

const isFenceEnd = (line: string, mark: string): boolean =>
  line.length < 100 && line.trim().startsWith(mark) && /^[`~\s]+$/.test(line);

/** The position of the colon before the pasted part of a line, outside quotes and JSON; -1 when there is none. */
function colonOf(text: string): number {
  let quote = '';
  const json = /[[{]/.test(text) && text.includes(':') ? new Map(jsonIn(text.slice(0, 2_000))) : undefined;
  for (let index = 0; index < text.length && index < 2_000; index++) {
    index = (quote === '' ? json?.get(index) : undefined) ?? index;
    const sign = text[index];
    if (sign === undefined) return -1;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === '`' || sign === '“') quote = sign === '“' ? '”' : sign;
    else if (sign === "'" && (index === 0 || /\s/.test(text[index - 1] as string)) && text.indexOf("'", index + 1) > 0)
      quote = "'";
    else if (sign === ':' && index > 0 && (index + 1 === text.length || /\s/.test(text[index + 1] as string)))
      return index;
  }
  return -1;
}

interface Open {
  text: string;
  data: string[] | undefined;
  language: string | undefined;
  mark: string | undefined;
  /** Whether all following lines belong to it, because its line ended with a colon or they are plainly its subject. */
  all: boolean;
  fenced: boolean;
  /** Whether its line contained pasted text. */
  inline: boolean;
  /** Whether each line after it has a list mark; undefined while there is none. */
  listed?: boolean;
}

const shows = (text: string): boolean => /\b(?:this|these|the following|following|below|here|attached)\b/i.test(text);
const isScript = ({ language }: Fence): boolean => language !== undefined && /^(?:js|javascript|mjs)$/.test(language);

/** Reads a line as an instruction of its own, after an earlier result, or with (this) pasted text; undefined when it is none. */
export type Judge = (text: string, pasted?: boolean | string) => Judged | undefined;

interface Judged {
  readonly sure: number;
  readonly effects: boolean;
  readonly refers: boolean;
  readonly asks: boolean;
  /** Whether it ends with words of its sender, which are kept or handed on. */
  readonly words: boolean;
}

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
  const spokenItems = [withoutSignature, withoutQuoted, withoutHeaders, underReminders].reduce(
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
        if (!goesOn && seen !== undefined && seen.sure >= 0.9) return 'doubt';
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
    const before = this.#judge(plain(last.text));
    return shows(last.text) || before?.asks === true || this.#isTable(last, item, index);
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

const GREETS = /^(?:hi|hello|hey|hallo|dear|good (?:morning|afternoon|evening|day))\b/i;
const isThanks = (text: string): boolean => isPolite(text) && !GREETS.test(text);

const REMINDERS =
  /^(?:please )?(?:(?:can|could|would) you )?(?:please )?(?:remind me|(?:(?:set|add|create|make)(?: me)? )?(?:these |the following |some |my )?reminders(?: for me)?)(?: (?:of|to|about|for))?(?: (?:these|this|the following)(?: things)?)?:$/i;
const MAX_REMINDERS = 50;

/** Each line below a heading such as "Remind me:" as a reminder, where each says when and of what. */
function underReminders(items: readonly Item[], judge: Judge): readonly Item[] {
  const [head, ...below] = items.filter((item) => item !== 'gap');
  if (head === undefined || !isLine(head) || !REMINDERS.test(head.text)) return items;
  const lines = below.filter((item) => isLine(item) && !isPolite(item.text)) as readonly Line[];
  if (lines.length < 2 || lines.length > MAX_REMINDERS || below.some((item) => !isLine(item))) return items;
  const reminders = lines.map((line) => ({
    ...line,
    mark: line.mark ?? '-',
    text: `remind me${/:(?: |$)/.test(line.text) ? '' : ':'} ${line.text}`,
  }));
  const sure = reminders.every((line) => {
    const { text, data } = pieceOf(line);
    const seen = judge(plain(text), data?.[0]);
    return seen?.effects === true && !seen.asks && seen.sure >= 0.9;
  });
  return sure ? reminders : items;
}

const HEADER = /^(?:subject|betreff|re|fwd?|fyi|q|question)(?::|$)\s*/i;
/**
 * Without the first line of a mail that names its subject or only announces it, where an instruction without effects
 * follows; a subject that is one itself is about what follows.
 */
function withoutHeaders(items: readonly Item[], judge: Judge): readonly Item[] {
  const [first, next] = items.filter((item) => item !== 'gap');
  if (first === undefined || !isLine(first) || !HEADER.test(first.text)) return items;
  const rest = items.slice(items.indexOf(first) + 1);
  const clear = (line: Line, below: boolean): boolean => {
    const { text, data } = pieceOf(line);
    const seen = judge(plain(text), data?.[0] ?? below);
    return seen !== undefined && !seen.effects && !seen.asks && seen.sure >= 0.7;
  };
  const subjectLine = { ...first, text: first.text.replace(HEADER, '') };
  if (judge(plain(subjectLine.text))?.effects === true) return items;
  if (next !== undefined && isLine(next) && (clear(next, false) || clear(next, true))) return rest;
  if (subjectLine.text === '' || !clear(subjectLine, next !== undefined)) return items;
  return [
    next === undefined || subjectLine.text.endsWith(':')
      ? subjectLine
      : { ...subjectLine, text: `${subjectLine.text}:` },
    ...rest,
  ];
}

const WROTE = /^(?:on|am|le) .{4,150}(?:wrote|schrieb|a écrit) ?:$/i;
/** Without the mail that is quoted below an answer, unless what is said above is about it. */
function withoutQuoted(items: readonly Item[], judge: Judge): readonly Item[] {
  const index = items.findIndex((item) => isLine(item) && WROTE.test(item.text));
  const above = items.slice(0, Math.max(0, index)).filter((item) => item !== 'gap');
  const quoted = items.slice(index + 1).every((item) => item === 'gap' || (isLine(item) && item.text.startsWith('>')));
  const alone = above.every((item) => {
    const seen = isLine(item) && !shows(item.text) ? judge(plain(item.text)) : undefined;
    return (seen !== undefined && !seen.asks && seen.sure >= 0.7) || (isLine(item) && isPolite(item.text));
  });
  return above.length > 0 && quoted && alone ? items.slice(0, index) : items;
}

/** Maximum lines of a signature, and of one its length. */
const MAX_SIGNATURE = 8;
const MAX_SIGNED = 80;
/** A name, a firm, a number, an address; no question and no sentence. */
const CONTACT = /^(?:\p{Lu}|\d|[+(@]|(?:www\.|https?:|tel|phone|mobile|mob|fax|e-?mail|web|sent from)\b)[^?!]*$/iu;

/**
 * Without the sender's name and address under the closing of a mail, or under a line of two dashes (RFC 3676, section
 * 4.3). A mail that is itself the text to work on keeps them, and so does one whose last lines may say more.
 */
function withoutSignature(items: readonly Item[], judge: Judge): readonly Item[] {
  const dashes = items.findLastIndex((item) => isLine(item) && /^--$/.test(item.text));
  const index = dashes > 0 ? dashes : items.findLastIndex((item) => isLine(item) && isClosing(item.text));
  const below = items.slice(index + 1).filter((item) => item !== 'gap');
  if (index < 1 || below.length < (dashes > 0 ? 0 : 2) || below.length > MAX_SIGNATURE) return items;
  const pasted = items.slice(1).some((item) => isLine(item) && isGreeting(item.text));
  const signed = below.every(
    (item) =>
      isLine(item) &&
      item.text.length <= MAX_SIGNED &&
      CONTACT.test(item.text) &&
      (judge(plain(item.text))?.sure ?? 0) < 0.7,
  );
  if (signed && !pasted && !isSigned(items, index, below, judge)) return items;
  return signed && !pasted ? items.slice(0, dashes > 0 ? index : index + 1) : items;
}
/** A number, an address or a firm, which are nothing that a message ends with. */
const REACHED =
  /^(?:[+(\d][\d ()./-]{5,30}|(?:tel|phone|mobile|mob|fax|e-?mail|web)\b\D*\d.*|(?:www\.|https?:)\S+|[^\s@]+@\S+|.{1,60} (?:ltd|inc|llc|gmbh|ag|corp|plc|s\.?a\.?|b\.?v\.?)\.?|sent from .{1,40})$/i;

/** Whether what stands below the words of a sender is a signature beyond doubt; other instructions have no words to lose. */
function isSigned(items: readonly Item[], index: number, below: readonly Item[], judge: Judge): boolean {
  const pieces = items.slice(0, index).filter(isLine).map(pieceOf);
  const last = pieces.findLast((piece) => hasWords(piece, judge));
  if (last === undefined) return true;
  if (pieces.some(({ all, inline }) => all || inline)) return false;
  const [line, first] = [items[index] as Line, below[0]];
  if (line.text === '--') return line.signs === true;
  return (
    items[index - 1] === 'gap' &&
    isName(first ?? 'gap') &&
    below.slice(1).every((one) => REACHED.test((one as Line).text))
  );
}

/** Whether an instruction ends with words of its sender. */
const hasWords = ({ text, data, all }: Open, judge: Judge): boolean =>
  judge(plain(text), data?.[0] ?? all)?.words === true;

const isClosingLine = (item: Item): boolean => isLine(item) && isThanks(item.text);
const isLine = (item: Item): item is Line => typeof item === 'object' && 'text' in item;

/** Whether a line looks like the name under a letter. */
const isName = (item: Item): boolean =>
  typeof item === 'object' &&
  'text' in item &&
  /^\p{Lu}[\p{L}.-]{0,20}(?: \p{Lu}[\p{L}.-]{0,20}){0,2}$/u.test(item.text);

function add(open: Open, { text, mark }: Line): void {
  open.data ??= [];
  open.listed = open.listed !== false && mark !== undefined;
  open.data.push(mark === undefined || mark === '1.' ? text : `${mark} ${text}`);
}

const fenceAlone = ({ data, language }: Fence): Open => ({
  text: '',
  data: [data],
  language,
  mark: undefined,
  all: false,
  inline: false,
  fenced: true,
});

/** The lines of a quoted mail without their marks. */
const unquoted = (lines: readonly string[]): readonly string[] =>
  lines.some((line) => line !== '') && lines.every((line) => /^(?:>|$)/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, ''))
    : lines;
const trimmed = (lines: readonly string[]): string => withoutTrailing(lines.join('\n').replace(/^\n+/, ''), '\n');

/** In "Send a mail to a@b.c. Subject: Hello. Text: See you." the form is one message. */
const LETTER =
  /^([^:]{1,200}?\S@[^\s:]{1,200}?)[.,;]? (?:with )?subject: ([^:"]{1,200}?)[.,;]? (?:and )?(?:text|body|message|content): (\S.*)$/i;

function pieceOf({ text: line, mark }: Line): Open {
  const text = line.replace(ANNOUNCE, '');
  const [, sent, subject, body] = LETTER.exec(text) ?? [];
  if (sent !== undefined && body !== undefined)
    return {
      text: `${sent} with subject "${subject}"`,
      data: [body],
      language: undefined,
      fenced: false,
      mark,
      all: false,
      inline: true,
    };
  const colon = colonOf(text);
  const none = { language: undefined, fenced: false, mark };
  if (colon < 0) return { text, data: undefined, all: false, inline: false, ...none };
  // The question mark after a quotation belongs to the question.
  const rest = text
    .slice(colon + 1)
    .trim()
    .replace(/^("[^"]*"|“[^”]*”)[?.!]+$/, '$1');
  const said = text.slice(0, colon).trim();
  if (rest === '') return { text: said, data: undefined, all: true, inline: false, ...none };
  return { text: said, data: [rest], all: false, inline: true, ...none };
}
