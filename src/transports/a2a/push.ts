import { RETRIES } from '../../core/delivery/delivery-retries.ts';
import { ownedDestination } from '../../core/delivery/delivery-slots.ts';
import { failureOf } from '../../core/delivery/webhook-kind.ts';
import type { Key } from '../../core/entities/key.ts';
import { isLive } from '../../core/entities/key.ts';
import { isSettled } from '../../core/entities/message.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import type { Delivery, DeliveryKind, DeliveryResult, NewDelivery } from '../../core/ports/delivery.ts';
import type { Store } from '../../core/ports/store.ts';
import type { WebhookClient } from '../../core/ports/webhook-client.ts';
import type { Clock, Millis } from '../../core/values/clock.ts';
import { DAY, MINUTE, SECOND } from '../../core/values/clock.ts';
import { AppError, invalid } from '../../core/values/error.ts';
import { sha256 } from '../../core/values/hash.ts';
import type { Chain } from './chain.ts';
import { chainOf, lastOf } from './chain.ts';
import type { TaskViewParts } from './tasks.ts';

/** Where a caller wants to learn of a task's changes (A2A 1.0.1, section 4.3.1). */
export interface PushConfig {
  readonly id: string;
  readonly url: string;
  /** Sent back in `X-A2A-Notification-Token`. */
  readonly token: string;
  readonly authentication: { readonly scheme: string; readonly credentials: string } | undefined;
}

/** As it is stored: with who pays, and the state that was known when it was made. */
interface StoredConfig extends PushConfig {
  readonly namespace_id: string;
  /** The key that made it: once it is revoked, nothing is sent any more. */
  readonly key_id: string;
  readonly known: string;
}

const KIND = 'a2a_push';
/** How long a configuration is kept; a task ends before. */
const KEPT_MS: Millis = 30 * DAY;
const MAX_OF_TASK = 5;
/** How often a task is looked at that no node watches any more, such as after a restart. */
const LOOK_MS: Millis = MINUTE;
const MAX_WATCHED = 10_000;
const PRINTABLE = /^[\x20-\x7e]{0,1000}$/;

interface Parts extends TaskViewParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly client: WebhookClient;
  readonly clock: Clock;
  /** Writes a delivery, which is made soon after. */
  readonly add: (delivery: NewDelivery) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Push notifications of tasks. Each change of a task's state is a delivery to each of its configurations, at once where
 * this node sees it, else by the look that a delivery of its own takes once a minute until the task ends.
 */
export class TaskPushes {
  readonly #parts: Parts;
  /** By the id of the task: ends the watch. */
  readonly #watched = new Map<string, () => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** AppError `validation_error` for what cannot be a configuration. */
  async check(config: PushConfig): Promise<void> {
    if (!/^[\w.:-]{1,100}$/.test(config.id)) throw invalid('/id', 'An id has 1 to 100 letters, digits and . : _ -');
    if (!PRINTABLE.test(config.token)) throw invalid('/token', 'A token has up to 1,000 printable ASCII characters.');
    const { scheme = '', credentials = '' } = config.authentication ?? {};
    if (!/^[\w-]{0,40}$/.test(scheme) || !PRINTABLE.test(credentials))
      throw invalid('/authentication', 'The scheme is one word; the credentials are printable ASCII characters.');
    const wrong = await this.#parts.client.urlError(config.url);
    if (wrong !== undefined) throw invalid('/url', wrong);
  }

