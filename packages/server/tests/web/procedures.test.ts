import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Page, type Visitor } from '../../../../tests/harness/console.ts';
import { decode, formData } from '../../../../tests/harness/form.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const threads = await openConsole();
const { client, visitor } = threads;
const { newNamespace, newMailbox, api, send, tryOut } = client;

const PATH = '/console/procedures/do';
const SAVE: [string, string] = ['do', 'save'];
const TEST: [string, string] = ['do', 'test'];

interface Place {
  readonly home: Home;
  readonly address: string;
  readonly who: Visitor;
}

async function place(settings: object = {}): Promise<Place> {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings } });
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return { home, address, who };
}

const settingsOf = async ({ home, address }: Place): Promise<Record<string, unknown>> =>
  (
    await api<Mailbox & { behavior: { settings: Record<string, unknown> } }>('GET', `/mailboxes/${address}`, {
      key: home.key,
    })
  ).body.behavior.settings;

/** Sends the page's form with some fields changed; fields that it lacks are added. */
function sent({ who }: Place, page: Page, changed: Record<string, string>, button: [string, string]): Promise<Page> {
  const fields = formData(page.html, { button });
  for (const [name, value] of Object.entries(changed)) fields.set(name, value);
  return who.post(PATH, fields);
}

const GREET = {
  name: 'greet',
  description: 'Greets someone.',
  parameters: {
    type: 'object',
    properties: { who: { type: 'string', description: 'Their name', maxLength: 40 }, loud: { type: 'boolean' } },
    required: ['who'],
  },
  script: 'return "Hello, " + input.who + (input.loud ? "!" : ".")',
};

test('a procedure of steps is taught row by row, without scripts, and runs by its name', async () => {
  const it = await place();
  assert.match((await it.who.get(PATH)).html, /No procedures yet/);
  let page = await it.who.get(`${PATH}?edit=`);
  const first = {
    name: 'discount',
    description: 'A price after a discount.',
    'p.0.name': 'price',
    'p.0.type': 'number',
    'p.0.required': '1',
    's.0.task': 'calculate',
    's.0.input': '{"expression": "{{input.price}} * 0.9"}',
  };
  page = await sent(it, page, first, ['add', 'parameter']);
  assert.equal(page.status, 200);
  assert.match(page.html, /name="p.1.name"/);
  page = await sent(it, page, { 'p.1.name': 'unused' }, ['add', 'step']);
  assert.match(page.html, /name="s.1.task"/);
  page = await sent(it, page, { 's.1.task': 'convert', 's.1.input': '{"from": "{{1}}", "to": "hex"}' }, [
    'remove',
    'p.1',
  ]);
  assert.ok(!page.html.includes('name="p.1.name"'));
  const saved = await sent(it, page, {}, SAVE);
  assert.deepEqual([saved.status, saved.to], [303, `${PATH}?done=saved`]);
  assert.deepEqual(await settingsOf(it), {
    procedures: [
      {
        name: 'discount',
        description: 'A price after a discount.',
        parameters: { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] },
        steps: [
          { task: 'calculate', input: { expression: '{{input.price}} * 0.9' } },
          { task: 'convert', input: { from: '{{1}}', to: 'hex' } },
        ],
      },
    ],
  });
  const { body } = await tryOut({ to: it.address, body: 'discount 20' });
  assert.equal(body.reply?.body, '0x12');
});

test('what is changed of a procedure leaves the rest of it, and of the settings, as it was', async () => {
  const settings = { time_zone: 'Europe/Berlin', procedures: [GREET], approval: ['greet'], rights: { own: ['greet'] } };
  const it = await place(settings);
  const page = await it.who.get(`${PATH}?edit=greet`);
  assert.equal((await sent(it, page, { name: 'welcome', description: 'Welcomes.' }, SAVE)).status, 303);
  assert.deepEqual(await settingsOf(it), {
    time_zone: 'Europe/Berlin',
    approval: ['welcome'],
    rights: { own: ['welcome'] },
    procedures: [{ ...GREET, name: 'welcome', description: 'Welcomes.' }],
  });
  const other = await it.who.get('/console/addresses/do?tab=behavior');
  const fields = formData(other.html, { button: SAVE });
  fields.set('settings.do.time_zone', 'Asia/Tokyo');
  assert.equal((await it.who.post('/console/addresses/do?tab=behavior', fields)).status, 303);
  const after = await settingsOf(it);
  assert.deepEqual([after.time_zone, (after.procedures as object[]).length], ['Asia/Tokyo', 1]);
  const again = await it.who.get(`${PATH}?edit=welcome`);
  assert.equal((await sent(it, again, {}, ['do', 'remove'])).to, `${PATH}?done=removed`);
  assert.deepEqual(await settingsOf(it), {
    time_zone: 'Asia/Tokyo',
    approval: [],
    rights: { own: [] },
    procedures: [],
  });
});

