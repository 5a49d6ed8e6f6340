import assert from 'node:assert/strict';
import { newAuth, newService } from '../../../../../tests/harness/auth.ts';
import { type Client, type Home, unique } from '../../../../../tests/harness/client.ts';
import type { Envelope, Mailbox } from '../../../../../tests/harness/wire.ts';

/** Every scope but `owner`. */
export const SCOPES = [
  'mail:send',
  'mail:answer',
  'mail:review',
  'messages:read',
  'mailboxes:write',
  'webhooks:write',
  'keys:write',
  'auth:assert',
] as const;

export interface Caller {
  readonly name: string;
  readonly authorization?: string;
  readonly scopes: readonly string[];
  /** Whether it is a key of the namespace that is attacked. */
  readonly own?: true;
  /** Whether it is bound to the address `front`. */
  readonly bound?: true;
  /** Whether it is the token of the thread that is attacked as a guest's. */
  readonly guest?: true;
}

/** Something of the attacked namespace, by the kind of id it has. */
export interface Target {
  readonly kind: Kind;
  readonly id: string;
  /** What it is. */
  readonly what: string;
  /** Where it is: the address `front` belongs to the bound key, and a guest's thread to its token. */
  readonly at?: 'front' | 'guest';
}
export type Kind =
  | 'msg'
  | 'thr'
  | 'att'
  | 'drf'
  | 'whk'
  | 'dlv'
  | 'key'
  | 'cli'
  | 'rgt'
  | 'svc'
  | 'clm'
  | 'rev'
  | 'address';

export interface World {
  readonly url: string;
  /** The targets that are tried. */
  readonly share: Share;
  readonly home: Home;
  readonly other: Home;
  readonly front: Mailbox;
  readonly back: Mailbox;
  readonly closed: Mailbox;
  readonly auth: Mailbox;
  /** Of the other namespace. */
  readonly theirs: Mailbox;
  readonly theirAuth: Mailbox;
  readonly theirHook: string;
  readonly targets: readonly Target[];
  readonly callers: readonly Caller[];
  readonly canary: string;
  /** What the owner sees of the attacked namespace. */
  seen(): Promise<string>;
}

type Sent = Envelope & { readonly attachments: readonly { readonly id: string }[] };
/** No program is connected, so that no sender waits. */
const BY_HAND = { behavior: { name: 'agent' } };
const HOOK = { url: 'https://hooks.invalid/', types: ['webhook.disabled'] };

/** An id that nothing has, but for its last characters as that of the target, so that both sort alike. */
export const absent = (id: string): string =>
  id.includes('@') ? `x${id}` : `${id.slice(0, -6)}${id.endsWith('zzzz00') ? 'yyyy' : 'zzzz'}${id.slice(-2, -1)}0`;

/** One of so many, in turn. */
class Share {
  readonly #every: number;
  #count = 0;

  constructor(every: number) {
    this.#every = every;
  }

