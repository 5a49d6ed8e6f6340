import type { Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { Json } from '@mailroom/behavior/values/json';
import type { Registry } from '../core/access/registry.ts';
import type { Mailbox } from '../core/entities/mailbox.ts';
import type { Namespace } from '../core/entities/namespace.ts';
import { ANY_SENDER } from '../core/entities/sender-lists.ts';
import type { StorageMeter } from '../core/limits/storage-meter.ts';
import { REPORTS } from '../core/mail-in/abuse-reports.ts';
import type { Store } from '../core/ports/store.ts';

interface HouseParts {
  readonly store: Store;
  readonly registry: Registry;
  readonly storage: StorageMeter;
  /** The name of the namespace. */
  readonly house: string;
}

interface HouseMailbox {
  readonly local_part: string;
  readonly display_name: string;
  readonly description: string;
  readonly settings: { readonly [name: string]: Json };
}

/** Behaviors, and the local parts of the operator's first mailboxes, which are named after them. */
export const HOUSE = {
  /** It signs people in, and writes to owners. */
  signIn: 'auth',
  profile: 'hello',
  tasks: 'do',
  proofreader: 'proofread',
  /** Only named by examples. */
  program: 'agent',
} as const;

const INTRODUCTION = {
  name: 'Mailroom',
  type: 'Organization',
  introduction:
    'Hello, this is **Mailroom**: e-mail addresses that answer. Each is served by an agent. Write to one, and it writes back.',
  languages: {
    de: 'Hallo, hier ist **Mailroom**: E-Mail-Adressen, die antworten. Hinter jeder steht ein Agent. Schreib einer, und sie schreibt zurück.',
    es: 'Hola, esto es **Mailroom**: direcciones de correo que responden. Detrás de cada una hay un agente. Escribe a una y te contesta.',
    fr: 'Bonjour, ici **Mailroom** : des adresses e-mail qui répondent. Derrière chacune, un agent. Écrivez à l’une d’elles, elle vous répond.',
  },
};

const mailbox = (local_part: string, display_name: string, description: string, settings = {}): HouseMailbox => ({
  local_part,
  display_name,
  description,
  settings,
});

/** The mailboxes of the operator's namespace, each named after its behavior. */
const MAILBOXES: readonly HouseMailbox[] = [
  mailbox(HOUSE.signIn, 'Sign-in', 'Passwordless sign-in for external services.'),
  mailbox(HOUSE.profile, 'Mailroom', 'Introduces this service.', INTRODUCTION),
  mailbox(HOUSE.tasks, 'Tasks', 'Runs tasks from instructions.'),
  mailbox(HOUSE.proofreader, 'Proofreader', 'Takes pasted text and returns corrections with explanations.'),
];

const REPORTS_INBOX = mailbox(
  REPORTS,
  'Reports',
  'Reports about addresses and pages of this service. A person reads them.',
  { introduction: 'Reports from this service’s form are filed here.' },
);

/** A listed mailbox of the operator's namespace, whether or not this process has its behavior. */
const houseMailbox = (namespace: Namespace, mailbox: HouseMailbox, now: Millis): Mailbox => ({
  ...mailbox,
  id: newId('mbx', now),
  namespace_id: namespace.id,
  namespace: namespace.name,
  behavior: mailbox.local_part,
  status: 'online',
  domains: [],
  online_until: null,
  webhook: null,
  visibility: 'listed',
  access: 'public',
  try_out: true,
  wake: 'to',
  senders: ANY_SENDER,
  created_at: now,
  updated_at: now,
  deleted_at: null,
});

/** The mailbox in which reports are filed; a person reads them. */
export const reportsInbox = (namespace: Namespace, now: Millis): Mailbox => ({
  ...houseMailbox(namespace, REPORTS_INBOX, now),
  behavior: HOUSE.profile,
  visibility: 'unlisted',
  access: 'key',
  try_out: false,
});

/** On the first start, creates the operator's namespace with its mailboxes and returns its owner key. */
export async function openHouse(
  parts: HouseParts,
  keep: (secret: string) => Promise<void>,
): Promise<string | undefined> {
  const { store, registry, house: name } = parts;
  if (await store.namespaces.any()) {
    await claimHouse(parts);
    return undefined;
  }
  return store.alone(async () => {
    if (await store.namespaces.any()) return undefined;
    const { secret } = await registry.createNamespace({ name, display_name: 'Mailroom' }, undefined, {
      mailboxes: (namespace) => MAILBOXES.map((mailbox) => houseMailbox(namespace, mailbox, namespace.created_at)),
      keep,
    });
    await claimHouse(parts);
    return secret ?? undefined;
  });
}

/** Marks the operator's namespace as claimed by a person. */
async function claimHouse({ store, storage, house: name }: HouseParts): Promise<void> {
  const house = await store.namespaces.byName(name);
  if (house !== undefined && !(await store.namespaces.isClaimed(house.id))) {
    await storage.claim(house.id, house.created_at);
  }
}
