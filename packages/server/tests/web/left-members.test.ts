import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rpc } from '../../../../tests/harness/a2a.ts';
import { json, openAgentServer } from '../../../../tests/harness/agent-server.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { type JoinedMember, joinAs } from '../../../../tests/harness/owner.ts';
import { openPeopleService, signIn } from '../../../../tests/harness/people-service.ts';
import { Person } from '../../../../tests/harness/person.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { forwardingKey } from '../../core/access/rule-settings.ts';
import type { Role } from '../../core/entities/member.ts';

// What a member made when they go, or may do less.
const WAIT_MS = 60_000;
const HOUR_MS = 60 * 60 * 1_000;
const service = await openPeopleService({ WEBHOOK_NETWORKS: '127.0.0.1', UNDO_SECONDS: '30' });
const { client, store, url } = service;
const { api, newNamespace, newMailbox, send, read } = client;
const endpoint = await webhookEndpoint();
const program = await openAgentServer();
after(() => Promise.all([endpoint[Symbol.asyncDispose](), program[Symbol.asyncDispose]()]));
program.answer(() => json({ body: 'From the program.' }));

const elsewhere = await newNamespace();

interface Made {
  readonly home: Home;
  readonly member: JoinedMember;
  readonly desk: string;
  /** Where a rule of the desk forwards. */
  readonly target: string;
  readonly agent: string;
  readonly hook: string;
  readonly task: string;
  readonly draft: string;
  /** Of a key that the member made, and of one that was revoked since. */
  readonly secret: string;
  readonly oldHook: string;
}

async function made(account?: { readonly id: string; readonly address: string }): Promise<Made> {
  const home = await newNamespace();
  const desk = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const doer = await newMailbox(home, { behavior: { name: 'do' } });
  await joinAs(store, home, { address: `${unique('stays')}@example.com`, role: 'owner' });
  const member = await joinAs(store, home, {
    address: account?.address ?? `${unique('m')}@example.com`,
    role: 'owner',
    ...(account && { account_id: account.id }),
  });
  const by = async <T extends object>(method: string, path: string, body?: object, key = member.secret) => {
    const answer = await api<T & { id: string }>(method, path, { key, ...(body && { body }) });
    assert.ok(answer.status < 300, `${method} ${path} ${answer.text}`);
    return answer.body;
  };
  const target = await newMailbox(elsewhere);
  const rules = [{ id: 'on', if: {}, then: { forward_to: target.address } }];
  await by('PATCH', `/mailboxes/${desk.address}`, { rules });
  const hook = { url: endpoint.url, types: ['message.received'] };
  const key = await by<{ secret: string }>('POST', '/keys', { scopes: ['owner'] });
  const old = await by<{ secret: string }>('POST', '/keys', { scopes: ['owner'] });
  const oldHook = (await by('POST', '/webhooks', hook, old.secret)).id;
  await by('DELETE', `/keys/${old.id}`);
  const settings = { webhook_url: program.url };
  const agent = await newMailbox({ ...home, key: member.secret }, { behavior: { name: 'agent', settings } });
  const remind = { to: doer.address, body: `remind me in 2 hours to ${unique('water')}`, sync: true };
  assert.equal((await send(member.secret, remind)).body.status, 'completed');
  const send_at = new Date(service.now() + 2 * HOUR_MS).toISOString();
  const draft = await by<{ draft_id: string }>('POST', '/mail/send', { to: desk.address, body: 'Later', send_at });
  const task = (await by('POST', '/mail/send', { to: desk.address, body: 'A task' }, key.secret)).id;
  const config = { taskId: task, id: 'mine', url: `${endpoint.url}?${task}` };
  const pushed = await rpc(
    { url },
    desk.address,
    { jsonrpc: '2.0', id: 1, method: 'CreateTaskPushNotificationConfig', params: config },
    { key: key.secret, version: '1.0' },
  );
  assert.equal(pushed.body.result?.id, 'mine', pushed.text);
  const { thread_id } = (await read(home.key, task)).body;
  await by('PATCH', `/mail/threads/${thread_id}`, { mailbox: desk.address, assignee: member.id });
  const [hookId, { draft_id }] = [(await by('POST', '/webhooks', hook)).id, draft];
  const { secret } = key;
  return {
    home,
    member,
    target: target.address,
    desk: desk.address,
    agent: agent.address,
    hook: hookId,
    oldHook,
    task,
    draft: draft_id,
    secret,
  };
}

/** What works of it by now. */
async function working({ home, desk, target, agent, hook, oldHook, task, draft, secret }: Made) {
  const get = async <T>(path: string) => (await api<T>('GET', path, { key: home.key })).body;
  const hooks = await Promise.all([hook, oldHook].map((id) => get<{ status: string }>(`/webhooks/${id}`)));
  const { webhook } = await get<{ webhook: { status: string } }>(`/mailboxes/${agent}`);
  const { thread_id } = (await read(home.key, task)).body;
  const { assignee } = await get<{ assignee: string | null }>(`/mail/threads/${thread_id}?mailbox=${desk}`);
  const schedules = await store.schedules.countOf(home.id);
  service.pass(3 * HOUR_MS);
  const sent = async (): Promise<string> => (await get<{ status: string }>(`/mail/drafts/${draft}`)).status;
  const { seen } = await until(WAIT_MS, sent, (status) => status !== 'scheduled');
  const [received, canary] = [program.received.length, unique('canary')];
  const asked = (await send(elsewhere.key, { to: agent, body: 'Hi' })).body.id;
  await api('POST', `/mail/messages/${task}/answer`, { key: home.key, body: { body: 'Done' } });
  const replied = async (): Promise<Envelope> => (await read(elsewhere.key, asked)).body;
  if (webhook.status === 'on') await until(WAIT_MS, replied, ({ reply }) => reply?.body === 'From the program.');
  await send(elsewhere.key, { to: desk, body: canary });
  const forwarded = async (): Promise<boolean> =>
    (await api('GET', `/mailboxes/${target}/messages`, { key: elsewhere.key })).text.includes(canary);
  const ruled = (await store.mailboxes.byAddress(desk.split('@')[0] ?? '', home.name)) ?? assert.fail();
  if ((await forwardingKey(ruled, store, service.now())) !== undefined) await until(WAIT_MS, forwarded, Boolean);
  const isPushed = () => endpoint.posted.some(({ text }) => text.includes(task) && text.includes('artifact'));
  if ((await api('GET', '/me', { key: secret })).status === 200) await until(WAIT_MS, async () => isPushed(), Boolean);
  return {
    key: (await api('GET', '/me', { key: secret })).status === 200,
    webhooks: hooks.map(({ status }) => status === 'enabled'),
    agent: webhook.status === 'on' && program.received.length > received,
    schedules: schedules > 0,
    draft: seen !== 'failed',
    push: isPushed(),
    forwards: await forwarded(),
    assigned: assignee !== null,
  };
}