  of<T>(all: readonly T[]): readonly T[] {
    return all.filter(() => this.#count++ % this.#every === 0);
  }
}

/** A namespace with one of everything, another one, and all kinds of callers who may do nothing with that. */
export async function newWorld(client: Client, every = 1): Promise<World> {
  const { api, newNamespace, newMailbox, newKey, tryOut } = client;
  const canary = unique('canary');
  const content = Buffer.from(canary).toString('base64');
  const attachments = [{ filename: `${canary}.txt`, content_type: 'text/plain', content }];
  const [home, other] = [await newNamespace(), await newNamespace()];
  const front = await newMailbox(home, { local_part: 'front', ...BY_HAND });
  const back = await newMailbox(home, { local_part: 'back', ...BY_HAND });
  const closed = await newMailbox(home, { local_part: unique('closed'), access: 'key', ...BY_HAND });
  const auth = await newAuth(client, home);
  const theirs = await newMailbox(other, { local_part: 'front', ...BY_HAND });
  const theirAuth = await newAuth(client, other);
  const { key } = home;
  const create = async <T = { id: string }>(path: string, body: object, by = key): Promise<T> => {
    const answer = await api<T>('POST', path, { key: by, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body;
  };
  const write = async (to: Mailbox, more: object = {}, answered = true): Promise<Sent> => {
    const body = { to: to.address, body: canary, subject: canary, attachments, ...more };
    const { id } = await create('/mail/send', body);
    if (answered) await create(`/mail/messages/${id}/answer`, { body: canary, attachments });
    return (await api<Sent>('GET', `/mail/messages/${id}`, { key })).body;
  };
  const targets: Target[] = [];
  const add = (kind: Kind, id: string | undefined, what: string, at?: Target['at']): void => {
    assert.ok(id !== undefined && id !== '', what);
    targets.push({ kind, id, what, ...(at !== undefined && { at }) });
  };
  const messages: readonly (readonly [string, Sent, Target['at']?])[] = [
    ['to the front', await write(front), 'front'],
    ['to the back', await write(back)],
    ['to the closed one', await write(closed)],
    ['that waits', await write(closed, {}, false)],
    ['from the back', await write(closed, { from: back.address })],
  ];
  for (const [what, message, at] of messages) {
    add('msg', message.id, `a message ${what}`, at);
    add('thr', message.thread_id, `the thread of one ${what}`, at);
    const reply = message.reply as (NonNullable<Sent['reply']> & Pick<Sent, 'attachments'>) | null;
    if (reply !== null) add('msg', reply.id, `the reply to one ${what}`, at);
    for (const { id } of [...message.attachments, ...(reply?.attachments ?? [])]) add('att', id, `a file ${what}`, at);
  }
  const claimed = await create<{ items: { claim: string }[] }>(`/mailboxes/${closed.address}/claim`, { wait: 0 });
  add('clm', claimed.items[0]?.claim, 'a claim');
  const guest = (await tryOut({ to: front.address, body: canary })).body;
  add('msg', guest.id, "a guest's message", 'guest');
  add('thr', guest.thread_id, "a guest's thread", 'guest');
  const draft = await create<Sent>('/mail/drafts', {
    to: closed.address,
    from: back.address,
    body: canary,
    attachments,
  });
  const held = await newMailbox(home, { ...BY_HAND, outgoing: { review: 'always' } });
  await write(held);
  const reviews = await api<{ items: { id: string }[] }>('GET', '/mail/reviews', { key });
  add('rev', reviews.body.items[0]?.id, 'an answer that waits for its review');
  add('drf', draft.id, 'a draft');
  add('att', draft.attachments[0]?.id, 'a file of a draft');
  for (const where of [{}, { mailbox: closed.address }]) {
    const { id } = await create('/webhooks', { ...HOOK, ...where });
    add('whk', id, 'a webhook');
    add('dlv', (await create(`/webhooks/${id}/test`, {})).id, 'a delivery');
  }
  add('key', (await newKey(home, { scopes: ['mail:send'], name: canary })).id, 'a key');
  const shop = await newService(client, home, auth, { name: canary });
  add('cli', shop.id, 'a client');
  add('rgt', (await create(`/mailboxes/${auth.address}/registration-tokens`, {})).id, 'a registration token');
  const service = { issuer: home.name, client_id: shop.id };
  add('svc', (await create(`/mailboxes/${back.address}/services`, service)).id, 'an allowed service');
  add('address', closed.address, 'a closed address');
  const gone = await newMailbox(home, { local_part: unique('gone'), access: 'key' });
  assert.equal((await api('DELETE', `/mailboxes/${gone.address}`, { key })).status, 204);
  add('address', gone.address, 'a closed address that was deleted');

  const bearer = (secret: string): string => `Bearer ${secret}`;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const stranger = (await tryOut({ to: theirs.address, body: 'Hi' })).body;
  const keyOf = async (name: string, of: Home, fields: { scopes: readonly string[] }, more: Partial<Caller> = {}) => {
    const { secret } = await newKey(of, fields);
    return { name, authorization: bearer(secret), scopes: fields.scopes, ...more };
  };
  const callers: Caller[] = [
    { name: 'a guest', scopes: [] },
    { name: "the token of the guest's thread", authorization: bearer(guest.thread_token), scopes: [], guest: true },
    { name: 'the token of another thread', authorization: bearer(stranger.thread_token), scopes: [] },
    { name: 'another owner', authorization: bearer(other.key), scopes: ['owner', ...SCOPES] },
    await keyOf("another's bound key", other, { scopes: SCOPES, ...{ mailbox: theirs.address } }),
    await keyOf("another's key that expires", other, { scopes: SCOPES, ...{ expires_at } }),
    await keyOf(
      'a key of the front',
      home,
      { scopes: SCOPES, ...{ mailbox: front.address } },
      { own: true, bound: true },
    ),
    ...(await Promise.all(
      SCOPES.map((scope) => keyOf(`a key with ${scope}`, home, { scopes: [scope] }, { own: true })),
    )),
    ...(await Promise.all(SCOPES.map((scope) => keyOf(`another's key with ${scope}`, other, { scopes: [scope] })))),
  ];
  const theirHook = (await create('/webhooks', HOOK, other.key)).id;
  const seen = async (): Promise<string> => {
    const lists = [
      '/keys',
      '/webhooks',
      `/mail/drafts/${draft.id}`,
      '/mail/messages',
      '/mail/reviews',
      `/namespaces/${home.name}/mailboxes`,
    ];
    const more = [front, back, closed].map(({ address }) => `/mailboxes/${address}/messages`);
    const auths = ['clients', 'registration-tokens'].map((one) => `/mailboxes/${auth.address}/${one}`);
    const paths = [...lists, ...more, ...auths, `/mailboxes/${back.address}/services`];
    const answers = await Promise.all(paths.map((path) => api('GET', path, { key })));
    // A program that asked for messages is connected for a minute.
    const moving = /"last_used_at":[^,}]*|"status":"(?:on|off)line"/g;
    return answers.map(({ status, text }) => `${status} ${text.replace(moving, '')}`).join('\n');
  };
  return {
    url: client.url,
    share: new Share(every),
    home,
    other,
    front,
    back,
    closed,
    auth,
    theirs,
    theirAuth,
    theirHook,
    targets,
    callers,
    canary,
    seen,
  };
}

/** Whether a caller may do this with a target, by the tables of docs/security.md; `scope` is what the endpoint takes. */
export function isAllowed(
  { own, bound, guest, scopes }: Caller,
  { kind, at, what }: Target,
  scope: readonly string[],
): boolean {
  if (guest === true) return at === 'guest';
  // The addresses of a namespace are listed for all its keys.
  if (own === true && kind === 'address') return true;
  if (own !== true || !scope.some((one) => scopes.includes(one))) return false;
  if (bound === true) return at !== undefined;
  if (what === 'a file of a draft') return scopes.includes('messages:read') && scopes.includes('mail:send');
  if (kind === 'drf') return scopes.includes('messages:read');
  return true;
}
