import { domainToASCII } from 'node:url';

/** An address that may be written to or from; the display name may be ''. */
export interface Party {
  readonly name: string;
  readonly address: string;
}

/**
 * An address that may be sent to: no spaces, quotes or syntax characters before the `@`, and a domain (RFC 5321, section
 * 4.1.2; RFC 6531, section 3.3). It can name only one recipient and add no header, even if earlier checks failed.
 */
const PLAIN_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,253}$/u;
const HOST_NAME = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * The address as it is written in the envelope and in headers: its domain in A-labels (RFC 5891); a local part that is
 * not ASCII stays, and then the mail needs SMTPUTF8. Undefined when it cannot be sent to.
 */
export function wireAddress(address: string): string | undefined {
  if (!PLAIN_ADDRESS.test(address)) return undefined;
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1)).toLowerCase();
  return domain.length <= 253 && HOST_NAME.test(domain) ? address.slice(0, at + 1) + domain : undefined;
}

/** The part after the last `@`. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Whether a text can only be sent to servers that announce SMTPUTF8 (RFC 6531, section 3.2). */
export const needsUtf8 = (text: string): boolean => /\P{ASCII}/u.test(text);

/** A Message-ID that can be written on one line without any encoding (RFC 5322, sections 2.1.1 and 3.6.4). */
const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/;
/** Maximum octets of the ids in `References`, with the spaces between them: some servers refuse longer headers. */
const MAX_REFERENCES = 980;

/** Whether it is a Message-ID, with its angle brackets, that other mails may name. */
export const isMessageId = (text: string): boolean => MESSAGE_ID.test(text);

/**
 * The ids of a `References` header, oldest first: those of the mails before, then the one that is answered (RFC 5322,
 * section 3.6.4). Of more than fit the first one and the last ones are kept.
 */
export function boundedReferences(references: readonly string[], inReplyTo: string | null): readonly string[] {
  const before = references.filter((id) => id !== inReplyTo && isMessageId(id));
  const last = inReplyTo !== null && isMessageId(inReplyTo) ? [inReplyTo] : before.splice(-1);
  const [first, ...others] = [...new Set(before)];
  const kept: string[] = [];
  let room = MAX_REFERENCES - (last[0]?.length ?? 0) - (first?.length ?? 0);
  for (const id of others.reverse()) {
    room -= id.length + 1;
    if (room < 0) break;
    kept.unshift(id);
  }
  const fits = (first?.length ?? 0) + (last[0]?.length ?? 0) < MAX_REFERENCES;
  return [...(first !== undefined && fits ? [first] : []), ...kept, ...last];
}

/** Prefixes of answers as mail programs write them in several languages, such as `Re[2]:`, `AW:` and `Antw:`. */
const ANSWER = /^(?:re|aw|antw|sv|vs|odp|ynt|rif|res|ref|回复|答复|回覆|返信)(?:\[\d{1,3}\])?\s?[:：]/iu;
/** Maximum characters of a subject. */
const MAX_SUBJECT = 500;
const MAX_PREFIXES = 20;

/** The subject on one line, without characters that a header cannot hold. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, 2 * MAX_SUBJECT)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** The subject of an answer: `Re: ` once, whatever prefixes of answers it begins with. */
export function replySubject(subject: string): string {
  let rest = oneLine(subject);
  for (let prefixes = 0; prefixes < MAX_PREFIXES && ANSWER.test(rest); prefixes++) {
    rest = rest.replace(ANSWER, '').trimStart();
  }
  return `Re: ${cutSubject(rest)}`.trimEnd();
}

/** At most 500 characters; a longer text ends with an ellipsis. */
export const cutSubject = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= MAX_SUBJECT ? text : `${characters.slice(0, MAX_SUBJECT - 1).join('')}…`;
};

/** The first address of a `mailto:` URI (RFC 6068); undefined for any other URI. */
export function mailtoAddress(uri: string | undefined): string | undefined {
  const url = uri === undefined ? null : URL.parse(uri);
  if (url?.protocol !== 'mailto:') return undefined;
  const [first = ''] = url.pathname.split(',');
  return first === '' ? undefined : decoded(first).toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
