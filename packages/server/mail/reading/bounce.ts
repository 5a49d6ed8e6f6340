import type { Attachment, Email } from 'postal-mime';
import { STATUS } from '../../core/mail-out/dead-address.ts';
import { usableAddress } from './addresses.ts';
import { messageIdOf, messageIds } from './message-ids.ts';
import { deadAddresses, diagnosticOf, isDaemon, isNotice, noticeOf, reasonOf, statusIn } from './notice.ts';
import type { AutomaticReason, Bounce } from './read-mail.ts';

/** Characters of a report that are read, and recipients. */
const MAX_REPORT = 200_000;
const MAX_RECIPIENTS = 500;

type Fields = ReadonlyMap<string, string>;

const decoder = new TextDecoder();
export const textOf = ({ content }: Attachment): string =>
  (typeof content === 'string' ? content : decoder.decode(content)).slice(0, MAX_REPORT).replace(/\r\n?/g, '\n');

/** Reads the groups of fields of a report, which empty lines separate (RFC 3464, section 2.1). */
export function groupsOf(report: string): Fields[] {
  const groups: Map<string, string>[] = [];
  let group: Map<string, string> | undefined;
  let name = '';
  for (const line of report.split('\n')) {
    if (line.trim() === '') group = undefined;
    else if (/^[ \t]/.test(line)) group?.set(name, `${group.get(name) ?? ''} ${line.trim()}`);
    else if (line.includes(':')) {
      if (group === undefined) {
        group = new Map();
        groups.push(group);
      }
      name = line.slice(0, line.indexOf(':')).trim().toLowerCase();
      if (!group.has(name)) group.set(name, line.slice(line.indexOf(':') + 1).trim());
    }
  }
  return groups;
}

/** The value of a field of the form `type; value`, such as `rfc822; a@b.example`. */
const typedValue = (field: string | undefined): string =>
  field === undefined ? '' : field.slice(field.indexOf(';') + 1).trim();

