import type { Sender } from '@mailroom/behavior/message';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';

/** The sender's own text in a message, and whether any of it may come from someone else. */
export interface OwnWords {
  readonly own: string;
  readonly received: boolean;
}

const FENCE = /^\s{0,8}(`{3,}|~{3,})/;
/** Quotation marks at the beginning of a line, as mail programs put them, also after a name ("Ann> …"). */
const QUOTED = /^\s*(?:[A-Za-z]{0,8}[>›»＞]|&gt;|[|¦┃]\s)/;
/** A line after which an older mail follows: "On … wrote:" and its forms in other languages and programs. */
const WROTE =
  /^\s*\S.{0,300}\b(?:wrote|writes|schrieb(?: .{1,80})?|a écrit|escribió|ha scritto|schreef(?: .{1,80})?|escreveu|napisał(?:\(a\))?|skrev(?: .{1,80})?)\s*:\s*$/iu;
const OPENS_WROTE = /^\s*(?:On|Am|Le|El|Il|Op|Em|W dniu|Den|Dnia)\s.{6,200}$/u;
const ENDS_WROTE = /\b(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|napisał|skrev)\s*:\s*$/iu;
const FORWARD_HEADINGS = [
  '(?:begin )?forwarded (?:message|mail|e-?mail)',
  'original (?:message|mail|e-?mail|appointment)',
  'weitergeleitete nachricht',
  'ursprüngliche nachricht',
  'message transféré',
  "message d['’]origine",
  'mensaje reenviado',
  'mensaje original',
  'messaggio inoltrato',
  'quoted text',
];
const FORWARDED = new RegExp(String.raw`^\s*(?:[-_=*]{2,}\s*)?(?:${FORWARD_HEADINGS.join('|')})\b`, 'iu');
const RULER = /^\s*[-_=*]{8,}\s*$/;
const HEADER = /^\s*(?:From|Sent|Von|De|Da|Van|Från|Od|Received|Return-Path|Reply-To)\s?:\s+\S/iu;
const MARKUP = /<(blockquote|pre|code|email|mail|message|document|page|quote|data|html|body|article)\b/i;
/** The beginning of JSON pasted into a sentence. */
const JSON_OPENS = /\{\s*["'}]|\[\s*[[{"']/;
const INDENTED = /^(?: {4,}|\t)\S/;
/** Text that is not read as words, such as base64, hexadecimal and percent-encoded data; URLs also have other characters. */
const ENCODED = /(?<![\w+/=%.:@-])(?:[A-Za-z0-9+/=_-]|%[0-9A-Fa-f]{2}){40,}(?![\w.:@])/;
/** Marks around a quotation of several lines. */
const QUOTATIONS: readonly (readonly [string, string])[] = [
  ['"""', '"""'],
  ["'''", "'''"],
  ['<<<', '>>>'],
  ['“', '”'],
  ['«', '»'],
  ['„', '“'],
];

/**
 * Separates the sender's own text from what is pasted: quoted and forwarded mail, fenced and indented blocks, JSON, markup.
 * In doubt a text counts as pasted, because an unnecessary approval costs less than a missing one.
 */
export function ownWords(body: string): OwnWords {
  const kept: string[] = [];
  let received = false;
  let fence: string | undefined;
  const lines = body.split(/\r\n?|\n|\u2028|\u2029/);
  for (const [index, line] of lines.entries()) {
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
    if (endsOwn(line, lines[index + 1] ?? '')) {
      received = true;
      break;
    }
    const pasted = QUOTED.test(line) || (INDENTED.test(line) && !/\S/.test(lines[index - 1] ?? ''));
    if (pasted) received = true;
    else kept.push(line);
  }
  const own = withoutPastes(kept.join('\n'));
  return { own, received: received || own.length < kept.join('\n').length || ENCODED.test(own) };
}

/** Whether the text from this line on is by someone else. */
const endsOwn = (line: string, next: string): boolean =>
  WROTE.test(line) ||
  FORWARDED.test(line) ||
  (OPENS_WROTE.test(line) && ENDS_WROTE.test(next)) ||
  ((HEADER.test(line) || RULER.test(line)) && HEADER.test(next)) ||
  /^\s*(?:From|Von|De|Da|Van)\s?:.{0,200}@/iu.test(line);

function withoutPastes(text: string): string {
  let rest = text;
  for (const [opens, closes] of QUOTATIONS) {
    const from = rest.indexOf(opens);
    const to = from < 0 ? -1 : rest.lastIndexOf(closes);
    if (to <= from) continue;
    if (opens.length > 1 || rest.slice(from, to).includes('\n')) rest = rest.slice(0, from) + rest.slice(to + 1);
  }
  const straight = rest.indexOf('"');
  const last = rest.lastIndexOf('"');
  if (straight >= 0 && rest.slice(straight, last).includes('\n')) rest = rest.slice(0, straight) + rest.slice(last + 1);
  const markup = MARKUP.exec(rest)?.index;
  if (markup !== undefined) rest = rest.slice(0, markup) + rest.slice(rest.lastIndexOf('>') + 1);
  const json = JSON_OPENS.exec(rest)?.index;
  if (json === undefined) return rest;
  const end = Math.max(rest.lastIndexOf('}'), rest.lastIndexOf(']'));
  return end > json ? rest.slice(0, json) + rest.slice(end + 1) : rest.slice(0, json);
}

/** Whether everything from this sender comes from elsewhere: a mailbox passes text on, and an e-mail is received text. */
export const isRelay = ({ kind }: Pick<Sender, 'kind'>): boolean => kind === 'mailbox' || kind === 'email';

/** The words in lower case, without numbers and without tokens with digits that are longer than words, such as hashes. */
export const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (one) => /\p{L}.*\p{L}/u.test(one) && (one.length < 16 || !/\p{N}/u.test(one)),
  );

/** The URLs in a text, normalized as they would be fetched. */
export function urlsOf(text: string): string[] {
  const found =
    text.match(/(?:https?:\/\/|(?<![\w@.-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@-]))[^\s<>"'`“”«»]*/giu) ?? [];
  return found.flatMap((one) => {
    const bare = withoutTrailing(one, '.,;:!?)]}');
    return [one, bare].map(normal).filter((url) => url !== undefined);
  });
}

/** A URL in normalized form; undefined when it is not valid. */
export function normal(url: string): string | undefined {
  const parsed = URL.parse(/^https?:\/\//i.test(url) ? url : `https://${url}`);
  return parsed === null ? undefined : parsed.href;
}
