import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { makeAgent } from '@mailroom/agent';
import type { Behavior, Context, Incoming, Outcome } from '@mailroom/behavior';
import { Type } from 'typebox';
import { Directory } from '../../core/access/directory.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import type { Namespace } from '../../core/entities/namespace.ts';
import type { StorageLimits } from '../../core/limits/storage-refusal.ts';
import { EmailAnswers } from '../../core/mail-out/email-answers.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import type { Store } from '../../core/ports/store.ts';
import type { DispatchOptions } from '../../core/runs/dispatch.ts';
import type { Submission, Wait } from '../../core/runs/submission.ts';
import { type Core, makeCore } from '../../service/core.ts';
import { openSqlite, type SqliteOptions } from '../../store/sqlite/store.ts';
import { keyOf, mailboxOf, namespaceOf, T } from '../store/made.ts';

export { T };

export type Handle = (message: Incoming, context: Context<unknown>) => Outcome | Promise<Outcome>;

/** A clock that only the test advances. */
export class TestClock {
  now = T;
  readonly read = (): number => this.now;
  pass(ms: number): void {
    this.now += ms;
  }
}

export interface HouseOptions {
  readonly dispatch?: Partial<DispatchOptions>;
  readonly max_waiting?: number;
  readonly storage?: Partial<StorageLimits>;
  /** Wraps the store of the parts, to stop calls or to count them. */
  readonly wrap?: (store: Store) => Store;
  readonly clock?: TestClock;
  /** An open store, which the caller closes. */
  readonly store?: Store;
  /** The names of the behaviors: `agent` is the real one, any other runs `house.handle`. */
  readonly behaviors?: readonly string[];
}

export interface House extends Core, AsyncDisposable {
  readonly store: Store;
  readonly directory: Directory;
  readonly clock: TestClock;
  /** The errors that the dispatcher and the behaviors logged. */
  readonly errors: unknown[];
  /** What `script` does, and how often it was called. */
  handle: Handle;
  handled: number;
}

export const reply = (body: string): Outcome => ({ kind: 'reply', body });

