import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';

const folder = newFolder();
after(() => removeFolder(folder));

/** A folder with a behavior of this source. */
function behavior(name: string, source: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'index.js'), source);
  return path;
}

const body = async (url: string): Promise<string> => (await fetch(url)).text();

test('a behavior of a stranger, named as a folder, makes addresses, answers, and looks as it says on its page', async () => {
  await using service = await startService({ env: { BEHAVIORS: 'hello,./examples/behavior' } });
  assert.match(service.stdout(), /Make an address +http\S+\/new/);
  assert.doesNotMatch(service.stdout(), /proofread@/, 'no address is named that does not answer');
  const { api, newNamespace, newMailbox, send } = connect(service.url);
  const { body: list } = await api<{ items: { name: string; example: unknown }[] }>('GET', '/behaviors');
  assert.deepEqual(
    list.items.map(({ name }) => name),
    ['hello', 'count'],
  );
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'count', settings: { speed: 60 } } });
  const { body: sent } = await send(home.key, { to: address, body: 'One two three', sync: true });
  assert.equal(sent.reply?.body, '3 words, 3 seconds aloud.');
  assert.deepEqual(sent.reply?.data, { words: 3, seconds: 3 });
  const page = await body(`${service.url}/${address}`);
  assert.match(page, /<path d="M4 3v10M7 3v10M10 3v10M2 11 13 5"\/>/, 'its glyph');
  assert.match(page, /class="stamp s64 h-count"/, 'its hue');
  assert.match(page, /<span class="meta">Counts<\/span>/, 'its verb');
  assert.match(page, /placeholder="Paste a text"/, 'its placeholder');
  assert.match(page, />One two three<\/button>/, 'its example to click');
  const style = /static\/style\.[0-9a-f]{10}\.css/.exec(page)?.[0] ?? assert.fail('no style sheet');
  assert.match(await body(`${service.url}/${style}`), /\.h-count \{\s+--h: 220;/);
  const form = await body(`${service.url}/new?name=${home.name}x&local=me`);
  assert.match(form, /Make/);
});

test('what is no behavior is named in the log and on the status page, and the others run', async () => {
  const broken = [
    './nowhere',
    behavior('throws', 'throw new Error("It broke as it was loaded.");'),
    behavior('fails', 'export default () => { throw new Error("It has no key."); };'),
    behavior('shapeless', 'export default () => ({ name: "shapeless" });'),
    behavior('plain', 'export default 42;'),
    behavior(
      'twice',
      'export default () => ({ name: "hello", title: "T", description: "D", settings: {}, handle: () => ({ kind: "reply", body: "Wrong" }) });',
    ),
    'no-such-package',
  ];
  await using service = await serveInside({ env: { BEHAVIORS: ['hello', ...broken].join(','), LOG_LEVEL: 'warn' } });
  const { newNamespace, newMailbox, send } = connect(service.url);
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const { body: sent } = await send(home.key, { to: address, body: 'Hi', sync: true });
  assert.equal(sent.reply?.body, 'I write programs.');
  const status = (await (await fetch(`${service.url}/status.json`)).json()) as {
    readonly status: string;
    readonly missing_behaviors: unknown;
  };
  assert.equal(status.status, 'ok');
  assert.deepEqual(status.missing_behaviors, [
    { name: 'nowhere', reason: 'not found' },
    { name: 'throws', reason: 'failed to start' },
    { name: 'fails', reason: 'failed to start' },
    { name: 'shapeless', reason: 'not a behavior' },
    { name: 'plain', reason: 'not a behavior' },
    { name: 'twice', reason: 'named twice' },
    { name: 'no-such-package', reason: 'not found' },
  ]);
  const page = await body(`${service.url}/status`);
  assert.match(page, /<h1>Some addresses do not answer\.<\/h1>/);
  assert.match(page, /Behaviors that are not there/);
  assert.ok(!page.includes(folder), 'a page shows no path of the machine');
  const log = service.stdout() + service.logs();
  for (const name of ['nowhere', 'throws', 'fails', 'shapeless', 'plain', 'twice', 'no-such-package'])
    assert.match(log, new RegExp(`"behavior":"${name}"`));
  for (const why of ['It broke as it was loaded', 'It has no key', '`title` must be a text', 'is no function'])
    assert.ok(log.includes(why), why);
});

test('an address whose behavior is gone says so, loses nothing, and answers again when it is back', async () => {
  const data = newFolder();
  after(() => removeFolder(data));
  const count = { BEHAVIORS: 'hello,./examples/behavior' };
  const first = await startService({ folder: data, env: count });
  const { newNamespace, newMailbox } = connect(first.url);
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'count', settings: { speed: 60 } } });
  await first.stop();
  const without = await startService({ folder: data, env: { BEHAVIORS: 'hello' } });
  {
    const { send, api, read } = connect(without.url);
    const { body: sent } = await send(home.key, { to: address, body: 'One two three', sync: true });
    assert.deepEqual([sent.status, sent.error?.code], ['rejected', 'behavior_unavailable']);
    assert.match(sent.error?.message ?? '', /does not have the behavior "count"/);
    assert.equal((await read(home.key, sent.id)).body.body, 'One two three');
    const directory = await (await fetch(without.url, { headers: { accept: 'text/html' } })).text();
    assert.match(directory, /href="\.\/hello@agents/);
    assert.doesNotMatch(directory, /href="\.\/proofread@agents/, 'what would only end with an error is not listed');
    const { body: mailbox } = await api<{ behavior: { name: string; settings: unknown } }>(
      'GET',
      `/mailboxes/${address}`,
      { key: home.key },
    );
    assert.deepEqual(mailbox.behavior, { name: 'count', settings: { speed: 60 } });
    const page = await body(`${without.url}/${address}`);
    assert.match(page, /class="stamp s64 h-other"/);
    assert.match(page, /does not answer now/);
    const presence = (await (await fetch(`${without.url}/${address}/presence`)).json()) as { mark: string };
    assert.match(presence.mark, /Does not answer/);
    const { items } = (await api<{ items: { behavior: { name: string } }[] }>('GET', '/mailboxes?limit=200', {})).body;
    assert.deepEqual(
      [...new Set(items.map((one) => one.behavior.name))],
      ['hello'],
      'the directory is of what answers',
    );
  }
  await without.stop();
  const again = await startService({ folder: data, env: count });
  const { send } = connect(again.url);
  const { body: sent } = await send(home.key, { to: address, body: 'One two three', sync: true });
  assert.equal(sent.reply?.body, '3 words, 3 seconds aloud.');
  await again.stop();
});

test('a service without any behavior says so where an address would be made', async () => {
  const data = newFolder();
  after(() => removeFolder(data));
  await using service = await serveInside({ folder: data, env: { BEHAVIORS: 'no-such-package' } });
  for (const path of ['/new', '/new?behavior=hello&name=abc'])
    for (const init of [{}, { method: 'POST', body: new URLSearchParams({ name: 'abc', local: 'x' }) }]) {
      const answer = await fetch(`${service.url}${path}`, { headers: { accept: 'text/html' }, ...init });
      assert.equal(answer.status, 503);
      assert.match(await answer.text(), /none of the behaviors that answer messages is loaded/);
    }
});
