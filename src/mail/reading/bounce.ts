import type { Attachment, Email } from 'postal-mime';
import { oneLine, usableAddress } from './addresses.ts';
import { messageIdOf, messageIds } from './message-ids.ts';
import type { Bounce } from './read-mail.ts';

/** Characters of a report that are read, and recipients. */
const MAX_REPORT = 200_000;
const MAX_RECIPIENTS = 500;
const MAX_DIAGNOSTIC = 500;

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

const STATUS = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;
const diagnosticOf = (text: string): string | null =>
  oneLine(text.slice(0, 4 * MAX_DIAGNOSTIC)).slice(0, MAX_DIAGNOSTIC) || null;

/** The status that a diagnostic names; else the one of its SMTP code (RFC 3463, section 2). */
function statusIn(text: string): string | null {
  const head = text.slice(0, 2_000);
  const code = /(?:^|[^\d.])([45])\d\d(?![\d.])/.exec(head)?.[1];
  return STATUS.exec(head)?.[1] ?? (code === undefined ? null : `${code}.0.0`);
}

const ACTIONS = new Set<string>(['failed', 'delayed', 'delivered', 'relayed', 'expanded']);

/** The parts of a mail that a bounce is read from. */
interface Returned {
  readonly headers: Email['headers'];
  readonly text: string;
  readonly parts: readonly Attachment[];
}

/** The Message-ID of the mail that came back: in the copy of it, or where its server names it. */
function originalId({ headers, text, parts }: Returned, groups: readonly Fields[]): string | null {
  const copy = parts.find(({ mimeType }) =>
    /^(?:message\/(?:rfc822|global|.*-headers)|text\/rfc822-headers)$/.test(mimeType),
  );
  const of = (fields: Fields): string | null =>
    messageIdOf({
      headers: ['message-id', 'x-original-message-id'].flatMap((key) =>
        fields.has(key) ? [{ key: 'message-id', originalKey: key, value: fields.get(key) as string }] : [],
      ),
    });
  const named = copy === undefined ? null : of(groupsOf(textOf(copy))[0] ?? new Map());
  const reported = groups.map(of).find((id) => id !== null);
  // Programs that know no parts put the headers of the mail below their own text.
  const below = /^message-id:[ \t]*(\S{1,998})/im.exec(text)?.[1];
  const answered = headers.find(({ key }) => key === 'in-reply-to')?.value;
  return named ?? reported ?? messageIds(below ?? '')[0] ?? messageIds(answered ?? '')[0] ?? null;
}

function reportedBounces(groups: readonly Fields[], original_message_id: string | null): Bounce[] {
  return groups
    .filter((fields) => fields.has('final-recipient') || fields.has('original-recipient'))
    .slice(0, MAX_RECIPIENTS)
    .map((fields) => {
      const diagnostic = typedValue(fields.get('diagnostic-code'));
      const action = (fields.get('action') ?? '').split(/[\s(]/)[0]?.toLowerCase() ?? '';
      const original = addressIn(typedValue(fields.get('original-recipient')));
      return {
        recipient: addressIn(typedValue(fields.get('final-recipient'))) ?? original ?? '',
        status: STATUS.exec(fields.get('status') ?? '')?.[1] ?? statusIn(diagnostic),
        action: ACTIONS.has(action) ? (action as Bounce['action']) : 'failed',
        diagnostic: diagnosticOf(diagnostic),
        original_message_id,
        original_recipient: original ?? null,
      };
    });
}

/** qmail's paragraphs, `<a@b.example>:` and what happened below (https://cr.yp.to/proto/qsbmf.txt). */
function qmailBounces(text: string, original_message_id: string | null): Bounce[] {
  const paragraphs = text.split(/\n[ \t]*\n/);
  const end = paragraphs.findIndex((one) => one.trimStart().startsWith('---'));
  return (end < 0 ? paragraphs : paragraphs.slice(0, end))
    .map((one) => one.trim())
    .filter((one) => /^<[^<>\s]{1,320}>:/.test(one))
    .slice(0, MAX_RECIPIENTS)
    .map((one) => {
      const diagnostic = one.slice(one.indexOf('>:') + 2).trim();
      return {
        recipient: addressIn(one) ?? '',
        status: statusIn(diagnostic),
        action: 'failed',
        diagnostic: diagnosticOf(diagnostic),
        original_message_id,
        original_recipient: null,
      };
    });
}

/** Reads what a bounce says, by its report or, of qmail and Exim, by its text. Empty when the mail is no bounce. */
export function bouncesOf(mail: Returned): readonly Bounce[] {
  const report = mail.parts.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/.test(mimeType));
  const text = mail.text.slice(0, MAX_REPORT);
  const groups = report === undefined ? [] : groupsOf(textOf(report));
  const id = (): string | null => originalId({ ...mail, text }, groups);
  const reported = reportedBounces(groups, id());
  if (reported.length > 0) return reported;
  if (/^hi\. this is the/i.test(text.trimStart())) return qmailBounces(text, id());
  const failed = mail.headers
    .filter(({ key }) => key === 'x-failed-recipients')
    .flatMap(({ value }) => value.split(','));
  return failed.slice(0, MAX_RECIPIENTS).map((recipient) => ({
    recipient: addressIn(recipient) ?? '',
    status: statusIn(text),
    action: 'failed',
    diagnostic: diagnosticOf(text.split('\n').find((line) => /\b[45]\d\d[ -]/.test(line)) ?? ''),
    original_message_id: id(),
    original_recipient: null,
  }));
}