  /** Stores a checked configuration; `notifies`: the state that the task is in now is news too. */
  async create(
    chain: Chain,
    key: Pick<Key, 'id' | 'namespace_id'>,
    config: PushConfig,
    notifies: boolean,
  ): Promise<void> {
    const { id: key_id, namespace_id } = key;
    const { store, clock } = this.#parts;
    const [root] = chain;
    const others = (await this.list(root.id)).filter(({ id }) => id !== config.id);
    if (others.length >= MAX_OF_TASK)
      throw invalid('/id', `A task has at most ${MAX_OF_TASK} push configurations. Delete one first.`);
    const known = notifies ? '' : stateKey(chain);
    const value = JSON.stringify({ ...config, namespace_id, key_id, known } satisfies StoredConfig);
    const now = clock();
    await store.states.set({
      kind: KIND,
      id: stateId(root.id, config.id),
      subject: root.id,
      value,
      expires_at: now + KEPT_MS,
    });
    if (isOver(chain)) {
      if (notifies) await this.#notify(chain);
      return;
    }
    await this.#parts.add({
      id: deliveryId(`look ${root.id}`),
      kind: 'push',
      namespace_id,
      message_id: root.id,
      target: LOOK,
      destination: ownedDestination(namespace_id, LOOK),
      payload: '',
      due_at: now + LOOK_MS,
      created_at: now,
      expires_at: now + RETRIES.push.max_age_ms,
    });
    this.#watch(chain);
    // It may have changed before it was watched.
    await this.#look(root.id);
  }

  async get(taskId: string, id: string): Promise<StoredConfig | undefined> {
    const state = await this.#parts.store.states.get(KIND, stateId(taskId, id), this.#parts.clock());
    return state === undefined ? undefined : (JSON.parse(state.value) as StoredConfig);
  }

  async list(taskId: string): Promise<readonly StoredConfig[]> {
    const states = await this.#parts.store.states.of(KIND, taskId, this.#parts.clock());
    return states.map(({ value }) => JSON.parse(value) as StoredConfig).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async remove(taskId: string, id: string): Promise<void> {
    await this.#parts.store.states.remove(KIND, stateId(taskId, id));
  }

  /** How the worker makes these deliveries. */
  kind(): DeliveryKind {
    return {
      name: 'push',
      max: 64,
      max_per_destination: 4,
      max_failing: 16,
      attempt_ms: 20 * SECOND,
      // The row of what arrived keeps it from being sent again.
      keeps: true,
      logged: (target) => target,
      deliver: (delivery, signal) =>
        delivery.target === LOOK ? this.#lookAgain(delivery) : this.#send(delivery, signal),
    };
  }

  async #lookAgain({ message_id }: Delivery): Promise<DeliveryResult> {
    const chain = await this.#look(message_id ?? '');
    if (chain === undefined || isOver(chain)) return { kind: 'dropped' };
    return { kind: 'later', at: this.#parts.clock() + LOOK_MS };
  }

  /** Notifies of the task's state if it is a new one; undefined when it is gone or no configuration is left. */
  async #look(taskId: string): Promise<Chain | undefined> {
    const chain = await this.#chain(taskId);
    if (chain !== undefined && (await this.#notify(chain))) return chain;
    this.#end(taskId);
    return undefined;
  }

  async #chain(taskId: string): Promise<Chain | undefined> {
    const { messages } = this.#parts.store;
    const root = await messages.byId(taskId);
    return root && chainOf(root, messages);
  }

  /** Writes the deliveries of the task's state; one that was written before stays. False when there is no configuration. */
  async #notify(chain: Chain): Promise<boolean> {
    const { add, clock } = this.#parts;
    const taskId = chain[0].id;
    const configs = await this.list(taskId);
    const key = stateKey(chain);
    const now = clock();
    for (const { id, url, namespace_id, known } of configs) {
      if (known === key) continue;
      const host = URL.parse(url)?.host ?? '';
      await add({
        id: deliveryId(`${taskId} ${id} ${key}`),
        kind: 'push',
        namespace_id,
        message_id: taskId,
        target: id,
        destination: ownedDestination(namespace_id, host),
        payload: '',
        due_at: now,
        created_at: now,
        expires_at: now + RETRIES.push.max_age_ms,
      });
    }
    return configs.length > 0;
  }

  /** Sends the task as it is now, in the form of the events of a stream (A2A 1.0.1, section 4.3.3). */
  async #send({ id, message_id, target }: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const config = await this.get(message_id ?? '', target);
    const chain = config && (await this.#chain(message_id ?? ''));
    const key = config && (await this.#parts.store.keys.byId(config.key_id));
    const works = key !== undefined && isLive(key, this.#parts.clock());
    if (config === undefined || chain === undefined || !works) return { kind: 'dropped' };
    const [{ taskOf }, { StreamResponse }] = await Promise.all([import('./tasks.ts'), import('@a2a-js/sdk')]);
    const task = await taskOf(chain, { contextId: chain[0].thread_id }, this.#parts);
    const body = JSON.stringify(StreamResponse.toJSON({ payload: { $case: 'task', value: task } }));
    const { authentication, token, url } = config;
    const headers = {
      'content-type': 'application/a2a+json',
      'a2a-version': '1.0',
      ...(token !== '' && { 'x-a2a-notification-token': token }),
      ...(authentication !== undefined && {
        authorization: `${authentication.scheme} ${authentication.credentials}`.trim(),
      }),
    };
    const response = await this.#parts.client.post({ url, id, body, secrets: [], headers, max_bytes: 1024 }, signal);
    const reason = failureOf(response);
    if (reason === undefined) return { kind: 'sent' };
    const gone = response.kind === 'response' && response.status === 410;
    if (gone) await this.remove(message_id ?? '', target);
    return { kind: 'failed', permanent: gone, reason };
  }

  #watch(chain: Chain): void {
    const [{ id: taskId, thread_id }] = chain;
    this.#end(taskId);
    if (this.#watched.size >= MAX_WATCHED) return;
    const look = (): void => void this.#changed(taskId).catch(this.#parts.onError);
    const ends = [thread_id, lastOf(chain).id].map((id) => this.#parts.bus.watch(id, look));
    this.#watched.set(taskId, () => {
      for (const end of ends) end();
    });
  }

  async #changed(taskId: string): Promise<void> {
    const chain = await this.#look(taskId);
    if (chain === undefined || !this.#watched.has(taskId)) return;
    if (isOver(chain)) this.#end(taskId);
    else this.#watch(chain);
  }

  #end(taskId: string): void {
    this.#watched.get(taskId)?.();
    this.#watched.delete(taskId);
  }
}

/** The target of a delivery that looks at its task, and sends nothing itself. */
const LOOK = 'look';

const stateId = (taskId: string, id: string): string => `${taskId} ${id}`;
const deliveryId = (of: string): string => `dlv_${sha256(of).slice(0, 20)}`;

/** Tells one state of a task from another. */
const stateKey = (chain: Chain): string => {
  const { id, status, waiting_for } = lastOf(chain);
  return `${id} ${status} ${waiting_for === 'approval' ? waiting_for : ''}`;
};

/** Whether the task does not change any more; a question may still be answered. */
const isOver = (chain: Chain): boolean => {
  const { status } = lastOf(chain);
  return isSettled(status) && status !== 'input_required';
};

/** The error for a caller without a key. */
export const needsKey = (): AppError =>
  new AppError(
    'missing_key',
    'Push notifications are for callers with an API key. Guests follow a task by its stream.',
  );
