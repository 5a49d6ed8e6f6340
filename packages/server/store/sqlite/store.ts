import { resolve } from 'node:path';
import type { Effect } from '@mailroom/behavior/effect';
import { type Clock, DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Claim } from '../../core/ports/claim.ts';
import type { Accepted, Settlement } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import { systemClock } from '../../core/values/steady-clock.ts';
import { audited } from '../audit/audited-store.ts';
import { Damage } from '../damage.ts';
import type { Cell, Db, How, Row, WriteStep } from '../db.ts';
import { IndexFollower } from '../index/follower.ts';
import { removeIndex } from '../index/sqlite.ts';
import type { Objects } from '../objects/objects.ts';
import { makeSearch } from '../search/search-messages.ts';
import { Searches } from '../search/searches.ts';
import { makeAccounts } from '../statements/accounts.ts';
import { makeAgentWebhooks } from '../statements/agent-webhooks.ts';
import { makeAllowances } from '../statements/allowances.ts';
import { makeAnswers } from '../statements/answers.ts';
import { makeAttachments } from '../statements/attachments.ts';
import { sweepBlobs } from '../statements/blob-sweep.ts';
import { makeChunks, requireObjects } from '../statements/chunks.ts';
import { makeClients } from '../statements/clients.ts';
import { makeConversationStates } from '../statements/conversations.ts';
import { makeDeliveries, makeSuppressions } from '../statements/deliveries.ts';
import { makeDomains } from '../statements/domains.ts';
import { makeDrafts } from '../statements/drafts.ts';
import { effectSteps } from '../statements/effects.ts';
import { makeAcceptAnswered, makeEmails, makeSettleAnswered } from '../statements/emails.ts';
import type { Order } from '../statements/event-order.ts';
import { makeEvents } from '../statements/events.ts';
import { makeHandlingReads, makeSuspension, refusing, takePlan } from '../statements/handlings.ts';
import { idempotencyOf, takeIdempotencyKey } from '../statements/idempotency.ts';
import { makeInvitations } from '../statements/invitations.ts';
import { makeJobs, probe } from '../statements/jobs.ts';
import { makeKeys } from '../statements/keys.ts';
import { makeAddFindings, makeLabels } from '../statements/labels.ts';
import { makeMailboxes } from '../statements/mailboxes.ts';
import { makeMessageIds } from '../statements/message-ids.ts';
import { answerCells, answererCell, settlementCells } from '../statements/message-row.ts';
import { makeMessageReads } from '../statements/messages.ts';
import { makeModelUsage } from '../statements/model-usage.ts';
import { moveChunks } from '../statements/move-chunks.ts';
import { makeNamespaces } from '../statements/namespaces.ts';
import { makeNotes } from '../statements/notes.ts';
import { makeNotices } from '../statements/notices.ts';
import { makePlaces } from '../statements/places.ts';
import { makePurge } from '../statements/purge.ts';
import { makePushConfigs } from '../statements/push-configs.ts';
import { makeRecipientDays } from '../statements/recipient-days.ts';
import { makeRemove, makeRetire } from '../statements/remove-messages.ts';
import { makeReviews } from '../statements/reviews.ts';
import { makeSchedules } from '../statements/schedules.ts';
import { makeSecrets } from '../statements/secrets.ts';
import { makeSigningKeys } from '../statements/signing-keys.ts';
import { makeStates } from '../statements/states.ts';
import { makeStorage } from '../statements/storage.ts';
import { makeThreads } from '../statements/threads.ts';
import { makeWebhooks } from '../statements/webhooks.ts';
import { allRows, connect, statements } from './connection.ts';
import { storeError } from './errors.ts';
import { lock } from './lock.ts';
import { makeFile, migrate, voidLeases } from './prepare.ts';
import { quickCheck } from './quick-check.ts';
import { WriterThread } from './thread.ts';
import {
  ANSWER,
  CANCEL,
  CLAIM,
  CLAIM_SUSPECT,
  ERASE,
  LATER,
  REFUSE,
  RENEW,
  SETTLE,
  SETTLE_THEN,
  SETTLE_WITH,
  WRITE,
} from './wire.ts';

export interface SqliteOptions {
  readonly clock?: Clock | undefined;
  /** A maintenance command beside the running service: takes no lock and leaves leases unchanged. */
  readonly alongside?: boolean;
  /** Where the bytes of files are kept, if not in the database; closed with it. */
  readonly objects?: (Objects & Disposable) | undefined;
  /** Whether an index of messages is kept. */
  readonly index?: boolean;
  /** The hour (UTC) for compactions that take long; without it they are left to `npm run compact`. */
  readonly compactHour?: number | undefined;
  /** Called when the writer thread died: writing has become impossible, and the process should end. */
  readonly onFailure?: (error: Error) => void;
}

