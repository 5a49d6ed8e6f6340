import { isForwardLine, plainDigits } from '@mailroom/behavior/values/quoted-mail';
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
    'كتب|מאת|כתב|نوشت', // Arabic, Hebrew, Persian
    'έγραψε|написав|написала|написа', // Greek, Ukrainian, Bulgarian
    'napisao|napisal|написао', // Croatian, Slovenian, Serbian
    'rašė|rakstīja|kirjutas', // Lithuanian, Latvian, Estonian
    'เขียน|viết|menulis|लिखा|লিখেছেন', // Thai, Vietnamese, Indonesian, Hindi, Bengali
    'va escriure|escribiu|idatzi|skrifaði|撰寫|來信|썼습니다', // Catalan, Galician, Basque, Icelandic, Chinese, Korean
    'scríobh|ysgrifennodd|sgrìobh|shkroi|напиша|напісаў|жазды|бичсэн', // Irish, Welsh, Gaelic, Albanian, Macedonian, Belarusian, Kazakh, Mongolian
    'წერდა|დაწერა|գրել է|գրեց|isinulat|aliandika|geskryf|skryf', // Georgian, Armenian, Filipino, Swahili, Afrikaans
    'ಬರೆದಿದ್ದಾರೆ|ရေးသား|लेख्नुभयो|ලිවීය|wabhala|bhalile|п[іi]ша|missatge de', // Kannada, Burmese, Nepali, Sinhala, Zulu, Belarusian, Catalan
    'எழுதியது|రాశారు|ಬರೆದರು|എഴുതി|લખ્યું|लिहिले|لکھا|ጽፏል|សរសេរ|ຂຽນ', // Tamil, Telugu, Kannada, Malayalam, Gujarati, Marathi, Urdu, Amharic, Khmer, Lao
  ]
    .map((word) => `(?:${word})`)
    .join('|'),
  'iu',
);
/** How an attribution begins: with a preposition, a weekday, a number, or a name before an address. */
const BEGINNING =
  /^(?:On|Am|Le|El|Op|Il|In data|In a message dated|In einer E-?Mail vom|Dans un e-?mail daté|En un mensaje con fecha|Em|No dia|A|W dniu|Dnia|Wiadomość napisana|Den|Dne|Em|Pe|În|La data|Στις|Στα|На|У |Dňa|Dana|V |Pada|Vào|Lúc|เมื่อ|في|ב|در|På|Tarihinde|在|于|\d|\p{L}{2,5}\.?,? (?:\d|den ))/u;
/** A day at the beginning, of which a weekday or a month may be the first word. */
const BEGINNING_DATE = /^(?:[\p{L}\p{M}]{1,4}\.?,? (?:den )?|[\p{L}\p{M}]{5,15}[.,] )?\d{1,4}[-/. ,:年]/u;
const ADDRESS = /[<([](?:mailto:)?[^\s<>@()[\]]{1,100}@[^\s<>@()[\]]{1,200}[>)\]]/;
const DATE = /\d{4}|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{2}/;
const TIME = /\d{1,2}(?:[:.時时点點시]| ?h) ?\d{2}/;

const plain = (line: string): string => plainDigits(line).trim();
/** Two lines of an attribution as one: Gmail breaks them behind the bracket of an address too. */
const continued = (line: string, text: string): string =>
  line.endsWith('<') || text === '' ? line + text : `${line} ${text}`;

/** What an attribution that names neither a date nor a verb begins with, above a quote with marks. */
const CITING =
  /^(?:quoting|zitat von|citat (?:från|fra)|citando(?: a)?|citação de|citazione (?:di|da)|citeren(?: van)?|citerar|cytowanie|cituji|цитирую|цитата|mensaje citado por) [^:]{1,100}:$/iu;
