import type { Clock } from '@mailroom/behavior/values/clock';
import type pg from 'pg';
import type { Message } from '../../core/entities/message.ts';
import type { Acceptance, Accepted } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import { audited } from '../audit/audited-store.ts';
import { hasDrafts } from '../audit/draft.ts';
import type { Row } from '../db.ts';
import { IndexFollower } from '../index/follower.ts';
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
import { makeAcceptAnswered, makeEmails, makeSettleAnswered } from '../statements/emails.ts';
import type { Order } from '../statements/event-order.ts';
import { makeEvents } from '../statements/events.ts';
import { makeHandlingReads, makeSuspension, refusing, takePlan } from '../statements/handlings.ts';
import { idempotencyOf, takeIdempotencyKey } from '../statements/idempotency.ts';
import { makeInvitations } from '../statements/invitations.ts';
import { makeJobs, PROBE } from '../statements/jobs.ts';
import { makeKeys } from '../statements/keys.ts';
import { makeAddFindings, makeLabels } from '../statements/labels.ts';
import { makeMailboxes } from '../statements/mailboxes.ts';
import { withFiles } from '../statements/message-files.ts';
import { makeMessageIds } from '../statements/message-ids.ts';
import { IS_HELD, makeMessageReads, messageFrom, SELECT_MESSAGE } from '../statements/messages.ts';
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
import { accept, acceptSettled, isPlain } from './accept-statements.ts';
import { type Answering, answer, claimAnswers } from './answer-statements.ts';
import { Batcher, raced } from './batcher.ts';
import { claimSuspect, later, makeClaim, renew } from './claim-statements.ts';
import { clientConfig, Link, type Statement, setSession } from './connection.ts';
import { PostgresCounters } from './counters.ts';
import { DatabaseClock } from './database-clock.ts';
import { PostgresDb } from './db.ts';
import { storeError } from './errors.ts';
import { alone, migrate } from './migrate.ts';
import { Notices } from './notices.ts';
import { type Patience, whenThere } from './patience.ts';
import { checkSessions } from './pooling.ts';
import { cancel, holdMailbox, refuse, type Settling, settle, settleWith } from './settle-statements.ts';

export interface PostgresOptions extends Patience {
  readonly clock?: Clock | undefined;
  /** Where the bytes of files are kept, if not in the database; closed with it. */
  readonly objects?: (Objects & Disposable) | undefined;
  /** Whether an index of messages is kept. */
  readonly index?: boolean;
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

/**
 * Plans a prepared statement once: for messages by id the server would plan each time, as it expects more ids than there
 * usually are, and planning takes longer than reading one.
 */
const keepPlans = async (client: pg.Client): Promise<void> => {
  await client.query('set plan_cache_mode = force_generic_plan');
};

/** The number of connections that write: while one waits for the disk another is served. */
const WRITERS = 2;

const BY_IDS = `${SELECT_MESSAGE} where ${IS_HELD} and m.id = any($1)`;

const sizeOf = ({ message: m }: Acceptance): number =>
  m.body.length + (m.data?.length ?? 0) + (m.reply?.body.length ?? 0) + (m.reply?.data?.length ?? 0);

/**
 * Opens the database at `url` (`postgres://…`); creates missing tables. Any number of nodes may share it. Throws when it
 * cannot be reached, when a pool shares its connections, and when it was written by a newer version.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { alongside = false, index = false, objects } = options;
  const config = clientConfig(url);
  await whenThere(async () => {
    await checkSessions(config);
    await migrate(config, alongside);
  }, options);

  await using open = new AsyncDisposableStack();
  open.use(objects);
  const db = open.use(new PostgresDb(config));
  const writers = Array.from({ length: WRITERS }, () => open.use(new Link(config, setSession)));
  const reader = open.use(new Link(config, keepPlans));
  const clock = options.clock ?? open.use(await DatabaseClock.start(reader)).now;
  const notices = open.use(new Notices(config));
  if (!alongside) await notices.start();

  /** Uses the connection with the fewest statements in progress. */
  const write = (statement: Statement): Promise<readonly Row[]> => {
    const idle = writers.reduce((least, link) => (link.busy < least.busy ? link : least));
    return idle.query(statement);
  };
  const withStoreErrors = async <T>(attempt: () => Promise<T>): Promise<T> => {
    try {
      return await raced(attempt);
    } catch (error) {
      throw storeError(error);
    }
  };

