import { dangerOf } from './files.ts';
import { type Finding, findingsAt, type IncomingKind, MAX_FINDINGS } from './finding.ts';
import { type HiddenPart, hiddenCharacters, isNewToReader } from './hidden.ts';
import { instructions } from './instructions/index.ts';
import { domainOf, lookalikeDomain, misleadingName, type NamedAddress, organizationOf } from './lookalike.ts';
import { original, withoutTags } from './projection.ts';

/** A message that came in; of a mail also what the service's reader of mail reads of it. */
export interface IncomingContent {
  /** Left out where it did not come as a mail: its sender is known then. */
  readonly from?: NamedAddress | undefined;
  readonly reply_to: readonly NamedAddress[];
  readonly subject: string;
  /** What its reader sees. */
  readonly text: string;
  /** What its HTML hides, where it hides something. */
  readonly hidden: HiddenPart | undefined;
  readonly files: readonly { readonly filename: string; readonly content_type: string }[];
  /** Domains of those that the mailbox has to do with, and its own. */
  readonly known_domains: readonly string[];
  /** The addresses in To and Cc: a list that asks for answers to itself is among them. */
  readonly recipients?: readonly string[];
  /** Whether a list handed it on (`List-Id`, RFC 2919): lists write Reply-To on behalf of their members. */
  readonly is_list?: boolean;
}

type Findings = Finding<IncomingKind>[];

function senderFindings({ from, known_domains }: IncomingContent): Findings {
  if (from === undefined) return [];
  const why = lookalikeDomain(domainOf(from.address), known_domains) ?? misleadingName(from, known_domains);
  return why === undefined ? [] : [{ kind: 'lookalike_sender', where: 'from', why }];
}

function replyFindings({ from, reply_to, recipients = [], is_list = false, known_domains }: IncomingContent): Findings {
  if (is_list || from === undefined) return [];
  const author = organizationOf(domainOf(from.address));
  const expected = new Set([author, ...known_domains.map((domain) => organizationOf(domain.toLowerCase()))]);
  const lists = new Set(recipients.map((address) => address.toLowerCase()));
  return reply_to.flatMap(({ address }, place): Findings => {
    if (lists.has(address.toLowerCase()) || expected.has(organizationOf(domainOf(address)))) return [];
    return [
      {
        kind: 'reply_to_differs',
        where: `reply_to/${place}`,
        why: 'An answer would go to another domain than the one that it is from.',
      },
    ];
  });
}

function textFindings({ subject, text, hidden }: IncomingContent): Findings {
  const fields: [string, string][] = [
    ['subject', subject],
    ['body', text],
  ];
  const found = fields.flatMap(
    ([field, content]): Findings => (content === '' ? [] : incomingTextFindings(field, content)),
  );
  return hidden === undefined || hidden.text === '' ? found : [...found, ...hiddenFindings('hidden', hidden, text)];
}

/** What one text has, such as that of a file; `field` is where it is. */
export const incomingTextFindings = (field: string, text: string): Findings => [
  ...findingsAt('hidden_text' as const, field, hiddenCharacters(text)).slice(0, MAX_FINDINGS),
  ...findingsAt('instructions' as const, field, instructions(text)).slice(0, MAX_FINDINGS),
];

/** The same of a file in HTML, of which `shown` is what its reader sees. */
export function incomingHtmlFindings(field: string, html: string, shown: string, hidden: HiddenPart): Findings {
  const read = withoutTags(html);
  const spoken = findingsAt('instructions' as const, field, original(read, instructions(read.text)));
  const isHidden = hidden.text !== '' && (instructions(hidden.text).length > 0 || isNewToReader(hidden, shown));
  return [...(isHidden ? [hiddenFinding(field, hidden)] : []), ...spoken.slice(0, MAX_FINDINGS)];
}

const hiddenFinding = (where: string, { why }: HiddenPart): Findings[number] => ({
  kind: 'hidden_text',
  where,
  why: `Its HTML hides a text from a reader (${why.join(', ').replaceAll('_', ' ')}).`,
});

function hiddenFindings(field: string, hidden: HiddenPart, text: string): Findings {
  const spoken = findingsAt('instructions' as const, field, instructions(hidden.text)).slice(0, MAX_FINDINGS);
  const isFound = spoken.length > 0 || isNewToReader(hidden, text);
  return isFound ? [hiddenFinding(field, hidden), ...spoken] : [];
}

/**
 * What a person would want to know about a message before they, or a model, act on it: text that is hidden, a sender who
 * looks like another, answers that would go elsewhere, text that speaks to a model, and files that harm. Evidence, not
 * proof: who writes about such mails is found too. Of each kind at most 50 in a field. Takes time in proportion to the
 * length of the texts, some 100 ms for a mebibyte.
 */
export function incomingFindings(mail: IncomingContent): Findings {
  return [
    ...textFindings(mail),
    ...replyFindings(mail),
    ...senderFindings(mail),
    ...mail.files.slice(0, MAX_FILES).flatMap(({ filename, content_type }, place): Findings => {
      const match = dangerOf(filename, content_type);
      return match === undefined ? [] : findingsAt('dangerous_attachment', `attachments/${place}/filename`, [match]);
    }),
  ];
}

/** Files of a mail that are looked at. */
const MAX_FILES = 1_000;
