import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { openPeopleService, signIn } from '../../../../tests/harness/people-service.ts';
import type { Person } from '../../../../tests/harness/person.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';

// What the console offers to members of each role, and what becomes of it when they take it.

const WAIT_MS = 60_000;
const { client, store, outbox, url } = await openPeopleService();
const { newNamespace, newMailbox, newKey, api, send, read } = client;
const [home, elsewhere] = [await newNamespace(), await newNamespace()];
const desk = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
const greeter = await newMailbox(home, { behavior: { name: 'hello', settings: { name: 'Ada' } } });
const held = await newMailbox(home, { outgoing: { review: 'always' } });
const { id, thread_id } = (await send(elsewhere.key, { to: desk.address, body: 'Where is my order?' })).body;
const greeted = (await send(elsewhere.key, { to: greeter.address, body: 'Hi', sync: true })).body;
const writer = await newKey(home, { scopes: ['mail:send'] });
await send(writer.secret, { from: held.address, to: desk.address, body: 'Held' });

/** A member who is signed in to the console. */
async function memberAs(role: Role, mailboxes?: readonly string[]) {
  const address = `${unique(role)}@example.com`;
  const member = await joinAs(store, home, { address, role, ...(mailboxes && { mailboxes }) });
  const person = await signIn({ url, outbox }, address);
  assert.equal((await person.send(await person.get('/account'), ['do', 'console'])).at, '/console');
  return { ...member, person };
}

const settings = { approval: ['calculate'] };
const doer = await newMailbox(home, { behavior: { name: 'do', settings } });
const plan = (await send(elsewhere.key, { to: doer.address, body: 'Calculate 2 * 4711' })).body;
await until(
  WAIT_MS,
  () => read(home.key, plan.id),
  ({ body }) => body.waiting_for === 'approval',
);

const NOT_YOURS = 'Your role here does not include this';
/** These end the session of the one who is tested. */
const LEAVES = /^\/console\/(?:sign-out|export)/;
const MAX_PAGES = amount(40, 80);

/** The path without what differs between two pages of its kind. */
const kindOf = (path: string): string =>
  path.replace(/(msg|thr|rev|drf|evt)_[0-9a-z]+/g, '$1').replace(/[?&](before|cursor)=[^&]*/g, '');

/** The pages that a member gets to from the inbox, and the links and forms on them that are refused. */
async function visited(person: Person) {
  const seen = new Set<string>();
  const refused: string[] = [];
  const open = ['/console', `/console?message=${id}`, `/console?message=${greeted.id}`];
  const offeredBy = new Map<string, string>();
  while (open.length > 0 && seen.size < MAX_PAGES) {
    const path = open.shift() as string;
    if (seen.has(kindOf(path))) continue;
    seen.add(kindOf(path));
    const page = await person.get(path);
    if (page.status === 403) refused.push(`GET ${kindOf(path)} of ${offeredBy.get(path)}`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    for (const [, tag, target = ''] of page.html.matchAll(/<(a|form)\b[^>]*?(?:href|action)="([^"]*)"/g)) {
      const { pathname, search } = new URL(target.replaceAll('&amp;', '&'), `http://x${page.at}`);
      if (!/^\/console(?:\/|$)/.test(pathname) || LEAVES.test(pathname)) continue;
      if (tag === 'a') {
        open.push(pathname + search);
        if (!offeredBy.has(pathname + search)) offeredBy.set(pathname + search, kindOf(path));
      }
      const form = `POST ${kindOf(pathname)}`;
      if (tag === 'a' || seen.has(form)) continue;
      seen.add(form);
      const answer = await person.post(pathname, { csrf });
      if (answer.html.includes(NOT_YOURS)) refused.push(form);
    }
  }
  return { seen, refused };
}

for (const role of Object.keys(ROLES) as Role[])
  test(`no page or form that the console offers to members who are ${role} is refused to them`, async () => {
    const whole = await visited((await memberAs(role)).person);
    assert.deepEqual(whole.refused, []);
    assert.ok(whole.seen.size > 20, `${[...whole.seen].join(' ')}`);
    if (LONG ? role !== 'owner' : role === 'answerer')
      assert.deepEqual((await visited((await memberAs(role, [desk.address])).person)).refused, []);
  });

interface Standing {
  readonly state: string;
  readonly assignee: string | null;
}
const standing = async (): Promise<Standing> =>
  (await api<Standing>('GET', `/mail/threads/${thread_id}`, { key: home.key })).body;

for (const role of ['answerer', 'editor'] as const)
  test(`members who are ${role} assign a conversation, put it off, finish it and note something by its page`, async () => {
    const { person, id: account } = await memberAs(role);
    const page = () => person.get(`/console/messages/${id}`);
    await person.send(await page(), ['assignee', account]);
    assert.equal((await standing()).assignee, account);
    const assigned = await page();
    await person.send(assigned, ['until', /name="until" value="([^"]+)"/.exec(assigned.html)?.[1] ?? '']);
    assert.equal((await standing()).state, 'later');
    await person.send(await page(), ['do', 'note'], { note: `Seen by ${role}` });
    await person.send(await page(), ['state', 'open']);
    await person.send(await page(), ['state', 'done']);
    assert.equal((await standing()).state, 'done');
    const { html } = await (await memberAs('reader')).person.get(`/console/messages/${id}`);
    assert.match(html, new RegExp(`Seen by ${role}`), 'a reader reads notes');
    assert.match(html, /State: <\/span>Done/, 'and how it stands');
    assert.doesNotMatch(html, /console\/conversations\//, 'and is offered no change of it');
  });

test('members who answer see that people answer a conversation and who did, and answer it', async () => {
  const [bea, carl] = [await memberAs('answerer'), await memberAs('answerer')];
  await api('POST', `/mail/threads/${greeted.thread_id}/take-over`, { key: home.key });
  const next = { to: greeter.address, body: 'A person, please', in_reply_to: greeted.id };
  const { id: waiting } = (await send(elsewhere.key, next)).body;
  const page = await bea.person.get(`/console?message=${waiting}`);
  assert.match(page.html, /People answer this conversation/);
  assert.doesNotMatch(page.html, /Hand back/, 'which takes another role');
  await bea.person.send(page, ['do', 'completed'], { body: 'Here I am' });
  await read(elsewhere.key, waiting, '?wait=60');
  const name = new RegExp(`by hand, <span dir="auto">${bea.address.split('@')[0]}`);
  for (const { person } of [bea, carl]) assert.match((await person.get(`/console?message=${waiting}`)).html, name);
});

test('a member who signs out everywhere ends their own sessions alone, and an owner those of all', async () => {
  const [owner, bea, carl] = [await memberAs('owner'), await memberAs('answerer'), await memberAs('answerer')];
  const isIn = async ({ person }: typeof bea): Promise<boolean> =>
    (await person.get('/console')).html.includes('Sign out');
  await bea.person.send(await bea.person.get('/console/settings?tab=sessions'), ['everywhere', '1']);
  assert.deepEqual([await isIn(bea), await isIn(carl), await isIn(owner)], [false, true, true]);
});

test('a member of some addresses sees no plan of the others among what waits to be approved', async () => {
  const [bound, whole] = [await memberAs('answerer', [desk.address]), await memberAs('answerer')];
  const list = async ({ person }: typeof bound): Promise<string> => (await person.get('/console/reviews')).html;
  assert.match(await list(whole), /2 \* 4711/);
  assert.doesNotMatch(await list(bound), /2 \* 4711/);
});