  await requireObjects(db, objects);

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
    size: ({ settlement: s }) => (s.reply?.body.length ?? 0) + (s.reply?.data?.length ?? 0),
    key: (one) => one.claim.id,
    writes: true,
  });
  const answering = new Batcher<Answering, boolean>({
    run: (batch) => answer(write, batch),
    abreast: WRITERS,
    size: ({ settlement: s }) => (s.reply?.body.length ?? 0) + (s.reply?.data?.length ?? 0),
    key: (one) => one.id,
    writes: true,
  });
  const reading = new Batcher<string, Message | undefined>({
    abreast: 2,
    run: async (ids) => {
      const rows = await reader.query({ name: 'by_ids', text: BY_IDS, values: [ids] });
      const messages = await withFiles(db, rows, messageFrom);
      const found = new Map(messages.map((message) => [message.id, message]));
      return ids.map((id) => found.get(id));
    },
  });
  const searches = open.use(new Searches({ postgres: url }));
  const counters = new PostgresCounters(write, clock);
  const jobs = makeJobs(db, clock);
  const claim = makeClaim(write);
  const reads = makeMessageReads(db, searches);
  const indexing = alongside ? undefined : open.use(new IndexFollower({ postgres: url }, clock, db, index));

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
      byId: (id) => reading.ask(id),
      accept: (acceptance) => (isPlain(acceptance) ? plain : other).ask(acceptance),
      settle: (of, settlement, effects = []) => {
        const one = { claim: of, settlement };
        return effects.length === 0 ? settling.ask(one) : settleWith(db, one, effects);
      },
      acceptAnswered: makeAcceptAnswered(async (acceptance, steps) => {
        const accepted = await other.ask(acceptance);
        if (accepted.kind !== 'accepted') return [accepted, false];
        // The mail is taken whether or not this succeeds: then its answer is owed.
        const taken = db.write(steps).then(
          () => true,
          () => false,
        );
        return [accepted, await taken];
      }),
      settleAnswered: makeSettleAnswered(async (of, settlement, steps) => {
        if (!(await settling.ask({ claim: of, settlement }))) return false;
        await db.write(steps);
        return true;
      }),
      ...makeSuspension(db, holdMailbox),
      refuse: (id, plan, settlement, effects = []) =>
        effects.length === 0 && !hasDrafts()
          ? withStoreErrors(() => refuse(write, id, plan, settlement))
          : settleWith(db, { claim: refusing(id), settlement }, effects, [takePlan(id, plan)]),
      cancel: (id, now) => withStoreErrors(() => cancel(write, id, now)),
    },
    handlings: {
      ...makeHandlingReads(db, clock),
      claim: (max, now, leaseMs, except) => withStoreErrors(() => claim(max, now, leaseMs, except)),
      claimSuspect: (now, leaseMs) => withStoreErrors(() => claimSuspect(write, now, leaseMs)),
      renew: (claims, until) => withStoreErrors(() => renew(write, claims, until)),
      later: (of, at) => withStoreErrors(() => later(write, of, at)),
    },
    answers: {
      ...makeAnswers(db),
      claim: (mailboxId, claims, now, until) =>
        withStoreErrors(() => claimAnswers(write, mailboxId, claims, now, until)),
      answer: (id, claim, settlement, terms = {}) => answering.ask({ id, claim, settlement, terms }),
    },
    threads: makeThreads(db),
    conversations: makeConversationStates(db),
    jobs: {
      ...jobs,
      purge: makePurge(db, EVENT_ORDER, objects),
      sweep: async (now) => {
        await withStoreErrors(() => counters.sweep());
        return jobs.sweep(now);
      },
    },
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
    alone: (act) => alone(config, act),
    shared: { counters, publish: notices.publish, subscribe: notices.subscribe },
    idempotency: (scope, key, now) => idempotencyOf(db, scope, key, now),
    remember: async (idempotency, id, now) => {
      await db.write([takeIdempotencyKey(idempotency, id, now)], 'beside');
    },
    indexed: async (ms = 0) => (index ? indexing?.caughtUp(ms) : undefined),
    // One damaged block of many tables is no reason to take all nodes out of service.
    damaged: () => undefined,
    // Probes each of the connections that write messages.
    probe: async () => {
      await Promise.all(
        writers.map((link) => withStoreErrors(() => link.query({ name: 'probe', text: PROBE, values: [] }))),
      );
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
  return audited(store, db);
}
