import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAuth, newService } from '../../../../tests/harness/auth.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { CALLBACK, connectSignedIn, SignedInClient, signInAt } from '../../../../tests/harness/mcp-oauth.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';

const inside = await startInside();
const { url, client, store } = inside;
const { api, newNamespace, newMailbox, newKey, tryOut } = client;
const outbox = new Outbox(inside.outbox);
const canary = unique('canary');
const home = await newNamespace();
const auth = await newAuth(client, home);
const { id: client_id } = await newService(client, home, auth, {
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
});
const agent = { behavior: { name: 'agent' } };
const { address } = await newMailbox(home, agent);
const elsewhere = (await newMailbox(home, agent)).address;
const held = (await newMailbox(home, { ...agent, outgoing: { review: 'always' } })).address;

async function create<T = Envelope>(path: string, body: object, key = home.key): Promise<T> {
  const answer = await api<T>('POST', path, { key, body });
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.body;
}
const waiting = await create('/mail/send', { to: address, body: canary, subject: canary });
const asked = await create('/mail/send', { to: held, body: canary });
await create(`/mail/messages/${asked.id}/answer`, { body: canary });
const [review] = (await api<{ items: { id: string; hash: string }[] }>('GET', '/mail/reviews', { key: home.key })).body
  .items;
assert.ok(review !== undefined);

/** The operation of the API that each tool of a namespace calls, and arguments with which it finds what is attacked. */
const TOOLS: Readonly<Record<string, readonly [operation: string, args: object]>> = {
  send: ['sendMessage', { to: address, body: 'Hi', wait: 0 }],
  read: ['getMessage', { id: waiting.id, wait: 0 }],
  list_messages: ['listMailboxMessages', { address }],
  list_threads: ['listMailboxMessages', { address }],
  search: ['searchMessages', { query: canary }],
  wait_for_message: ['waitForMessage', { address, after: '2020-01-01T00:00:00Z', wait: 0 }],
  claim: ['claimMessages', { address, wait: 0 }],
  answer: ['answerMessage', { id: waiting.id, body: 'Hi' }],
  forward: ['forwardMessage', { id: waiting.id, to: address }],
  list_reviews: ['listReviews', {}],
  decide_review: ['approveReview', { id: review.id, decision: 'approve', hash: review.hash }],
  list_addresses: ['listNamespaceMailboxes', {}],
  make_address: ['createMailbox', { local_part: unique('made'), behavior: { name: 'agent' } }],
};
/** Those by which a caller with no more than its scope sees what is attacked. */
const SHOWING: Readonly<Record<string, string>> = {
  claim: 'mail:answer',
  list_reviews: 'mail:review',
  decide_review: 'mail:review',
};
const { paths } = (await api<{ paths: Record<string, Record<string, object>> }>('GET', '/openapi.json')).body;
const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as {
  operationId: string;
  'x-scope'?: string;
}[];
const scopeOf = (operation: string): string | undefined =>
  (operations.find(({ operationId }) => operationId === operation) ?? assert.fail(operation))['x-scope'];
const SCOPES = [...new Set(operations.map((one) => one['x-scope']).filter((one) => one !== undefined))];
const EVERYTHING = SCOPES.filter((one) => one !== 'owner');

