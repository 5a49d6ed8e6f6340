// Other programs: sh, curl, npx.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { decode, formData } from '../../../../tests/harness/form.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off' } });
const { api, send, read, newNamespace } = connect(service.url);
const other = await newNamespace();
const page = async (path: string): Promise<string> =>
  (await fetch(`${service.url}/${path}`, { headers: { accept: 'text/html' } })).text();

const name = unique('n');
const address = `bot@${name}.mailroom.localhost`;
const form = formData(await page(`new?local=bot&name=${name}&behavior=agent`), { button: ['do', 'make'] });
const response = await fetch(`${service.url}/new`, {
  method: 'POST',
  body: form,
  headers: { accept: 'text/html', origin: service.url, 'sec-fetch-site': 'same-origin' },
});
const done = await response.text();
/** A block of code on the last page of the making of an address, as it is copied. */
const code = (id: string): string =>
  decode(new RegExp(`<code id="${id}">(.*?)</code>`, 's').exec(done)?.[1] ?? '').replaceAll(
    '//localhost:',
    '//127.0.0.1:',
  );
const key = /mr_live_[0-9A-Za-z]{46}/.exec(done)?.[0] ?? '';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connect-'));
});
after(() => rm(folder, { recursive: true }));

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const statusOf = async (): Promise<string> => (await api<Mailbox>('GET', `/mailboxes/${address}`)).body.status;

test('an own program is the first choice, and its preview says who answers instead of an example', async () => {
  const choose = await page(`new?local=hello&name=${unique('n')}`);
  const cards = [...choose.matchAll(/<input type="radio" id="behavior-(\w+)"[^>]*?( checked)?>/g)];
  assert.deepEqual(cards[0]?.slice(1), ['agent', undefined]);
  // A newcomer begins with one that answers at once.
  assert.equal(cards.find(([, , checked]) => checked !== undefined)?.[1], 'hello');
  assert.match(choose, /Your own program<\/label>/);
  assert.doesNotMatch(choose, /id="example-agent"/);
  const agent = await page(`new?local=hello&name=${unique('n')}&behavior=agent`);
  assert.match(agent, /Your program answers, or you do\./);
  assert.doesNotMatch(agent, /No answer this time/);
});

test('until a program is connected, the page of the address says so and takes messages that wait', async () => {
  assert.equal(response.status, 201);
  const shown = await page(address);
  assert.match(shown, /No program is connected to bot@/);
  assert.match(shown, /<span dir="auto">Answered by a program of its owner, or by hand\.<\/span>/);
  assert.equal(await statusOf(), 'offline');
  const tried = await fetch(`${service.url}/${address}`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: service.url },
    body: new URLSearchParams({ body: 'Anyone there?', thread_token: '', once: unique('once') }),
  });
  assert.match(await tried.text(), /Your message is waiting\./);
});

test('the commands of the last page answer the message that waits, as they are pasted', async () => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${code('connect-key')}\n${code('connect-shell')}`], {
    env: { PATH: process.env.PATH ?? '' },
  });
  const answered = JSON.parse(stdout) as { body: string; status: string; reply: { body: string } };
  assert.deepEqual(
    [answered.body, answered.status, answered.reply.body],
    ['Anyone there?', 'completed', 'Hello from a shell.'],
  );
});

test('the command of the last page makes an agent of a program, as it is pasted', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, npm_config_yes: 'true' };
  const script = `${code('connect-key')}\n${code('connect-command')}`;
  // A group of its own, since npx starts the program as another process.
  const program = spawn('sh', ['-c', script], { env, cwd: folder, stdio: 'ignore', detached: true });
  try {
    const { body } = await send(key, { to: address, body: 'Shout' });
    await until(
      30_000,
      async () => (await read(key, body.id)).body.reply?.body,
      (seen) => seen === 'SHOUT',
    );
  } finally {
    const { pid = 0 } = program;
    const ended = once(program, 'exit');
    process.kill(-pid, 'SIGTERM');
    await ended;
    // The last of the group would take the messages of the next test.
    await until(
      10_000,
      async () => runs(-pid),
      (seen) => !seen,
    );
  }
});

test('the program of the last page answers message after message, as it is copied', async () => {
  const file = join(folder, 'agent.mjs');
  await writeFile(file, code('connect-node'));
  const program = spawn(process.execPath, [file], {
    env: { MAILROOM_KEY: key },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    // Nothing waits for a program that has not connected yet.
    await until(30_000, statusOf, (status) => status === 'online');
    for (const body of ['One?', 'Two "quoted"\nand two lines']) {
      const { status, body: sent } = await send(other.key, { to: address, body, sync: true });
      assert.deepEqual([status, sent.status, sent.reply?.body], [200, 'completed', `You wrote: ${body}`]);
    }
  } finally {
    program.kill();
  }
});

test('within two seconds of a connection the page says online, and the message that waits is claimed', async () => {
  const settings = { local_part: 'later', behavior: { name: 'agent' } };
  const created = await api<Mailbox>('POST', `/namespaces/${name}/mailboxes`, { key, body: settings });
  assert.match(await page(created.body.address), /<span class="status offline">/);
  const sent = await send(other.key, { to: created.body.address, body: 'Hello?', sync: true });
  assert.deepEqual([sent.status, sent.body.status], [202, 'submitted']);
  const claimed = await api<{ items: unknown[] }>('POST', `/mailboxes/${created.body.address}/claim`, {
    key,
    body: {},
  });
  assert.equal(claimed.body.items.length, 1);
  await until(
    2_000,
    () => page(created.body.address),
    (seen) => seen.includes('<span class="status online">'),
  );
  assert.equal((await read(other.key, sent.body.id)).body.waiting_for, 'answer');
});
