import type { StreamResponse, TaskStatus } from '@a2a-js/sdk';
import { MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { isSettled, type Message } from '../../core/entities/message.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import { watch } from '../../core/notify/watch.ts';
import type { Store } from '../../core/ports/store.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import { type Chain, lastOf, withLast } from './chain.ts';
import { artifact, artifactsOf, type Shown, statusOf, type TaskViewParts, taskOf, textPart } from './tasks.ts';

/** The longest time one task is streamed. */
const STREAM_MS = 5 * MINUTE;

interface Following {
  readonly parts: TaskViewParts & {
    readonly store: Store;
    readonly bus: EventBus;
    readonly stop: StopSignals;
    readonly heartbeat_ms: Millis;
  };
  readonly shown: Shown;
  /** It continues after a question, until the answer ends the task. */
  readonly subscribed: boolean;
  readonly gone: AbortSignal;
  /** Whether the caller's key still works. */
  works(): Promise<boolean>;
  chainOf(root: Message): Promise<Chain>;
  /** The task with what its caller sees once. */
  opened(chain: Chain): Promise<Chain>;
}

/** A task as it is, then each change of it until it ends (A2A 1.0.1, section 3.1.2). */
export async function* follow(begun: Chain, subscription: Following): AsyncGenerator<StreamResponse, void, undefined> {
  const { parts, shown: view, gone } = subscription;
  const over = AbortSignal.any([gone, parts.stop.begun, AbortSignal.timeout(STREAM_MS)]);
  let chain = begun;
  yield { payload: { $case: 'task', value: await taskOf(chain, view, parts) } };
  for (;;) {
    yield* changes(chain, subscription, over);
    if (over.aborted) return;
    chain = await now(chain, subscription);
    const last = lastOf(chain);
    if (!isSettled(last.status)) return;
    if (!(await subscription.works())) return;
    chain = await subscription.opened(chain);
    yield* ending(chain, view, parts);
    if (!subscription.subscribed || last.status !== 'input_required') return;
    const longer = await continued(chain, subscription, over);
    if (longer === undefined) return;
    chain = longer;
  }
}

/** The chain with its newest message as it is stored now. */
async function now(chain: Chain, { parts }: Following): Promise<Chain> {
  const last = lastOf(chain);
  const stored = await parts.store.messages.byId(last.id);
  return withLast(chain, stored ?? last);
}

/** The changes of the newest message while it is handled: its state, its reports, and its reply as far as it is written. */
async function* changes(
  chain: Chain,
  subscription: Following,
  over: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { parts, shown: view } = subscription;
  const [root] = chain;
  const last = lastOf(chain);
  const taskId = root.id;
  const { contextId } = view;
  let statusText = wordsOf(statusOf(last, taskId, contextId));
  let written = '';
  for await (const message of watch(last, parts, over, parts.heartbeat_ms, { own: view.own === true })) {
    if (!(await subscription.works())) return;
    const status = statusOf(message, taskId, contextId);
    if (wordsOf(status) !== statusText) {
      statusText = wordsOf(status);
      yield { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata: undefined } } };
    }
    const { draft = written } = message;
    if (draft === written) continue;
    const append = written !== '' && draft.startsWith(written);
    const text = append ? draft.slice(written.length) : draft;
    written = draft;
    yield update(artifact(message, [textPart(text, 'text/markdown')]), { taskId, contextId, append, lastChunk: false });
  }
}

/** The reply, and the state that the task ended in. */
async function* ending(
  chain: Chain,
  { contextId }: Shown,
  parts: TaskViewParts,
): AsyncGenerator<StreamResponse, void, undefined> {
  const last = lastOf(chain);
  const taskId = chain[0].id;
  for (const whole of await artifactsOf(last, parts))
    yield update(whole, { taskId, contextId, append: false, lastChunk: true });
  const status = statusOf(last, taskId, contextId);
  yield { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata: undefined } } };
}

const update = (
  whole: ReturnType<typeof artifact>,
  of: { readonly taskId: string; readonly contextId: string; readonly append: boolean; readonly lastChunk: boolean },
): StreamResponse => ({ payload: { $case: 'artifactUpdate', value: { ...of, artifact: whole, metadata: undefined } } });

/** What tells one status from another. */
const wordsOf = ({ state, message }: TaskStatus): string => `${state} ${JSON.stringify(message?.parts ?? null)}`;

/** The task once its question is answered; undefined when that takes too long. Other nodes' answers are found by a query. */
async function continued(
  chain: Chain,
  { parts, chainOf, works }: Following,
  over: AbortSignal,
): Promise<Chain | undefined> {
  const [root] = chain;
  let woken = Promise.withResolvers<void>();
  // A node that shares the database learns of the answer by its look at what is watched.
  const ends = [root.thread_id, root.id].map((id) => parts.bus.watch(id, () => woken.resolve()));
  const stop = (): void => woken.resolve();
  over.addEventListener('abort', stop);
  try {
    while (!over.aborted) {
      const longer = await chainOf(root);
      if (longer.length > chain.length) return longer;
      if (!(await works())) return undefined;
      const timer = setTimeout(stop, parts.heartbeat_ms);
      await woken.promise;
      clearTimeout(timer);
      woken = Promise.withResolvers();
    }
    return undefined;
  } finally {
    for (const end of ends) end();
    over.removeEventListener('abort', stop);
  }
}
