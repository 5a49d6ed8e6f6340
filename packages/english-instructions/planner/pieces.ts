import { jsonIn } from '../language/json-spans.ts';
import { plain } from './courtesy.ts';
import type { Fence, Line } from './lines.ts';

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

export const ANNOUNCE =
  /^for (?:my|our|the|a|an) [a-z]+(?: [a-z]+){0,2}: (?=(?:what|which|how|who|please|can|could|give|find|tell|count|list|work|calculate) )|^(?:(?:hi|hello|hey|ok|okay|so|good (?:morning|afternoon|evening|day))\b[^.!?:]{0,20}[,.!]\s+)?(?:(?:a |just a |another |my |the |one |here['’]?s (?:a|my) )?(?:(?:quick|short|small|simple|last|next|first|second|one|other) )*(?:one|question|thing|task|request|favou?r|to-?do|job|instruction|q)|(?:(?:please|kindly) )?do (?:this|the following|the needful)) ?(?:for me)?(?::| [-–—])\s+(?=\S)/i;

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

/** An instruction that further lines may belong to. */
export interface Open {
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

/** Whether a text points to one that stands beside it. */
export const shows = (text: string): boolean =>
  /\b(?:this|these|the following|following|below|here|attached)\b/i.test(text);

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

/** Whether an instruction ends with words of its sender. */
export const hasWords = ({ text, data, all }: Open, judge: Judge): boolean =>
  judge(plain(text), data?.[0] ?? all)?.words === true;

/** Adds a line to the pasted text of an instruction. */
export function add(open: Open, { text, mark }: Line): void {
  open.data ??= [];
  open.listed = open.listed !== false && mark !== undefined;
  open.data.push(mark === undefined || mark === '1.' ? text : `${mark} ${text}`);
}

/** A pasted block that has no instruction. */
export const fenceAlone = ({ data, language }: Fence): Open => ({
  text: '',
  data: [data],
  language,
  mark: undefined,
  all: false,
  inline: false,
  fenced: true,
});

/** In "Send a mail to a@b.c. Subject: Hello. Text: See you." the form is one message. */
const LETTER =
  /^([^:]{1,200}?\S@[^\s:]{1,200}?)[.,;]? (?:with )?subject: ([^:"]{1,200}?)[.,;]? (?:and )?(?:text|body|message|content): (\S.*)$/i;

/** An instruction with the text behind its colon. */
export function pieceOf({ text: line, mark }: Line): Open {
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
