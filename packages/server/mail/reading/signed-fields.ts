import type { HeaderField } from './header-block.ts';

/** Fields that a mail has once (RFC 5322, section 3.6, and RFC 2045, section 3), beside all whose names begin with `content-`. */
const SINGLE: ReadonlySet<string> = new Set(
  'date from sender reply-to to cc bcc message-id in-reply-to references subject mime-version'.split(' '),
);

const isSingle = (name: string): boolean => SINGLE.has(name) || name.startsWith('content-');

/**
 * Whether programs may read different mails in the same header fields, because one that a mail has once is there twice, or
 * a carriage return stands alone.
 */
export function isAmbiguous(fields: readonly HeaderField[]): boolean {
  const seen = new Set<string>();
  for (const { name, bytes } of fields) {
    if (isSingle(name) && seen.has(name)) return true;
    seen.add(name);
    for (let at = bytes.indexOf('\r'); at >= 0; at = bytes.indexOf('\r', at + 1))
      if (at + 1 < bytes.length && bytes[at + 1] !== 0x0a) return true;
  }
  return false;
}

/** Fields that say who wrote what to whom, and which mail it answers. */
const DECISIVE: ReadonlySet<string> = new Set('from subject date to cc reply-to in-reply-to references'.split(' '));

/** What a signature was made over, as the library that checked it gives it. */
export interface SignedHeaders {
  /** The fields that it covers, each as it stands in the mail. */
  readonly headers: readonly string[];
  /** These and, last, the field of the signature, in base64. */
  readonly canonicalizedHeader: string;
}

/** The names in `h=` of a signature (RFC 6376, section 3.5), in lower case; those of fields that the mail does not have too. */
function signedNames(canonicalizedHeader: string): ReadonlySet<string> {
  const field =
    Buffer.from(canonicalizedHeader, 'base64')
      .toString('latin1')
      .split(/\r\n(?![ \t])/)
      .at(-1) ?? '';
  const tags = field.slice(field.indexOf(':') + 1).split(';');
  const list =
    tags.findLast(
      (tag) =>
        tag
          .slice(0, Math.max(0, tag.indexOf('=')))
          .trim()
          .toLowerCase() === 'h',
    ) ?? '';
  const names = list.slice(list.indexOf('=') + 1).split(':');
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

/**
 * The fields that a signature binds: those that it covers, and those that it says the mail does not have. Undefined when
 * it covers not all that say who wrote what to whom, so that it proves no author.
 */
export function boundFields(signed: SignedHeaders, fields: readonly HeaderField[]): ReadonlySet<string> | undefined {
  const bound = new Set(signedNames(signed.canonicalizedHeader));
  const covered = new Set(signed.headers);
  for (const { name, bytes } of fields) {
    if (bound.has(name) && covered.has(bytes.toString().replace(/\r?\n$/, ''))) continue;
    if (DECISIVE.has(name)) return undefined;
    bound.delete(name);
  }
  return bound;
}
