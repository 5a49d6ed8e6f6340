import { endOfHeaders, withoutFields, withRelaxedBlanks } from './header-block.ts';
import { type Context, newText } from './new-text.ts';
import { type ParsedMail, parseMail } from './parse.ts';
import { hasUntyped, mixesTexts, type PartTree } from './part-tree.ts';

/** The fields that decide how the body is read. */
const READ: ReadonlySet<string> = new Set(
  ['type', 'transfer-encoding', 'disposition', 'id'].map((one) => `content-${one}`),
);
const LF = 0x0a;

/** A mail as it is read. */
export interface SignedMail {
  readonly raw: Buffer;
  readonly parsed: ParsedMail;
  readonly context: Context;
  /** The mail with the blanks alone that a relaxed signature counts. */
  readonly relaxed: () => Promise<ParsedMail>;
}

export function signedMail(raw: Buffer, parsed: ParsedMail, context: Context): SignedMail {
  let relaxed: Promise<ParsedMail> | undefined;
  return { raw, parsed, context, relaxed: () => (relaxed ??= parseMail(withRelaxedBlanks(raw), false)) };
}

/** A text without blanks and the marks of quotes, which are more of them where no lines are joined. */
const bare = (text: string): string => text.replace(/[\s>]+/g, '');

/**
 * Whether what is new in a signed mail was written by its author, also if what the signature does not bind was changed on
 * the way: that it answers another mail, that its text is one of several parts, and blanks.
 */
export async function isNewForCertain(
  { raw, parsed, context, relaxed }: SignedMail,
  bound: ReadonlySet<string>,
): Promise<boolean> {
  const { tree, text } = parsed;
  if (tree.contentType.multipart === false && !bound.has('content-type') && beginsPart(bodyOf(raw))) return false;
  const answers = context.answers || (bound.has('in-reply-to') && bound.has('references'));
  const contexts = answers ? [context] : [true, false].map((one) => ({ ...context, answers: one }));
  const texts = [text, (await relaxed()).text];
  const found = texts.flatMap((one) => contexts.map((each) => bare(newText(one, each))));
  return new Set(found).size === 1;
}

/**
 * Whether the parts of a mail read as its author signed them. Fields that say how to read the body and are not among those
 * that the signature binds may have been added, changed or removed on the way, so the body itself has to say the same.
 */
export async function readsAsSigned(mail: SignedMail, bound: ReadonlySet<string>): Promise<boolean> {
  const { raw, parsed } = mail;
  if (!isSame(parsed, await mail.relaxed(), bare)) return false;
  const typed = bound.has('content-type');
  const body = bodyOf(raw);
  const { tree } = parsed;
  if (tree.contentType.multipart !== false) return typed || isWhole(tree, body);
  if (!typed && (isPart(body) || /^\s*<[a-z!?]/i.test(parsed.text))) return false;
  if (!bound.has('content-transfer-encoding') && isEncoded(body.toString('latin1'))) return false;
  const isUnsigned = (name: string): boolean => READ.has(name) && !bound.has(name);
  const signed = withoutFields(raw, isUnsigned);
  return signed.length === raw.length || isSame(parsed, await parseMail(signed, false));
}

/**
 * Whether a body of parts says so itself: it begins with a delimiter of the mail's own, and ends with the closing one
 * (RFC 2046, section 5.1.1), but for empty lines. Below the first one stands a field of a part, since programs write
 * lines of dashes above a mail that they forward as text.
 */
function isWhole(tree: PartTree, body: Buffer): boolean {
  const { multipart, parsed } = tree.contentType;
  const delimiter = Buffer.from(`--${parsed.params.boundary ?? ''}`);
  if (delimiter.length === 2) return false;
  const text = withoutBlanks(fromText(body));
  const end = text.indexOf(LF);
  const last = text.subarray(text.lastIndexOf(LF) + 1);
  if (!withoutBlanks(text.subarray(0, Math.max(0, end))).equals(delimiter) || !startsPart(text, end)) return false;
  if (!last.equals(Buffer.concat([delimiter, Buffer.from('--')]))) return false;
  // Of parts in other arrangements the text of one could follow the text of the other, or stand alone.
  if (multipart !== 'alternative' && mixesTexts(tree)) return false;
  return multipart !== 'digest' || !hasUntyped(tree);
}

const bodyOf = (raw: Buffer): Buffer => raw.subarray(endOfHeaders(raw));

const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d, LF]);

/** The body without the empty lines at its beginning. */
function fromText(body: Buffer): Buffer {
  const at = body.findIndex((byte) => !BLANKS.has(byte));
  return body.subarray(Math.max(0, at));
}

function withoutBlanks(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && BLANKS.has(bytes[end - 1])) end -= 1;
  return bytes.subarray(0, end);
}

/** Whether a field of a part stands below the line that ends here. */
const startsPart = (body: Buffer, end: number): boolean =>
  end >= 0 && /^content-[a-z-]{1,40}[ \t]*:/i.test(body.toString('latin1', end + 1, end + 80));

/** Whether a body begins with a part. */
function isPart(body: Buffer): boolean {
  const text = fromText(body);
  return text.toString('latin1', 0, 2) === '--' && startsPart(text, text.indexOf(LF));
}

/** Whether a part begins anywhere in the body. */
function beginsPart(body: Buffer): boolean {
  for (let at = body.indexOf('\n--'); at >= 0; at = body.indexOf('\n--', at + 1))
    if (startsPart(body, body.indexOf(LF, at + 1))) return true;
  return isPart(body);
}

/**
 * Whether a body may be in quoted-printable, of which all equals signs are and one continues a line, or in base64, whose
 * characters are more than those of a word.
 */
function isEncoded(body: string): boolean {
  if (/=[ \t]*\r?\n/.test(body)) return !/=(?![0-9a-f]{2}|[ \t]*\r?\n)/i.test(body);
  const lines = body.split('\n').map((line) => line.trimEnd());
  const text = lines.join('');
  return text.length % 4 === 0 && /^[a-z0-9+/]{24,}={0,2}$/i.test(text);
}

const asIs = (text: string): string => text;

/** Whether two mails read the same, as far as this form of their texts and files says. */
const isSame = (mail: ParsedMail, other: ParsedMail, form = asIs): boolean =>
  form(mail.text) === form(other.text) &&
  mail.attachments.length === other.attachments.length &&
  mail.attachments.every((file, at) => {
    const { name, content_type, bytes } = other.attachments[at] as typeof file;
    const formed = (all: Uint8Array): string => form(Buffer.from(all).toString('latin1'));
    return (
      form(file.name) === form(name) &&
      file.content_type === content_type &&
      (Buffer.from(file.bytes).equals(bytes) || (form !== asIs && formed(file.bytes) === formed(bytes)))
    );
  });
