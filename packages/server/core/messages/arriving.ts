import { taggedAddress } from '@mailroom/behavior/values/address';
import type { Directory } from '../access/directory.ts';
import type { StoredFinding } from '../entities/finding.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { untagged } from '../entities/recipients.ts';
import { asLeaving, type Evidence } from '../review/evidence.ts';
import type { Gate } from '../review/gate.ts';
import { leavingText, type Submission } from '../runs/submission.ts';

interface Parts {
  readonly directory: Pick<Directory, 'mailboxById'>;
  readonly evidence: Evidence;
  readonly gate: Pick<Gate, 'findings'>;
}

/**
 * Gives a message that arrives in a mailbox, and is not written so far, the evidence on it there, and in the mailbox that it
 * leaves. A promise where there is something to wait for. AppError `unavailable`.
 */
export function evidenceOn(
  submission: Submission,
  message: Message,
  mailbox: Mailbox,
  parts: Parts,
): Promise<void> | undefined {
  const { sender, traits: mail, upload, from_mailbox_id: from, copy_of: copyOf } = submission;
  const files = upload?.files ?? [];
  const { namespace_id } = sender;
  const arrived = parts.evidence.arriving({ message, namespace_id, mail, files, owner: upload?.id }, mailbox);
  const set = (findings: readonly StoredFinding[]): void => {
    if (findings.length > 0) Object.assign(message, { findings });
  };
  // A copy has the evidence on what left with the message of its sender.
  if (from !== null && copyOf === undefined)
    return Promise.all([arrived, leaving(submission, from, parts)]).then(([one, other]) =>
      set([...one, ...asLeaving(other)]),
    );
  if (arrived instanceof Promise) return arrived.then(set);
  set(arrived);
  return undefined;
}

async function leaving(submission: Submission, from: string, { directory, gate }: Parts) {
  const mailbox = await directory.mailboxById(from);
  if (mailbox === undefined) return [];
  const recipient = untagged(taggedAddress(submission.to));
  return gate.findings(mailbox, [recipient], leavingText(submission), submission.upload?.id);
}
