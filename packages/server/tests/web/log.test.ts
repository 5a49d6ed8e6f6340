import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { verifyAudit } from '../../../../packages/client/src/cli/audit-chain.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';
import { makeOwnerKey } from '../../core/access/key-registry.ts';
import type { AuditEntry } from '../../core/entities/audit.ts';
import { ACTION_WORDS } from '../../transports/web/console/log-words.ts';

const threads = await openPeopleService();
const { client, outbox, store, now } = threads;
const { newNamespace, newMailbox, api } = client;

async function atConsole(home: Home): Promise<Person> {
  const person = new Person(threads.url);
  assert.equal((await person.post('/console', { key: home.key })).at, '/console');
  return person;
}
async function prove(person: Person, page: Shown, address: string): Promise<Shown> {
  const asked = await person.send(page, ['do', 'code'], { address });
  const { code } = await outbox.code(address);
  return person.send(asked, ['do', 'verify'], { code });
}
const tokenIn = ({ html }: Shown): string => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
const logOf = ({ id }: Home): Promise<readonly AuditEntry[]> =>
  store.audit.chain(id, 0, Number.MAX_SAFE_INTEGER, 1_000);
/** An account that is made a member of one address; its id. */
async function joinedMember(home: Home, name: string, mailbox: string): Promise<string> {
  const time = now();
  const made = { id: newId('acc', time), address: `${unique(name.toLowerCase())}@example.com`, created_at: time };
  const { id: account_id } = await store.accounts.getOrPut(made);
  const { id: key_id } = await client.newKey(home, { scopes: ['messages:read'], name });
  const of = { namespace_id: home.id, account_id, key_id, role: 'reader', name, created_at: time } as const;
  assert.equal(await store.accounts.join({ ...of, mailbox_ids: [mailbox] }), 'joined');
  return account_id;
}
/** The newest entry of this action. */
async function entryOf(home: Home, action: string): Promise<AuditEntry> {
  const log = await logOf(home);
  return log.findLast((entry) => entry.action === action) ?? assert.fail(log.map((entry) => entry.action).join(', '));
}

test('signing in to the console with a key, and out again, are in the log', async () => {
  const home = await newNamespace();
  const person = await atConsole(home);
  const started = await entryOf(home, 'session.started');
  assert.deepEqual([started.actor.kind, started.actor.id, started.origin.channel], ['key', home.keyId, 'web']);
  await person.send(await person.get('/console/settings?tab=sessions'), ['everywhere', '1']);
  const ended = await entryOf(home, 'session.all_ended');
  assert.equal(ended.actor.id, home.keyId);
  const again = await atConsole(home);
  await again.post('/console/sign-out', { csrf: tokenIn(await again.get('/console/log')) });
  assert.equal((await entryOf(home, 'session.ended')).actor.id, home.keyId);
});

test('an owner who joins, signs in by code and changes a name is named in each entry', async () => {
  const home = await newNamespace();
  const person = await atConsole(home);
  const email = `${unique('p')}@example.com`;
  const page = await prove(person, await person.send(await person.get('/console/members'), ['do', 'sign-in']), email);
  await person.send(page, ['do', 'claim']);
  const added = await entryOf(home, 'member.added');
  assert.deepEqual([added.actor.id, added.target.kind], [home.keyId, 'member']);
  assert.equal((await entryOf(home, 'namespace.claimed')).target.id, home.id);
  const other = new Person(threads.url);
  await prove(other, await other.post('/console/enter', {}), email);
  await other.get('/console/enter', { 'sec-fetch-site': 'same-origin' });
  const member = { kind: 'member', id: added.target.id };
  const signed = await entryOf(home, 'account_session.started');
  assert.deepEqual({ kind: signed.actor.kind, id: signed.actor.id }, member);
  const started = await entryOf(home, 'session.started');
  assert.deepEqual({ kind: started.actor.kind, id: started.actor.id }, member);
  await other.send(await other.get('/console/settings'), ['do', 'save'], { display_name: 'Ada' });
  const updated = await entryOf(home, 'namespace.updated');
  assert.deepEqual({ kind: updated.actor.kind, id: updated.actor.id }, member);
  assert.equal(updated.origin.channel, 'web');
  assert.deepEqual(updated.after, { display_name: 'Ada' });
  // The page of the account.
  const account = await other.get('/account');
  await other.send(account, ['do', 'everywhere']);
  const out = await entryOf(home, 'account_session.all_ended');
  assert.deepEqual({ kind: out.actor.kind, id: out.actor.id }, member);
});

