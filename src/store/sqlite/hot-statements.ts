import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Millis } from '../../core/values/clock.ts';
import { replyIdOf } from '../../core/values/ids.ts';
import type { Cell } from '../db.ts';
import { TAKE_IDEMPOTENCY_KEY } from '../statements/idempotency.ts';
import { MESSAGE_COLUMNS } from '../statements/messages.ts';
import { allRows, statements } from './connection.ts';
import { known } from './row-cache.ts';
import type { Batch } from './wire.ts';
import { AT, MESSAGE_CELLS, SETTLE_CELLS } from './wire.ts';

/** Reads `count` cells from position `at` of the batch; the result is returned to the caller. */
type HotStatement = (batch: Batch, at: number, count: number) => unknown;

/** Maximum number of jobs of deleted or held mailboxes that one claim handles. */
const TIDY = 1000;

/**
 * The hot statements: prepared statements with the logic between them, inside the writer's transaction, in the order of
 * the operations in `wire.ts`. `forget` is called after a rollback, `look` at the start of a transaction.
 */
export function makeHotStatements(db: DatabaseSync, onErase: (after: Millis) => void) {
  const prepare = statements(db);
  const memory = known(db);

  const insertMessage = prepare(
    `insert into messages (${MESSAGE_COLUMNS}) values (${Array.from({ length: MESSAGE_CELLS }, () => '?').join(', ')})`,
  );
  const insertJob = prepare(
    `insert into jobs (id, kind, mailbox_id, due_at, leased, fence, attempt) values (?1, 'handle', ?2, ?3, ?4, ?4, ?4)`,
  );
  const takeIdempotencyKey = prepare(TAKE_IDEMPOTENCY_KEY);
  const readIdempotencyKey = prepare('select ref, hash, expires_at from idempotency where scope = ? and key = ?');
  const takeJob = prepare('delete from jobs where id = ? and fence = ? returning mailbox_id, parked');
  const fenceOfPlan = prepare('select fence from jobs where id = ? and parked = 1 and plan = ?');
  const dropJob = prepare('delete from jobs where id = ? returning mailbox_id');
  const settleMessage = prepare(
    `update messages set status = ?2, waiting_for = null, error_code = ?3, error_message = ?4, reply_body = ?5,
       reply_data = ?6, settled_at = ?7
     where id = ?1 and status = 'submitted'
     returning from_mailbox_id, mailbox_id, thread_id, "from", channel, hops, subject, created_at`,
  );
  const cancelMessage = prepare(
    `update messages set status = 'canceled', waiting_for = null, settled_at = ?2
     where id = ?1 and status = 'submitted' returning created_at`,
  );
  const insertEvent = prepare(
    `insert into events (namespace_id, mailbox_id, type, message_id, at, arrived, took_ms) values (?, ?, ?, ?, ?, ?, ?)`,
  );
  const mailboxOfMessage = prepare('select mailbox_id from messages where id = ?');
  const dueJobs = prepare(
    `select id, kind, subject, mailbox_id, fence, attempt from jobs where due_at <= ? order by due_at, id limit ?`,
  );
  const leaseJob = prepare(
    'update jobs set leased = 1, fence = fence + 1, attempt = attempt + 1, due_at = ?2 where id = ?1',
  );
  const holdJob = prepare('update jobs set leased = 0, due_at = null where id = ?');
  const renewJob = prepare('update jobs set due_at = ?3 where id = ?1 and fence = ?2 and leased = 1');
  const jobOfClaim = prepare('select mailbox_id from jobs where id = ? and fence = ? and leased = 1');
  const releaseJob = prepare(
    `update jobs set leased = 0, due_at = ?2, progress = case when kind = 'purge' then progress end where id = ?1`,
  );

  const run = (statement: StatementSync, ...cells: readonly Cell[]): number => Number(statement.run(...cells).changes);

  /** Files the reply as a message in the mailbox that asked; it triggers no behavior there. */
  function fileReply(
    of: { readonly id: string; readonly thread_id: Cell; readonly mailbox_id: string; readonly from_mailbox_id: Cell },
    submission: { readonly to: Cell; readonly channel: Cell; readonly hops: Cell; readonly subject: Cell },
    reply: { readonly body: Cell; readonly data: Cell; readonly at: Cell },
  ): void {
    const from = memory.mailbox(of.mailbox_id)?.address ?? null;
    const to = of.from_mailbox_id as string;
    const id = replyIdOf(of.id);
    const namespaceId = memory.mailbox(to)?.namespace_id as string;
    insertEvent.run(namespaceId, to, 'message.received', id, reply.at, 0, null);
    run(
      insertMessage,
      id,
      of.thread_id,
      of.id,
      null,
      to,
      submission.to,
      from,
      'mailbox',
      of.mailbox_id,
      null,
      null,
      submission.channel,
      submission.hops,
      submission.subject,
      reply.body,
      reply.data,
      'completed',
      null,
      null,
      null,
      null,
      null,
      reply.at,
      reply.at,
      null,
    );
  }

  const accept: HotStatement = (batch, at) => {
    const id = batch[at + AT.id] as string;
    const now = batch[at + AT.created_at] as number;
    const keyId = batch[at + AT.key_id] as string | null;
    if (keyId !== null && !memory.keyWorks(keyId, now)) return 'invalid_key';
    const mailboxId = batch[at + AT.mailbox_id] as string;
    const mailbox = memory.mailbox(mailboxId);
    if (mailbox === undefined || mailbox.deleted) return 'mailbox_gone';
    const fromId = batch[at + AT.from_mailbox_id] as string | null;
    if (fromId !== null && memory.mailbox(fromId)?.deleted !== false) return 'sender_not_allowed';

    const settled = batch[at + AT.status] !== 'submitted';
    const full = !settled && memory.waiting(mailboxId) >= (batch[at + AT.max_waiting] as number);
    const scope = batch[at + AT.once_scope] as string | null;
    if (scope !== null) {
      const key = batch[at + AT.once_key] as string;
      const hash = batch[at + AT.once_hash] as string;
      const expires = batch[at + AT.once_expires_at] as number;
      // A full mailbox takes no idempotency key, but still reports an earlier result of the key.
      if (full || run(takeIdempotencyKey, scope, key, hash, id, expires, now) === 0) {
        const first = readIdempotencyKey.get(scope, key);
        if (first !== undefined && (first.expires_at as number) > now) return [first.ref, first.hash];
      }
    }
    if (full) return 'mailbox_full';

    insertMessage.run(...batch.slice(at, at + MESSAGE_CELLS));
    const { namespace_id } = mailbox;
    if (settled) {
      const end = batch[at + AT.settled_at] as number;
      insertEvent.run(namespace_id, mailboxId, `message.${batch[at + AT.status]}`, id, end, 1, end - now);
      const body = batch[at + AT.reply_body] as string | null;
      if (fromId !== null && body !== null) {
        fileReply(
          { id, thread_id: batch[at + AT.thread_id] as string, mailbox_id: mailboxId, from_mailbox_id: fromId },
          {
            to: batch[at + AT.from] as string,
            channel: batch[at + AT.channel] as string,
            hops: batch[at + AT.hops] as number,
            subject: batch[at + AT.subject] as string | null,
          },
          { body, data: batch[at + AT.reply_data] as string | null, at: batch[at + AT.settled_at] as number },
        );
      }
      return 0;
    }
    insertEvent.run(namespace_id, mailboxId, 'message.received', id, now, 1, null);
    const until = batch[at + AT.leased_until] as number | null;
    if (mailbox.online) run(insertJob, id, mailboxId, until ?? now, until === null ? 0 : 1);
    else run(insertJob, id, mailboxId, null, 0);
    memory.wait(mailboxId, 1);
    return mailbox.online ? 0 : 1;
  };

  const settle: HotStatement = (batch, at) => {
    const [id, fence, status, errorCode, errorMessage, body, data, settledAt] = batch.slice(at, at + SETTLE_CELLS) as [
      string,
      ...Cell[],
    ];
    const job = takeJob.get(id, fence as number);
    if (job === undefined) return false;
    memory.wait(job.mailbox_id as string, -1);
    const mailbox = memory.mailbox(job.mailbox_id as string);
    if (mailbox === undefined || mailbox.deleted) return false;
    const message = settleMessage.get(
      id,
      status as string,
      errorCode as string | null,
      errorMessage as string | null,
      body as string | null,
      data as string | null,
      settledAt as number,
    ) as Record<string, Cell> | undefined;
    if (message === undefined) return false;
    // The time that an owner took to decide does not count as answering time.
    const took = job.parked === 0 ? (settledAt as number) - (message.created_at as number) : null;
    insertEvent.run(
      mailbox.namespace_id,
      message.mailbox_id as string,
      `message.${status}`,
      id,
      settledAt as number,
      0,
      took,
    );
    const fromId = message.from_mailbox_id as string | null;
    if (fromId !== null && body !== null && memory.mailbox(fromId)?.deleted === false) {
      fileReply(
        {
          id,
          thread_id: message.thread_id as string,
          mailbox_id: message.mailbox_id as string,
          from_mailbox_id: fromId,
        },
        {
          to: message.from as Cell,
          channel: message.channel as Cell,
          hops: message.hops as Cell,
          subject: message.subject as Cell,
        },
        { body: body as Cell, data: data as Cell, at: settledAt as Cell },
      );
    }
    return true;
  };

  const cancel: HotStatement = (batch, at) => {
    const [id, now] = batch.slice(at, at + 2) as [string, number];
    const message = mailboxOfMessage.get(id);
    const mailboxId = message?.mailbox_id as string;
    const mailbox = message && memory.mailbox(mailboxId);
    if (mailbox === undefined || mailbox.deleted) return false;
    const job = dropJob.get(id);
    if (job !== undefined) memory.wait(job.mailbox_id as string, -1);
    const canceled = cancelMessage.get(id, now);
    if (canceled === undefined) return false;
    const took = now - (canceled.created_at as number);
    insertEvent.run(mailbox.namespace_id, mailboxId, 'message.canceled', id, now, 0, took);
    return true;
  };

  /** A flat list: id, kind, subject, fence, attempt of each job. */
  const claim: HotStatement = (batch, at) => {
    const [max, now, lease] = batch.slice(at, at + 3) as [number, number, number];
    const claimed: Cell[] = [];
    let left = max;
    for (let tidied = 0; left > 0 && tidied < TIDY; ) {
      const asked = left;
      const due = dueJobs.all(now, asked);
      for (const job of due) {
        const id = job.id as string;
        const mailboxId = job.mailbox_id as string | null;
        const mailbox = mailboxId === null ? undefined : memory.mailbox(mailboxId);
        if (mailboxId !== null && mailbox?.deleted !== false) {
          run(dropJob, id);
          memory.wait(mailboxId, -1);
          tidied++;
        } else if (mailbox?.online === false) {
          run(holdJob, id);
          tidied++;
        } else {
          run(leaseJob, id, now + lease);
          const { kind, subject, fence, attempt } = job as Record<string, Cell>;
          claimed.push(id, kind as Cell, subject ?? id, (fence as number) + 1, (attempt as number) + 1);
          left--;
        }
      }
      // With a lease of 0 ms the jobs just claimed would be due again.
      if (due.length < asked || lease <= 0) break;
    }
    return claimed;
  };

  const renew: HotStatement = (batch, at, count) => {
    const until = batch[at] as number;
    const held: string[] = [];
    for (let i = at + 1; i < at + count; i += 2) {
      const id = batch[i] as string;
      if (run(renewJob, id, batch[i + 1] as number, until) === 1) held.push(id);
    }
    return held;
  };

  const later: HotStatement = (batch, at) => {
    const [id, fence, due] = batch.slice(at, at + 3) as [string, number, number];
    const job = jobOfClaim.get(id, fence);
    if (job === undefined) return false;
    const mailboxId = job.mailbox_id as string | null;
    const mailbox = mailboxId === null ? undefined : memory.mailbox(mailboxId);
    if (mailboxId !== null && mailbox?.deleted !== false) {
      run(dropJob, id);
      memory.wait(mailboxId, -1);
      return false;
    }
    run(releaseJob, id, mailbox?.online === false ? null : due);
    return true;
  };

  /** Cells: `steps, (sql, count, ...params) …` */
  function runSteps(batch: Batch, at: number): unknown[] {
    const results: unknown[] = [];
    let place = at + 1;
    for (let steps = batch[at] as number; steps > 0; steps--) {
      const sql = batch[place] as string;
      const end = place + 2 + (batch[place + 1] as number);
      results.push(allRows(prepare(sql), batch.slice(place + 2, end)));
      place = end;
    }
    return results;
  }

  /** The statements shared with PostgreSQL. */
  const write: HotStatement = (batch, at) => {
    memory.distrust();
    return runSteps(batch, at);
  };

  const erase: HotStatement = (batch, at, count) => {
    onErase(batch[at] as number);
    return write(batch, at + 1, count - 1);
  };

  /** The steps check for themselves whether they apply; they change no mailbox and no key. */
  const settleWith: HotStatement = (batch, at) => {
    const after = batch[at + SETTLE_CELLS] as number | null;
    if (after !== null) onErase(after);
    runSteps(batch, at + SETTLE_CELLS + 1);
    return settle(batch, at, SETTLE_CELLS);
  };

  const refuse: HotStatement = (batch, at) => {
    const job = fenceOfPlan.get(batch[at] as string, batch[at + SETTLE_CELLS] as string);
    if (job === undefined) return false;
    return settle(batch.slice(at, at + SETTLE_CELLS).with(1, job.fence as number), 0, SETTLE_CELLS);
  };

  return {
    facts: [accept, settle, cancel, claim, renew, later, write, erase, settleWith, refuse] as readonly HotStatement[],
    look: memory.look,
    forget: memory.forget,
  };
}
