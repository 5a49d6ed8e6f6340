import type { Attachment, Email } from 'postal-mime';
import { addressIn, groupsOf, textOf } from './bounce.ts';
import type { Complaint } from './read-mail.ts';

/** Reports that are no complaint: of a mail that failed its checks (RFC 6591), and that a mail was wanted. */
const NO_COMPLAINT: ReadonlySet<string> = new Set(['auth-failure', 'not-spam']);

/** The subject of reports of Microsoft, which consist of the mail alone. */
const REPORTED = /^complaint about message from /i;

/** Reads a report of abuse (RFC 5965): its kind, and the return paths it names. Null when the mail is none. */
export function complaintOf(parts: Email['attachments'], subject: string): Complaint | null {
  const report = parts.find(({ mimeType }) => mimeType === 'message/feedback-report');
  if (report === undefined && !REPORTED.test(subject)) return null;
  const [fields] = report === undefined ? [new Map([['feedback-type', 'abuse']])] : groupsOf(textOf(report));
  const type = /^[a-z-]{1,40}/.exec((fields?.get('feedback-type') ?? '').toLowerCase())?.[0] ?? 'other';
  if (NO_COMPLAINT.has(type)) return null;
  const copy = parts.find(({ mimeType }) =>
    /^(?:message\/(?:rfc822|global|.*-headers)|text\/rfc822-headers)$/.test(mimeType),
  );
  const named = [fields?.get('original-mail-from'), copy && returnPathIn(copy)];
  const return_paths = named.map((one) => (one === undefined ? undefined : addressIn(one)));
  return { type, return_paths: [...new Set(return_paths.filter((one) => one !== undefined))] };
}

const returnPathIn = (copy: Attachment): string | undefined => groupsOf(textOf(copy))[0]?.get('return-path');