test('an account that is deleted leaves an entry where it was a member, and takes its address out of the log', async () => {
  const home = await newNamespace();
  const person = await atConsole(home);
  const email = `${unique('p')}@example.com`;
  const page = await prove(person, await person.send(await person.get('/console/members'), ['do', 'sign-in']), email);
  await person.send(page, ['do', 'claim']);
  const { target } = await entryOf(home, 'member.added');
  assert.equal(target.name, email);
  await store.accounts.remove(target.id);
  const removed = await entryOf(home, 'account.removed');
  assert.equal(removed.target.id, target.id);
  const log = JSON.stringify(await logOf(home));
  assert.ok(!log.includes(email), log);
  const { text } = await api('GET', `/namespaces/${home.name}/audit/export`, { key: home.key });
  assert.deepEqual((await verifyAudit(text.trimEnd().split('\n'))).faults, []);
});

test('an owner key that a command makes is the operator’s', async () => {
  const home = await newNamespace();
  const { key } = await makeOwnerKey(store, home.name, now);
  const entry = await entryOf(home, 'key.created');
  assert.equal(entry.target.id, key.id);
  assert.deepEqual([entry.actor.kind, entry.origin], ['operator', { channel: 'command', network: null }]);
});

test('each export is in the log, the mailbox’s too', async () => {
  const home = await newNamespace();
  const { address, id } = await newMailbox(home);
  await api('GET', `/namespaces/${home.name}/export`, { key: home.key });
  assert.equal((await entryOf(home, 'namespace.exported')).actor.id, home.keyId);
  await api('GET', `/mailboxes/${address}/export.mbox`, { key: home.key, headers: { accept: '*/*' } });
  assert.equal((await entryOf(home, 'mailbox.exported')).target.id, id);
});

test('the log shows who did what to what, filtered by action and by actor, and is downloaded whole', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { description: 'Old' });
  await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { description: '<b>New</b>' } });
  const person = await atConsole(home);
  const all = await person.get('/console/log');
  assert.equal(all.status, 200);
  assert.match(all.html, /changed the address <b>/);
  assert.match(all.html, /description: \(text [0-9a-f]{12}\) → \(text [0-9a-f]{12}\)/);
  assert.doesNotMatch(all.html, /New&lt;/);
  assert.match(all.html, /by the API, from 127\.0\.0\.1/);
  const made = await person.get('/console/log?action=mailbox.created');
  assert.match(made.html, /made the address <b>/);
  assert.doesNotMatch(made.html, /changed the address <b>/);
  const guest = await person.get(`/console/log?actor=${home.keyId}`);
  assert.doesNotMatch(guest.html, /made the name <b>/);
  const file = await person.post('/console/log', { csrf: tokenIn(all) });
  const report = await verifyAudit(file.html.trimEnd().split('\n'));
  assert.deepEqual(report.faults, []);
});

test('members and addresses are named in what changed, and one who left is said to have left', async () => {
  const home = await newNamespace();
  const { address, id: mailbox } = await newMailbox(home);
  const { thread_id } = (await client.send(home.key, { to: address, body: 'Who are you?' })).body;
  const [mara, noor] = await Promise.all(['Mara', 'Noor'].map((name) => joinedMember(home, name, mailbox)));
  for (const assignee of [mara, noor])
    await api('PATCH', `/mail/threads/${thread_id}`, { key: home.key, body: { assignee } });
  const person = await atConsole(home);
  const shown = async () => (await person.get('/console/log')).html.replace(/<[^>]+>/g, '');
  assert.match(await shown(), /assignee: Mara → Noor/);
  assert.match(await shown(), new RegExp(`added the member Mara|${address.split('@')[0]}`));
  await store.accounts.remove(mara ?? '');
  assert.match(await shown(), /assignee: a member who left → Noor/);
  assert.doesNotMatch(await shown(), /\b(?:acc|mbx)_/);
});

test('each action has its words on the page', () => {
  const folder = join(import.meta.dirname, '../..');
  const sources = globSync(['store/audit/*.ts', 'core/sign-in/*.ts', 'transports/api/*.ts'], { cwd: folder });
  const text = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const actions = new Set([...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action as string));
  const nouns = new Set(Object.keys(ACTION_WORDS).map((action) => action.split('.')[0]));
  const missing = [...actions].filter(
    (action) => nouns.has(action.split('.')[0]) && ACTION_WORDS[action] === undefined,
  );
  assert.deepEqual(missing, []);
});
