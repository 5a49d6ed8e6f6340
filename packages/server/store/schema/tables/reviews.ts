import type { Outgoing } from '../../../core/entities/outgoing.ts';
import type { Review } from '../../../core/entities/review.ts';
import { bigint, integer, nullable, table, text } from '../table.ts';

/**
 * Messages that wait until an owner has seen them, and what was decided. `message` is what leaves, `original` its texts as
 * they were first written, `carries` what carries it out and `findings` evidence on it, each as JSON text. `own_hash` is of
 * what a person sent in its place, `refusals` has decisions that were refused, as JSON text. `reply_id` is the id of the reply that it becomes, which has its
 * files. While `to_ask` is 1 its owners are still to be asked by mail.
 */
export const reviews = table(
  'reviews',
  {
    id: text(),
    namespace_id: text(),
    mailbox_id: text(),
    mailbox: text(),
    message_id: text(),
    kind: text<Review['kind']>(),
    status: text<Review['status']>(),
    message: text(),
    hash: text(),
    original: nullable(text()),
    own_hash: nullable(text()),
    findings: text(),
    on_expiry: text<Outgoing['on_expiry']>(),
    carries: text(),
    reply_id: nullable(text()),
    written_by: nullable(text()),
    changed_by: nullable(text()),
    requested_at: bigint(),
    expires_at: bigint(),
    decided_by: nullable(text()),
    decided_at: nullable(bigint()),
    reason: nullable(text()),
    receipt: nullable(text()),
    refusals: nullable(text()),
    to_ask: integer(0),
    /** The recipients that were counted for it, and on which UTC day; 0 once they were given back. */
    counted: integer(0),
    counted_day: integer(0),
  },
  {
    key: ['id'],
    indexes: [
      'reviews_namespace (namespace_id, id)',
      'reviews_mailbox (mailbox_id, id)',
      "reviews_pending (namespace_id, id) where status = 'pending'",
      'reviews_message (message_id)',
      'reviews_reply (reply_id) where reply_id is not null',
      'reviews_to_ask (id) where to_ask = 1',
    ],
  },
);

/** Addresses that a mailbox may write to under the policy `first_contact`, since an owner approved a message to them. */
export const contacts = table(
  'contacts',
  { mailbox_id: text(), address: text(), approved_at: bigint() },
  { key: ['mailbox_id', 'address'], clustered: true },
);
