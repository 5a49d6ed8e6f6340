import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAuth, newService } from '../../../../tests/harness/auth.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { CALLBACK, connectSignedIn, SignedInClient, signInAt } from '../../../../tests/harness/mcp-oauth.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { LONG } from '../../../../tests/soak/length.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';

// Each tool of an address's own list × keys, roles and tokens, as rights.test.ts does for those of a namespace.
const inside = await startInside();
const { url, client, store } = inside;
const { api, newNamespace, newMailbox, newKey, tryOut } = client;
const outbox = new Outbox(inside.outbox);
const canary = unique('canary');
const home = await newNamespace();
const other = await newNamespace();
const auth = await newAuth(client, home);
const { id: client_id } = await newService(client, home, auth, {
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
});
const byHand = { behavior: { name: 'agent', settings: { by_hand: true } } };
const doer = (await newMailbox(home, { behavior: { name: 'do' } })).address;
/** One that guests do not write to, at which a client without a key is told to sign in. */
const closed = (await newMailbox(home, { behavior: { name: 'do' }, try_out: false })).address;
const desk = (await newMailbox(home)).address;
const elsewhere = (await newMailbox(home, byHand)).address;

/** What the namespace's own owner keeps at the address, which none of the others may see, change or delete. */
const asOwner = async (steps: readonly object[]): Promise<Envelope> =>
  (
    await api<Envelope>('POST', '/mail/send', {
      key: home.key,
      body: { to: doer, body: 'x', sync: true, data: { steps } },
    })
  ).body;
await asOwner([{ task: 'remember', input: { name: 'secret', text: canary } }]);
await asOwner([{ task: 'remind', input: { text: canary, at: 'in 3 days' } }]);
const ENDS = ' and the messages that were sent: ';
const kept = async (): Promise<string> => {
  const { reply } = await asOwner([
    { task: 'recall', input: {} },
    { task: 'schedule', input: { op: 'list' } },
  ]);
  const { steps = [] } = (reply?.data ?? {}) as { steps?: { output: unknown }[] };
  assert.equal(steps.length, 2, JSON.stringify(reply));
  const { text } = await api('GET', `/mailboxes/${desk}/messages?limit=200`, { key: home.key });
  return `${JSON.stringify(steps.map(({ output }) => output))}${ENDS}${text}`;
};
const question = (await api<Envelope>('POST', '/mail/send', { key: home.key, body: { to: doer, body: canary } })).body;

/** Arguments of the tasks that look at or change what is kept; the others have their first example's. */
const TASKS: Readonly<Record<string, object>> = {
  remember: { name: 'secret', text: 'changed' },
  recall: {},
  forget: { all: true },
  remind: { text: 'x', at: 'in 2 days' },
  schedule: { op: 'cancel', all: true },
  send: { to: desk, body: 'x' },
};

