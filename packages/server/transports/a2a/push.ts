import { type Clock, DAY, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { rightsTo } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { Delivery, NewDelivery } from '../../core/entities/delivery.ts';
import { isLive, type Key } from '../../core/entities/key.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import { KEPT_OVERHEAD } from '../../core/entities/storage-size.ts';
import type { StorageMeter } from '../../core/limits/storage-meter.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import { RETRIES } from '../../core/outgoing/delivery-retries.ts';
import { ownedDestination } from '../../core/outgoing/delivery-slots.ts';
import { failureOf } from '../../core/outgoing/webhook-kind.ts';
import type { DeliveryKind, DeliveryResult } from '../../core/ports/delivery.ts';
import type { PushConfig, PushConfigKey } from '../../core/ports/push-configs.ts';
import type { Store } from '../../core/ports/store.ts';
import type { WebhookClient } from '../../core/ports/webhook-client.ts';
import { type Chain, chainOf, lastOf } from './chain.ts';
import type { TaskViewParts } from './tasks.ts';

/** Where a key wants to learn of a task's changes (A2A 1.0.1, section 4.3.1). */
export interface Push {
  readonly id: string;
  readonly url: string;
  /** Sent back in `X-A2A-Notification-Token`. */
  readonly token: string;
  readonly authentication: { readonly scheme: string; readonly credentials: string } | undefined;
}

/** How long a configuration is kept; a task ends before. */
const KEPT_MS: Millis = 30 * DAY;
/** Configurations of one key for one task. */
const MAX_OF_TASK = 5;
/** How often a task is looked at that no node watches any more, such as after a restart. */
const LOOK_MS: Millis = MINUTE;
const MAX_WATCHED = 10_000;
const PRINTABLE = /^[\x20-\x7e]{0,1000}$/;

interface Parts extends TaskViewParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly storage: Pick<StorageMeter, 'reserve' | 'add' | 'writing'>;
  /** Encrypts the URLs and their secrets, each for what `of` names. */
  readonly seal: {
    seal(text: string, of: string): string;
    open(sealed: string, of: string): string | undefined;
  };
  readonly bus: EventBus;
  readonly webhookClient: WebhookClient;
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
  async check(push: Push): Promise<void> {
    if (!/^[\w.:-]{1,100}$/.test(push.id)) throw invalid('/id', 'An id has 1 to 100 letters, digits and . : _ -');
    if (!PRINTABLE.test(push.token)) throw invalid('/token', 'A token has up to 1,000 printable ASCII characters.');
    const { scheme = '', credentials = '' } = push.authentication ?? {};
    if (!/^[\w-]{0,40}$/.test(scheme) || !PRINTABLE.test(credentials))
      throw invalid('/authentication', 'The scheme is one word; the credentials are printable ASCII characters.');
    const wrong = await this.#parts.webhookClient.urlError(push.url);
    if (wrong !== undefined) throw invalid('/url', wrong);
  }

  /**
   * Whether a checked configuration has room, before the message is sent that it is for. AppError `validation_error`,
   * `storage_full`.
   */
  async checkRoom(taskId: string | undefined, key: Pick<Key, 'id' | 'namespace_id'>, push: Push): Promise<void> {
    const { storage } = this.#parts;
    const others = taskId === undefined ? [] : await this.list(taskId, key);
    if (others.filter(({ id }) => id !== push.id).length >= MAX_OF_TASK) throw tooMany();
    const payer = { kind: 'namespace', id: key.namespace_id } as const;
    const bytes = sizeOf(this.#sealed({ task_id: taskId ?? '', key_id: key.id, id: push.id }, push));
    await storage.reserve(payer, bytes);
    storage.add(payer, -bytes);
  }

  /**
   * Stores a checked configuration; `notifies`: the state that the task is in now is news too. AppError
   * `validation_error` for one too many, `storage_full`.
   */
  async create(chain: Chain, key: Pick<Key, 'id' | 'namespace_id'>, push: Push, notifies: boolean): Promise<void> {
    const { namespace_id } = key;
    const { store, clock, storage } = this.#parts;
    const [root] = chain;
    const now = clock();
    const configKey = { task_id: root.id, key_id: key.id, id: push.id };
    const config: PushConfig = {
      ...configKey,
      namespace_id,
      sealed: this.#sealed(configKey, push),
      known_state: notifies ? '' : stateKey(chain),
      created_at: now,
      expires_at: now + KEPT_MS,
    };
    const stored = await storage.writing(
      { kind: 'namespace', id: namespace_id },
      sizeOf(config.sealed),
      () => store.pushConfigs.set(config, MAX_OF_TASK),
      (result) => result === 'stored',
    );
    if (stored === 'full') throw tooMany();
    if (stored === 'gone') throw new AppError('message_not_found', 'The task was deleted meanwhile.');
    if (isOver(chain)) {
      if (notifies) await this.#notify(chain);
      return;
    }
    await this.#parts.add({
      // Of each namespace, because a look ends with the namespace that it is of.
      id: deliveryId(`look ${root.id} ${namespace_id}`),
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

  /** The configuration that this key made. */
  async get(taskId: string, { id: key_id }: Pick<Key, 'id'>, id: string): Promise<Push | undefined> {
    const config = await this.#parts.store.pushConfigs.get({ task_id: taskId, key_id, id }, this.#parts.clock());
    return config && this.#opened(config);
  }

  /** Those that this key made, by their ids. */
  async list(taskId: string, { id: key_id }: Pick<Key, 'id'>): Promise<readonly Push[]> {
    const configs = await this.#parts.store.pushConfigs.list({ task_id: taskId, key_id }, this.#parts.clock());
    return configs.map((config) => this.#opened(config)).filter((push) => push !== undefined);
  }

  async remove(taskId: string, { id: key_id }: Pick<Key, 'id'>, id: string): Promise<void> {
    await this.#parts.store.pushConfigs.remove({ task_id: taskId, key_id, id });
  }

  #sealed(of: PushConfigKey, { url, token, authentication }: Push): string {
    return this.#parts.seal.seal(JSON.stringify({ url, token, authentication }), sealedFor(of));
  }

  /** Undefined for a row that was moved here from another. */
  #opened(config: PushConfig): Push | undefined {
    const text = this.#parts.seal.open(config.sealed, sealedFor(config));
    return text === undefined ? undefined : { id: config.id, ...(JSON.parse(text) as Omit<Push, 'id'>) };
  }

  /** How the worker makes these deliveries. */
  kind(): DeliveryKind {
    return {
      name: 'push',
      max: 64,
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
    const { add, clock, store } = this.#parts;
    const [root] = chain;
    const state = stateKey(chain);
    const now = clock();
    const configs = await store.pushConfigs.list({ task_id: root.id }, now);
    let configCount = 0;
    for (const config of configs) {
      const key = await this.#reader(config, root);
      const push = key && this.#opened(config);
      if (push === undefined) {
        await store.pushConfigs.remove(config);
        continue;
      }
      configCount += 1;
      if (config.known_state === state) continue;
      const { key_id, id, namespace_id } = config;
      const host = URL.parse(push.url)?.host ?? '';
      await add({
        id: deliveryId(`${root.id} ${key_id} ${id} ${state}`),
        kind: 'push',
        namespace_id,
        message_id: root.id,
        target: `${key_id} ${id}`,
        destination: ownedDestination(namespace_id, host),
        payload: '',
        due_at: now,
        created_at: now,
        expires_at: now + RETRIES.push.max_age_ms,
      });
    }
    return configCount > 0;
  }

  /** The key that made a configuration, if it still works and reads the task. */
  async #reader({ key_id }: PushConfigKey, root: Message): Promise<Key | undefined> {
    const { store, clock, directory } = this.#parts;
    const key = await store.keys.byId(key_id);
    if (key === undefined || !isLive(key, clock())) return undefined;
    const { reader } = await rightsTo(root, { kind: 'key', key, network: '' }, directory, store.messages);
    return reader ? key : undefined;
  }

  /** Sends the task as it is now, in the form of the events of a stream (A2A 1.0.1, section 4.3.3). */
  async #send({ id, message_id, target }: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const task_id = message_id ?? '';
    const [key_id = '', name = ''] = target.split(' ');
    const configKey: PushConfigKey = { task_id, key_id, id: name };
    const config = await this.#parts.store.pushConfigs.get(configKey, this.#parts.clock());
    const chain = config && (await this.#chain(task_id));
    const works = chain !== undefined && (await this.#reader(configKey, chain[0])) !== undefined;
    const push = config && this.#opened(config);
    if (push === undefined || chain === undefined || !works) return { kind: 'dropped' };
    const [{ taskOf }, { StreamResponse }] = await Promise.all([import('./tasks.ts'), import('@a2a-js/sdk')]);
    const task = await taskOf(chain, { contextId: chain[0].thread_id }, this.#parts);
    const body = JSON.stringify(StreamResponse.toJSON({ payload: { $case: 'task', value: task } }));
    const { authentication, token, url } = push;
    const headers = {
      'content-type': 'application/a2a+json',
      'a2a-version': '1.0',
      ...(token !== '' && { 'x-a2a-notification-token': token }),
      ...(authentication !== undefined && {
        authorization: `${authentication.scheme} ${authentication.credentials}`.trim(),
      }),
    };
    const response = await this.#parts.webhookClient.post(
      { url, id, body, secrets: [], headers, max_bytes: 1024 },
      signal,
    );
    const reason = failureOf(response);
    if (reason === undefined) return { kind: 'sent' };
    const gone = response.kind === 'response' && response.status === 410;
    if (gone) await this.#parts.store.pushConfigs.remove(configKey);
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

const sizeOf = (sealed: string): number => KEPT_OVERHEAD + Buffer.byteLength(sealed);
/** What a sealed configuration is worth something for. */
const sealedFor = ({ task_id, key_id, id }: PushConfigKey): string => `push ${task_id} ${key_id} ${id}`;
const tooMany = (): AppError =>
  invalid('/id', `A key has at most ${MAX_OF_TASK} push configurations for a task. Delete one first.`);
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
