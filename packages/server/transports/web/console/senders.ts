import type { Directory } from '../../../core/access/directory.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';

/** Names of keys that are cached per page or stream. */
const MAX_NAMES = 500;

interface SenderParts {
  readonly store: Pick<Store, 'keys'>;
  readonly directory: Pick<Directory, 'namespaceName'>;
}

/** Names of senders: their address, else the name of the reader's own key, or the namespace of another's. */
export class Senders {
  readonly #parts: SenderParts;
  readonly #namespaceId: string;
  readonly #names = new Map<string, string>();

  constructor(parts: SenderParts, namespaceId: string) {
    this.#parts = parts;
    this.#namespaceId = namespaceId;
  }

  /** By the id of the message. */
  async names(messages: readonly Message[]): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const message of messages) names.set(message.id, await this.of(message));
    return names;
  }

  async of(message: Message): Promise<string> {
    const { sender_kind, sender_id, sender_agent, from, key_id } = message;
    if (from !== null) return from;
    if (sender_kind === 'guest') return sender_agent == null ? 'Guest' : new URL(sender_agent).host;
    if (sender_id === null) return 'Deleted sender';
    if (sender_kind === 'email') return sender_id;
    const { sender_namespace_id: namespace } = message;
    if (namespace === this.#namespaceId) return this.#key(key_id ?? sender_id);
    // The names of another namespace's keys are private.
    const name = namespace === null ? undefined : await this.#parts.directory.namespaceName(namespace);
    return name ?? `Key …${(key_id ?? sender_id).slice(-5)}`;
  }

  async #key(id: string): Promise<string> {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const key = await this.#parts.store.keys.byId(id);
    const called = key === undefined ? '' : (key.name ?? key.prefix);
    // A name such as “Owner key” needs no prefix.
    const name = /\bkey$/i.test(called) ? called : `Key ${called}`.trim();
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(id, name);
    return name;
  }
}
