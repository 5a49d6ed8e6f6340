import { parseAddress } from './address.ts';
import type { Clock } from './clock.ts';
import { AppError, invalid } from './error.ts';
import { isLive } from './key.ts';
import type { Message } from './message.ts';
import type { Post, Sent } from './post.ts';
import type { Once, Store } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly post: Post;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/**
 * Sends a failed message again, from who sent it, as a new one with `retry_of`. Whether the caller may is for the caller to
 * look at. AppError `validation_error` for one that has not failed, and whatever `post.send` throws.
 */
export async function resend(failed: Message, once: Once | undefined, parts: Parts): Promise<Sent> {
  const { store, post, clock, mailDomain } = parts;
  if (failed.status !== 'failed') {
    throw invalid('/id', `Only a failed message can be sent again; this one is ${failed.status}.`);
  }
  const to = parseAddress(`${failed.to}.${mailDomain}`, mailDomain);
  if (to === undefined) throw new AppError('mailbox_not_found', `There is no mailbox ${failed.to} here.`);
  const key = failed.key_id === null ? undefined : await store.keys.byId(failed.key_id);
  return post.send({
    to,
    body: failed.body,
    subject: failed.subject,
    data: failed.data,
    sender: {
      kind: failed.sender_kind,
      id: failed.sender_id,
      namespace_id: failed.sender_namespace_id,
      // A key that was revoked meanwhile sends nothing more, but whoever may retry may.
      key_id: key !== undefined && isLive(key, clock()) ? key.id : null,
      from: failed.from,
    },
    from_mailbox_id: failed.sender_kind === 'mailbox' ? failed.sender_id : null,
    channel: failed.channel,
    thread_id: failed.thread_id,
    in_reply_to: failed.in_reply_to,
    retry_of: failed.id,
    hops: failed.hops,
    try_out: false,
    once,
  });
}