/** The address in a text such as `<a@b.example>` or `"a@b.example"`. */
export const addressIn = (text: string): string | undefined =>
  usableAddress(text.replace(/^[<"'\s]+/, '').split(/[>"'\s]/)[0] ?? '');

const ACTIONS = new Set<string>(['failed', 'delayed', 'delivered', 'relayed', 'expanded']);

/** What a bounce is read from. */
interface Returned {
  /** The address of MAIL FROM; '' for the null path. */
  readonly from: string;
  /** The address in `From`. */
  readonly author: string | null;
  readonly subject: string;
  readonly automatic: AutomaticReason | null;
  readonly headers: Email['headers'];
  readonly text: string;
  readonly parts: readonly Attachment[];
}

type Found = Omit<Bounce, 'dead_address'>;

/** The mail that came back. */
interface Original {
  readonly original_message_id: string | null;
  /** The only address that it was sent to. */
  readonly to: string | null;
}

/** The mail that came back: by the copy of it, or where its server names it. */
function originalOf({ headers, text, parts }: Returned, groups: readonly Fields[]): Original {
  const copy = parts.find(({ mimeType }) =>
    /^(?:message\/(?:rfc822|global|.*-headers)|text\/rfc822-headers?)$/.test(mimeType),
  );
  const idOf = (fields: Fields): string | null =>
    messageIdOf({
      headers: ['message-id', 'x-original-message-id'].flatMap((key) =>
        fields.has(key) ? [{ key: 'message-id', originalKey: key, value: fields.get(key) as string }] : [],
      ),
    });
  const copied = copy === undefined ? undefined : groupsOf(textOf(copy))[0];
  const named = copied === undefined ? null : idOf(copied);
  const reported = groups.map(idOf).find((id) => id !== null);
  // Programs that know no parts put the headers of the mail below their own text.
  const below = /^message-id:[ \t]*(\S{1,998})/im.exec(text)?.[1];
  const answered = headers.find(({ key }) => key === 'in-reply-to')?.value;
  const to = copied?.get('to')?.slice(-400) ?? '';
  return {
    original_message_id: named ?? reported ?? messageIds(below ?? '')[0] ?? messageIds(answered ?? '')[0] ?? null,
    to: to.includes(',') ? null : (addressIn(to.slice(to.lastIndexOf('<') + 1)) ?? null),
  };
}

/** What the groups of a report say; `text`: of the notice, which says why where the report does not. */
function reportedBounces(groups: readonly Fields[], original: Original, text: string): Found[] {
  const found = groups
    .filter((fields) => fields.has('final-recipient') || fields.has('original-recipient'))
    .slice(0, MAX_RECIPIENTS);
  return found.map((fields) => {
    const reported = typedValue(fields.get('diagnostic-code'));
    const reason = found.length === 1 && reported === '' ? reasonOf(text) : undefined;
    const action = (fields.get('action') ?? '').split(/[\s(]/)[0]?.toLowerCase() ?? '';
    const first = addressIn(typedValue(fields.get('original-recipient')));
    const status = STATUS.exec(fields.get('status') ?? '')?.[1] ?? statusIn(reported) ?? reason?.status ?? null;
    const happened = status?.startsWith('2.') === true ? 'delivered' : 'failed';
    return {
      recipient: addressIn(typedValue(fields.get('final-recipient'))) ?? first ?? '',
      status,
      action: ACTIONS.has(action) && action !== 'failed' ? (action as Bounce['action']) : happened,
      diagnostic: reason === undefined ? diagnosticOf(reported) : reason.diagnostic,
      original_message_id: original.original_message_id,
      original_recipient: first ?? original.to,
    };
  });
}

/** The line that begins what a notice says of one recipient, as those of qmail do (https://cr.yp.to/proto/qsbmf.txt). */
const OF_RECIPIENT = /^[ \t]{0,4}<([^<>\s]{1,320})>:/;

/** The recipients of a notice in words, each with what is said of it. */
function recipientsIn({ text, headers }: Returned): (readonly [recipient: string, words: string | undefined])[] {
  const found: [string, string][] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('---')) break;
    const [begin, recipient] = OF_RECIPIENT.exec(line) ?? [];
    if (begin !== undefined && recipient !== undefined && found.length < MAX_RECIPIENTS)
      found.push([recipient, line.slice(begin.length)]);
    else if (isOpen && line.trim() !== '' && begin === undefined) (found.at(-1) as [string, string])[1] += `\n${line}`;
    isOpen = line.trim() !== '' && found.length > 0 && (isOpen || begin !== undefined);
  }
  if (found.length > 0) return found;
  const failed = headers.filter(({ key }) => key === 'x-failed-recipients').flatMap(({ value }) => value.split(','));
  return failed.length > 0 ? failed.slice(0, MAX_RECIPIENTS).map((one) => [one, undefined]) : [['', undefined]];
}

/** What a notice without a report says, such as those of qmail and Exim. */
function wordedBounces(mail: Returned, { original_message_id, to }: Original): Found[] {
  const notice = noticeOf(mail.subject, mail.text);
  return recipientsIn(mail).map(([recipient, words]) => ({
    recipient: addressIn(recipient) ?? '',
    action: notice.action,
    status: words === undefined ? notice.status : statusIn(words),
    diagnostic: words === undefined ? notice.diagnostic : diagnosticOf(words),
    original_message_id,
    original_recipient: to,
  }));
}

/** Whether servers send such a mail and people do not: it may be a notice without a report. */
const isOfServer = ({ from, headers, text }: Returned): boolean =>
  from === '' ||
  isDaemon(from) ||
  headers.some(({ key }) => key === 'x-failed-recipients') ||
  /^hi\. this is the/i.test(text.trimStart());

/** Parts of reports that say nothing about a delivery: of a reader (RFC 8098), and of a complaint (RFC 5965). */
const OTHER_REPORT = /^message\/(?:(?:global-)?disposition-notification|feedback-report)$/;

/**
 * Reads what a bounce says, by its report or by its words. A mail with the null path is one unless it is an automatic
 * answer. Empty when the mail is no bounce.
 */
export function bouncesOf(whole: Returned): readonly Bounce[] {
  const mail = { ...whole, text: whole.text.slice(0, MAX_REPORT) };
  if (mail.parts.some(({ mimeType }) => OTHER_REPORT.test(mimeType))) return [];
  const report = mail.parts.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/.test(mimeType));
  const ofServer = isOfServer(mail);
  // Some servers write the fields of a report into the text.
  const groups = report === undefined ? (ofServer ? groupsOf(mail.text) : []) : groupsOf(textOf(report));
  const original = originalOf(mail, groups);
  const reported = reportedBounces(groups, original, mail.text);
  const isAnswer = mail.automatic === 'auto_submitted' && !isNotice(mail.author, mail.subject, mail.text);
  const worded = reported.length === 0 && ofServer && !isAnswer ? wordedBounces(mail, original) : [];
  const isDead = deadAddresses(mail.text);
  return [...reported, ...worded].map((one) => ({ ...one, dead_address: isDead(one) }));
}
