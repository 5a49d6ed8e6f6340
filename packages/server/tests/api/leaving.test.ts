import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { KeyWithSecret } from '../../../../tests/harness/wire.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';
import { SCOPES } from '../../core/entities/key.ts';

// Each kind of key tries each way by which messages leave; what it is told follows from one rule.
const { client } = await startInside({ env: { RATE_LIMITS: 'off', LIMIT_WEBHOOKS: '1000', LIMIT_KEYS: '1000' } });
const { api, newNamespace, newMailbox, newKey, send } = client;

/** Nothing is sent there: its host does not exist. */
const url = 'https://hooks.invalid/in';
const NEXT = 'https://hooks.invalid/next';
const SERVER = { name: 'weather', kind: 'mcp', url: 'https://tools.invalid/mcp' };
const BOTH = { name: 'agent', settings: { webhook_url: url } };

const home = await newNamespace();
const { address } = await newMailbox(home);
const { address: elsewhere } = await newMailbox(await newNamespace());
const path = `/mailboxes/${address}`;
const mailboxesPath = `/namespaces/${home.name}/mailboxes`;
const owner = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await api<T>(method, path, { key: home.key, ...(body && { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const hooks = new Map<string, string>();
/** A webhook for these types, as its owner made it. */
async function hook(types: readonly string[] = ['message.*']): Promise<string> {
  const name = types.join();
  const body = { url, types, mailbox: address };
  const path = hooks.get(name);
  if (path === undefined) hooks.set(name, `/webhooks/${(await owner<{ id: string }>('POST', '/webhooks', body)).id}`);
  else await owner('PATCH', path, { ...body, status: 'enabled' });
  return hooks.get(name) as string;
}
/** The mailbox with this behavior and these settings, as its owner set them. */
const set = (name: string, settings: object = {}) => owner('PATCH', path, { behavior: { name, settings } });

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}
interface Way {
  readonly name: string;
  readonly scope: string;
  /** What it takes besides, of a key that does not expire, because messages leave by it from then on. */
  readonly takes?: 'messages:read' | 'owner';
  /** A key that expires may not, because what it makes would outlive it. */
  readonly lasts?: true;
  /** It is of the whole namespace, so keys of a mailbox are refused. */
  readonly whole?: true;
  /** Done once, it can be done again. */
  readonly repeats?: true;
  readonly ask: () => Promise<Request>;
}

const ofHooks = (name: string, ask: Way['ask'], more: Partial<Way> = { takes: 'messages:read' }): Way => ({
  name,
  scope: 'webhooks:write',
  ask,
  ...more,
});
const change = (name: string, body: object, types?: string[], more?: Partial<Way>): Way =>
  ofHooks(`a change of a webhook: ${name}`, async () => ({ method: 'PATCH', path: await hook(types), body }), more);
const act = (name: string, types?: string[], body?: object, more?: Partial<Way>): Way =>
  ofHooks(
    `${name} of a webhook${types ? ` for ${types}` : ''}`,
    async () => ({
      method: 'POST',
      // Only so many secrets of one sign at a time.
      path: `${name === 'rotate' ? await fresh(types) : await hook(types)}/${name}`,
      ...(body && { body }),
    }),
    more,
  );
const fresh = (types?: readonly string[]): Promise<string> => {
  hooks.delete((types ?? ['message.*']).join());
  return hook(types);
};
const QUIET = ['mailbox.*', 'webhook.*', 'domain.*'];
const LASTS: Partial<Way> = { lasts: true };
const READS: Partial<Way> = { takes: 'messages:read' };
const REPEATS: Partial<Way> = { repeats: true };

async function redelivery(types: string[] = ['message.*']): Promise<Request> {
  const path = await fresh(types);
  if (types === QUIET) await owner('POST', `${path}/test`);
  else {
    await set('hello', { name: 'A', type: 'Organization', introduction: 'Hi' });
    await send(home.key, { to: address, body: 'Hi', sync: true });
  }
  const first = async () => (await owner<{ items: { id: string }[] }>('GET', `${path}/deliveries`)).items[0]?.id;
  const { seen: id } = await until(10_000, first, (one) => one !== undefined);
  return { method: 'POST', path: `${path}/deliveries/${id}/redeliver` };
}

/** A change of the settings of a mailbox that has `before`. */
const settings = (name: string, before: [string, object?], behavior: object, more: Partial<Way> = {}): Way => ({
  name: `settings: ${name}`,
  scope: 'mailboxes:write',
  ask: async () => {
    await set('hello', { name: 'A', type: 'Organization', introduction: 'Hi' });
    await set(...before);
    return { method: 'PATCH', path: path, body: { behavior } };
  },
  ...more,
});
const newOne = (name: string, behavior: object, more: Partial<Way> = READS): Way => ({
  name: `a new address: ${name}`,
  scope: 'mailboxes:write',
  whole: true,
  ask: async () => ({ method: 'POST', path: mailboxesPath, body: { local_part: unique('a').toLowerCase(), behavior } }),
  ...more,
});
const procedures = [
  {
    name: 'greet',
    description: 'Greets.',
    parameters: { type: 'object', properties: { who: { type: 'string' } } },
    steps: [{ task: 'send', input: { to: 'x@example.com', body: '{{input.who}}' } }],
  },
];
const counts = [{ name: 'count', description: 'Counts.', script: 'return 1;' }];
const trust = { trusted_issuers: [{ issuer: 'https://idp.example', match: 'email' }] };

const WAYS: readonly Way[] = [
  ofHooks('a webhook', async () => ({ method: 'POST', path: '/webhooks', body: { url } })),
  ...[['*'], ['message.completed'], ['mailbox.*', 'message.*'], ['delivery.*'], ['thread.taken_over']].map((types) =>
    ofHooks(`a webhook for ${types}`, async () => ({ method: 'POST', path: '/webhooks', body: { url, types } })),
  ),
  ofHooks(
    'a webhook without messages',
    async () => ({ method: 'POST', path: '/webhooks', body: { url, types: QUIET } }),
    LASTS,
  ),
  change('its URL', { url: NEXT }),
  change('its types', { types: ['*'] }),
  change('from other types to messages', { types: ['message.failed'] }, QUIET),
  change('its mailbox', { mailbox: address }),
  change('on', { status: 'enabled' }),
  change('on and off', { status: 'disabled', url: NEXT }),
  change('off', { status: 'disabled' }, undefined, {}),
  change('no messages any more', { types: QUIET }, undefined, LASTS),
  change('the URL of one without messages', { url: NEXT }, QUIET, LASTS),
  act('rotate'),
  act('rotate', QUIET, undefined, LASTS),
  act('test', undefined, undefined, REPEATS),
  act('replay', undefined, { since: '2026-01-01T00:00:00Z' }, { ...READS, ...REPEATS }),
  act('replay', QUIET, { since: '2026-01-01T00:00:00Z' }, REPEATS),
  ofHooks('an event of a message again', () => redelivery(), { ...READS, ...REPEATS }),
  ofHooks('another event again', () => redelivery(QUIET), REPEATS),
  ofHooks('a list of webhooks', async () => ({ method: 'GET', path: '/webhooks' }), REPEATS),
  ofHooks('no webhook', async () => ({ method: 'DELETE', path: await fresh() }), {}),

  newOne('hello', { name: 'hello', settings: { name: 'A', type: 'Organization', introduction: 'Hi' } }, {}),
  newOne('agent', { name: 'agent' }, {}),
  newOne('with a webhook', BOTH),
  newOne('with servers of others', { name: 'do', settings: { outside: [SERVER] } }),
  newOne('with procedures that send', { name: 'do', settings: { procedures } }),
  newOne('with procedures that do not', { name: 'do', settings: { procedures: counts } }, {}),
  newOne('whose issuer trusts another', { name: 'auth', settings: trust }, { takes: 'owner' }),

  settings('a webhook', ['agent'], BOTH, READS),
  settings('another webhook', ['agent', { webhook_url: NEXT }], { settings: BOTH.settings }, READS),
  settings('a webhook that was there before', ['agent', BOTH.settings], { name: 'agent' }, REPEATS),
  settings(
    'the same webhook',
    ['agent', BOTH.settings],
    {
      settings: { ...BOTH.settings, answer_within_seconds: 60 },
    },
    REPEATS,
  ),
  settings('no webhook', ['agent', BOTH.settings], { settings: {} }),
  settings('another behavior', ['agent', BOTH.settings], { name: 'do' }),
  settings('servers of others', ['do'], { settings: { outside: [SERVER] } }, READS),
  settings('all servers of others', ['do'], { settings: { outside: [{ ...SERVER, senders: 'anyone' }] } }, READS),
  settings(
    'another server of others',
    ['do', { outside: [SERVER] }],
    { settings: { outside: [{ ...SERVER, url: 'https://other.invalid/mcp' }] } },
    READS,
  ),
  settings(
    'the same servers',
    ['do', { outside: [SERVER] }],
    {
      settings: { outside: [SERVER], time_zone: 'Europe/Berlin' },
    },
    REPEATS,
  ),
  settings('fewer servers', ['do', { outside: [SERVER] }], { settings: {} }),
  settings('procedures that send', ['do'], { settings: { procedures } }, READS),
  settings('procedures that do not', ['do'], { settings: { procedures: counts } }),
  settings('an issuer that trusts another', ['auth'], { settings: trust }, { takes: 'owner' }),
  settings(
    'who its subjects are',
    ['auth', trust],
    {
      settings: { ...trust, subjects: [{ issuer: 'https://idp.example', subject: 'x', mailbox: address }] },
    },
    { takes: 'owner' },
  ),
  settings('no issuer', ['auth', trust], { settings: {} }),
  {
    name: 'the settings that a behavior had',
    scope: 'mailboxes:write',
    takes: 'messages:read',
    ask: async () => {
      await set('agent', BOTH.settings);
      await set('do');
      return { method: 'PATCH', path: path, body: { behavior: { name: 'agent' } } };
    },
  },
  {
    name: 'a new secret of a mailbox’s webhook',
    scope: 'mailboxes:write',
    takes: 'messages:read',
    ask: async () => {
      await set('agent', BOTH.settings);
      return { method: 'POST', path: `${path}/webhook/rotate` };
    },
  },
  {
    name: 'rules that forward',
    scope: 'mailboxes:write',
    takes: 'messages:read',
    ask: async () => {
      await owner('PATCH', path, { rules: [] });
      return { method: 'PATCH', path: path, body: { rules: [{ id: 'on', if: {}, then: { forward_to: elsewhere } }] } };
    },
  },
  {
    name: 'rules that do not forward',
    scope: 'mailboxes:write',
    repeats: true,
    ask: async () => ({ method: 'PATCH', path: path, body: { rules: [{ id: 'on', if: {}, then: { label: ['x'] } }] } }),
  },
  {
    name: 'a description',
    scope: 'mailboxes:write',
    repeats: true,
    ask: async () => {
      await set('agent', BOTH.settings);
      return { method: 'PATCH', path: path, body: { description: unique('About') } };
    },
  },
  {
    name: 'events',
    scope: 'messages:read',
    repeats: true,
    ask: async () => ({ method: 'GET', path: '/events?limit=1' }),
  },
  {
    name: 'messages',
    scope: 'messages:read',
    repeats: true,
    ask: async () => ({ method: 'GET', path: `${path}/messages?limit=1` }),
  },
  {
    name: 'everything',
    repeats: true,
    scope: 'owner',
    whole: true,
    ask: async () => ({ method: 'GET', path: `/namespaces/${home.name}/export` }),
  },
  {
    name: 'a domain',
    repeats: true,
    scope: 'owner',
    whole: true,
    ask: async () => ({ method: 'GET', path: `/namespaces/${home.name}/domains` }),
  },
];

interface Kind {
  readonly scopes: readonly string[];
  readonly bound: boolean;
  readonly expires: boolean;
  readonly secret: string;
}

async function kinds(): Promise<readonly Kind[]> {
  const [read, all] = ['messages:read', SCOPES.filter((scope) => scope !== 'owner')];
  const sets: (readonly string[])[] = [
    ...SCOPES.map((scope) => [scope]),
    ...['webhooks:write', 'mailboxes:write'].map((scope) => [scope, read]),
    all.filter((scope) => scope !== read),
    all,
  ];
  const combined = sets.flatMap((scopes) =>
    [false, true].flatMap((bound) => [false, true].map((expires) => ({ scopes, bound, expires }))),
  );
  return Promise.all(
    combined.map(async (kind) => {
      const { secret }: KeyWithSecret = await newKey(home, {
        scopes: kind.scopes,
        ...(kind.bound && { mailbox: address }),
        ...(kind.expires && { expires_at: '2999-01-01T00:00:00Z' }),
      });
      return { ...kind, secret };
    }),
  );
}
const KEYS = await kinds();

/** What the rule says: a problem's code, or `ok`. */
function expected({ scope, takes, lasts, whole }: Way, { scopes, bound, expires }: Kind): string {
  const has = (one: string): boolean => scopes.includes('owner') || scopes.includes(one);
  if (!has(scope)) return 'insufficient_scope';
  if (whole && bound) return 'access_denied';
  if ((takes !== undefined || lasts) && expires) return 'access_denied';
  if (takes !== undefined && !has(takes)) return 'insufficient_scope';
  return 'ok';
}
const outcome = ({ status, body }: Answer<{ code?: string } | undefined>): string =>
  status < 300 ? 'ok' : (body?.code ?? String(status));
const nameOf = ({ scopes, bound, expires }: Kind): string =>
  `${scopes.join(' ')}${bound ? ', bound' : ''}${expires ? ', expires' : ''}`;

/** In short, of the keys that may, and of those without the scope, some try each way, others for the next way. */
const [MAY, LACK] = [amount(1, KEYS.length), amount(2, KEYS.length)];
const some = (kinds: readonly Kind[], count: number, nth: number): readonly Kind[] =>
  kinds.filter((_, at) => (at + nth) % Math.max(1, Math.ceil(kinds.length / count)) === 0);

function trying(way: Way, nth: number): readonly Kind[] {
  const may = some(
    KEYS.filter((kind) => expected(way, kind) === 'ok'),
    MAY,
    nth,
  );
  const lack = some(
    KEYS.filter((kind) => !scopesOf(kind).includes(way.scope)),
    LACK,
    nth,
  );
  return KEYS.filter((kind, at) => {
    if (expected(way, kind) === 'ok') return may.includes(kind);
    return lack.includes(kind) || (scopesOf(kind).includes(way.scope) && (LONG || (at + nth) % 3 === 0));
  });
}
const scopesOf = ({ scopes }: Kind): readonly string[] => (scopes.includes('owner') ? SCOPES : scopes);

for (const [nth, way] of WAYS.entries())
  test(`${way.name}: only who may read messages for good has them leave`, async () => {
    let request: Request | undefined;
    for (const kind of trying(way, nth)) {
      request ??= await way.ask();
      const { method, path, body } = request;
      const answer = await api<{ code?: string }>(method, path, { key: kind.secret, ...(body && { body }) });
      assert.equal(outcome(answer), expected(way, kind), `${nameOf(kind)}: ${answer.text.slice(0, 500)}`);
      // What was refused changed nothing.
      if (answer.status < 300 && way.repeats !== true) request = undefined;
    }
  });
