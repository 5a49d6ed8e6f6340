import type { Sender } from '../../core/entities/message.ts';
import { withoutTrailing } from '../../core/values/trailing.ts';

/** What of a message its sender says, and whether there is anything in it that somebody else may have said. */
export interface OwnWords {
  readonly own: string;
  readonly received: boolean;
}

const FENCE = /^\s{0,8}(`{3,}|~{3,})/;
/** A mark of quotation, as mail programs put it; also in front of names ("Ann> …"). */
const QUOTED = /^\s*(?:[A-Za-z]{0,8}[>›»＞]|&gt;|[|¦┃]\s)/;
/** From here on it is an older mail: "On … wrote:", and what other languages and programs say. */
const WROTE =
  /^\s*\S.{0,300}\b(?:wrote|writes|schrieb(?: .{1,80})?|a écrit|escribió|ha scritto|schreef(?: .{1,80})?|escreveu|napisał(?:\(a\))?|skrev(?: .{1,80})?)\s*:\s*$/iu;
const OPENS_WROTE = /^\s*(?:On|Am|Le|El|Il|Op|Em|W dniu|Den|Dnia)\s.{6,200}$/u;
const ENDS_WROTE = /\b(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|napisał|skrev)\s*:\s*$/iu;
const FORWARDED =
  /^\s*(?:[-_=*]{2,}\s*)?(?:(?:begin )?forwarded (?:message|mail|e-?mail)|original (?:message|mail|e-?mail|appointment)|weitergeleitete nachricht|ursprüngliche nachricht|message transféré|message d['’]origine|mensaje reenviado|mensaje original|messaggio inoltrato|quoted text)\b/iu;
const RULER = /^\s*[-_=*]{8,}\s*$/;
const HEADER = /^\s*(?:From|Sent|Von|De|Da|Van|Från|Od|Received|Return-Path|Reply-To)\s?:\s+\S/iu;
const MARKUP = /<(blockquote|pre|code|email|mail|message|document|page|quote|data|html|body|article)\b/i;
/** JSON, as it is pasted into a sentence. */
const JSON_OPENS = /\{\s*["'}]|\[\s*[[{"']/;
const INDENTED = /^(?: {4,}|\t)\S/;
/** What nobody reads as words: base64, hexadecimal, percent-encoded. Addresses of pages have other characters too. */
const ENCODED = /(?<![\w+/=%.:@-])(?:[A-Za-z0-9+/=_-]|%[0-9A-Fa-f]{2}){40,}(?![\w.:@])/;
/** A quotation of several lines. */
const QUOTATIONS: readonly (readonly [string, string])[] = [
  ['"""', '"""'],
  ["'''", "'''"],
  ['<<<', '>>>'],
  ['“', '”'],
  ['«', '»'],
  ['„', '“'],
];

/**
 * Parts what the sender says from what is pasted: quoted and forwarded mail, fenced and indented blocks, JSON, markup. What
 * is in doubt is taken for pasted: that costs a question to the mailbox's owner, the other error would cost more.
 */
export function ownWords(body: string): OwnWords {
  const kept: string[] = [];
  let received = false;
  let fence: string | undefined;
  const lines = body.split(/\r\n?|\n|\u2028|\u2029/);
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      received = true;
      continue;
    }
    if (endsOwn(line, lines[at + 1] ?? '')) {
      received = true;
      break;
    }
    const pasted = QUOTED.test(line) || (INDENTED.test(line) && !/\S/.test(lines[at - 1] ?? ''));
    if (pasted) received = true;
    else kept.push(line);
  }
  const own = withoutPastes(kept.join('\n'));
  return { own, received: received || own.length < kept.join('\n').length || ENCODED.test(own) };
}

/** Whether from this line on it is somebody else's. */
const endsOwn = (line: string, next: string): boolean =>
  WROTE.test(line) ||
  FORWARDED.test(line) ||
  (OPENS_WROTE.test(line) && ENDS_WROTE.test(next)) ||
  ((HEADER.test(line) || RULER.test(line)) && HEADER.test(next)) ||
  /^\s*(?:From|Von|De|Da|Van)\s?:.{0,200}@/iu.test(line);

function withoutPastes(text: string): string {
  let left = text;
  for (const [opens, closes] of QUOTATIONS) {
    const from = left.indexOf(opens);
    const to = from < 0 ? -1 : left.lastIndexOf(closes);
    if (to <= from) continue;
    if (opens.length > 1 || left.slice(from, to).includes('\n')) left = left.slice(0, from) + left.slice(to + 1);
  }
  const straight = left.indexOf('"');
  const last = left.lastIndexOf('"');
  if (straight >= 0 && left.slice(straight, last).includes('\n')) left = left.slice(0, straight) + left.slice(last + 1);
  const markup = MARKUP.exec(left)?.index;
  if (markup !== undefined) left = left.slice(0, markup) + left.slice(left.lastIndexOf('>') + 1);
  const json = JSON_OPENS.exec(left)?.index;
  if (json === undefined) return left;
  const end = Math.max(left.lastIndexOf('}'), left.lastIndexOf(']'));
  return end > json ? left.slice(0, json) + left.slice(end + 1) : left.slice(0, json);
}

/** Whether all that this sender writes was received from elsewhere: a mailbox passes on what it was told, an e-mail is one. */
export const isRelay = ({ kind }: Pick<Sender, 'kind'>): boolean => kind === 'mailbox' || kind === 'email';

/** Its words in lower case; not numbers, nor what is longer with digits in it than any word, such as a hash. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (one) => /\p{L}.*\p{L}/u.test(one) && (one.length < 16 || !/\p{N}/u.test(one)),
  );

/** The addresses of pages in it, as they would be fetched. */
export function urlsOf(text: string): string[] {
  const found =
    text.match(/(?:https?:\/\/|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@-]))[^\s<>"'`“”«»]*/giu) ?? [];
  return found.flatMap((one) => {
    const bare = withoutTrailing(one, '.,;:!?)]}');
    return [one, bare].map(normal).filter((url) => url !== undefined);
  });
}

/** One way to write an address; undefined when it is none. */
export function normal(url: string): string | undefined {
  const parsed = URL.parse(/^https?:\/\//i.test(url) ? url : `https://${url}`);
  return parsed === null ? undefined : parsed.href;
}
