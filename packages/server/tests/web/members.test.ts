import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { hasScope } from '../../core/entities/key.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';
import { PAGE_SCOPES } from '../../transports/web/console/page-roles.ts';

const service = await openPeopleService();
const { client, outbox } = service;
const { newNamespace, newMailbox, api } = client;
const newEmail = (): string => `${unique('m')}@example.com`;

interface Members {
  readonly items: readonly {
    readonly id: string;
    readonly address: string;
    readonly role: string;
    readonly mailboxes: string[] | null;
  }[];
  readonly invitations: readonly { readonly id: string; readonly address: string }[];
}
const membersOf = async (home: Home): Promise<Members> =>
  (await api<Members>('GET', `/namespaces/${home.name}/members`, { key: home.key })).body;

async function atConsole(home: Home): Promise<Person> {
  const person = new Person(service.url);
  assert.equal((await person.post('/console', { key: home.key })).at, '/console');
  return person;
}

async function prove(person: Person, page: Shown, address: string): Promise<Shown> {
  assert.ok(page.at.startsWith('/account/sign-in'), page.at);
  const asked = await person.send(page, ['do', 'code'], { address });
  return person.send(asked, ['do', 'verify'], { code: (await outbox.code(address)).code });
}

/** Invites an address in the console; the link of its mail. */
async function invited(owner: Person, address: string, fields: Record<string, string> = {}): Promise<string> {
  const page = await owner.get('/console/members');
  const sent = await owner.send(page, ['do', 'invite'], { address, role: 'answerer', ...fields });
  assert.equal(sent.at, '/console/members?done=invited', sent.html);
  const mail = await outbox.mail(address);
  return /\/console\/invitations\/[0-9A-Za-z]+/.exec(mail.text ?? '')?.[0] ?? assert.fail(mail.text);
}

/** Follows the link, signs in and joins. */
async function joined(link: string, address: string): Promise<Person> {
  const person = new Person(service.url);
  const page = await person.send(await person.get(link), ['do', 'sign-in']);
  const back = await prove(person, page, address);
  assert.equal(back.at, link);
  assert.equal((await person.send(back, ['do', 'accept'])).at, '/console');
  return person;
}

test('who is invited joins by the link of the mail, once, and sees what the role is for', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  await newMailbox(home);
  const owner = await atConsole(home);
  const address = newEmail();
  const link = await invited(owner, address, { role: 'reader', mailbox: mailbox.address });
  const person = await joined(link, address);
  const { items, invitations } = await membersOf(home);
  assert.deepEqual(
    items.map(({ address: one, role, mailboxes }) => [one, role, mailboxes]),
    [[address, 'reader', [mailbox.address]]],
  );
  assert.deepEqual(invitations, []);
  assert.equal((await person.get(link)).status, 404);
  const { html } = await person.get('/console');
  assert.doesNotMatch(html, /console\/write|console\/settings"/);
  for (const path of ['members', 'keys', 'write', 'reviews', 'webhooks', 'domains', 'owners', 'addresses/new'])
    assert.equal((await person.get(`/console/${path}`)).status, 403, path);
  assert.equal((await person.get('/console/settings')).status, 200);
});

test('an invitation is worth nothing to another address, once it is taken back, or when it is guessed', async () => {
  const home = await newNamespace();
  const owner = await atConsole(home);
  const address = newEmail();
  const link = await invited(owner, address);
  const other = new Person(service.url);
  const back = await prove(other, await other.send(await other.get(link), ['do', 'sign-in']), newEmail());
  assert.match(back.html, /not the address that this invitation came to/);
  assert.doesNotMatch(back.html, new RegExp(address));
  assert.equal((await other.post(link, { do: 'accept' })).status, 403);
  const [open] = (await membersOf(home)).invitations;
  const again = await owner.send(await owner.get('/console/members'), ['do', 'invite'], { address, role: 'reader' });
  assert.equal(again.status, 422);
  assert.match(again.html, /is invited already/);
  await owner.send(await owner.get('/console/members'), ['do', 'withdraw'], { id: open?.id ?? '' });
  for (const gone of [link, `${link.slice(0, -3)}xyz`, '/console/invitations/x'])
    assert.equal((await other.get(gone)).status, 404, gone);
  assert.deepEqual((await membersOf(home)).items, []);
});

