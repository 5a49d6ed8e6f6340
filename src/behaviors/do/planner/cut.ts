/** One instruction of a message with what was pasted with it. */
export interface Piece {
  readonly text: string;
  readonly data: string | undefined;
  readonly language: string | undefined;
  /** Whether the pasted text was fenced off, or stood behind a colon. */
  readonly fenced: boolean;
  /** The mark of the list it stood in: `-`, `1.`; undefined: in none. */
  readonly mark: string | undefined;
}

/** A line that goes on after a line with pasted text on it: text or an instruction? */
export interface Doubt {
  readonly text: string;
}

interface Line {
  readonly text: string;
  readonly mark: string | undefined;
  readonly indent: number;
}
interface Fence {
  readonly data: string;
  readonly language: string | undefined;
}
type Item = Line | Fence | 'gap';

const MARK = /^(\s*)(?:([-*•–—])\s+|(\(?(?:step\s+)?\d{1,4}[.):])\s*)(?=\S)/i;
const FENCE = /^\s*(`{3,}|~{3,})\s*([A-Za-z0-9_+-]*)[^`]*$/;

/** Said around the instructions, and nothing to do. */
const POLITE =
  /^(?:(?:hi|hello|hey|hallo|dear|good (?:morning|afternoon|evening|day))\b[^.!?:]{0,30}[,.!]*|(?:many |lots of )?(?:thanks|thank you|thx|cheers|ty)\b[^.?:]{0,40}[.!]*|(?:best|kind|warm)? ?(?:regards|wishes)[,.!]*|please[,:]?|pls|best[,.!]+)$/i;
/** Announces a list. */
const INTRO =
  /^(?:[^:]{0,60}\b)?(?:please|the following|following|these|two|three|four|several|some|a few|few)?\s*(?:do|things?|steps?|tasks?|instructions?|questions?|in this order|as follows|to ?do(?: list)?|pls|please|favou?rs?)\s*:$/i;