const NOTHING = {
  ...{ key: false, webhooks: [false, false], agent: false, schedules: false },
  ...{ draft: false, push: false, forwards: false },
};
const ALL = {
  ...{ key: true, webhooks: [true, true], agent: true, schedules: true },
  ...{ draft: true, push: true, forwards: true },
};

/** Changes the member in the console, as an owner. */
async function inConsole(
  { home, member }: Pick<Made, 'home' | 'member'>,
  what: string,
  fields: Record<string, string>,
) {
  const owner = new Person(url);
  assert.equal((await owner.post('/console', { key: home.key })).at, '/console');
  const page = await owner.get(`/console/members?change=${member.id}`);
  const { at, html } = await owner.send(page, ['do', what], fields);
  assert.match(at, /\?done=/, /<p class="error".*/.exec(html)?.[0] ?? '');
}

for (const then of ['stop', 'pass'])
  test(`what a member made ${then === 'stop' ? 'stops' : 'passes to the owner'} when they are removed with “${then}”`, async () => {
    const it = await made();
    await inConsole(it, 'remove', { then });
    assert.deepEqual(await working(it), { ...(then === 'stop' ? NOTHING : ALL), assigned: false });
  });

test('an answer that a member can take back does not leave once they may not answer any more', async () => {
  const home = await newNamespace();
  const desk = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const [ada, bob] = [
    await joinAs(store, home, { address: `${unique('ada')}@example.com`, role: 'answerer' }),
    await joinAs(store, home, { address: `${unique('bob')}@example.com`, role: 'answerer' }),
  ];
  const replies = [];
  for (const member of [ada, bob]) {
    const { id } = (await send(elsewhere.key, { to: desk.address, body: 'Hi' })).body;
    const person = await signIn(service, member.address);
    assert.equal((await person.send(await person.get('/account'), ['do', 'console'])).at, '/console');
    const page = await person.get(`/console/messages/${id}`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const { status, html } = await person.post(`/console/answers/${id}`, { csrf, do: 'completed', body: 'An answer' });
    assert.equal(status, 200, html.slice(0, 2_000));
    replies.push(id);
  }
  assert.equal((await read(elsewhere.key, replies[0] ?? '')).body.reply, null, 'it can be taken back');
  await inConsole({ home, member: ada }, 'change', { role: 'reader' });
  service.pass(HOUR_MS);
  assert.equal((await read(elsewhere.key, replies[1] ?? '', '?wait=60')).body.reply?.body, 'An answer');
  assert.equal((await read(elsewhere.key, replies[0] ?? '')).body.reply, null);
});

test('what a member made stops when they delete their account', async () => {
  const it = await made();
  const { address } = it.member;
  const person = await signIn(service, it.member.address);
  const page = await person.get('/account');
  const { at, html } = await person.send(page, ['do', 'delete'], { typed: address, last: it.home.id });
  assert.equal(at, '/account/sign-in?note=deleted', html);
  assert.deepEqual(await working(it), { ...NOTHING, assigned: false });
});

test('what a member made whose account is an address here stops when that address or its namespace is deleted', async () => {
  for (const whole of [false, true]) {
    const theirs = await newNamespace();
    const { address, local_part } = await newMailbox(theirs);
    const { id } = (await store.mailboxes.byAddress(local_part, theirs.name)) ?? assert.fail();
    const it = await made({ id, address });
    const path = whole ? `/namespaces/${theirs.name}` : `/mailboxes/${address}`;
    assert.equal((await api('DELETE', path, { key: theirs.key })).status, 204);
    assert.deepEqual(await working(it), { ...NOTHING, assigned: false });
  }
});

test('what a member made stops as far as they could not make it with a lower role, or for other addresses', async () => {
  const editor = await made();
  await inConsole(editor, 'change', { role: 'editor' });
  const left = { ...ALL, key: true, schedules: false, draft: false, assigned: true };
  assert.deepEqual(await working(editor), left);
  for (const role of ['answerer', 'reader'] as const satisfies readonly Role[]) {
    const it = await made();
    await inConsole(it, 'change', { role });
    const now = await working(it);
    assert.deepEqual(
      [now.webhooks, now.agent, now.forwards, now.schedules, now.draft],
      [[false, false], false, false, role === 'answerer', role === 'answerer'],
    );
  }
  const bound = await made();
  await inConsole(bound, 'change', { role: 'editor', mailbox: bound.desk });
  const now = await working(bound);
  assert.deepEqual([now.webhooks, now.agent], [[false, false], false]);
});