/** After how long deleted content begins to leave the files. */
const ERASE_AFTER: { readonly [how in How]?: Millis } = { erase: 2 * SECOND, expire: DAY };

/**
 * One writer numbers the events as it commits them, and `tx` is always 0. The comparison names the constant, because
 * SQLite uses an index only for the first part of a pair.
 */
const EVENT_ORDER: Order = {
  sure: 'true',
  place: (side, tx, seq) => `tx = ${tx} and seq ${side} ${seq}`,
  end: "select 0 as tx, seq from sqlite_sequence where name = 'events'",
};

/** Cells: `steps, (sql, count, ...params) …` */
const stepCells = (steps: readonly WriteStep[]): Cell[] => [
  steps.length,
  ...steps.flatMap(({ sql, params }) => [sql, params.length, ...params]),
];

const ACCEPTED: Accepted = { kind: 'accepted', held: false };
const HELD: Accepted = { kind: 'accepted', held: true };
const TAKEN: Accepted = { kind: 'accepted', held: false, taken: true };

function acceptedFrom(result: unknown): Accepted {
  if (result === 0) return ACCEPTED;
  if (result === 1) return HELD;
  if (result === 2) return TAKEN;
  if (typeof result === 'string') return { kind: 'refused', code: result } as Accepted;
  const [id, hash] = result as [string, string];
  return { kind: 'replayed', id, hash };
}

function claimsFrom(flat: readonly Cell[]): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < flat.length; i += 5) {
    const [id, subject, fence, attempt, crashes] = flat.slice(i, i + 5) as [string, string, number, number, Cell];
    claims.push({
      id,
      kind: 'handle',
      fence,
      attempt,
      subject,
      ...(crashes !== null && { crashes: crashes as number }),
    });
  }
  return claims;
}

