import type { Message } from '../../core/entities/message.ts';
import type { Acceptance, Accepted, Store } from '../../core/ports/store.ts';
import type { Clock } from '../../core/values/clock.ts';
import { systemClock } from '../../core/values/clock.ts';
import type { Row } from '../db.ts';
import { Searches } from '../search/searches.ts';
import { makeAccounts } from '../statements/accounts.ts';
import { makeAllowances } from '../statements/allowances.ts';
import { makeClients } from '../statements/clients.ts';
import type { Order } from '../statements/events.ts';
import { makeEvents } from '../statements/events.ts';
import { idempotencyOf, takeIdempotencyKey } from '../statements/idempotency.ts';
import { makeJobReads, PROBE } from '../statements/jobs.ts';
import { makeKeys } from '../statements/keys.ts';
import { makeMailboxes } from '../statements/mailboxes.ts';
import { makeMessageReads, makeRetire, messageFrom, SELECT_MESSAGE } from '../statements/messages.ts';
import { makeNamespaces } from '../statements/namespaces.ts';
import { makeNotes } from '../statements/notes.ts';
import { makePlans, refusing, takePlan } from '../statements/plans.ts';
import { makePurge } from '../statements/purge.ts';
import { makeSchedules } from '../statements/schedules.ts';
import { makeSecrets } from '../statements/secrets.ts';
import { makeStates } from '../statements/states.ts';
import { makeStorage } from '../statements/storage.ts';
import { Batcher, raced } from './batcher.ts';
import type { Statement } from './connection.ts';
import { clientConfig, Link, makeDurable } from './connection.ts';
import { PostgresCounters } from './counters.ts';
import { PostgresDb } from './db.ts';
import { storeError } from './errors.ts';
import type { Settling } from './hot-statements.ts';
import {
  accept,
  acceptSettled,
  cancel,
  claim,
  holdMailbox,
  isPlain,
  later,
  refuse,
  renew,
  settle,
  settleWith,
} from './hot-statements.ts';
import { alone, migrate } from './migrate.ts';
import { Notices } from './notices.ts';

export interface PostgresOptions {
  readonly clock?: Clock;
  /** A maintenance command beside the running nodes. */
  readonly alongside?: boolean;
}

/**
 * Numbers are given before the commit, so of two events the later number may become visible first. Events are therefore
 * ordered by transaction, and shown when every transaction up to theirs has ended (PostgreSQL, "Transaction ID and
 * Snapshot Information Functions").
 */
const EVENT_ORDER: Order = {
  place: (side, tx, seq) => `(tx, seq) ${side} (${tx}, ${seq})`,
  sure: 'tx < event_base() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint',
  end: `select event_base() + pg_snapshot_xmax(pg_current_snapshot())::text::bigint as tx, 0 as seq`,
};

/** The number of connections that write: while one waits for the disk another is served. */
const WRITERS = 2;

const BY_IDS = `${SELECT_MESSAGE} where m.id = any($1)`;

const sizeOf = ({ message: m }: Acceptance): number =>
  m.body.length + (m.data?.length ?? 0) + (m.reply_body?.length ?? 0) + (m.reply_data?.length ?? 0);

/**
 * Opens the database at `url` (`postgres://…`); creates missing tables. Any number of nodes may share it. Throws when it
 * cannot be reached, and when it was written by a newer version.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { clock = systemClock, alongside = false } = options;
  const config = clientConfig(url);
  await migrate(config, alongside);

  await using open = new AsyncDisposableStack();
  const db = open.use(new PostgresDb(config));
  const writers = Array.from({ length: WRITERS }, () => open.use(new Link(config, makeDurable)));
  const reader = open.use(new Link(config));
  const notices = open.use(new Notices(config));
  if (!alongside) await notices.start();

  /** Uses the connection with the fewest statements in progress. */
  const write = (statement: Statement): Promise<readonly Row[]> => {
    const idle = writers.reduce((least, link) => (link.busy < least.busy ? link : least));
    return idle.query(statement);
  };
  const one = async <T>(attempt: () => Promise<T>): Promise<T> => {
    try {
      return await raced(attempt);
    } catch (error) {
      throw storeError(error);
    }
  };

  const plain = new Batcher<Acceptance, Accepted>({
    run: (batch) => acceptSettled(write, batch),
    abreast: WRITERS,
    size: sizeOf,
    writes: true,
  });
  const other = new Batcher<Acceptance, Accepted>({
    run: (batch) => accept(write, batch),
    // One at a time, because each counts a mailbox's waiting messages including those of the previous one.
    abreast: 1,
    size: sizeOf,
    writes: true,
  });
  const settling = new Batcher<Settling, boolean>({
    run: (batch) => settle(write, batch),
    abreast: WRITERS,
    size: ({ settlement: s }) => (s.reply_body?.length ?? 0) + (s.reply_data?.length ?? 0),
    key: (one) => one.claim.id,
    writes: true,
  });
  const reading = new Batcher<string, Message | undefined>({
    abreast: 2,
    run: async (ids) => {
      const rows = await reader.query({ name: 'by_ids', text: BY_IDS, values: [ids] });
      const found = new Map(rows.map((row) => [row.id, messageFrom(row)]));
      return ids.map((id) => found.get(id));
    },
  });
  const searches = open.use(new Searches({ postgres: url }));
  const counters = new PostgresCounters(write, clock);
  const jobs = makeJobReads(db, clock);
  const reads = makeMessageReads(db, searches);

  const held = open.move();
  return {
    namespaces: makeNamespaces(db),
    mailboxes: makeMailboxes(db, searches),
    keys: makeKeys(db),
    messages: {
      ...reads,
      retire: makeRetire(db),
      byId: (id) => reading.ask(id),
      accept: (acceptance) => (isPlain(acceptance) ? plain : other).ask(acceptance),
      settle: (of, settlement, effects = []) => {
        const one = { claim: of, settlement };
        return effects.length === 0 ? settling.ask(one) : settleWith(db, one, effects);
      },
      ...makePlans(db, holdMailbox),
      refuse: (id, plan, settlement, effects = []) =>
        effects.length === 0
          ? one(() => refuse(write, id, plan, settlement))
          : settleWith(db, { claim: refusing(id), settlement }, effects, [takePlan(id, plan)]),
      cancel: (id, now) => one(() => cancel(write, id, now)),
    },
    jobs: {
      ...jobs,
      claim: (max, now, leaseMs) => one(() => claim(write, max, now, leaseMs)),
      renew: (claims, until) => one(() => renew(write, claims, until)),
      later: (of, at) => one(() => later(write, of, at)),
      purge: makePurge(db, EVENT_ORDER),
      sweep: async (now) => {
        await one(() => counters.sweep());
        return jobs.sweep(now);
      },
    },
    events: makeEvents(db, reads, EVENT_ORDER),
    secrets: makeSecrets(db),
    states: makeStates(db),
    notes: makeNotes(db, searches),
    schedules: makeSchedules(db),
    accounts: makeAccounts(db, clock),
    clients: makeClients(db),
    allowances: makeAllowances(db),
    storage: makeStorage(db),
    alone: (act) => alone(config, act),
    shared: { counters, publish: notices.publish, subscribe: notices.subscribe },
    idempotency: (scope, key, now) => idempotencyOf(db, scope, key, now),
    remember: async (idempotency, id, now) => {
      await db.write([takeIdempotencyKey(idempotency, id, now)], 'beside');
    },
    // Probes each of the connections that write messages.
    probe: async () => {
      await Promise.all(writers.map((link) => one(() => link.query({ name: 'probe', text: PROBE, values: [] }))));
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
