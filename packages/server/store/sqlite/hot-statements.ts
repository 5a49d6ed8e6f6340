import type { DatabaseSync } from 'node:sqlite';
import type { Millis } from '@mailroom/behavior/values/clock';
import { replyIdOf, threadOf } from '@mailroom/behavior/values/ids';
import { forwardJobOf } from '../../core/ports/claim.ts';
import type { Cell } from '../db.ts';
import { cellsOf, columnsOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { mayAnswer } from '../statements/answers.ts';
import { ASSIGN_BY_RULE, REOPEN_BY_MESSAGE, WAIT_AFTER_ANSWER } from '../statements/conversations.ts';
import { TAKE_IDEMPOTENCY_KEY } from '../statements/idempotency.ts';
import { ANSWER_TERMS } from '../statements/message-row.ts';
import { insertPushes } from '../statements/pushes.ts';
import { makeInsertEmail } from './accepted-email.ts';
import { allRows, statements } from './connection.ts';
import { makeGroupedRows } from './grouped-rows.ts';
import { type HotStatement, makeLeases, run } from './hot-leases.ts';
import { type AnsweredRow, type ReplyCells, replyRow } from './reply-row.ts';
import { makeRowCache } from './row-cache.ts';
import { ACCEPT_CELLS, ACCEPT_EMAIL_CELLS, AT, type Batch, MESSAGE_CELLS, SETTLE_CELLS } from './wire.ts';

const INSERT_EVENT = 'insert into events (namespace_id, mailbox_id, type, message_id, at, arrived, took_ms)';
const EVENT_CELLS = 7;

/** A statement that writes to the tables of which rows are cached. */
const CHANGES_CACHED = /\b(?:update|into|from)\s+"?(?:keys|mailboxes)\b/i;

/**
 * The hot statements: prepared statements with the logic between them, inside the writer's transaction, in the order of
 * the operations in `wire.ts`. `forget` is called after a rollback, `look` at the start of a transaction. ACCEPT leaves
 * its rows to `insertCollected`, which is called before any other operation and before the commit.
 */
export function makeHotStatements(db: DatabaseSync, onErase: (after: Millis) => void) {
  const prepare = statements(db);
  const memory = makeRowCache(db);

  const { claim, claimSuspect, renew, later } = makeLeases(prepare, memory);

  const rows = makeGroupedRows(prepare, `insert into messages (${columnsOf(messages)})`, MESSAGE_CELLS);
  const events = makeGroupedRows(prepare, INSERT_EVENT, EVENT_CELLS);
  const insertCollected = (): void => {
    rows.write();
    events.write();
  };
  const insertHandling = prepare(
    'insert into handlings (message_id, mailbox_id, due_at, leased, fence, attempt) values (?1, ?2, ?3, ?4, ?4, ?4)',
  );
  const insertAnswerable = prepare(
    `insert into handlings (message_id, mailbox_id, due_at, waiting_for, answerable_at, claim)
     values (?1, ?2, ?3, 'answer', ?4, ?5)`,
  );
  const insertTaken = prepare(
    `insert into handlings (message_id, mailbox_id, due_at, waiting_for, by_hand_ms) values (?1, ?2, ?3, 'answer', ?4)`,
  );
  const takenThread = prepare('select answer_within_ms from taken_threads where thread_id = ? and mailbox_id = ?');
  const insertPush = prepare(
    insertPushes({ message: '?1', mailbox: '?2', namespace: '?3', now: '?4', deadline: '?5' }),
  );
  const insertEmail = makeInsertEmail(prepare);
  const takeIdempotencyKey = prepare(TAKE_IDEMPOTENCY_KEY);
  const readIdempotencyKey = prepare('select ref, hash, expires_at from idempotency where scope = ? and key = ?');
  const labelByRules = prepare(
    "insert into labels (mailbox_id, label, message_id) select ?1, value, ?2 from json_each(?3, '$.labels')",
  );
  const labelByFindings = prepare(
    `insert into labels (mailbox_id, label, message_id)
     select distinct case when value ->> 'out' then ?4 else ?1 end, 'finding/' || (value ->> 'kind'), ?2
     from json_each(?3)`,
  );
  const forwardByRules = prepare(
    `insert into jobs (id, kind, subject, due_at) select '${forwardJobOf('')}' || ?1, 'forward', ?1, ?2
     where json_extract(?3, '$.forward_to') is not null`,
  );
  const reopenByMessage = prepare(REOPEN_BY_MESSAGE);
  const waitAfterAnswer = prepare(WAIT_AFTER_ANSWER);
  const assignByRule = prepare(ASSIGN_BY_RULE);
  const takeHandling = prepare(
    `delete from handlings where message_id = ? and fence = ?
     returning mailbox_id, coalesce(waiting_for in ('approval', 'review'), 0) or approved = 1 as asked`,
  );
  const fenceOfPlan = prepare(
    'select fence from handlings where message_id = ? and waiting_for is not null and plan = ?',
  );
  const fenceToAnswer = prepare(`select h.fence from handlings h where h.message_id = ?1 and ${mayAnswer('?2', '?3')}`);
  const dropHandling = prepare('delete from handlings where message_id = ? returning mailbox_id');
  const settleMessage = prepare(
    `update messages set status = ?2, error_code = ?3, error_message = ?4, settled_at = ?5, reply_id = ?6, answered_by = ?7,
       replies_count = case when ?6 is null then 0 else 1 end
     where id = ?1 and status = 'submitted'
     returning from_mailbox_id, to_mailbox_id, thread_id, "from", sender_namespace_id, channel, hops, subject, created_at`,
  );
  const cancelMessage = prepare(
    `update messages set status = 'canceled', settled_at = ?2 where id = ?1 and status = 'submitted' returning created_at`,
  );
  const mailboxOfMessage = prepare(
    "select to_mailbox_id as mailbox_id from messages where id = ? and kind = 'message'",
  );
  const fileOf = prepare('select 1 from attachments where owner_id = ? limit 1');
  const totalChanges = prepare('select total_changes() as changes');

  /** Writes the reply as a message of its own; it triggers no behavior in the mailbox that receives it, if any. */
  function insertReply(
    message: AnsweredRow,
    reply: ReplyCells,
    has_file: 0 | 1 = 0,
    byHand: 0 | 1 = 0,
    by: string | null = null,
  ): void {
    const to = message.from_mailbox_id as string | null;
    const recipient = to === null ? undefined : memory.mailbox(to);
    const delivered = recipient !== undefined && !recipient.deleted;
    const id = replyIdOf(message.id);
    if (delivered) {
      events.add([recipient.namespace_id, to, 'message.received', id, reply.at, 0, null]);
      run(reopenByMessage, to, message.thread_id, reply.at);
    }
    if (byHand === 1) run(waitAfterAnswer, message.mailbox_id, message.thread_id, reply.at);
    const from = memory.mailbox(message.mailbox_id)?.address ?? null;
    const recipientId = delivered ? to : null;
    const row = replyRow(message, reply, { from, recipient: recipientId, by_hand: byHand, answered_by: by, has_file });
    rows.add(cellsOf(messages, row));
  }

  const accept: HotStatement = (batch, offset) => {
    const id = batch[offset + AT.id] as string;
    const now = batch[offset + AT.created_at] as number;
    const keyId = batch[offset + AT.key_id] as string | null;
    if (keyId !== null && !memory.keyWorks(keyId, now)) return 'invalid_key';
    const mailboxId = batch[offset + AT.to_mailbox_id] as string;
    const mailbox = memory.mailbox(mailboxId);
    if (mailbox === undefined || mailbox.deleted) return 'mailbox_gone';
    const fromId = batch[offset + AT.from_mailbox_id] as string | null;
    if (fromId !== null && memory.mailbox(fromId)?.deleted !== false) return 'sender_not_allowed';

    const settled = batch[offset + AT.status] !== 'submitted';
    const full = !settled && memory.waiting(mailboxId) >= (batch[offset + AT.max_waiting] as number);
    const scope = batch[offset + AT.once_scope] as string | null;
    if (scope !== null) {
      const key = batch[offset + AT.once_key] as string;
      const hash = batch[offset + AT.once_hash] as string;
      const expires = batch[offset + AT.once_expires_at] as number;
      // A full mailbox takes no idempotency key, but still reports an earlier result of the key.
      if (full || run(takeIdempotencyKey, scope, key, hash, id, expires, now) === 0) {
        const first = readIdempotencyKey.get(scope, key);
        if (first !== undefined && (first.expires_at as number) > now) return [first.ref, first.hash];
      }
    }
    if (full) return 'mailbox_full';

    rows.add(batch.slice(offset, offset + MESSAGE_CELLS));
    const threadId = batch[offset + AT.thread_id] as string;
    // The first message of a thread gives it its id, so nothing was noted of the thread before.
    const continues = threadId !== threadOf(id);
    if (continues) run(reopenByMessage, mailboxId, threadId, now);
    const rules = batch[offset + AT.rules] as string | null;
    const findings = batch[offset + AT.findings] as string | null;
    if (findings !== null) run(labelByFindings, mailboxId, id, findings, fromId);
    if (rules !== null) {
      run(labelByRules, mailboxId, id, rules);
      run(forwardByRules, id, now, rules);
      run(assignByRule, mailboxId, threadId, now, rules);
    }
    const { namespace_id } = mailbox;
    if (settled) {
      const end = batch[offset + AT.settled_at] as number;
      const type = `message.${batch[offset + AT.status]}`;
      events.add([namespace_id, mailboxId, type, id, end, 1, end - now]);
      const body = batch[offset + AT.reply_body] as string | null;
      if (body !== null) {
        const message = {
          id,
          mailbox_id: mailboxId,
          from_mailbox_id: fromId,
          thread_id: batch[offset + AT.thread_id] as Cell,
          from: batch[offset + AT.from] as Cell,
          sender_namespace_id: batch[offset + AT.sender_namespace_id] as Cell,
          channel: batch[offset + AT.channel] as Cell,
          hops: batch[offset + AT.hops] as Cell,
          subject: batch[offset + AT.subject] as Cell,
        };
        insertReply(message, { body, data: batch[offset + AT.reply_data] as Cell, at: end });
      }
      return 0;
    }
    events.add([namespace_id, mailboxId, 'message.received', id, now, 1, null]);
    const until = batch[offset + AT.leased_until] as number | null;
    const answerBy = batch[offset + AT.answer_by] as number | null;
    const taken = continues ? takenThread.get(threadId, mailboxId) : undefined;
    if (taken !== undefined) {
      const within = taken.answer_within_ms as number;
      run(insertTaken, id, mailboxId, now + within, within);
      memory.wait(mailboxId, 1);
      return 2;
    }
    if (mailbox.online && answerBy !== null) {
      const claim = batch[offset + AT.claim] as string | null;
      run(insertAnswerable, id, mailboxId, answerBy, (batch[offset + AT.claimed_until] as number | null) ?? now, claim);
      if (mailbox.pushes) run(insertPush, id, mailboxId, namespace_id, now, answerBy);
    } else if (mailbox.online) run(insertHandling, id, mailboxId, until ?? now, until === null ? 0 : 1);
    else run(insertHandling, id, mailboxId, null, 0);
    memory.wait(mailboxId, 1);
    return mailbox.online ? 0 : 1;
  };

  const acceptEmail: HotStatement = (batch, offset) => {
    const result = accept(batch, offset, ACCEPT_CELLS);
    insertCollected();
    if (typeof result !== 'number') return result;
    const mailbox_id = batch[offset + AT.to_mailbox_id] as string;
    insertEmail(batch.slice(offset + ACCEPT_CELLS, offset + ACCEPT_EMAIL_CELLS), {
      message_id: batch[offset + AT.id] as string,
      mailbox_id,
      namespace_id: memory.mailbox(mailbox_id)?.namespace_id ?? null,
      created_at: batch[offset + AT.created_at] as number,
    });
    return result;
  };

  const acceptThen: HotStatement = (batch, offset) => {
    const result = acceptEmail(batch, offset, ACCEPT_EMAIL_CELLS);
    return typeof result === 'number' ? [result, runSteps(batch, offset + ACCEPT_EMAIL_CELLS)] : [result];
  };

  const settle: HotStatement = (batch, offset) => settleAs(batch, offset);

  /** `by`: who answers it, as JSON text. */
  function settleAs(batch: Batch, offset: number, byHand: 0 | 1 = 0, by: string | null = null): boolean {
    const [id, fence, status, errorCode, errorMessage, body, data, settledAt] = batch.slice(
      offset,
      offset + SETTLE_CELLS,
    ) as [string, ...Cell[]];
    const handling = takeHandling.get(id, fence as number);
    if (handling === undefined) return false;
    const mailboxId = handling.mailbox_id as string;
    memory.wait(mailboxId, -1);
    const mailbox = memory.mailbox(mailboxId);
    if (mailbox === undefined || mailbox.deleted) return false;
    const message = settleMessage.get(
      id,
      status as string,
      errorCode as string | null,
      errorMessage as string | null,
      settledAt as number,
      body === null ? null : replyIdOf(id),
      by,
    ) as Record<string, Cell> | undefined;
    if (message === undefined) return false;
    // The time that an owner took to decide does not count as answering time.
    const took = handling.asked === 0 ? (settledAt as number) - (message.created_at as number) : null;
    events.add([mailbox.namespace_id, mailboxId, `message.${status}`, id, settledAt as number, 0, took]);
    if (body !== null) {
      const of = { ...message, id, mailbox_id: mailboxId } as unknown as Parameters<typeof insertReply>[0];
      const hasFile = fileOf.get(replyIdOf(id)) === undefined ? 0 : 1;
      insertReply(of, { body: body as Cell, data: data as Cell, at: settledAt as Cell }, hasFile, byHand, by);
    }
    insertCollected();
    return true;
  }

  const cancel: HotStatement = (batch, offset) => {
    const [id, now] = batch.slice(offset, offset + 2) as [string, number];
    const message = mailboxOfMessage.get(id);
    const mailboxId = message?.mailbox_id as string;
    const mailbox = message && memory.mailbox(mailboxId);
    if (mailbox === undefined || mailbox.deleted) return false;
    const handling = dropHandling.get(id);
    if (handling !== undefined) memory.wait(handling.mailbox_id as string, -1);
    const canceled = cancelMessage.get(id, now);
    if (canceled === undefined) return false;
    const took = now - (canceled.created_at as number);
    events.add([mailbox.namespace_id, mailboxId, 'message.canceled', id, now, 0, took]);
    insertCollected();
    return true;
  };

  const changes = new Map<string, boolean>();

  /** Whether a statement may change what is cached, by its text, of which there are few. */
  function changesCached(sql: string): boolean {
    let does = changes.get(sql);
    if (does === undefined) {
      does = CHANGES_CACHED.test(sql);
      changes.set(sql, does);
    }
    return does;
  }

  /** Cells: `steps, (sql, count, ...params) …` */
  function runSteps(batch: Batch, offset: number): unknown[] {
    const results: unknown[] = [];
    let place = offset + 1;
    for (let steps = batch[offset] as number; steps > 0; steps--) {
      const sql = batch[place] as string;
      if (changesCached(sql)) memory.distrust();
      const end = place + 2 + (batch[place + 1] as number);
      results.push(allRows(prepare(sql), batch.slice(place + 2, end)));
      place = end;
    }
    return results;
  }

  /** The statements shared with PostgreSQL. */
  const write: HotStatement = (batch, offset) => runSteps(batch, offset);

  /** Most periodic deletions find nothing, and none of those may cause a compaction, which holds back all writes. */
  const erase: HotStatement = (batch, offset, count) => {
    const before = totalChanges.get()?.changes;
    const results = write(batch, offset + 1, count - 1);
    if (totalChanges.get()?.changes !== before) onErase(batch[offset] as number);
    return results;
  };

  /** The steps check for themselves whether they apply. */
  const settleWith: HotStatement = (batch, offset) => {
    const after = batch[offset + SETTLE_CELLS] as number | null;
    if (after !== null) onErase(after);
    runSteps(batch, offset + SETTLE_CELLS + 1);
    return settle(batch, offset, SETTLE_CELLS);
  };

  const settleThen: HotStatement = (batch, offset) =>
    settle(batch, offset, SETTLE_CELLS) === true ? runSteps(batch, offset + SETTLE_CELLS) : undefined;

  const refuse: HotStatement = (batch, offset) => {
    const handling = fenceOfPlan.get(batch[offset] as string, batch[offset + SETTLE_CELLS] as string);
    if (handling === undefined) return false;
    const cells = batch.slice(offset, offset + SETTLE_CELLS).with(1, handling.fence as number);
    const [byHand, by] = batch.slice(offset + SETTLE_CELLS + 1, offset + SETTLE_CELLS + 3);
    return settleAs(cells, 0, byHand === 1 ? 1 : 0, by as string | null);
  };

  const answer: HotStatement = (batch, offset) => {
    const cells = batch.slice(offset, offset + SETTLE_CELLS);
    const terms = batch.slice(offset + SETTLE_CELLS, offset + SETTLE_CELLS + ANSWER_TERMS.length);
    const [claim = null, keyId = null, by = null, scope = null] = terms.slice(0, 4) as (string | null)[];
    const [key, hash, expires] = terms.slice(4) as [string, string, number];
    const [id, body, now] = [cells[0] as string, cells[5], cells[SETTLE_CELLS - 1] as number];
    const handling = fenceToAnswer.get(id, claim, now);
    if (handling === undefined || (keyId !== null && !memory.keyWorks(keyId, now))) return false;
    if (scope !== null) {
      const first = readIdempotencyKey.get(scope, key);
      if (first !== undefined && (first.expires_at as number) > now) return false;
    }
    if (!settleAs(cells.with(1, handling.fence as number), 0, claim === null ? 1 : 0, by)) return false;
    if (scope !== null) run(takeIdempotencyKey, scope, key, hash, body === null ? id : replyIdOf(id), expires, now);
    return true;
  };

  return {
    operations: [
      accept,
      settle,
      cancel,
      claim,
      renew,
      later,
      write,
      erase,
      settleWith,
      refuse,
      claimSuspect,
      answer,
      acceptEmail,
      settleThen,
      acceptThen,
    ] as readonly HotStatement[],
    look: memory.look,
    insertCollected,
    forget(): void {
      rows.forget();
      events.forget();
      memory.forget();
    },
  };
}