/**
 * Opens the file at `path`; creates it with its folder if missing. Throws when another process serves it, and when it was
 * written by a newer version.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store> {
  try {
    return await openFile(resolve(path), options);
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === undefined) throw error;
    // SQLite's message does not name the file, which the operator needs to know.
    const repair = new Damage().of(error) === undefined ? '' : ' (docs/operations.md, A damaged database)';
    throw new Error(`${resolve(path)} cannot be opened: ${(error as Error).message}${repair}`, { cause: error });
  }
}

async function openFile(path: string, options: SqliteOptions): Promise<Store> {
  const { clock = systemClock, alongside = false, index = false, compactHour, objects, onFailure = () => {} } = options;
  await using open = new AsyncDisposableStack();
  open.use(objects);
  const file = makeFile(path);
  if (!alongside) open.use(lock(file));
  const damage = new Damage();
  const reader = connect(file);
  open.defer(() => reader.close());
  migrate(reader, file, alongside);
  try {
    if (!alongside) voidLeases(reader, clock());
  } catch (error) {
    // What can be read of a damaged file is served.
    if (damage.of(error) === undefined) throw error;
  }
  reader.exec('pragma query_only = 1');
  if (!alongside) open.use(quickCheck(file, (what) => void damage.note(new Error(what))));
  const writer = open.use(await WriterThread.start({ path: file, alongside, compactHour }, damage, onFailure));

  const prepare = statements(reader);
  const db: Db = {
    async read(sql, params) {
      try {
        return allRows(prepare(sql), params);
      } catch (error) {
        throw storeError(error, damage);
      }
    },
    async write(steps, how = 'beside') {
      const after = ERASE_AFTER[how];
      const cells = stepCells(steps);
      const sent =
        after === undefined ? writer.send(WRITE, cells, how === 'soon') : writer.send(ERASE, [after, ...cells]);
      return (await sent) as Row[][];
    },
  };

  await requireObjects(db, objects);

  const settleWith = async (
    claim: Pick<Claim, 'id' | 'fence'>,
    settlement: Settlement,
    effects: readonly Effect[],
    first: readonly WriteStep[] = [],
  ): Promise<boolean> => {
    // Deleted notes and schedules leave the files like expired content.
    const forgets = effects.some((effect) => effect.kind !== 'schedule');
    const after = forgets ? (ERASE_AFTER.expire ?? null) : null;
    const steps = stepCells([...first, ...effectSteps(claim, effects, settlement.settled_at)]);
    return (await writer.send(SETTLE_WITH, [...settlementCells(claim, settlement), after, ...steps])) as boolean;
  };

  const searches = open.use(new Searches({ sqlite: file }));
  const reads = makeMessageReads(db, searches);
  const indexing = alongside ? undefined : open.use(new IndexFollower({ sqlite: file }, clock, db, index));
  if (!index && !alongside) removeIndex(file);
  const held = open.move();
  const store: Omit<Store, 'audit'> = {
    clock,
    namespaces: makeNamespaces(db),
    mailboxes: makeMailboxes(db, searches, clock),
    keys: makeKeys(db),
    messages: {
      ...reads,
      search: makeSearch(searches, reads),
      remove: makeRemove(db),
      retire: makeRetire(db),
      addFindings: makeAddFindings(db),
      accept: (acceptance) => writer.accept(acceptance).then(acceptedFrom),
      settle: async (claim, settlement, effects = []) =>
        effects.length === 0
          ? ((await writer.send(SETTLE, settlementCells(claim, settlement))) as boolean)
          : settleWith(claim, settlement, effects),
      acceptAnswered: makeAcceptAnswered(async (acceptance, steps) => {
        const [result, rows] = (await writer.accept(acceptance, stepCells(steps))) as [unknown, Row[][]?];
        return [acceptedFrom(result), rows !== undefined];
      }),
      settleAnswered: makeSettleAnswered(async (claim, settlement, steps) => {
        const cells = [...settlementCells(claim, settlement), ...stepCells(steps)];
        return (await writer.send(SETTLE_THEN, cells)) !== undefined;
      }),
      ...makeSuspension(db, () => []),
      refuse: async (id, plan, settlement, effects = []) =>
        effects.length === 0
          ? ((await writer.send(REFUSE, [
              ...settlementCells({ id, fence: 0 }, settlement),
              plan,
              settlement.reply?.by_hand === true ? 1 : 0,
              answererCell(settlement),
            ])) as boolean)
          : settleWith(refusing(id), settlement, effects, [takePlan(id, plan)]),
      cancel: async (id, now) => (await writer.send(CANCEL, [id, now])) as boolean,
    },
    handlings: {
      ...makeHandlingReads(db, clock),
      claim: async (max, now, leaseMs, except = []) =>
        claimsFrom((await writer.send(CLAIM, [max, now, leaseMs, ...except])) as Cell[]),
      claimSuspect: async (now, leaseMs) => {
        const [claim] = claimsFrom((await writer.send(CLAIM_SUSPECT, [now, leaseMs])) as Cell[]);
        return claim;
      },
      renew: async (claims, until) =>
        (await writer.send(RENEW, [until, ...claims.flatMap(({ id, fence }) => [id, fence])])) as string[],
      later: async (claim, at) => (await writer.send(LATER, [claim.id, claim.fence, at])) as boolean,
    },
    answers: {
      ...makeAnswers(db),
      answer: async (id, claim, settlement, terms = {}) =>
        (await writer.send(ANSWER, answerCells(id, claim, settlement, terms))) as boolean,
    },
    threads: makeThreads(db),
    jobs: { ...makeJobs(db, clock), purge: makePurge(db, EVENT_ORDER, objects) },
    conversations: makeConversationStates(db),
    events: makeEvents(db, reads, EVENT_ORDER, clock),
    secrets: makeSecrets(db),
    agentWebhooks: makeAgentWebhooks(db),
    deliveries: makeDeliveries(db),
    suppressions: makeSuppressions(db),
    webhooks: makeWebhooks(db, EVENT_ORDER),
    states: makeStates(db),
    notices: makeNotices(db),
    pushConfigs: makePushConfigs(db),
    signingKeys: makeSigningKeys(db),
    notes: makeNotes(db, searches),
    schedules: makeSchedules(db),
    drafts: makeDrafts(db),
    reviews: makeReviews(db),
    labels: makeLabels(db),
    places: makePlaces(db),
    messageIds: makeMessageIds(db),
    domains: makeDomains(db),
    emails: makeEmails(db),
    accounts: makeAccounts(db, clock),
    invitations: makeInvitations(db),
    clients: makeClients(db),
    allowances: makeAllowances(db),
    storage: makeStorage(db),
    modelUsage: makeModelUsage(db),
    recipientDays: makeRecipientDays(db),
    attachments: makeAttachments(db, objects),
    blobs: {
      ...makeChunks(db, objects),
      sweep: (now) => sweepBlobs(db, objects, now),
      move: (to, after) => moveChunks(db, objects, to, after),
    },
    alone: (act) => act(),
    shared: undefined,
    idempotency: (scope, key, now) => idempotencyOf(db, scope, key, now),
    remember: async (idempotency, id, now) => {
      await db.write([takeIdempotencyKey(idempotency, id, now)], 'beside');
    },
    probe: () => probe(db),
    indexed: async (ms = 0) => (index ? indexing?.caughtUp(ms) : undefined),
    damaged: () => damage.what,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
  return audited(store, db);
}
