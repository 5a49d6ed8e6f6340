import type { Match } from './finding.ts';
import { type Grams, wordsOf } from './grams.ts';
import { isPlaceholder } from './tokens.ts';

/** What a password is called before it is told, in Latin letters. */
const LATIN =
  /(?<![\p{L}])(?:pass ?words?|passwd|pass ?phrase|passcode|pwd|(?<=[\n/_"'({,;|.-])pass(?=["']?\s?[:=])|kenn?wort|passwort|zugangscode|mot de passe|mdp|contraseñas?|contrasenas?|(?<!palabras? )clave|password|parola d['’]ordine|parola|senha|palavra-passe|wachtwoord|lösenord|losenord|adgangskode|passord|salasana|hasło|haslo|heslo|jelszó|jelszo|parolă|şifre|sifre|lozinka|geslo|kata sandi|mật khẩu)(?![\p{L}])/giu;
/** The same in other scripts, whose words have no blanks between them, or endings. */
const OTHER =
  /пароль|κωδικός(?: πρόσβασης)?|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة (?:المرور|السر)|סיסמ[אה]|पासवर्ड|รหัสผ่าน/giu;
/** Parts of the names in Latin letters, of which each that is written in ASCII has one. */
const LATIN_WORDS = wordsOf(
  'pass pwd nwort zugangscode mdp contrase clave parola senha wachtwoord adgangskode salasana haslo heslo jelszo sifre lozinka geslo sandi losenord'.split(
    ' ',
  ),
);
/** What a key of an interface is called before it is told. */
const KEYS =
  /(?<![a-z0-9])(?:[a-z0-9]{1,24}[_.-]){0,4}(?:api|access|auth|account|secret|client|private|signing|encryption|session|deploy|bearer|refresh|webhook|master|app|service|shared)?[_ .-]?(?:secret|token|key|credentials?)(?![a-z])/gi;

const KEY_WORDS = wordsOf(['secret', 'token', 'key', 'credential']);

/** What stands between the name and the value: quotation marks, a verb, a sign. */
const JOINT =
  /["'`*_]{0,3}(?: ?\([^()\n]{1,40}\))?(?:\s{0,3}(?::=|=>|->|→|[:=：＝])\s{0,3}|[ \u3000]?(?:は|是|为|為|[은는이가]) ?|\s(?:is|ist|lautet|est|es|è|é|is now|remains|er|är|jest|je|это)[ \n]:? ?|\s—\s)["'`“«「『*_]{0,3}/iuy;
/** Characters of a password, and of a key. */
const WORD = /[^\s"'`“”«»「」『』<>]{4,200}/uy;
const KEY = /[\w+/=.~-]{4,200}/y;

/** Marks at the end of a sentence that belong to no value. */
const END = /[.,;:!?)\]}、。，；）*_]{1,9}$/u;
/** Values that stand for one. */
const STANDS_FOR =
  /^(?:[*•xX.…#?_-]+|\$?\{.*|\$\(?[A-Za-z_]\w*\)?|%\w+%|<.*|\[.*|\(.*|(?:your|my|the|our|dein|ihr|votre|tu|su|seu|sua)[-_ ]?.*|pass(?:word|wd|phrase)?|passwort|secret|token|none|null|nil|undefined|true|false|empty|required|optional|string|hidden|redacted|removed|changed|expired|reset|protected|incorrect|wrong|invalid|correct|unknown|same|below|above|attached|sent|https?:.*|www\..*)$/iu;

/** Bits of information in a text by the frequency of its characters (Shannon). */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return bits;
}

/** Whether a value has what words of a text do not have: digits among letters, or signs within. */
const isMixed = (value: string): boolean =>
  (/\d/.test(value) && /\p{L}/u.test(value)) ||
  /[\p{L}\d][!#$%&*+=?@^~|][\p{L}\d]/u.test(value) ||
  (/[!#$%&*+=?@^~|]/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)) ||
  /^\d{4,12}$/.test(value) ||
  /^[a-z]+[A-Z][a-z]+[A-Z]/.test(value) ||
  /^\p{Ll}{2,20}(?:-\p{Ll}{2,20}){2,9}$/u.test(value);

/** Whether a value is a place, a time or a name in a program, and not a secret. */
const isOrdinary = (value: string): boolean =>
  /^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(value) ||
  /^(?:\d{1,4}[-/.:]){1,5}\d{1,4}$/.test(value) ||
  /^[\w$]+(?:\.[\w$]+)*\(/.test(value) ||
  /^(?:[/~]|\.{1,2}\/)/.test(value) ||
  /^(?:[A-Za-z]\w*\.)+[A-Za-z]\w*$/.test(value);

/** Scripts in which no password is written. */
const IDEOGRAPHS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

type Accepts = (value: string, isAlone: boolean) => boolean;

/** A password is mixed, or the only word of its line. */
const isPassword: Accepts = (value, isAlone) =>
  !IDEOGRAPHS.test(value) && (isMixed(value) || (isAlone && /^[!-~]+$/.test(value) && /[a-z\d]{4}/i.test(value)));
/** Words and numbers with a sign between them, such as the name of a project. */
const NAME = /^(?:[A-Z]?[a-z]{2,20}\d{0,4}|\d{1,4})(?:[-_./](?:[A-Z]?[a-z]{2,20}\d{0,4}|\d{1,4})){1,20}$/;
/** A key is long and without order. */
const isKey: Accepts = (value) =>
  value.length >= 16 &&
  /\d/.test(value) &&
  !NAME.test(value) &&
  /^[\w+/=.~-]+$/.test(value) &&
  entropy(value) / value.length >= 3 &&
  /[A-Za-z]/.test(value);

/** The rest of a line after a value, when nothing follows it. */
const ALONE = /[ \t"'`”»」』*_,;.]{0,6}(?:\r?\n|$|\\n)/uy;

/** How a name is told from other words, and what may follow it. */
interface Kind {
  readonly names: RegExp;
  /** False where a text has none of the names. */
  readonly mayBeIn: (grams: Pick<Grams, 'mayHave' | 'isAscii'>) => boolean;
  readonly value: RegExp;
  readonly accepts: Accepts;
  /** Whether the name, at this position, is of something else. */
  readonly isOther: (text: string, name: string, index: number) => boolean;
}

/** The beginning of a meeting's invitation, whose passcode is for all who get it. */
const MEETING = /\b(?:meeting|webinar|zoom|webex|teams)\b/i;
const textBefore = (text: string, index: number, length: number): string =>
  text.slice(Math.max(0, index - length), index);

const PASSWORD: Omit<Kind, 'names' | 'mayBeIn'> = {
  value: WORD,
  accepts: isPassword,
  isOther: (text, name, index) => name.toLowerCase() === 'passcode' && MEETING.test(textBefore(text, index, 300)),
};
const KEY_KIND: Kind = {
  names: KEYS,
  mayBeIn: (grams) => grams.mayHave(KEY_WORDS),
  value: KEY,
  accepts: isKey,
  // Links of mails have tokens that are for their reader.
  isOther: (text, name, index) => !/api|secret|access/i.test(name) && /:\/\/\S*$/.test(textBefore(text, index, 200)),
};

export const KINDS: readonly Kind[] = [
  { ...PASSWORD, names: LATIN, mayBeIn: (grams) => !grams.isAscii || grams.mayHave(LATIN_WORDS) },
  { ...PASSWORD, names: OTHER, mayBeIn: (grams) => !grams.isAscii },
  KEY_KIND,
];

const WHY = 'This looks like a password, or a key, beside its name.';

/** The value that begins here, and where it ends; undefined for what is none. */
function valueAt(text: string, start: number, joint: string, { value: form, accepts }: Kind): Match | undefined {
  const value = shownValue(text, start, form);
  if (value.length < 4 || isOrdinary(value) || STANDS_FOR.test(value) || isPlaceholder(value)) return undefined;
  ALONE.lastIndex = start + value.length;
  // After a verb a word is the rest of a sentence.
  const isAlone = /[:=：＝]/.test(joint) && ALONE.test(text);
  return accepts(value, isAlone) ? { start, length: value.length, why: WHY } : undefined;
}

function shownValue(text: string, start: number, form: RegExp): string {
  form.lastIndex = start;
  const whole = form.exec(text)?.[0] ?? '';
  const line = whole.indexOf('\\n');
  return (line === -1 ? whole : whole.slice(0, line)).replace(END, '');
}

function named(text: string, kind: Kind): Match[] {
  const found: Match[] = [];
  let end = 0;
  for (const { index, 0: name } of text.matchAll(kind.names)) {
    // A name within a value was read with it.
    if (index < end) continue;
    JOINT.lastIndex = index + name.length;
    const joint = JOINT.exec(text)?.[0];
    if (joint === undefined || kind.isOther(text, name, index)) continue;
    const start = index + name.length + joint.length;
    const match = valueAt(text, start, joint, kind);
    if (match !== undefined) found.push(match);
    end = Math.max(end, kind.value.lastIndex);
  }
  return found;
}

/** Passwords and keys that are told beside their name, such as `password: …`, in some thirty languages. */
export const passwords = (text: string, grams: Pick<Grams, 'mayHave' | 'isAscii'>): Match[] =>
  KINDS.filter(({ mayBeIn }) => mayBeIn(grams)).flatMap((kind) => named(text, kind));
