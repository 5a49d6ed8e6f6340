import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const threads = await openConsole();
const { newNamespace, newMailbox, api, send, read } = threads.client;

const PATH = '/console/addresses/tasks?tab=behavior';
const SETTINGS = {
  time_zone: 'Europe/Berlin',
  rights: { own: ['calculate', 'remember', 'remind'] },
  approval: ['remember'],
  procedures: [{ name: 'greet', description: 'Greets.', steps: [{ task: 'text', input: { op: 'say', text: 'Hi' } }] }],
};
const HELLO = {
  behavior: 'hello',
  'settings.hello.name': 'Ada',
  'settings.hello.introduction': 'I am Ada.',
};

/** An address that does tasks, and a session of its owner. */
async function open(): Promise<{ home: Home; who: Visitor; address: string; now: () => Promise<Mailbox> }> {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'tasks', behavior: { name: 'do', settings: SETTINGS } });
  const who = threads.visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  const now = async () => (await api<Mailbox>('GET', `/mailboxes/${address}`, { key: home.key })).body;
  return { home, who, address, now };
}

test('an address that changes its behavior and back has its settings, procedures and approvals again', async () => {
  const { who, now } = await open();
  const there = await who.send(PATH, HELLO, ['do', 'save']);
  assert.deepEqual([there.status, there.to], [303, `${PATH}&done=changed&was=do`]);
  const { behavior, description } = await now();
  assert.equal(behavior.name, 'hello');
  assert.doesNotMatch(description, /tasks/, 'the description is the new behavior’s');
  const { html } = await who.get(there.to);
  assert.match(html, /settings of “Do tasks” are kept, with 1 procedure and 1 task that asks you first, and come back/);
  const back = await who.send(PATH, { behavior: 'do' }, ['do', 'save']);
  assert.deepEqual([back.status, back.to], [303, `${PATH}&done=changed&was=hello`]);
  assert.deepEqual((await now()).behavior, { name: 'do', settings: SETTINGS });
  assert.match((await who.get('/console/procedures/tasks')).html, /greet/);
});

test('what a change of behavior stops is named first, and nothing changes until its owner goes on', async () => {
  const { home, who, address, now } = await open();
  const write = async (body: string) => (await send(home.key, { to: address, body, sync: true })).body;
  const waiting = await write('Remember that milk is white');
  assert.equal(waiting.waiting_for, 'approval');
  assert.equal((await write('Remind me in 3 hours to buy bulbs')).status, 'completed');
  const page = await who.send(PATH, HELLO, ['do', 'save']);
  assert.equal(page.status, 200);
  assert.match(page.html, /1 message waits for approval\. Only “Do tasks” can carry out its plan/);
  assert.match(page.html, /1 reminder or schedule is planned here/);
  assert.match(page.html, /settings of “Do tasks” are kept, with 1 procedure and 1 task/);
  assert.deepEqual((await now()).behavior, { name: 'do', settings: SETTINGS });
  const form = await who.post(PATH, formData(page.html, { button: ['add', ''] }));
  assert.match(form.html, /I am Ada\.<\/textarea>/, 'what was typed is kept');
  assert.equal((await now()).behavior.name, 'do');
  const sure = await who.post(PATH, formData(page.html, { button: ['do', 'save'] }));
  assert.equal(sure.status, 303);
  assert.equal((await now()).behavior.name, 'hello');
  const plan = `/console/messages/${waiting.id}`;
  const early = await who.send(plan, {}, ['do', 'approve']);
  assert.equal(early.status, 409);
  assert.match(early.html, /Choose the earlier behavior again to approve it, or refuse it/);
  assert.equal((await who.send(PATH, { behavior: 'do' }, ['do', 'save'])).status, 303, 'coming back stops nothing');
  assert.equal((await who.send(plan, {}, ['do', 'approve'])).status, 303);
  assert.equal((await read(home.key, waiting.id, '?wait=60')).body.status, 'completed');
});

test('settings that are wrong are told before a change is asked about', async () => {
  const { home, who, address, now } = await open();
  await send(home.key, { to: address, body: 'Remember that milk is white', sync: true });
  const wrong = await who.send(
    PATH,
    { ...HELLO, 'settings.hello.links.0.label': 'x', 'settings.hello.links.0.url': 'x' },
    ['do', 'save'],
  );
  assert.equal(wrong.status, 422);
  assert.doesNotMatch(wrong.html, /What stops/);
  assert.equal((await now()).behavior.name, 'do');
});
