import type { Email } from 'postal-mime';

/** A Message-ID with its brackets, on one line (RFC 5322, sections 2.1.1 and 3.6.4). */
const MESSAGE_ID = /<[^<>\s\p{C}]{1,996}>/gu;
const MAX_IDS = 200;
/** Characters of a header that are searched. */
const MAX_SEARCHED = 100_000;

/** The Message-IDs in a text, each at its first place; of too many the first and the last ones. */
export function messageIds(text: string): readonly string[] {
  const ids = [...new Set(text.slice(-MAX_SEARCHED).match(MESSAGE_ID))];
  return ids.length <= MAX_IDS ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MAX_IDS)];
}

/** Those in all header fields of this name. */
export const idsOf = ({ headers }: Pick<Email, 'headers'>, key: string): readonly string[] =>
  messageIds(
    headers
      .filter((header) => header.key === key)
      .map(({ value }) => value)
      .join(' '),
  );

/** The Message-ID of a mail, also when its program forgot the brackets or wrote blanks in it. */
export function messageIdOf({ headers }: Pick<Email, 'headers'>): string | null {
  const value = headers.find(({ key }) => key === 'message-id')?.value.trim() ?? '';
  const joined = value.slice(0, 2_000).replace(/[\s<>]/g, '');
  return messageIds(value)[0] ?? messageIds(`<${joined}>`)[0] ?? null;
}