async function rpc(server: string, method: string, params: object, secret: string | undefined) {
  const response = await fetch(`${url}/mcp${server}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return { status: response.status, text: await response.text() };
}
const listed = async (server: string): Promise<readonly string[]> => {
  const { text } = await rpc(server, 'tools/list', {}, home.key);
  const { result } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '') as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
};
const tools = await listed('');

/** What an owner sees of all that a tool could change. */
async function seen(): Promise<string> {
  const lists = [`/namespaces/${home.name}/mailboxes`, '/mail/messages?direction=all', '/mail/reviews', '/keys'];
  const answers = await Promise.all(lists.map((path) => api('GET', path, { key: home.key })));
  return answers.map(({ text }) => text.replace(/"last_used_at":[^,}]*|"status":"(?:on|off)line"/g, '')).join('\n');
}

interface Caller {
  readonly name: string;
  readonly secret: string | undefined;
  readonly scopes: readonly string[];
  /** Whether it is bound to another address than the one that is attacked. */
  readonly elsewhere?: boolean;
}
const isAllowed = ({ scopes }: Caller, operation: string): boolean => {
  const scope = scopeOf(operation);
  return scope === undefined || scopes.includes('owner') || scopes.includes(scope);
};

/** Calls every tool as these callers: first what they may not, which must change nothing, then what they may. */
async function assertRights(callers: readonly Caller[], server = ''): Promise<void> {
  const before = await seen();
  for (const [nth, caller] of callers.entries())
    for (const name of everyNth(tools, 3, nth)) {
      const [operation, args] = TOOLS[name] ?? assert.fail(`${name} is not in this table`);
      const allowed = isAllowed(caller, operation);
      // Anyone may write to an address.
      if (allowed && (caller.elsewhere !== true || name === 'send')) continue;
      const { status, text } = await rpc(server, 'tools/call', { name, arguments: args }, caller.secret);
      const what = `${name} as ${caller.name}: ${status} ${text.slice(0, 400)}`;
      assert.ok(!text.includes(canary), what);
      if (!allowed) assert.match(text, /insufficient_scope|missing_key|invalid_key|message_not_found/, what);
    }
  assert.equal(await seen(), before);
  for (const [nth, caller] of callers.filter((one) => one.elsewhere !== true).entries())
    for (const name of everyNth(tools, 3, nth)) {
      const [operation, args] = TOOLS[name] as (typeof TOOLS)[string];
      if (!isAllowed(caller, operation)) continue;
      const { status, text } = await rpc(server, 'tools/call', { name, arguments: args }, caller.secret);
      const what = `${name} as ${caller.name}: ${status} ${text.slice(0, 400)}`;
      const reads = [SHOWING[name], 'messages:read', 'owner'].some((one) => caller.scopes.includes(one ?? ''));
      assert.ok(reads || !text.includes(canary), what);
      // These need to read as well: a forward what it hands on, and a token what its account may read as its author.
      assert.ok(!text.includes('insufficient_scope') || (['forward', 'read'].includes(name) && !reads), what);
    }
}

const keyOf = async (name: string, fields: { scopes: readonly string[]; mailbox?: string }): Promise<Caller> => ({
  name,
  secret: (await newKey(home, fields)).secret,
  scopes: fields.scopes,
  elsewhere: fields.mailbox !== undefined,
});

test('each tool does for a key what the scopes of its operation allow, and nothing more', async () => {
  assert.ok(tools.length >= 13 && EVERYTHING.length >= 7, `${tools.length} tools, ${EVERYTHING.length} scopes`);
  const ended = await newKey(home, { scopes: EVERYTHING });
  assert.equal((await api('DELETE', `/keys/${ended.id}`, { key: home.key })).status, 204);
  const guest = await tryOut({ to: address, body: 'Hi' });
  await assertRights([
    { name: 'a guest', secret: undefined, scopes: [] },
    { name: 'a revoked key', secret: ended.secret, scopes: [] },
    { name: 'the token of a thread', secret: guest.body.thread_token, scopes: [] },
    ...(await Promise.all(EVERYTHING.map((scope) => keyOf(`a key with ${scope}`, { scopes: [scope] })))),
    ...(await Promise.all(
      EVERYTHING.map((scope) => keyOf(`one without ${scope}`, { scopes: EVERYTHING.filter((one) => one !== scope) })),
    )),
  ]);
});

test('no tool shows or changes what is at another address than that of a bound key', async () => {
  await assertRights([await keyOf('a key of another address', { scopes: EVERYTHING, mailbox: elsewhere })]);
});

test('each tool does for the role of a member what it may, and for one of other addresses nothing there', async () => {
  const joined = async (role: Role, mailboxes?: readonly string[]): Promise<Caller> => {
    const member = await joinAs(store, home, {
      address: `${unique(role)}@example.com`,
      role,
      ...(mailboxes && { mailboxes }),
    });
    const scopes: readonly string[] = ROLES[role];
    const name = `${role} of ${mailboxes?.join() ?? 'all'}`;
    return { name, secret: member.secret, scopes, elsewhere: mailboxes !== undefined };
  };
  const roles = Object.keys(ROLES) as Role[];
  await assertRights([
    ...(await Promise.all(roles.map((role) => joined(role)))),
    ...(await Promise.all(roles.filter((role) => role !== 'owner').map((role) => joined(role, [elsewhere])))),
  ]);
});

test('each tool does for an access token what both its scopes and the role of its account allow', async () => {
  const wide = ['mail:send', 'messages:read', 'mail:answer', 'mailboxes:write', 'mail:review'];
  const signedIn = async (role: Role, asked: readonly string[]): Promise<Caller> => {
    const address = `${unique(role)}@example.com`;
    await joinAs(store, home, { address, role });
    const provider = new SignedInClient({ client_id });
    const signIn = (authorization: URL): Promise<URL> => {
      authorization.searchParams.set('scope', asked.join(' '));
      return signInAt(authorization, address, outbox);
    };
    await using _ = await connectSignedIn(`${url}/mcp/${home.name}`, provider, signIn);
    const may: readonly string[] = ROLES[role];
    const scopes = asked.filter((scope) => may.includes('owner') || may.includes(scope));
    return { name: `a token for ${asked.join()} of ${role}`, secret: provider.accessToken, scopes };
  };
  const callers: Caller[] = [];
  for (const role of Object.keys(ROLES) as Role[]) callers.push(await signedIn(role, wide));
  for (const scope of wide) callers.push(await signedIn('owner', [scope]));
  await assertRights(callers, `/${home.name}`);
});
