import { distinct, type Finding, findingsAt, MAX_FINDINGS, type Match, type OutgoingKind } from './finding.ts';
import { cards, ibans } from './payment.ts';
import { original, withoutTags } from './projection.ts';
import { secrets } from './secrets.ts';

/** A message as it would leave. */
export interface OutgoingContent {
  readonly text: string;
  readonly html?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly files?: readonly {
    readonly filename: string;
    readonly content_type: string;
    /** What it says, where it is a text. */
    readonly text?: string | undefined;
  }[];
  /** The stored text of its data, which is JSON. */
  readonly data?: string | null | undefined;
  /** Distinct addresses in To, Cc and Bcc. */
  readonly recipients_count: number;
}

/** From this many recipients on it is said how many there are. */
const MANY_RECIPIENTS = 10;

const SEARCHES: readonly (readonly [kind: OutgoingKind, search: (text: string) => Match[]])[] = [
  ['secret', secrets],
  ['card', cards],
  ['iban', ibans],
];

/** What a field of HTML says to its reader, and what its source has beside that, such as URLs. */
const inHtml = (html: string, search: (text: string) => Match[]): Match[] => {
  const shown = withoutTags(html);
  return distinct([...original(shown, search(shown.text)), ...search(html)]);
};

/** What one text has, such as that of a file; `field` is where it is. */
export const outgoingTextFindings = (field: string, text: string, isHtml = field === 'html'): Finding<OutgoingKind>[] =>
  SEARCHES.flatMap(([kind, search]) =>
    findingsAt(kind, field, isHtml ? inHtml(text, search) : search(text)).slice(0, MAX_FINDINGS),
  );

/**
 * What a person would want to know before a message leaves: secrets, numbers of payment cards and bank accounts, and many
 * recipients. Of each kind at most 50 in a field. Takes time in proportion to the length of the texts, some 100 ms for
 * a mebibyte; the first call loads its libraries, which takes some 50 ms.
 */
export function outgoingFindings({
  text,
  html,
  subject,
  files = [],
  data,
  recipients_count,
}: OutgoingContent): Finding<OutgoingKind>[] {
  const fields: [string, string | null | undefined][] = [
    ['subject', subject],
    ['body', text],
    ['html', html],
    ['data', data],
    ...files.flatMap((file, place): [string, string | undefined][] => [
      [`attachments/${place}`, file.text],
      [`attachments/${place}/filename`, file.filename],
    ]),
  ];
  const found = fields.flatMap(([field, content]) => (content ? outgoingTextFindings(field, content) : []));
  if (recipients_count >= MANY_RECIPIENTS) {
    found.push({
      kind: 'many_recipients',
      where: 'recipients',
      why: `It goes to ${recipients_count} recipients at once.`,
    });
  }
  return found;
}