test('a lowered and a removed member may do as much less at once, and what they made stops', async () => {
  const home = await newNamespace();
  const owner = await atConsole(home);
  const [ada, bob] = [newEmail(), newEmail()];
  const first = await joined(await invited(owner, ada, { role: 'owner' }), ada);
  const second = await joined(await invited(owner, bob, { role: 'owner' }), bob);
  const created = await second.send(await second.get('/console/keys'), ['do', 'make'], {
    name: 'made',
    scope: 'messages:read',
  });
  const secret = /mr_live_[0-9A-Za-z]{46}/.exec(created.html)?.[0] ?? assert.fail(created.html);
  assert.equal((await api('GET', '/me', { key: secret })).status, 200);
  const id = (await membersOf(home)).items.find((one) => one.address === bob)?.id ?? '';
  const open = await first.get(`/console/members?change=${id}`);
  const lowered = await first.send(open, ['do', 'change'], { role: 'reader' });
  assert.equal(lowered.at, '/console/members?done=changed', lowered.html);
  assert.equal((await second.get('/console/keys')).status, 403);
  assert.equal((await second.get('/console')).status, 200);
  assert.equal((await api('GET', '/me', { key: secret })).status, 200);
  const removed = await first.send(await first.get(`/console/members?change=${id}`), ['do', 'remove'], {
    then: 'stop',
  });
  assert.equal(removed.at, '/console/members?done=removed', removed.html);
  assert.equal((await api('GET', '/me', { key: secret })).status, 401);
  assert.equal((await second.get('/console')).status, 403);
  const own = (await membersOf(home)).items.find((one) => one.address === ada)?.id ?? '';
  const last = await first.send(await first.get(`/console/members?change=${own}`), ['do', 'remove'], { then: 'stop' });
  assert.equal(last.status, 422);
  assert.match(last.html, /would have no owner left/);
});

test('a role that there is none of is refused with those that there are, and invites no one', async () => {
  const home = await newNamespace();
  const owner = await atConsole(home);
  for (const role of ['admin', '']) {
    const page = await owner.get('/console/members');
    const refused = await owner.send(page, ['do', 'invite'], { address: newEmail(), role });
    assert.equal(refused.status, 422, role);
    assert.match(refused.html, /id="role[^>]*>[\s\S]*answerer/);
    assert.match(refused.html, /must be one of .*owner.*reader/);
  }
  assert.deepEqual((await membersOf(home)).invitations, []);
});

for (const role of Object.keys(ROLES) as Role[])
  test(`a session of the role ${role} has the pages and forms of its scopes, and no other`, async () => {
    const home = await newNamespace();
    const mailbox = await newMailbox(home);
    const address = newEmail();
    const person = await joined(await invited(await atConsole(home), address, { role }), address);
    const paths = [
      ...Object.keys(PAGE_SCOPES),
      '/console/members',
      '/console/owners',
      '/console/export',
      '/console/domains',
    ];
    const csrf = /name="csrf" value="([^"]+)"/.exec((await person.get('/console')).html)?.[1] ?? '';
    const visited = paths.filter((one) => !['/console/sign-out', '/console/live'].includes(one));
    // In short a reader, who may least, has all of them, and each other role some.
    for (const path of role === 'reader' ? visited : everyNth(visited, 4, role.length)) {
      const scope = PAGE_SCOPES[path] ?? 'owner';
      const may = scope === 'any' || hasScope({ scopes: ROLES[role] }, scope);
      const named = path.replace('{local}', mailbox.address.split('@')[0] ?? '').replace(/\{\w+\}/g, 'none');
      const { status, html } = await person.get(named);
      assert.equal(status === 403, !may && status !== 405 && status !== 404, `GET ${path}: ${status}`);
      if (may) assert.ok(status < 500, `GET ${path}: ${status} ${html.slice(0, 300)}`);
      const form = await person.post(named, { csrf });
      if (!may) assert.ok([403, 404, 405].includes(form.status), `POST ${path}: ${form.status}`);
    }
  });

test('who has one address sees neither messages nor pages of another, and is out of the live stream within a second', async () => {
  const home = await newNamespace();
  const [seen, unseen] = [await newMailbox(home), await newMailbox(home)];
  const send = async (to: string, body: string) => (await client.send(home.key, { to, body, sync: true })).body;
  const [shown, hidden] = [await send(seen.address, 'canaryshown'), await send(unseen.address, 'canaryhidden')];
  const owner = await atConsole(home);
  const address = newEmail();
  const person = await joined(await invited(owner, address, { role: 'reader', mailbox: seen.address }), address);
  for (const path of ['/console', '/console?direction=all', '/console?query=canaryhidden', '/console?status=failed']) {
    const { html, status } = await person.get(path);
    assert.equal(status, 200, path);
    const found = [...html.matchAll(/.{60}canaryhidden.{20}/gs)].map(([text]) => text);
    assert.deepEqual(
      found.filter((text) => !/query=canaryhidden|value="canaryhidden|dir="auto">canaryhidden<\/span>”/.test(text)),
      [],
      path,
    );
  }
  assert.match((await person.get('/console?direction=all')).html, /canaryshown/);
  assert.equal((await person.get(`/console/messages/${shown.id}`)).status, 200);
  assert.equal((await person.get(`/console/messages/${hidden.id}`)).status, 404);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = await fetch(`${service.url}/console/live`, { headers: { cookie } });
  assert.equal(stream.status, 200);
  const [member] = (await membersOf(home)).items;
  await owner.send(await owner.get(`/console/members?change=${member?.id}`), ['do', 'remove'], { then: 'stop' });
  const removedAt = Date.now();
  assert.match(await stream.text(), /event: out/);
  assert.ok(Date.now() - removedAt < 2_000, `${Date.now() - removedAt} ms`);
});
