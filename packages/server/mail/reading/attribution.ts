import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';

/** Characters and lines of an attribution: clients break it after 76 characters or so. */
const MAX_LENGTH = 400;
const MAX_LINES = 4;

/** The verb of an attribution, by which clients say who wrote what they quote. */
const VERB = new RegExp(
  [
    'wrote|writes', // English
    'schrieb|schreibt|geschrieben', // German
    'écrit', // French
    'escribió|escribio', // Spanish
    'schreef|geschreven', // Dutch
    'scritto', // Italian
    'escreveu', // Portuguese
    'napisał|pisze|napisana', // Polish
    'のメール|さんは書きました|は書きました', // Japanese
    'skrev', // Danish, Norwegian, Swedish
    'kirjoitti', // Finnish
    'написал|пишет|пише', // Russian, Ukrainian
    'napsal|napísal', // Czech, Slovak
    'yazdı|írta|a scris', // Turkish, Hungarian, Romanian
    '写道|寫道|작성', // Chinese, Korean
    'كتب|מאת|כתב', // Arabic, Hebrew
  ]
    .map((word) => `(?:${word})`)
    .join('|'),
  'iu',
);
/** How an attribution begins: with a preposition, a weekday, a number, or a name before an address. */
const BEGINNING =
  /^(?:On|Am|Le|El|Op|Il|In data|Em|No dia|A|W dniu|Dnia|Wiadomość napisana|Den|Dne|Em|Pe|På|Tarihinde|在|于|\d|\p{L}{2,5}\.?,? (?:\d|den ))/u;
const ADDRESS = /[<([](?:mailto:)?[^\s<>@()[\]]{1,100}@[^\s<>@()[\]]{1,200}[>)\]]/;
const DATE = /\d{4}|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}/;
const TIME = /\d{1,2}[:.h時] ?\d{2}/;

/** Without the marks of direction that Gmail puts around names and addresses in Arabic and Hebrew. */
const plain = (line: string): string => line.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim();

const endsWithColon = (text: string): boolean => /[:：]$/.test(text);

/** Whether the text says for certain that what follows was written by someone else. */
function isCertain(text: string): boolean {
  if (text.length > MAX_LENGTH || !endsWithColon(text) || !DATE.test(text)) return false;
  const addressed = ADDRESS.test(text);
  if (VERB.test(text)) return (BEGINNING.test(text) && (addressed || TIME.test(text))) || addressed;
  // Gmail in Japanese, Chinese and Korean names date, time and sender alone.
  return /^\d{4}/.test(text) && TIME.test(text) && addressed && />[:：]$/.test(text);
}

/** Whether the text may be an attribution, which is enough where a quoted line follows. */
const isLikely = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  endsWithColon(text) &&
  (VERB.test(text) || (ADDRESS.test(text) && (DATE.test(text) || TIME.test(text))));

/**
 * The first line of the attribution that ends at `end`, undefined when none does. The nearest beginning wins, so that no
 * line before it is taken for a part of it. `quoted`: a quoted line follows.
 */
export function attributionAt(lines: readonly string[], end: number, quoted: boolean): number | undefined {
  if (!endsWithColon(withoutTrailing(plain(lines[end]?.slice(0, MAX_LENGTH) ?? ''), BLANKS))) return undefined;
  let text = '';
  let likely: number | undefined;
  for (let start = end; start > end - MAX_LINES && start >= 0; start -= 1) {
    const line = plain(lines[start] as string);
    if (line === '' || line.startsWith('>') || line.length > MAX_LENGTH) break;
    text = text === '' ? line : `${line} ${text}`;
    if (isCertain(text)) return start;
    if (quoted && likely === undefined && isLikely(text) && BEGINNING.test(text)) likely = start;
  }
  if (likely !== undefined) return likely;
  return quoted && isLikely(plain(lines[end] as string)) ? end : undefined;
}
