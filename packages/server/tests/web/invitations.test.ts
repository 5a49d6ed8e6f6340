import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const service = await openPeopleService();
const { client, outbox, store, url } = service;
const { api, newNamespace, newMailbox, send } = client;

async function atConsole(home: Home): Promise<Person> {
  const person = new Person(url);
  assert.equal((await person.post('/console', { key: home.key })).at, '/console');
  return person;
}
const invite = async (owner: Person, address: string): Promise<Shown> =>
  owner.send(await owner.get('/console/members'), ['do', 'invite'], { address, role: 'reader' });
/** The link of the mail to this address. */
async function linkTo(address: string): Promise<string> {
  const { text } = await outbox.mail(address, (mail) => /console\/invitations/.test(mail.text ?? ''));
  return /\/console\/invitations\/[0-9A-Za-z]+/.exec(text ?? '')?.[0] ?? assert.fail(text);
}
/** Follows the link and signs in as `typed`, to which codes go as `address`. */
async function followed(link: string, typed: string, address = typed): Promise<{ person: Person; page: Shown }> {
  const person = new Person(url);
  const sign = await person.send(await person.get(link), ['do', 'sign-in']);
  const asked = await person.send(sign, ['do', 'code'], { address: typed });
  const page = await person.send(asked, ['do', 'verify'], { code: (await outbox.code(address)).code });
  return { person, page };
}
const members = async (home: Home): Promise<readonly { readonly address: string }[]> =>
  (await api<{ items: { address: string }[] }>('GET', `/namespaces/${home.name}/members`, { key: home.key })).body
    .items;
const errorOf = ({ html }: Shown): string => /<p class="error"[^>]*>.*?<span>(.*?)<\/span>/s.exec(html)?.[1] ?? '';

for (const [what, invited, typed] of [
  ['in capitals', 'ADA.Upper@Example.COM', 'ada.upper@example.com'],
  ['at a domain with other letters', 'ada@bücher.example', 'ada@bücher.example'],
  ['with a tag', 'ada+desk@example.com', 'ada+desk@example.com'],
] as const)
  test(`an invitation to an address ${what} is for who signs in with it, however it is typed`, async () => {
    const home = await newNamespace();
    const owner = await atConsole(home);
    assert.equal((await invite(owner, invited)).at, '/console/members?done=invited');
    const [invitation] = await store.invitations.of(home.id, service.now());
    const to = invitation?.address ?? '';
    const { page, person } = await followed(await linkTo(to), typed, to);
    assert.equal((await person.send(page, ['do', 'accept'])).at, '/console');
    assert.deepEqual(
      (await members(home)).map(({ address }) => address),
      [to],
    );
    for (const again of [invited, typed, to]) {
      const { status, html } = await invite(owner, again);
      assert.equal(status, 422, again);
      assert.match(html, /is a member already/);
    }
  });

test('the address without its tag is another one, and gets nothing by the invitation of the tagged one', async () => {
  const home = await newNamespace();
  const name = unique('t');
  await invite(await atConsole(home), `${name}+desk@example.com`);
  const link = await linkTo(`${name}+desk@example.com`);
  const { page, person } = await followed(link, `${name}@example.com`);
  assert.match(page.html, /not the address that this invitation came to/);
  assert.equal((await person.post(link, { do: 'accept' })).status, 403);
  assert.deepEqual(await members(home), []);
});

test('an invitation ends after seven days, also for who followed it before', async () => {
  const home = await newNamespace();
  const address = `${unique('late')}@example.com`;
  await invite(await atConsole(home), address);
  const link = await linkTo(address);
  const { page, person } = await followed(link, address);
  service.pass(7 * DAY_MS);
  assert.notEqual((await person.send(page, ['do', 'accept'])).at, '/console');
  assert.equal((await person.get(link)).status, 404);
  assert.deepEqual(await members(home), []);
});