test('what is wrong is said at its field, and nothing that was typed is lost', async () => {
  const it = await place({ procedures: [GREET] });
  const page = await it.who.get(`${PATH}?edit=`);
  const typed = { name: 'greet', description: '<b>x</b>', 's.0.task': 'calculate', 's.0.input': '{"expression": "1"}' };
  const partOf = (html: string, id: string): string =>
    decode(new RegExp(`id="${id}-error">.*?<span>(.*?)</span>`, 's').exec(html)?.[1] ?? '');
  const taken = await sent(it, page, typed, SAVE);
  assert.equal(taken.status, 422);
  assert.match(partOf(taken.html, 'name'), /There is a task "greet" already/);
  assert.match(taken.html, /&lt;b&gt;x&lt;\/b&gt;/);
  assert.match(taken.html, /<title>Error: /);
  const cases: readonly (readonly [Record<string, string>, string, RegExp])[] = [
    [{ name: 'No Name' }, 'name', /./],
    [{ name: 'calculate' }, 'name', /already/],
    [{ name: 'x', 's.0.input': '{"expression"' }, 's.0.input', /JSON object/],
    [{ name: 'x', 's.0.input': '{"expression": "{{input.no}}"}' }, 's.0.input', /no parameter "no"/],
    [{ name: 'x', 's.0.input': '{"expression": "1", "nothing": 1}' }, 's.0.input', /nothing/],
    [{ name: 'x', 's.0.task': '', 's.0.input': '' }, 's.0.task', /Choose a task/],
    [{ name: 'x', by: 'script', script: '' }, 'script', /Write a script/],
  ];
  for (const [changed, id, error] of cases) {
    const answer = await sent(it, page, { ...typed, ...changed }, SAVE);
    assert.equal(answer.status, 422, JSON.stringify(changed));
    assert.match(partOf(answer.html, id.replace('.', '\\.')), error, JSON.stringify(changed));
    assert.ok(answer.html.includes(`href="#${id}"`), id);
  }
  assert.equal(((await settingsOf(it)).procedures as object[]).length, 1);
});

test('a test run keeps nothing, and what has effects is shown and not run', async () => {
  const it = await place({ procedures: [GREET], rights: { guests: [] }, approval: ['greet'] });
  const page = await it.who.get(`${PATH}?edit=greet`);
  assert.match((await sent(it, page, {}, TEST)).html, /Fill in its input first: who/);
  const ran = await sent(it, page, { 'given.who': 'Ann ``` <b>', 'given.loud': 'true' }, TEST);
  assert.equal(ran.status, 200);
  assert.match(ran.html, /Hello, Ann .*&lt;b&gt;!/s);
  const changed = await sent(it, page, { script: 'throw new Error("no <i>good</i>")', 'given.who': 'Ann' }, TEST);
  assert.ok(changed.html.includes('no &lt;i&gt;good&lt;/i&gt;'));
  const writes = { 's.0.here': '1', 's.0.task': 'remember', 's.0.input': '{"name": "guest", "text": "{{input.who}}"}' };
  const dry = await sent(it, page, { by: 'steps', ...writes, 'given.who': 'Ann' }, TEST);
  assert.match(dry.html, /Dry run.*makes changes.*&quot;text&quot;: &quot;Ann&quot;/s);
  assert.deepEqual((await settingsOf(it)).procedures, [GREET]);
  const { body } = await send(it.home.key, { to: it.address, body: 'What do you remember?', sync: true });
  assert.ok(!JSON.stringify(body.reply).includes('Ann'));
});

test('procedures are their owner’s alone, and only an address that runs tasks has some', async () => {
  const it = await place({ procedures: [GREET] });
  const page = await it.who.get(`${PATH}?edit=greet`);
  const fields = formData(page.html, { button: ['do', 'remove'] });
  fields.set('csrf', 'x');
  assert.equal((await it.who.post(PATH, fields)).status, 403);
  assert.equal((await visitor().get(PATH)).status, 403);
  const stranger = await place();
  await newMailbox(stranger.home, { local_part: 'hello' });
  assert.equal((await stranger.who.get('/console/procedures/hello')).status, 404);
  assert.equal((await stranger.who.get('/console/procedures/nobody')).status, 404);
  assert.match((await stranger.who.get(PATH)).html, /No procedures yet/);
  assert.deepEqual((await settingsOf(it)).procedures, [GREET]);
});

test('who may use which task is a table of ticks, of which only what differs is kept', async () => {
  const it = await place();
  const path = '/console/addresses/do?tab=behavior';
  const { html } = await it.who.get(path);
  const plain = formData(html, { button: SAVE });
  assert.ok(!plain.getAll('settings.do.guests').includes('remember'));
  assert.equal((await it.who.post(path, plain)).status, 303);
  assert.deepEqual(await settingsOf(it), {});
  // A form of older settings replaces no newer ones.
  const fresh = async () => formData((await it.who.get(path)).html, { button: SAVE });
  const fields = await fresh();
  fields.delete('settings.do.guests');
  for (const name of ['calculate', 'convert', 'remember']) fields.append('settings.do.guests', name);
  fields.append('settings.do.approval', 'send');
  fields.set('settings.do.time_zone', 'Europe/Berlin');
  assert.equal((await it.who.post(path, fields)).status, 303);
  assert.deepEqual(await settingsOf(it), {
    time_zone: 'Europe/Berlin',
    rights: { guests: ['calculate', 'convert'] },
    approval: ['send'],
  });
  const late = await fresh();
  late.set('settings.do.time_zone', 'Mars/Olympus');
  const wrong = await it.who.post(path, late);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /There is no time zone &quot;Mars\/Olympus&quot;/);
});
