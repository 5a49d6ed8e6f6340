import type { Emails } from '../../core/ports/emails.ts';
import type { Release } from '../../core/ports/reviews.ts';
import { type Db, step, type WriteStep } from '../db.ts';
import { cellsOf, insertIfSql, parameterAfter, parametersOf, type RowOf } from '../schema/table.ts';
import { deliveries, emails, messages } from '../schema/tables.ts';
import { deliveryRow } from './deliveries.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';
import { noteChanged } from './index-changes.ts';
import { labelByFindings } from './labels.ts';
import { holdMailbox, mailboxLives } from './living.ts';
import { addMessageIds } from './message-ids.ts';
import { rowOf } from './message-row.ts';
import { heldSteps, isHeld } from './review-steps.ts';
import { setState } from './states.ts';

const NEW = parametersOf(messages);
const NOW = parameterAfter(messages, 1);
const KEY_WORKS = `(cast(${NEW.key_id} as text) is null or exists (select 1 from keys k where k.id = ${NEW.key_id}
  and k.revoked_at is null and (k.expires_at is null or k.expires_at > cast(${NOW} as bigint))))`;
const MAY = `(cast(${NEW.from_mailbox_id} as text) is null or ${mailboxLives(NEW.from_mailbox_id)}) and ${KEY_WORKS}`;
const INSERT = `${insertIfSql(messages, MAY)} returning id`;
const IS_MINE = `exists (select 1 from idempotency where scope = ${parameterAfter(messages, 2)}
  and key = ${parameterAfter(messages, 3)} and ref = ${NEW.id})`;
const INSERT_IDEMPOTENT = `${insertIfSql(messages, `${MAY} and ${IS_MINE}`)} returning id`;
const RELEASE_IDEMPOTENCY_KEY = `
  delete from idempotency where scope = $1 and key = $2 and ref = $3
  and not exists (select 1 from messages where id = $3)`;
/** Only with its message. */
const DELIVER = insertIfSql(
  deliveries,
  `exists (select 1 from messages where id = ${parametersOf(deliveries).message_id})`,
);

const KNOW = insertIfSql(emails, `exists (select 1 from messages where id = ${parametersOf(emails).message_id})`);
const COPY = `
  insert into jobs (id, kind, subject, due_at)
  select id, 'copies', null, cast($2 as bigint) from messages where id = $1`;
/** It came from no one else. */
const NOT_AUTHENTICATED = '{"spf":"none","dkim":"none","dmarc":"none","arc":"none","verified":false}';

const emailRow = (of: Pick<RowOf<typeof emails>, 'message_id' | 'rfc_id' | 'domain' | 'created_at'>) => ({
  ...of,
  references_json: '[]',
  authentication: NOT_AUTHENTICATED,
  not_answered: null,
  owed: 0,
  stranger_bytes: 0,
  queued_until: 0,
});

/** Writes a message that leaves, with its deliveries, or of which copies are made. */
export const makeSendMail =
  (db: Db): Emails['send'] =>
  async ({ message, from_mailbox_id, idempotency, review, deliveries: leaving, copies_at, namespace_id, ...mail }) => {
    const { rfc_id, domain, state } = mail;
    const { id, created_at } = message;
    const row = { ...rowOf({ message, from_mailbox_id }), to_mailbox_id: null };
    const cells = [...cellsOf(messages, row), created_at];
    const email = emailRow({ message_id: id, rfc_id, domain, created_at });
    const written = [
      ...(rfc_id === null ? [] : [step(KNOW, ...cellsOf(emails, email)), ...addMessageIds(namespace_id, id, [rfc_id])]),
      ...leaving.map((delivery) => step(DELIVER, ...cellsOf(deliveries, deliveryRow(delivery)))),
      ...(state === undefined ? [] : [setState(state)]),
      ...(copies_at === null ? [] : [step(COPY, id, copies_at)]),
      ...(review === undefined ? [] : heldSteps(review)),
      ...(from_mailbox_id === null ? [] : labelByFindings(from_mailbox_id, id, message.findings)),
      noteChanged('select id from messages where id = $1', id),
    ];
    const hold = from_mailbox_id === null ? [] : [holdMailbox(from_mailbox_id)];
    if (idempotency === undefined) {
      const results = await db.write([...hold, step(INSERT, ...cells), ...written]);
      return results[hold.length]?.length === 1 ? { kind: 'accepted' } : { kind: 'refused' };
    }
    const { scope, key } = idempotency;
    const results = await db.write([
      ...hold,
      takeIdempotencyKey(idempotency, id, created_at),
      readIdempotencyKey(idempotency),
      step(INSERT_IDEMPOTENT, ...cells, scope, key),
      ...written,
      step(RELEASE_IDEMPOTENCY_KEY, scope, key, id),
    ]);
    const [, taken, inserted] = results.slice(hold.length);
    return replayedBy(taken, id) ?? (inserted?.length === 1 ? { kind: 'accepted' } : { kind: 'refused' });
  };

