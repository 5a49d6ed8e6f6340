import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { unique } from '../../../tests/harness/client.ts';
import { newFolder, removeFolder, sharedService } from '../../../tests/harness/service.ts';
import { Mailroom } from '../dist/index.js';
import { mailroomCommand } from './command.ts';

const { url } = await sharedService();
const folder = newFolder();
after(() => removeFolder(folder));
let mailroom: Mailroom;
let env: Record<string, string>;
const name = unique();

before(async () => {
  const { key } = await new Mailroom({ url }).namespaces.create({ name });
  env = { MAILROOM_URL: url, MAILROOM_KEY: key.secret ?? '', HOME: folder };
  mailroom = new Mailroom({ url, key: key.secret ?? '' });
});

async function newAddress(): Promise<string> {
  const local_part = unique();
  const { address } = await mailroom.mailboxes.create(name, { local_part, behavior: { name: 'agent' } });
  return address;
}
const SEPARATOR = 'From ada@example.com Tue Mar  3 10:00:00 2020\n';
const mail = (at: number, body: string, more = ''): string =>
  `From: Ada <ada@example.com>\nTo: bob@example.com\nSubject: Mail ${at}\nDate: Tue, 03 Mar 2020 10:0${at}:00 +0000\nMessage-ID: <${at}.${unique()}@example.com>\n${more}\n${body}\n`;
function file(text: string | Buffer, named = `${unique()}.mbox`): string {
  const path = join(folder, named);
  writeFileSync(path, text);
  return path;
}
const run = async (...args: readonly string[]) => {
  const { status, stdout, stderr } = await mailroomCommand([...args, '--json'], env);
  return { status, stderr, body: stdout === '' ? undefined : JSON.parse(stdout) };
};
const bodies = async (address: string): Promise<readonly string[]> =>
  (await mailroom.messages.listOf(address).all()).map(({ body }) => body.trim()).sort();

test('an mbox file is imported once, with lines that begin with From as they were', async () => {
  const address = await newAddress();
  const texts = [
    'One\n\nFrom me to you\n\nFrom here Tue Mar  3 10:00:00 2020\nor there',
    '>From one\n>>From two',
    'Three',
  ];
  const mbox = file(texts.map((text, at) => `${SEPARATOR}${mail(at, text)}\n`).join(''));
  const first = await run('import', address, mbox);
  assert.deepEqual([first.status, first.body], [0, { imported: 3, exists: 0, failed: [] }], first.stderr);
  assert.deepEqual((await run('import', address, mbox)).body, { imported: 0, exists: 3, failed: [] });
  assert.deepEqual(await bodies(address), ['From one\n>From two', texts[0], 'Three']);
});

test('of an mbox file that ends within a mail all others are imported, and the whole one goes on', async () => {
  const address = await newAddress();
  const parts = mail(
    3,
    '--b\nContent-Type: text/plain\n\nFour\n\n--b--',
    'Content-Type: multipart/mixed; boundary="b"\n',
  );
  const mails = [mail(0, 'One'), mail(1, 'Two'), mail(2, 'Three'), parts];
  const whole = mails.map((text) => `${SEPARATOR}${text}\n`).join('');
  for (const end of [
    whole.length - 10,
    whole.indexOf('Four') + 6,
    whole.lastIndexOf('Date:'),
    whole.lastIndexOf('From ada') + SEPARATOR.length,
  ]) {
    const cut = file(whole);
    truncateSync(cut, end);
    const { status, body } = await run('import', address, cut);
    assert.equal(status, 1);
    assert.equal(body.imported + body.exists, 3, `${end} ${JSON.stringify(body)}`);
    assert.match(body.failed[0].mail, /^mail 4 \(line \d+\)$/);
  }
  assert.deepEqual((await run('import', address, file(whole.replaceAll('\n', '\n')))).body, {
    imported: 1,
    exists: 3,
    failed: [],
  });
  assert.equal((await bodies(address)).length, 4);
});