const OPENER =
  /^(?:(?:hi|hello|hey|hallo|ok|okay|so|well|now|also|and|next|finally|lastly|then|first|firstly|after that|afterwards|good (?:morning|afternoon|evening))(?:\s+(?:there|do|all|team|bot))?[,!.]?\s+|(?:please|pls|plz|kindly|just)[,]?\s+|(?:can|could|would|will) (?:you|u)(?: please| kindly| pls)?\s+|(?:i|we)(?: would|['’]d)? (?:like|need|want)(?: you)? to\s+|i['’]d like (?:you )?to\s+|i (?:want|need) (?:you )?to\s+|help me (?:to )?|let['’]s\s+|tell me,?\s+(?=what|how|when|which|if|whether))+/i;
const CLOSER = /(?:[,.!?]?\s+(?:please|pls|plz|thanks|thank you|thx|for me|if you can)[.!]*|[.!?;,]+)+$/i;

/** An instruction without what people say around it. */
export function plain(text: string): string {
  const single = text.replace(/\s+/g, ' ').trim();
  const opened = single.replace(OPENER, '');
  const closed = opened.replace(CLOSER, '').trim();
  return closed === '' ? single : closed;
}

/** Lines and fenced blocks, in order. */
function itemsOf(body: string): Item[] {
  const items: Item[] = [];
  const lines = body.split(/\r\n|[\n\r\u2028\u2029]/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const fence = FENCE.exec(line);
    if (fence !== null) {
      const close = (fence[1] as string).slice(0, 3);
      const end = lines.findIndex((one, i) => i > at && one.trim().startsWith(close) && /^[`~\s]+$/.test(one));
      const last = end < 0 ? lines.length : end;
      items.push({ data: lines.slice(at + 1, last).join('\n'), language: fence[2]?.toLowerCase() || undefined });
      at = last;
      continue;
    }
    if (line.trim() === '') {
      items.push('gap');
      continue;
    }
    const mark = MARK.exec(line);
    if (mark === null)
      items.push({ text: line.trim(), mark: undefined, indent: line.length - line.trimStart().length });
    else {
      const kind = mark[2] ?? '1.';
      items.push({ text: line.slice(mark[0].length).trim(), mark: kind, indent: (mark[1] as string).length });
    }
  }
  return items;
}

/** Where the pasted part of a line begins: after a colon with a space, outside quotes; -1 when there is none. */
export function colonOf(text: string): number {
  let quote = '';
  for (let at = 0; at < text.length && at < 2_000; at++) {
    const sign = text[at] as string;
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === '`' || sign === '“') quote = sign === '“' ? '”' : sign;
    else if (sign === "'" && /(?:^|\s)$/.test(text.slice(0, at)) && text.indexOf("'", at + 1) > 0) quote = "'";
    else if (sign === ':' && at > 0 && (at + 1 === text.length || /\s/.test(text[at + 1] as string))) return at;
  }
  return -1;
}

interface Open {
  text: string;
  data: string[] | undefined;
  language: string | undefined;
  mark: string | undefined;
  /** All that follows belongs to it: its line ended with a colon. */
  all: boolean;
  fenced: boolean;
  /** Pasted text stood on its line. */
  inline: boolean;
}

const wantsData = ({ text, data }: Open): boolean =>
  data === undefined && /\b(?:this|these|the following|following|below|here|attached)\b/i.test(text);

/** Whether what stands on the line before means that this line is an instruction of its own. */
export interface Judge {
  /** It is an instruction, as far as one can see: how sure, and whether it has effects. */
  (text: string): { readonly sure: number; readonly effects: boolean; readonly refers: boolean } | undefined;
}

/**
 * Cuts a message into instructions and what was pasted with each. Pasted text is never an instruction: a fenced block; all that
 * follows a line that ends with a colon; and what follows a colon on its line. A further line after the latter is one only
 * when it stands in the same list, or plainly goes on with the result and changes nothing; otherwise it is a doubt.
 */
export function cut(body: string, judge: Judge): { readonly pieces: readonly Piece[]; readonly doubt?: Doubt } {
  const open: Open[] = [];
  let held: Fence | undefined;
  const items = itemsOf(body);
  for (const [at, item] of items.entries()) {
    if (item === 'gap') {
      const last = open.at(-1);
      if (last?.all && last.data !== undefined && last.data.length > 0) last.data.push('');
      continue;
    }
    if ('data' in item) {
      const taker = takerOf(open);
      if (taker === undefined) held = item;
      else {
        taker.data = [item.data];
        taker.language = item.language;
        taker.fenced = true;
        taker.all = false;
      }
      continue;
    }
    const last = open.at(-1);
    const listed = last !== undefined && item.mark !== undefined && item.mark === last.mark;
    if (last?.all && !listed) {
      last.data ??= [];
      last.data.push(rawOf(item));
      continue;
    }
    if (last?.inline && !listed && last.data !== undefined) {
      const seen = judge(plain(item.text));
      const goesOn =
        seen !== undefined && seen.sure >= 0.7 && !seen.effects && (seen.refers || /^(?:and )?then\b/i.test(item.text));
      if (!goesOn) {
        if (seen !== undefined && seen.sure >= 0.9) return { pieces: [], doubt: { text: item.text.slice(0, 200) } };
        if (POLITE.test(item.text) && !items.slice(at + 1).some((one) => one !== 'gap')) break;
        last.data.push(rawOf(item));
        continue;
      }
    }
    if (POLITE.test(item.text)) continue;
    const next = items.slice(at + 1).find((one) => one !== 'gap');
    const announces =
      item.text.endsWith(':') &&
      next !== undefined &&
      typeof next === 'object' &&
      'mark' in next &&
      next.mark !== undefined;
    if (
      announces &&
      item.mark === undefined &&
      (INTRO.test(item.text) || (judge(plain(item.text.slice(0, -1)))?.sure ?? 0) < 0.5)
    )
      continue;
    const piece = pieceOf(item);
    if (held !== undefined && piece.data === undefined) {
      piece.data = [held.data];
      piece.language = held.language;
      piece.fenced = true;
      held = undefined;
    }
    open.push(piece);
  }
  if (held !== undefined)
    open.unshift({
      text: '',
      data: [held.data],
      language: held.language,
      mark: undefined,
      all: false,
      inline: false,
      fenced: true,
    });
  return {
    pieces: open.map(({ text, data, language, fenced, mark }) => ({
      text,
      data: data && trimmed(data),
      language,
      fenced,
      mark,
    })),
  };
}

const trimmed = (lines: readonly string[]): string => lines.join('\n').replace(/^\n+|\n+$/g, '');
const rawOf = ({ text, mark }: Line): string => (mark === undefined || mark === '1.' ? text : `${mark} ${text}`);

/** Who a fenced block belongs to: the last instruction, unless an earlier one speaks of "this" and has nothing yet. */
function takerOf(open: readonly Open[]): Open | undefined {
  const free = open.filter(({ data }) => data === undefined);
  const last = open.at(-1);
  if (last === undefined) return undefined;
  if (last.all && last.data === undefined) return last;
  return free.find(wantsData) ?? (last.data === undefined ? last : undefined);
}

function pieceOf({ text, mark }: Line): Open {
  const colon = colonOf(text);
  const none = { language: undefined, fenced: false, mark };
  if (colon < 0) return { text, data: undefined, all: false, inline: false, ...none };
  const rest = text.slice(colon + 1).trim();
  const said = text.slice(0, colon).trim();
  if (rest === '') return { text: said, data: undefined, all: true, inline: false, ...none };
  return { text: said, data: [rest], all: false, inline: true, ...none };
}
