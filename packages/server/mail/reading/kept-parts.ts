import { decodeWords, type Email } from 'postal-mime';
import { oneLine } from './addresses.ts';
import type { ParsedMail } from './parse.ts';
import type { MailHeader } from './read-mail.ts';

/** Header fields that are kept, and characters of one. */
const MAX_FIELDS = 200;
const MAX_VALUE = 8_000;

/**
 * Fields that servers add on the way (RFC 5321, section 4.4) or that prove the author (RFC 8601, RFC 6376, RFC 8617), and
 * those that are for its author alone (RFC 5322, section 3.6.3).
 */
const LEFT_OUT =
  /^(?:received|return-path|(?:x-)?(?:delivered-to|original-to|envelope-(?:to|from))|x-received|(?:x-[\w-]{0,40})?(?:dkim|domainkey)-signature|arc-.*|(?:[\w-]{0,40}-)?authentication-results(?:-original)?|(?:x-)?received-spf|x-google-smtp-source|x-gm-message-state|(?:resent-)?bcc)$/i;

/** The header fields of a mail but those of its way and of its authentication. */
export function shownHeaders({ headers }: Email): readonly MailHeader[] {
  const keptHeaders: MailHeader[] = [];
  for (const { key, originalKey, value } of headers) {
    if (keptHeaders.length === MAX_FIELDS) break;
    if (key !== '' && !LEFT_OUT.test(key))
      keptHeaders.push({
        name: oneLine((originalKey || key).slice(0, MAX_VALUE)),
        value: oneLine(decodeWords(value.slice(0, MAX_VALUE))).toWellFormed(),
      });
  }
  return keptHeaders;
}

const words = (text: string): string => text.replace(/[\s>]+/g, ' ').trim();

/** The body without the lines that the HTML of the same mail hides, and shows nowhere. */
export function withoutHidden(body: string, { hidden, shown }: Pick<ParsedMail, 'hidden' | 'shown'>): string {
  if (hidden.text === '' || shown === null || shown === '') return body;
  const seen = words(shown);
  const unseen = words(hidden.text);
  const lines = body.split('\n');
  const kept = lines.filter((line) => {
    const text = words(line);
    return text === '' || !unseen.includes(text) || seen.includes(text);
  });
  return kept.length === lines.length ? body : kept.join('\n').trim();
}