interface Caller {
  readonly name: string;
  readonly secret: string | undefined;
  readonly scopes: readonly string[];
  /** Whether it is a key of the namespace, and of no other address alone. */
  readonly ofHome: boolean;
}
async function rpc(method: string, params: object, secret: string | undefined, address = doer) {
  const response = await fetch(`${url}/mcp/${address}`, {
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
async function toolsFor(secret: string | undefined): Promise<readonly string[]> {
  const { text } = await rpc('tools/list', {}, secret);
  const { result } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}') as { result?: { tools: { name: string }[] } };
  return (result?.tools ?? []).map(({ name }) => name);
}
const all = await toolsFor(home.key);
const may = ({ scopes }: Caller, scope: string): boolean => scopes.includes('owner') || scopes.includes(scope);
const argumentsOf = (name: string): object =>
  ({ ask: { message: 'Hi', wait: 0 }, read: { id: question.id, wait: 0 } })[name] ?? TASKS[name] ?? {};

/** What comes of a task as a step of a message that the same caller sends. */
async function byApi(task: string, { secret }: Caller): Promise<string> {
  const body = { to: doer, body: 'x', sync: true, data: { steps: [{ task, input: TASKS[task] }] } };
  const { body: answer } = await api<Envelope & { code?: string }>('POST', '/mail/send', { key: secret, body });
  return answer.code ?? answer.error?.code ?? answer.status;
}

/** Calls every tool as this caller, and what is kept for the owner is afterwards as it was. */
async function assertRights(caller: Caller): Promise<void> {
  const before = await kept();
  const listed = await toolsFor(caller.secret);
  for (const name of all) {
    const { status, text } = await rpc('tools/call', { name, arguments: argumentsOf(name) }, caller.secret);
    const what = `${name} as ${caller.name}: ${status} ${text.slice(0, 400)}`;
    if (name !== 'read' || !may(caller, 'messages:read') || !caller.ofHome) assert.ok(!text.includes(canary), what);
    if (name === 'read') {
      const reads = caller.ofHome && may(caller, 'messages:read');
      assert.equal(/insufficient_scope|missing_key|invalid_key|message_not_found/.test(text), !reads, what);
      continue;
    }
    const refused = /insufficient_scope|missing_key|invalid_key|access_denied|There is no tool/.test(text);
    if (name === 'ask' && caller.secret === undefined) assert.ok(!refused, what);
    else if (!listed.includes(name) || !may(caller, 'mail:send')) assert.ok(refused, what);
    else if (name in TASKS) assert.equal(outcomeOf(text), await byApi(name, caller), what);
    else assert.ok(!refused, what);
  }
  const isSilent = caller.secret === undefined || !may(caller, 'mail:send');
  const withoutSent = (text: string): string => (isSilent ? text : text.slice(0, text.indexOf(ENDS)));
  assert.equal(withoutSent(await kept()), withoutSent(before), caller.name);
}
const outcomeOf = (text: string): string => {
  const { result } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '') as {
    result: { structuredContent: { status?: string; code?: string; error?: { code: string } } };
  };
  const { code, error, status = '' } = result.structuredContent;
  return code ?? error?.code ?? status;
};

test('the tools of an address are those of its tasks for keys, and asking and reading for guests', async () => {
  const tasks = all.filter((name) => name !== 'ask' && name !== 'read');
  for (const name of Object.keys(TASKS)) assert.ok(tasks.includes(name), `${name} of ${tasks.join()}`);
  assert.deepEqual(await toolsFor(undefined), ['ask', 'read']);
});

const keyOf = async (of: Home, fields: { scopes: readonly string[]; mailbox?: string }, name: string) => ({
  name,
  secret: (await newKey(of, fields)).secret,
  scopes: fields.scopes,
  ofHome: of === home && (fields.mailbox === undefined || fields.mailbox === doer),
});
const SCOPES = [
  ...['mail:send', 'mail:answer', 'mail:review', 'messages:read'],
  ...['mailboxes:write', 'webhooks:write', 'keys:write', 'auth:assert'],
];
/** Those on which a tool of an address depends, and one more. */
const TRIED = LONG ? SCOPES : ['mail:send', 'messages:read', 'mailboxes:write'];

test('each tool of an address does for a key what a message of that key would have it do, and nothing more', async () => {
  const ended = await newKey(home, { scopes: SCOPES });
  assert.equal((await api('DELETE', `/keys/${ended.id}`, { key: home.key })).status, 204);
  const guest = await tryOut({ to: doer, body: 'Hi' });
  for (const caller of [
    { name: 'a guest', secret: undefined, scopes: [], ofHome: false },
    { name: 'a revoked key', secret: ended.secret, scopes: [], ofHome: false },
    { name: 'the token of a thread', secret: guest.body.thread_token, scopes: [], ofHome: false },
    { name: 'another owner', secret: other.key, scopes: ['owner'], ofHome: false },
    await keyOf(other, { scopes: SCOPES }, "another's key"),
    ...(await Promise.all(TRIED.map((scope) => keyOf(home, { scopes: [scope] }, `a key with ${scope}`)))),
    ...(await Promise.all(
      TRIED.map((scope) => keyOf(home, { scopes: SCOPES.filter((one) => one !== scope) }, `one without ${scope}`)),
    )),
    await keyOf(home, { scopes: SCOPES, mailbox: doer }, 'a key of the address'),
    await keyOf(home, { scopes: SCOPES, mailbox: elsewhere }, 'a key of another address'),
  ])
    await assertRights(caller);
});

test('each tool of an address does for a member what the role may, there or elsewhere', async () => {
  for (const role of Object.keys(ROLES) as Role[])
    for (const mailboxes of role === 'owner' ? [undefined] : [undefined, [doer], [elsewhere]]) {
      const address = `${unique(role)}@example.com`;
      const { secret } = await joinAs(store, home, { address, role, ...(mailboxes && { mailboxes }) });
      const ofHome = mailboxes?.includes(elsewhere) !== true;
      await assertRights({ name: `${role} of ${mailboxes?.join() ?? 'all'}`, secret, scopes: ROLES[role], ofHome });
    }
});

test('each tool of an address does for a token what its scopes allow, for an owner and for anyone', async () => {
  for (const [role, asked] of [
    ['owner', ['mail:send', 'messages:read']],
    ['owner', ['messages:read']],
    ['owner', ['mail:send']],
    [undefined, ['mail:send', 'messages:read']],
    [undefined, ['messages:read']],
  ] as const) {
    const address = `${unique('person')}@example.com`;
    if (role !== undefined) await joinAs(store, home, { address, role });
    const provider = new SignedInClient({ client_id });
    const signIn = (authorization: URL): Promise<URL> => {
      authorization.searchParams.set('scope', asked.join(' '));
      return signInAt(authorization, address, outbox);
    };
    await using _ = await connectSignedIn(`${url}/mcp/${closed}`, provider, signIn);
    const secret = provider.accessToken;
    const before = await kept();
    for (const name of all) {
      const { status, text } = await rpc('tools/call', { name, arguments: argumentsOf(name) }, secret, closed);
      const what = `${name} as ${role} with ${asked.join()}: ${status} ${text.slice(0, 300)}`;
      assert.ok(!text.includes(canary), what);
      const scopes: readonly string[] = asked;
      if (!scopes.includes(name === 'read' ? 'messages:read' : 'mail:send'))
        assert.match(text, /insufficient_scope|There is no tool/, what);
    }
    const notes = (text: string): string => text.slice(0, text.indexOf(ENDS));
    assert.equal(notes(await kept()), notes(before));
    for (const server of [doer, desk, home.name])
      assert.equal((await rpc('tools/list', {}, secret, server)).status, 401, server);
  }
});
