import { parseAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Caller, Rights } from '../access/caller.ts';
import { isLive } from '../entities/key.ts';
import type { Message } from '../entities/message.ts';
import { MessageFiles } from '../files/uploads.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import type { KnownEmail } from '../ports/emails.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Sent } from '../runs/submission.ts';
import { withCopies } from '../submission/copies.ts';
import type { Submitter } from './submit.ts';

interface Parts {
  readonly store: Store;
  readonly post: Submitter;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The caller who resends, with its rights on the failed message. */
interface By {
  readonly caller: Caller;
  readonly rights: Rights;
  /** Whether one that was canceled is sent again too. */
  readonly revives?: true;
}

/**
 * Sends a failed message again from its sender, as a new one with `retry_of`. The caller must have checked the rights.
 * AppError `validation_error` for a message that has not failed, `sender_not_allowed` when its recipient resends it and
 * its sender could not send it now, and the errors of `Submitter.send`.
 */
export async function resend(
  failed: Message,
  by: By,
  idempotency: Idempotency | undefined,
  parts: Parts,
): Promise<Sent> {
  const { post, mailDomain } = parts;
  if (failed.status !== 'failed' && !(by.revives === true && failed.status === 'canceled')) {
    throw invalid('/id', `Only a failed message can be sent again; this one is ${failed.status}.`);
  }
  const to = parseAddress(`${failed.to}.${mailDomain}`, mailDomain);
  if (to === undefined) throw new AppError('mailbox_not_found', `There is no mailbox ${failed.to} here.`);
  const key_id = await keyFor(failed, by, parts);
  const [email] = failed.channel === 'smtp' ? await parts.store.emails.byMessages([failed.id]) : [];
  await using upload = await MessageFiles.copyOf(failed, parts);
  if (upload === undefined) throw new AppError('message_not_found', 'This message was deleted.');
  return await post.send({
    upload,
    to,
    body: failed.body,
    subject: failed.subject,
    data: failed.data,
    sender: {
      kind: failed.sender_kind,
      id: failed.sender_id,
      namespace_id: failed.sender_namespace_id,
      key_id,
      from: failed.from,
    },
    agent: failed.sender_agent ?? undefined,
    from_mailbox_id: failed.sender_kind === 'mailbox' ? failed.sender_id : null,
    channel: failed.channel,
    thread_id: failed.thread_id,
    in_reply_to: failed.in_reply_to,
    retry_of: failed.id,
    ...(failed.copy_of !== undefined && { copy_of: failed.copy_of }),
    recipients: failed.recipients,
    mail: failed.mail,
    hops: failed.hops,
    // The owner may have closed the try-out since.
    try_out: by.caller.kind === 'thread',
    payer: payerOf(by),
    idempotency,
    // Its answer leaves as that to the mail would have.
    ...(email !== undefined && {
      email: { ...mailOf(email), owed: email.not_answered === null, stranger_bytes: 0, label: null },
    }),
  });
}

/**
 * Sends each failed copy of a message with several recipients again. AppError as of `resend`; `validation_error` when none
 * has failed.
 */
export async function resendCopies(
  message: Message,
  by: By,
  idempotency: Idempotency | undefined,
  parts: Parts,
): Promise<Sent> {
  const [whole = message] = await withCopies([message], parts.store);
  const failed = (whole.copies ?? []).filter(({ status }) => status === 'failed');
  const [earlier] = idempotency === undefined ? [] : (whole.copies ?? []).filter(({ retry_of: of }) => of !== null);
  if (failed.length === 0 && earlier === undefined)
    throw invalid('/id', 'None of its copies has failed, so none is sent again.');
  for (const copy of failed) {
    const once = idempotency && { ...idempotency, key: `${idempotency.key} ${copy.id}` };
    await resend(copy, by, once, parts);
  }
  const [now = whole] = await withCopies([message], parts.store);
  return { message: now, replayed: failed.length === 0 };
}

/** What of a mail does not depend on when its message was received. */
const mailOf = ({ rfc_id, references, authentication, domain, not_answered }: KnownEmail) => ({
  rfc_id,
  references,
  authentication,
  domain,
  not_answered,
});

/** The caller who resends pays for the storage. */
const payerOf = ({ caller }: By): Payer =>
  caller.kind === 'key'
    ? { kind: 'namespace', id: caller.key.namespace_id }
    : { kind: 'guests', network: caller.network };

/**
 * The key it is sent with: the sender's own, or that of the owner of the mailbox it was sent as. None when the recipient
 * resends, as a caller may not act with another's key; the original key then only has to work still.
 */
async function keyFor(failed: Message, { caller, rights }: By, { store, clock }: Parts): Promise<string | null> {
  if (rights.sender) return failed.key_id;
  if (!rights.recipient) return caller.kind === 'key' ? caller.key.id : null;
  const { sender_kind, sender_id, key_id } = failed;
  const id = sender_kind === 'key' ? sender_id : key_id;
  const key = id === null ? undefined : await store.keys.byId(id);
  const works = id === null || (key !== undefined && isLive(key, clock()));
  if (works && sender_id !== null) return null;
  throw new AppError(
    'sender_not_allowed',
    'The key it was sent with was revoked or has expired, or its sender was deleted, so it cannot be sent again. The sender can write again with another key.',
  );
}