/** A line of GroupWise above a quote without marks. */
const ARROWED = /^>>> (?!>)(.{8,300}) >>>$/;
/** An address without brackets at the end of an attribution. */
const BARE_END = /[ ,]\S{1,64}@[^\s@]{1,200}[:：]$/;
/** A mailbox at the end. */
const BRACKETED_END = /<\S{1,64}@[^\s@]{1,200}>[:：]$/;
/** What stands between the digits of a date or a time and a mailbox at the end. */
const BETWEEN = /(\D{0,120})<\S{1,64}@[^\s@]{1,200}>[:：]$/;
/** Halves of a day, and prepositions before a name. */
const BEFORE_NAME =
  /^(?:[ap]m|[ap]\.m\.|[πμ]\.μ\.|gmt|uhr|from|by|von|van|de|da|di|por|par|per|od|fra|från|af|av|от|від|ад|од|[^\p{L}]*)$/iu;

const NAMED = /^[ \p{L}]{0,4},?\s{0,3}(?:["“]|(?:from|by|von|de|от|від|ад|од) )/iu;

/**
 * Whether a text begins with a date or a time, has both, and ends with a mailbox, as Mail.ru, Yandex and Gmail in Japanese,
 * Chinese and Korean write without a verb: between are a preposition and a name, which is of no lower case.
 */
function isDateAndMailbox(text: string): boolean {
  if (!isMoment(text) || !BEGINNING_DATE.test(text)) return false;
  const [, between] = BETWEEN.exec(text) ?? [];
  if (between === undefined) return /^\d{4}/.test(text) && BRACKETED_END.test(text) && /(?:GMT|UTC)[+-]\d/.test(text);
  if (/年|년|(?:GMT|UTC)[+-]\d/.test(text)) return true;
  // A preposition and quotes are of programs, whatever the name is.
  if (NAMED.test(between)) return true;
  return between
    .split(/[\s,"“”]+/)
    .every((word) => BEFORE_NAME.test(word) || word.includes('@') || !/^\p{Ll}|:$/u.test(word));
}

/** What its author says of themselves. */
const OF_AUTHOR =
  /(?<!\p{L})(?:(?:I|we|ik|wij?|io|noi|jag|jeg|vi) (?:\p{L}{1,8} )?|j['’]ai |avons )$|^[^:]{0,20} (?:ich|wir|ik|wij?|jag|jeg|vi):$/u;

const VERBS = new RegExp(VERB.source, 'giu');
/** Where the last verb begins and ends, which no name before it moves. */
function lastVerb(text: string): { readonly start: number; readonly end: number } | undefined {
  const found = [...text.matchAll(VERBS)].at(-1);
  return found && { start: found.index, end: found.index + found[0].length };
}

/** Whether a text without an address says when someone else wrote: the time stands before the verb. */
function saysWhen(text: string): boolean {
  const verb = lastVerb(text);
  if (verb === undefined || !BEGINNING.test(text)) return false;
  const [above, below] = [text.slice(0, verb.start), text.slice(verb.start)];
  return TIME.test(above) && !OF_AUTHOR.test(above) && !OF_AUTHOR.test(below);
}

/** What Zoho writes between dashes, and Yahoo for Android before the first line that it quotes. */
const DASHED = /^-{3,10} ([^-].{8,300}) -{3,10}$/;
const INLINE = /^(.{8,300}?[>)\]].{0,40}?[:：])[ \t\u00a0]{2,}\S/;

/** What Gmail wrote with the zone of the time, and without a verb. */
const ZONED = /^\d{4}[-/]\d{1,2}[-/]\d{1,2} \d{1,2}:\d{2} (?:GMT|UTC)[+-]\d{1,2}:\d{2} [^:]{1,200}:?$/;
/** What names a date and a mailbox and no more, which is enough above a quote with marks. */
const BARE = /^\d{4}[-/]\d{1,2}[-/]\d{1,2} [^<>:]{1,100} <\S{1,100}@\S{1,200}>$/;
/** What names a mailbox and a verb and no more. */
const VERBAL = /^[^<>:]{1,100} <\S{1,100}@\S{1,200}> [\p{L} ]{2,20}:$/u;

const isMoment = (text = ''): boolean => DATE.test(text) && TIME.test(text);
/** Whether a line names between arrows an address and a date, as GroupWise does above a quote without marks. */
export function isArrowed(line: string): boolean {
  const [, text = ''] = ARROWED.exec(line) ?? [];
  return text.includes('@') && isMoment(text);
}

/** Whether a line is an attribution of a program that ends none with a colon. */
function isUnusual(line: string, quoted: boolean): boolean {
  if (ZONED.test(line) || (quoted && (isForwardLine(line) || CITING.test(line)))) return true;
  if (!line.includes('@')) return false;
  if (quoted && BARE.test(line)) return true;
  const [, dashed = ''] = DASHED.exec(line) ?? [];
  if (/\S@\S/.test(dashed) && isMoment(dashed)) return true;
  const [, before = ''] = INLINE.exec(line) ?? [];
  return BEGINNING.test(before) && TIME.test(before) && isCertain(before);
}

const endsWithColon = (text: string): boolean => /[:：]$/.test(text);

/** Whether no sentence goes on behind the verb, the date and the address of an attribution. */
function endsSoon(text: string): boolean {
  const tail = text.slice(lastVerb(text)?.end ?? 0).replace(/^.*[\d>)\]]/, '');
  return (
    (tail.match(/(?<!\p{L})\p{Ll}/gu) ?? []).length < 3 &&
    !/ (?:an?|the|einen?|ein|eine) (?!following)\p{L}/u.test(tail)
  );
}

/** Whether the text says for certain that what follows was written by someone else. */
function isCertain(text: string): boolean {
  if (text.length > MAX_LENGTH || !endsWithColon(text) || !DATE.test(text)) return false;
  if (VERB.test(text) && endsSoon(text) && (ADDRESS.test(text) || saysWhen(text))) return true;
  return isDateAndMailbox(text);
}

/** Whether the text may be an attribution, which is enough where a quoted line follows. */
const isLikely = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  endsWithColon(text) &&
  (VERB.test(text) || (ADDRESS.test(text) && (DATE.test(text) || TIME.test(text))));

/** Whether the text has all that an attribution of any language has, which is enough where a quoted line follows. */
const isComplete = (text: string): boolean =>
  text.length <= MAX_LENGTH &&
  endsWithColon(text) &&
  (ADDRESS.test(text) || (BARE_END.test(text) && BEGINNING.test(text))) &&
  isMoment(text);

/** Whether a text is one that is known here to be an attribution, or none. */
export const isDecided = (text: string): boolean =>
  isComplete(text) || (text.length <= MAX_LENGTH && endsWithColon(text) && VERB.test(text) && isMoment(text));

/** The first line of an attribution, with the name above it where it begins with the address of that. */
function withName(lines: readonly string[], start: number, text: string): number {
  const above = plain(lines[start - 1] ?? '');
  if (!/^[<(]/.test(text) || above === '' || above.length > 100 || /[.!?。！？>:]$/.test(above)) return start;
  return plain(lines[start - 2] ?? '') === '' ? start - 1 : start;
}

/**
 * The first line of the attribution that ends at `end`, undefined when none does. The nearest beginning wins, so that no
 * line before it is taken for a part of it. `quoted`: a quoted line follows.
 */
export function attributionAt(lines: readonly string[], end: number, quoted: boolean): number | undefined {
  const last = plain(lines[end]?.slice(0, MAX_LENGTH) ?? '');
  if (isUnusual(last, quoted)) return end;
  if (!endsWithColon(withoutTrailing(last, BLANKS))) return undefined;
  let text = '';
  let likely: number | undefined;
  for (let start = end; start > end - MAX_LINES && start >= 0; start -= 1) {
    const line = plain(lines[start] as string);
    if (line === '' || line.startsWith('>') || line.length > MAX_LENGTH) break;
    text = continued(line, text);
    if (isCertain(text) || (quoted && isComplete(text))) return withName(lines, start, text);
    if (quoted && likely === undefined && isLikely(text) && BEGINNING.test(text)) likely = start;
  }
  if (likely !== undefined) return likely;
  if (VERBAL.test(last) && VERB.test(last) && endsSoon(last)) return end;
  return quoted && isLikely(plain(lines[end] as string)) ? end : undefined;
}
