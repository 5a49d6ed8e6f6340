import type { Emails } from '../../core/ports/emails.ts';
import type { Db } from '../db.ts';
import { step } from '../db.ts';
import { cellsOf, insertIfSql, parameterAfter, parametersOf } from '../schema/table.ts';
import { deliveries, emails, messages } from '../schema/tables.ts';
import { deliveryRow } from './deliveries.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';
import { noteChanged } from './index-changes.ts';
import { holdMailbox, mailboxLives } from './living.ts';
import { addMessageIds } from './message-ids.ts';
import { rowOf } from './message-row.ts';

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

/** Writes a message that leaves, with its deliveries, or of which copies are made. */
export const makeSendMail =
  (db: Db): Emails['send'] =>
  async ({ message, from_mailbox_id, idempotency, deliveries: leaving, copies_at, namespace_id, rfc_id, domain }) => {
    const { id, created_at } = message;
    const row = { ...rowOf({ message, from_mailbox_id }), to_mailbox_id: null };
    const cells = [...cellsOf(messages, row), created_at];
    const email = {
      message_id: id,
      rfc_id,
      references_json: '[]',
      authentication: NOT_AUTHENTICATED,
      not_answered: null,
      domain,
      owed: 0,
      stranger_bytes: 0,
      queued_until: 0,
      created_at,
    };
    const written = [
      ...(rfc_id === null ? [] : [step(KNOW, ...cellsOf(emails, email)), ...addMessageIds(namespace_id, id, [rfc_id])]),
      ...leaving.map((delivery) => step(DELIVER, ...cellsOf(deliveries, deliveryRow(delivery)))),
      ...(copies_at === null ? [] : [step(COPY, id, copies_at)]),
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
