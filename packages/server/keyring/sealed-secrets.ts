import type { MailboxWithSecret } from '../core/entities/mailbox.ts';
import type { Webhook } from '../core/entities/webhook.ts';
import type { AgentWebhook } from '../core/ports/agent-webhooks.ts';
import type { State, States } from '../core/ports/states.ts';
import type { Store } from '../core/ports/store.ts';
import type { SecretCipher } from './secret-cipher.ts';

/** States that hold one-time secrets, in replies and in mail. */
const SECRET_STATES: ReadonlySet<string> = new Set(['sealed', 'sealed_mail']);

/**
 * The store, in which secrets of webhooks and states are encrypted, each bound to its row. One that cannot be opened is read
 * as '', and such a state as none.
 */
export function withSealedSecrets(store: Store, cipher: SecretCipher): Store {
  const { webhooks, agentWebhooks, mailboxes, namespaces } = store;
  const opened = (secret: string, id: string): string => cipher.open(secret, id) ?? '';
  const read = <T extends Webhook | undefined>(webhook: T): T =>
    webhook && { ...webhook, ...mapped(webhook, (secret) => opened(secret, webhook.id)) };
  const sealedMailbox = (mailbox: MailboxWithSecret): MailboxWithSecret => {
    const { id, webhook_secret } = mailbox;
    return webhook_secret === undefined ? mailbox : { ...mailbox, webhook_secret: cipher.seal(webhook_secret, id) };
  };
  const sealed = (id: string) => (secret: string) => cipher.seal(secret, id);
  return {
    ...store,
    webhooks: {
      ...webhooks,
      byId: async (id) => read(await webhooks.byId(id)),
      byIds: async (ids) => (await webhooks.byIds(ids)).map(read),
      create: (webhook, ...rest) => webhooks.create({ ...webhook, ...mapped(webhook, sealed(webhook.id)) }, ...rest),
      async page(...of) {
        const page = await webhooks.page(...of);
        return { ...page, items: page.items.map(read) };
      },
      change: async (...of) => read(await webhooks.change(...of)),
      async rotate(id, secret, next, now) {
        const stored = await webhooks.byId(id);
        if (stored === undefined || opened(stored.secret, id) !== secret) return undefined;
        return read(await webhooks.rotate(id, stored.secret, mapped(next, sealed(id)), now));
      },
      enable: async (...of) => read(await webhooks.enable(...of)),
      behind: async (...of) => (await webhooks.behind(...of)).map(read),
    },
    agentWebhooks: {
      ...agentWebhooks,
      async find(id): Promise<AgentWebhook | undefined> {
        const found = await agentWebhooks.find(id);
        if (found === undefined) return undefined;
        const { secret, old_secret } = found;
        return { ...found, secret: opened(secret, id), old_secret: old_secret && opened(old_secret, id) };
      },
      enable: (id, secret, now) => agentWebhooks.enable(id, cipher.seal(secret, id), now),
      rotate: (id, secret, until) => agentWebhooks.rotate(id, cipher.seal(secret, id), until),
    },
    mailboxes: { ...mailboxes, create: (mailbox, ...rest) => mailboxes.create(sealedMailbox(mailbox), ...rest) },
    namespaces: {
      ...namespaces,
      create: ({ mailboxes: boxes, ...rest }, idempotency) =>
        namespaces.create({ ...rest, mailboxes: boxes.map(sealedMailbox) }, idempotency),
    },
    states: sealedStates(store.states, cipher),
  };
}

type Secrets = Pick<Webhook, 'secret' | 'previous_secrets'>;
const mapped = ({ secret, previous_secrets }: Secrets, map: (secret: string) => string): Secrets => ({
  secret: map(secret),
  previous_secrets: previous_secrets.map((previous) => ({ ...previous, secret: map(previous.secret) })),
});

function sealedStates(states: States, cipher: SecretCipher): States {
  const owner = (kind: string, id: string): string => `${kind} ${id}`;
  const seal = (value: string, { kind, id }: Pick<State, 'kind' | 'id'>): string =>
    SECRET_STATES.has(kind) ? cipher.seal(value, owner(kind, id)) : value;
  const read = (state: State | undefined): State | undefined => {
    if (state === undefined || !SECRET_STATES.has(state.kind)) return state;
    const value = cipher.open(state.value, owner(state.kind, state.id));
    return value === undefined ? undefined : { ...state, value };
  };
  return {
    ...states,
    put: (state, now) => states.put({ ...state, value: seal(state.value, state) }, now),
    set: (state) => states.set({ ...state, value: seal(state.value, state) }),
    async swap(kind, id, from, to, now) {
      if (!SECRET_STATES.has(kind)) return states.swap(kind, id, from, to, now);
      const stored = await states.get(kind, id, now);
      if (stored === undefined || read(stored)?.value !== from) return false;
      return states.swap(kind, id, stored.value, seal(to, { kind, id }), now);
    },
    take: async (kind, id, now) => read(await states.take(kind, id, now)),
    get: async (kind, id, now) => read(await states.get(kind, id, now)),
    async of(kind, subject, now) {
      const found = await states.of(kind, subject, now);
      return found.map(read).filter((state) => state !== undefined);
    },
  };
}