/** The condition that the message still waits with the review of this hash. */
const whileHeld = (message: string, of: Parameters<typeof parameterAfter>[0]): string =>
  isHeld(message, parameterAfter(of, 1));
const KNOW_RELEASED = insertIfSql(emails, whileHeld(parametersOf(emails).message_id, emails));
const DELIVER_RELEASED = insertIfSql(deliveries, whileHeld(parametersOf(deliveries).message_id, deliveries));
const COPY_RELEASED = `
  insert into jobs (id, kind, subject, due_at)
  select id, 'copies', null, cast($2 as bigint) from messages where id = $1 and ${isHeld('$1', '$3')}`;
const HOLD_REVIEWED =
  "update handlings set fence = fence + 1 where message_id = $1 and waiting_for = 'review' and plan = $2";
const RELEASE = `
  update messages set status = 'completed', settled_at = $3 where id = $1 and status = 'submitted' and ${isHeld('$1', '$2')}
  returning id`;
const END_REVIEW = "delete from handlings where message_id = $1 and waiting_for = 'review' and plan = $2";

/** Steps that let a message leave that waited for its review; the last but one returns it. */
export function releaseSteps(of: Release): readonly WriteStep[] {
  const { review, deliveries: leaving, copies_at, namespace_id, rfc_id, domain, now } = of;
  const { message_id: id, hash } = review;
  const email = emailRow({ message_id: id, rfc_id, domain, created_at: now });
  return [
    step(HOLD_REVIEWED, id, hash),
    ...(rfc_id === null
      ? []
      : [step(KNOW_RELEASED, ...cellsOf(emails, email), hash), ...addMessageIds(namespace_id, id, [rfc_id])]),
    ...leaving.map((delivery) => step(DELIVER_RELEASED, ...cellsOf(deliveries, deliveryRow(delivery)), hash)),
    ...(copies_at === null ? [] : [step(COPY_RELEASED, id, copies_at, hash)]),
    noteChanged('select id from messages where id = $1', id),
    step(RELEASE, id, hash, now),
    step(END_REVIEW, id, hash),
  ];
}

const FILE = `${insertIfSql(messages, mailboxLives(NEW.to_mailbox_id))} on conflict do nothing returning id`;
const KNOW_FILED = `${KNOW} on conflict do nothing`;

/** Files a mail without an event. */
export const makeFileMail =
  (db: Db): Emails['file'] =>
  async ({ message, email, namespace_id, rfc_ids }) => {
    const { id, mailbox_id, created_at } = message;
    const { references, authentication, owed, label: _, ...known } = email;
    const row = {
      ...known,
      message_id: id,
      references_json: JSON.stringify(references),
      authentication: JSON.stringify(authentication),
      owed: owed ? 1 : 0,
      queued_until: 0,
      created_at,
    };
    const [, filed] = await db.write([
      holdMailbox(mailbox_id),
      step(FILE, ...cellsOf(messages, { ...rowOf({ message, from_mailbox_id: null }), read: 1 })),
      step(KNOW_FILED, ...cellsOf(emails, row)),
      ...addMessageIds(namespace_id, id, rfc_ids),
      noteChanged('select id from messages where id = $1', id),
    ]);
    return filed?.length === 1;
  };

const ADDRESS = 'update messages set recipients = $2 where id = $1 and recipients is null';
const DELIVER_FIRST = insertIfSql(
  deliveries,
  `exists (select 1 from messages where id = ${parametersOf(deliveries).message_id} and recipients is null)`,
);

/** Says whom else a reply is for. */
export const makeAddressReply =
  (db: Db): Emails['address'] =>
  async ({ id, recipients, deliveries: leaving }) => {
    await db.write([
      ...leaving.map((delivery) => step(DELIVER_FIRST, ...cellsOf(deliveries, deliveryRow(delivery)))),
      step(ADDRESS, id, JSON.stringify(recipients)),
    ]);
  };
