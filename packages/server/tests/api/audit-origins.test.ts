import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import type { AuditEntry } from '../../core/entities/audit-view.ts';

const WAIT_MS = 20_000;
const { client, url, pass } = await startInside();
const { api, newNamespace, newMailbox, newKey, send } = client;
const outside = await newNamespace();

async function entries({ name, key }: Home, action: string): Promise<readonly AuditEntry[]> {
  const answer = await api<Page<AuditEntry>>('GET', `/namespaces/${name}/audit?action=${action}`, { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items;
}
const byWhom = ({ actor, origin, target }: AuditEntry) => [actor.kind, actor.id, origin.channel, target.id].join(' ');

/** A review that waits, in a namespace of its own. */
async function held(outgoing: object = {}) {
  const home = await newNamespace();
  const desk = await newMailbox(home, { outgoing: { review: 'always', ...outgoing } });
  const target = await newMailbox(outside, { behavior: { name: 'agent' } });
  const writer = await newKey(home, { scopes: ['mail:send'] });
  const sent = await send(writer.secret, { from: desk.address, to: target.address, body: 'An offer' });
  assert.equal(sent.body.waiting_for, 'review', sent.text);
  const { body } = await api<Page<{ id: string; hash: string }>>('GET', '/mail/reviews', { key: home.key });
  const [review] = body.items;
  return { home, review: review ?? assert.fail() };
}

test('of a batch each message that goes into the trash has one entry, and no other one', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await send(outside.key, { to: address, body: 'Hi' })).body.id);
  assert.equal((await api('POST', `/mail/messages/${ids[0]}/trash`, { key: home.key })).status, 200);
  const key = await newKey(home, { scopes: ['mail:answer', 'messages:read'] });
  const batch = { ids: [...ids, newId('msg', Date.now())], trash: true };
  const answer = await api('POST', '/mail/messages/batch', { key: key.secret, body: batch });
  assert.equal(answer.status, 200, answer.text);
  const made = (await entries(home, 'message.trashed')).map(byWhom);
  assert.deepEqual(
    made.toSorted(),
    [`key ${home.keyId} api ${ids[0]}`, ...[ids[1], ids[2]].map((id) => `key ${key.id} api ${id}`)].toSorted(),
  );
});

test('what a model does by MCP is in the log as such, by the key of its client', async () => {
  const { home, review } = await held();
  const maker = await newKey(home, { scopes: ['mailboxes:write'] });
  await using makers = await mcpClient(url, { key: maker.secret });
  const made = await callTool(makers, 'make_address', { local_part: unique('b'), behavior: { name: 'hello' } });
  assert.notEqual(made.isError, true, JSON.stringify(made));
  const [created] = await entries(home, 'mailbox.created');
  assert.ok(created !== undefined && byWhom(created).startsWith(`key ${maker.id} mcp `));
  const reviewer = await newKey(home, { scopes: ['mail:review'] });
  const user = async () => ({ action: 'accept', content: { decision: 'reject', reason: 'not now' } }) as const;
  await using decider = await mcpClient(url, { key: reviewer.secret, user });
  await callTool(decider, 'decide_review', { id: review.id });
  assert.deepEqual((await entries(home, 'review.rejected')).map(byWhom), [`key ${reviewer.id} mcp ${review.id}`]);
});

test('what ends by its time is the service’s own', async () => {
  const { home, review } = await held({ expires_seconds: 60 });
  pass(61_000);
  const expired = () => entries(home, 'review.expired');
  const { seen } = await until(WAIT_MS, expired, ({ length }) => length > 0);
  assert.deepEqual(seen.map(byWhom), [`service  service ${review.id}`]);
});

test('a policy that a key without the right asks for leaves no entry, and one that is set leaves one', async () => {
  const home = await newNamespace();
  const { address, id } = await newMailbox(home);
  const weak = await newKey(home, { scopes: ['mailboxes:write'] });
  const patch = (key: string) =>
    api('PATCH', `/mailboxes/${address}`, { key, body: { outgoing: { review: 'always' } } });
  assert.equal((await patch(weak.secret)).status, 403);
  assert.deepEqual(await entries(home, 'mailbox.updated'), []);
  assert.equal((await patch(home.key)).status, 200);
  assert.deepEqual((await entries(home, 'mailbox.updated')).map(byWhom), [`key ${home.keyId} api ${id}`]);
});