test('a mail that cannot be imported is named, and the others are imported', async () => {
  const address = await newAddress();
  const long = `${'long '.repeat(15)}\n`.repeat(6_000);
  const mbox = file(
    `${SEPARATOR}${mail(0, 'One')}\n${SEPARATOR}${mail(1, long)}\n${SEPARATOR}Note: none\n\nx\n\n${SEPARATOR}${mail(2, 'Three')}\n`,
  );
  const { status, body } = await run('import', address, mbox);
  assert.equal(status, 1);
  assert.deepEqual(
    [body.imported, body.failed.map((one: { mail: string }) => one.mail.replace(/ \(.*/, '')).sort()],
    [2, ['mail 2', 'mail 3']],
  );
});

test('a file that is no mbox, and what is not there, is refused', async () => {
  const address = await newAddress();
  for (const path of [
    file('No mails\n'),
    file(''),
    file(Buffer.from([0, 255, 10, 0])),
    join(folder, 'nothing'),
    join(folder, '.'),
  ]) {
    const { status, stderr } = await run('import', address, path);
    assert.equal(status, 2, stderr);
  }
  assert.equal((await run('import', 'none', file(`${SEPARATOR}${mail(0, 'x')}\n`))).status, 4);
});

test('a Maildir and a folder of .eml files are imported, answers in the thread of what they answer', async () => {
  const address = await newAddress();
  const dir = join(folder, unique());
  for (const sub of ['cur', 'new', 'tmp']) mkdirSync(join(dir, sub), { recursive: true });
  const first = mail(1, 'Asked');
  const [id = ''] = /<1\.[^>]+>/.exec(first) ?? [];
  writeFileSync(join(dir, 'cur', '2.host:2,S'), first);
  writeFileSync(join(dir, 'new', '1.host'), mail(2, 'Answered', `In-Reply-To: ${id}\n`));
  writeFileSync(join(dir, 'tmp', '3.host'), mail(3, 'Not whole'));
  assert.deepEqual((await run('import', address, dir)).body, { imported: 2, exists: 0, failed: [] });
  const [one, two] = await mailroom.messages.listOf(address).all();
  assert.equal(one?.thread_id, two?.thread_id);
  const eml = join(folder, unique(), 'deep');
  mkdirSync(eml, { recursive: true });
  writeFileSync(join(eml, 'a.eml'), `${SEPARATOR}${mail(4, 'As a file').replaceAll('\n', '\r\n')}`);
  writeFileSync(join(eml, 'b.txt'), 'nothing');
  assert.equal((await run('import', address, join(eml, '..'))).body.imported, 1);
});

test('what is exported is a file that is imported again', async () => {
  const [address, other] = [await newAddress(), await newAddress()];
  await run('import', address, file(`${SEPARATOR}${mail(0, 'From one')}\n`));
  await mailroom.send(address, { subject: 'Two', body: 'From two' });
  const path = join(folder, `${unique()}.mbox`);
  const { status, body } = await run('export', address, path);
  assert.deepEqual([status, body.file, body.size], [0, path, readFileSync(path).length]);
  assert.deepEqual((await run('import', address, path)).body, { imported: 0, exists: 2, failed: [] });
  assert.deepEqual((await run('import', other, path)).body, { imported: 2, exists: 0, failed: [] });
  assert.deepEqual(await bodies(other), ['From one', 'From two']);
});

test('a message is forwarded as an attachment', async () => {
  const [address, other] = [await newAddress(), await newAddress()];
  await run('import', address, file(`${SEPARATOR}${mail(0, 'Old')}\n`));
  const [old] = await mailroom.messages.listOf(address).all();
  const { status, body } = await run('forward', old?.id ?? '', other, '--as-attachment');
  assert.deepEqual([status, body.attachments[0].content_type], [0, 'message/rfc822']);
});