/** The folder of the stores' files, removed with the process. */
const folder = mkdtempSync(join(tmpdir(), 'mailroom-core-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;
export const newFile = (): string => join(folder, `${++files}.db`);
export const openFile = (file: string, clock: TestClock, options: SqliteOptions = {}): Promise<Store> =>
  openSqlite(file, { clock: clock.read, ...options });

/** Signs a text by itself. */
const SIGNING = { sign: async (text: string) => text, verify: async (text: string) => text };

/** The core as the service has it, with one behavior that the test writes. */
export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const clock = options.clock ?? new TestClock();
  const opened = options.store ?? (await openFile(newFile(), clock));
  const store = options.wrap?.(opened) ?? opened;
  const errors: unknown[] = [];
  const behaviors = (options.behaviors ?? ['script']).map(
    (name): Behavior =>
      name === 'agent'
        ? makeAgent()
        : {
            name,
            title: name,
            description: name,
            settings: Type.Object({}),
            example: { body: '', reply: '' },
            ...(name === 'immediate' && { immediate: true }),
            handle: (message, context) => {
              house.handled++;
              return house.handle(message, context);
            },
          },
  );
  const onError = (error: unknown): void => void errors.push(error);
  const directory = new Directory(store, clock.read);
  const core: Core = makeCore(
    {
      store,
      directory,
      behaviors,
      clock: clock.read,
      baseUrl: () => 'http://localhost',
      mailDomain: 'mailroom.test',
      emails: new EmailAnswers({
        store,
        clock: clock.read,
        mailDomain: 'mailroom.test',
        ...SIGNING,
        organizationalDomain: (domain) => domain,
        transport: { send: async () => ({ kind: 'sent' }) },
        raws: () => core.raws,
        deliverer: { announce: () => {}, begin: () => {}, leaseEnd: () => clock.read() },
        publishEvents: () => {},
        onError,
      }),
      approvals: { asked: () => {}, reviewAsked: () => {} },
      findings: { outgoing: () => [], answer: () => [], incoming: () => [], file: () => [] },
      ...SIGNING,
      webhookClient: { urlError: async () => undefined },
      sendNotice: async () => {},
      onPushable: () => {},
      onBehaviorError: (_message, error) => onError(error),
    },
    {
      dispatch: {
        max: 64,
        lease_ms: 30_000,
        run_ms: 60_000,
        poll_ms: 2,
        suspects_after_ms: 0,
        onError,
        ...options.dispatch,
      },
      storage: { namespace: 1e12, unclaimed: 1e12, network: 1e12, guests: 1e12, mails: 1e12, ...options.storage },
      uploads: { max_file: 10 * 1024 ** 2, max_files: 25 * 1024 ** 2 },
      networks_secret: 'secret',
      max_schedules: 100,
      max_waiting: options.max_waiting ?? 50_000,
    },
  );
  const house: House = {
    ...core,
    store,
    directory,
    clock,
    errors,
    handled: 0,
    handle: () => reply('Hello!'),
    [Symbol.asyncDispose]: async () => {
      await core.dispatch.stop(0);
      await core.storage[Symbol.asyncDispose]();
      if (options.store === undefined) await opened[Symbol.asyncDispose]();
    },
  };
  core.dispatch.checkDue();
  return house;
}

/** A namespace with an owner key and the mailbox `box`, served by `script`. */
export interface Home {
  readonly namespace: Namespace;
  readonly key: Key;
  readonly box: Mailbox;
  readonly address: string;
}

let homes = 0;
export async function home(
  house: Pick<House, 'store'>,
  fields: Partial<Mailbox> = {},
  keyFields: Partial<Key> = {},
): Promise<Home> {
  const namespace = namespaceOf(`home${++homes}`);
  const key = keyOf(namespace, keyFields);
  const box = mailboxOf(namespace, 'box', { behavior: 'script', ...fields });
  await house.store.namespaces.create({ namespace, key, mailboxes: [box] });
  return { namespace, key, box, address: `box@${namespace.name}.mailroom.test` };
}

/** From the key of `from` to the mailbox of `to`. */
export const submission = (from: Home, to: Home, fields: Partial<Submission> = {}): Submission => ({
  to: { local: 'box', namespace: to.namespace.name, tag: null },
  body: 'Hello?',
  subject: null,
  data: null,
  sender: { kind: 'key', id: from.key.id, namespace_id: from.namespace.id, key_id: from.key.id, from: null },
  from_mailbox_id: null,
  channel: 'api',
  thread_id: null,
  in_reply_to: null,
  retry_of: null,
  hops: 0,
  try_out: false,
  idempotency: undefined,
  payer: null,
  ...fields,
});

/** Written as the mailbox of `from`. */
export const asMailbox = (from: Home): Partial<Submission> => ({
  sender: {
    kind: 'mailbox',
    id: from.box.id,
    namespace_id: from.namespace.id,
    key_id: from.key.id,
    from: `box@${from.namespace.name}`,
  },
  from_mailbox_id: from.box.id,
});

export const idempotency = (home: Home, key: string, hash = 'same'): Idempotency => ({
  scope: home.key.id,
  key,
  hash,
  expires_at: T + 86_400_000,
});

/** Waits this long; the caller stays connected. */
export const waiting = (ms = 20_000, signal: AbortSignal = new AbortController().signal): Wait => ({ ms, signal });

/** The message once it is settled; fails when it does not settle. */
export async function settledOf(house: House, id: string): Promise<Message> {
  const message = await house.post.settled(id, waiting());
  if (message === undefined || !isSettled(message.status)) throw new Error(`${id} is ${message?.status ?? 'gone'}`);
  return message;
}

/** How often `until` looks without a pause, which is enough for most changes. */
const BUSY_LOOKS = 100;

/** Yields to the event loop until `holds` is true, for changes without a notice; fails after 20 s. */
export async function until(holds: () => unknown): Promise<void> {
  const end = performance.now() + 20_000;
  for (let looks = 0; ; looks++) {
    const from = performance.now();
    if (await holds()) return;
    const now = performance.now();
    if (now > end) throw new Error(`Not within 20 s: ${holds.toString()}`);
    // It looks half of the time at most, so that the work waited for has the processor.
    if (looks < BUSY_LOOKS) await yieldToEventLoop();
    else await pause(now - from);
  }
}

/** The number of writes in each commit of any store while `work` ran. */
export async function commitsOf(work: () => Promise<unknown>): Promise<number[]> {
  const commits: number[] = [];
  const count = (commit: unknown): void => void commits.push((commit as { writes: number }).writes);
  subscribe('mailroom:store:commit', count);
  try {
    await work();
  } finally {
    unsubscribe('mailroom:store:commit', count);
  }
  return commits;
}

/** A behavior that waits until the test releases it. */
export function held(outcome: Outcome = reply('At last.')) {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const begun = Promise.withResolvers<Incoming>();
  let signal: AbortSignal | undefined;
  const handle: Handle = (message, context) => {
    signal = context.signal;
    begun.resolve(message);
    return promise;
  };
  return {
    handle,
    /** Resolves when the behavior was called. */
    begun: begun.promise,
    signal: () => signal as AbortSignal,
    release: (other: Outcome = outcome): void => resolve(other),
  };
}

/** A behavior that ends only when its signal aborts. */
export const heedful: Handle = (_message, { signal }) =>
  new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/** A store whose `accept` first waits for `before`, between look-up and write. */
export const acceptingAfter =
  (before: () => Promise<unknown> | undefined) =>
  (store: Store): Store => ({
    ...store,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    messages: {
      ...store.messages,
      accept: async (acceptance) => {
        await before();
        return store.messages.accept(acceptance);
      },
    },
  });
