import type { StatementSync } from 'node:sqlite';
import type { Cell } from '../db.ts';
import { waitByHand } from '../statements/by-hand.ts';
import type { makeRowCache } from './row-cache.ts';
import type { Batch } from './wire.ts';

/** Reads `count` cells from position `offset` of the batch; the result is returned to the caller. */
export type HotStatement = (batch: Batch, offset: number, count: number) => unknown;

/** Maximum number of messages of deleted or held mailboxes that one claim handles. */
const TIDY = 1000;
/** Maximum number of mailboxes that one claim visits. */
const VISITS = 1000;

/** Whether it is answered by hand, as in the statements of threads. */
const isByHand = (handling: Record<string, unknown>): boolean =>
  (handling.by_hand_ms as number) > 0 && handling.approved === 0;

/** Runs a statement; returns the number of rows that it changed. */
export const run = (statement: StatementSync, ...cells: readonly Cell[]): number =>
  Number(statement.run(...cells).changes);

/** The hot statements that claim due messages under a lease, renew it and give messages back. */
export function makeLeases(prepare: (sql: string) => StatementSync, memory: ReturnType<typeof makeRowCache>) {
  const dropHandling = prepare('delete from handlings where message_id = ? returning mailbox_id');
  const waitForHand = prepare(`update handlings set ${waitByHand('?2')} where message_id = ?1`);
  const leaseHandling = prepare(
    'update handlings set leased = 1, fence = fence + 1, attempt = attempt + 1, due_at = ?2 where message_id = ?1',
  );
  const holdHandling = prepare('update handlings set leased = 0, due_at = null where message_id = ?');
  const renewHandling = prepare('update handlings set due_at = ?3 where message_id = ?1 and fence = ?2 and leased = 1');
  const claimed = prepare(
    `select mailbox_id, by_hand_ms, approved, waiting_for from handlings
     where message_id = ? and fence = ? and leased = 1`,
  );
  const releaseHandling = prepare(
    'update handlings set leased = 0, suspect = 0, due_at = ?2, progress = null where message_id = ?1',
  );
  const nextMailbox = prepare(
    `select mailbox_id from handlings where mailbox_id > ? and due_at is not null and suspect = 0
     order by mailbox_id limit 1`,
  );
  const dueIn = prepare(
    `select message_id, fence, attempt, by_hand_ms, approved, waiting_for from handlings
     where mailbox_id = ? and due_at <= ? and suspect = 0 order by due_at, message_id limit 1`,
  );
  const dueSuspect = prepare(
    `select message_id, mailbox_id, fence, attempt, crashes, by_hand_ms, approved, waiting_for from handlings
     where suspect = 1 and due_at <= ? order by crashes, due_at limit 1`,
  );
  /** The mailbox that was served last; the next one in order is served first by the next claim. */
  let turn = '';

  /**
   * Leases a due message, appending its id, mailbox, fence and attempt; false when it is removed with its deleted mailbox,
   * held with a paused one, or waits for an answer by hand.
   */
  function lease(
    due: Record<string, unknown>,
    mailboxId: string,
    [now, until]: readonly [number, number],
    claims: Cell[],
  ): boolean {
    const id = due.message_id as string;
    const mailbox = memory.mailbox(mailboxId);
    if (mailbox?.deleted !== false) {
      run(dropHandling, id);
      memory.wait(mailboxId, -1);
      return false;
    }
    if (isByHand(due) && due.waiting_for === null) {
      run(waitForHand, id, now);
      return false;
    }
    if (!mailbox.online && !isByHand(due)) {
      run(holdHandling, id);
      return false;
    }
    run(leaseHandling, id, until);
    claims.push(id, mailboxId, (due.fence as number) + 1, (due.attempt as number) + 1, (due.crashes as Cell) ?? null);
    return true;
  }

  /** A flat list: id, mailbox, fence, attempt, crashes of each message, one of each mailbox in turn. */
  const claim: HotStatement = (batch, offset, count) => {
    const [max, now, leaseMs] = batch.slice(offset, offset + 3) as [number, number, number];
    const except = new Set(batch.slice(offset + 3, offset + count));
    const claims: Cell[] = [];
    let freeSlots = max;
    let tidied = 0;
    let foundInRound = false;
    let whole = turn === '';
    for (let visits = 0; freeSlots > 0 && tidied < TIDY && visits < VISITS; visits++) {
      const next = nextMailbox.get(turn);
      if (next === undefined) {
        // With a lease of 0 ms the messages just claimed would be due again.
        if ((whole && !foundInRound) || leaseMs <= 0) break;
        [turn, whole, foundInRound] = ['', true, false];
        continue;
      }
      turn = next.mailbox_id as string;
      if (except.has(turn)) continue;
      for (let due = dueIn.get(turn, now); due !== undefined; due = dueIn.get(turn, now)) {
        foundInRound = true;
        if (lease(due, turn, [now, now + leaseMs], claims)) {
          freeSlots--;
          break;
        }
        if (++tidied >= TIDY) break;
      }
    }
    return claims;
  };

  const claimSuspect: HotStatement = (batch, offset) => {
    const [now, leaseMs] = batch.slice(offset, offset + 2) as [number, number];
    const claims: Cell[] = [];
    for (let tidied = 0; tidied < TIDY; tidied++) {
      const due = dueSuspect.get(now);
      if (due === undefined || lease(due, due.mailbox_id as string, [now, now + leaseMs], claims)) break;
    }
    return claims;
  };

  const renew: HotStatement = (batch, offset, count) => {
    const until = batch[offset] as number;
    const held: string[] = [];
    for (let i = offset + 1; i < offset + count; i += 2) {
      const id = batch[i] as string;
      if (run(renewHandling, id, batch[i + 1] as number, until) === 1) held.push(id);
    }
    return held;
  };

  const later: HotStatement = (batch, offset) => {
    const [id, fence, due] = batch.slice(offset, offset + 3) as [string, number, number];
    const handling = claimed.get(id, fence);
    if (handling === undefined) return false;
    const mailboxId = handling.mailbox_id as string;
    const mailbox = memory.mailbox(mailboxId);
    if (mailbox?.deleted !== false) {
      run(dropHandling, id);
      memory.wait(mailboxId, -1);
      return false;
    }
    // A deadline that was reached is handled again whether or not the mailbox is paused.
    if (isByHand(handling) && handling.waiting_for === null) run(waitForHand, id, due);
    else run(releaseHandling, id, mailbox.online || isByHand(handling) ? due : null);
    return true;
  };

  return { claim, claimSuspect, renew, later };
}