test('an invitation answers the same for an address with an account, without one, and elsewhere here', async () => {
  const home = await newNamespace();
  const owner = await atConsole(home);
  const knownAddress = `${unique('known')}@example.com`;
  await joinAs(store, await newNamespace(), { address: knownAddress, role: 'owner' });
  const elsewhere = await newMailbox(await newNamespace());
  const shapes = [];
  for (const address of [knownAddress, `${unique('new')}@example.com`, elsewhere.address]) {
    const shown = await invite(owner, address);
    const [invitation] = (await store.invitations.of(home.id, service.now())).slice(-1);
    assert.equal(invitation?.address, address);
    shapes.push([shown.status, shown.at, /<p class="note[^>]*>.*?<\/p>/s.exec(shown.html)?.[0] ?? '']);
  }
  assert.equal(new Set(shapes.map((shape) => JSON.stringify(shape))).size, 1, JSON.stringify(shapes));
});

test('of two owners who remove each other at the same moment one is left, with a console that works', async () => {
  const home = await newNamespace();
  const [ada, bob] = [
    await joinAs(store, home, { address: `${unique('ada')}@example.com`, role: 'owner' }),
    await joinAs(store, home, { address: `${unique('bob')}@example.com`, role: 'owner' }),
  ];
  const people = [];
  for (const { secret } of [ada, bob]) {
    const person = new Person(url);
    assert.equal((await person.post('/console', { key: secret })).at, '/console');
    people.push(person);
  }
  const [first, second] = people as [Person, Person];
  const pages = [
    await first.get(`/console/members?change=${bob.id}`),
    await second.get(`/console/members?change=${ada.id}`),
  ] as const;
  const shownPages = await Promise.all([
    first.send(pages[0], ['do', 'remove'], { then: 'stop' }),
    second.send(pages[1], ['do', 'remove'], { then: 'stop' }),
  ]);
  assert.equal(shownPages.filter(({ at }) => at.includes('done=removed')).length, 1, shownPages.map(errorOf).join());
  for (const { status } of shownPages) assert.ok([200, 403, 404, 422].includes(status), `${status}`);
  assert.equal((await members(home)).length, 1);
});

test('a role for an address that is deleted shows nothing, and what it names is refused with how to mend it', async () => {
  const home = await newNamespace();
  const owner = await atConsole(home);
  const [gone, kept] = [await newMailbox(home), await newMailbox(home)];
  const message = (await send(home.key, { to: kept.address, body: 'Hello' })).body;
  const ada = await joinAs(store, home, {
    address: `${unique('ada')}@example.com`,
    role: 'answerer',
    mailboxes: [gone.address],
  });
  assert.equal((await api('DELETE', `/mailboxes/${gone.address}`, { key: home.key })).status, 204);
  const { body } = await api<{ items: object[] }>('GET', '/mail/messages?direction=all', { key: ada.secret });
  assert.deepEqual(body.items, []);
  const change = await owner.get(`/console/members?change=${ada.id}`);
  const named = await owner.send(change, ['do', 'change'], { role: 'answerer', mailbox: gone.address });
  assert.equal(named.status, 422);
  assert.match(errorOf(named), /has no mailbox/);
  assert.equal(
    await store.accounts.removeMember({ ...ada, namespace_id: home.id, account_id: ada.id }, undefined, service.now()),
    'removed',
  );
  const path = `/mail/threads/${message.thread_id}`;
  const at = new Date(service.now() - DAY_MS).toISOString();
  for (const [wrong, text] of [
    [{ assignee: ada.id }, /member/],
    [{ state: 'later', until: at }, /past|future/],
    [{ state: 'later' }, /until/],
  ] as const) {
    const { status, text: said } = await api('PATCH', path, {
      key: home.key,
      body: { mailbox: kept.address, ...wrong },
    });
    assert.equal(status, 422, said);
    assert.match(said, text);
  }
  const note = { mailbox: kept.address, body: 'x'.repeat(1024 * 1024) };
  const { status, text } = await api('POST', `${path}/notes`, { key: home.key, body: note });
  assert.ok([413, 422].includes(status), text.slice(0, 300));
  assert.match(text, /\d{3}/);
  const thread = await api<{ assignee: string | null; state: string; notes?: object[] }>('GET', path, {
    key: home.key,
  });
  assert.deepEqual([thread.body.assignee, thread.body.state], [null, 'open'], thread.text);
  assert.deepEqual(thread.body.notes ?? [], []);
});

test('who signs in on an invitation has joined by that, where the service itself led back to it', async () => {
  const home = await newNamespace();
  const address = `${unique('ada')}@example.com`;
  await invite(await atConsole(home), address);
  const link = await linkTo(address);
  const { page, person } = await followed(link, address);
  // A browser says where a request comes from, and still has the cookie that this browser without one has used.
  const back = async (site: string, token: string) => {
    person.cookies.set('mr_invitation', token);
    return person.get('/console/invitations', { 'sec-fetch-site': site });
  };
  const [, token = ''] = /invitations\/(\w+)$/.exec(link) ?? [];
  assert.equal((await back('cross-site', token)).at, link);
  assert.deepEqual(await members(home), []);
  const joined = await back('same-origin', token);
  assert.equal(joined.at, '/console', page.html);
  assert.match(joined.html, new RegExp(`aria-label="${home.name}: inbox"`));
  assert.equal((await members(home)).length, 1);
  assert.match((await back('same-origin', token)).html, /No such invitation/, 'it works once');
  const other = `${unique('bob')}@example.com`;
  await invite(await atConsole(home), other);
  const foreign = await linkTo(other);
  assert.equal((await back('same-origin', foreign.split('/').at(-1) ?? '')).at, foreign);
  assert.match((await person.get(foreign)).html, /not the address that this invitation came to/);
  const { text } = await api('GET', `/namespaces/${home.name}/audit`, { key: home.key });
  const { items } = JSON.parse(text) as { items: { action: string; actor: { name: string | null } }[] };
  const added = items.filter(({ action }) => action === 'member.added').map(({ actor }) => actor.name);
  assert.deepEqual(added, [address]);
});
