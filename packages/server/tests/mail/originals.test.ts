import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { answer, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Message } from '../../core/entities/message.ts';
import { dkimRecord, newDkimKey, signMail } from '../../mail/writing/dkim.ts';

/** What was refused at the first attempt. */
const refused: string[] = [];
const sink = await startSmtp({
  data({ raw, to }) {
    if (refused.length > 0 || !to[0]?.endsWith('@outside.example')) return undefined;
    refused.push(raw);
    return answer(451, '4.3.0 Come back later');
  },
});
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url } });
const { client } = inside;
const port = (): number => inside.smtp?.port ?? 0;
const home = await client.newNamespace();
const { address } = await client.newMailbox(home);
const FROM = 'ada@example.com';

const get = (id: string, part: string, key = home.key) =>
  fetch(`${inside.url}/api/v1/mail/messages/${id}/${part}`, { headers: { authorization: `Bearer ${key}` } });

const headers = (more: Readonly<Record<string, string>>) => ({
  From: FROM,
  To: address,
  Subject: 'Original',
  'Message-ID': `<${unique()}@example.com>`,
  'MIME-Version': '1.0',
  ...more,
});
async function received(text: string): Promise<string> {
  const reply = await sendMail(port(), { from: FROM, to: [address], text });
  return /^250 2\.0\.0 Received as (msg_\w+)/.exec(reply)?.[1] ?? assert.fail(reply);
}
/** Whose the pieces of a message's mail are. */
const rawOwner = (id: string): string => `eml_${id.slice(4)}`;
const wire = (text: string): string => text.replace(/\r?\n/g, '\r\n');
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

test('the exact bytes of a mail that came are given back', async () => {
  const text = mailText(
    headers({ 'X-Odd': 'a  b\r\n\tc', Received: 'from a by b; Mon, 1 Jan 2024 00:00:00 +0000' }),
    'Hi \n\n--\t\nEnd',
  );
  const id = await received(text);
  const found = await get(id, 'raw');
  assert.equal(found.status, 200);
  assert.equal(found.headers.get('content-type'), 'message/rfc822');
  const raw = await bytesOf(found);
  assert.equal(raw.toString('latin1').trimEnd(), wire(text).trimEnd());
  assert.equal(found.headers.get('etag'), `"${createHash('sha256').update(raw).digest('hex')}"`);
  assert.equal(found.headers.get('content-length'), String(raw.length));
});

test('a file of a mail is stored once, and its mail comes back byte for byte', async () => {
  const file = randomBytes(300_001);
  const base64 = file.toString('base64').replace(/.{76}/g, '$&\n');
  const text = mailText(
    headers({ 'Content-Type': 'multipart/mixed; boundary=b' }),
    `--b\nContent-Type: text/plain\n\nSee it.\n--b\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\nContent-Transfer-Encoding: base64\n\n${base64}\n--b--\n`,
  );
  const id = await received(text);
  const raw = await bytesOf(await get(id, 'raw'));
  assert.equal(raw.toString('latin1').trimEnd(), wire(text).trimEnd());
  const pieces = await inside.store.attachments.of(rawOwner(id));
  assert.deepEqual(
    pieces.map(({ filename, size }) => [filename.replace(/^\w+ /, ''), size === file.length]),
    [
      ['raw', false],
      ['base64-76-2', true],
      ['raw', false],
    ],
  );
  const message = await inside.store.messages.byId(id as Message['id']);
  const [stored] = await inside.store.attachments.of(message?.id ?? '');
  assert.equal(pieces[1]?.blob_id, stored?.blob_id);
});

test('who may not read a message may not read its original', async () => {
  const id = await received(mailText(headers({}), 'Secret'));
  const other = await client.newNamespace();
  assert.equal((await get(id, 'raw', other.key)).status, 404);
  assert.equal((await get(id, 'html', other.key)).status, 404);
});

test('a message that is no mail has no original', async () => {
  const sent = await client.send(home.key, { to: address, body: 'Hello' });
  const found = await get((sent.body as { readonly id: string }).id, 'raw');
  assert.equal(found.status, 404);
});

test('a deleted message has no original', async () => {
  const id = await received(mailText(headers({}), 'Forget me'));
  assert.equal((await get(id, 'raw')).status, 200);
  const deleted = await fetch(`${inside.url}/api/v1/mail/messages/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${home.key}` },
  });
  assert.equal(deleted.status, 204);
  assert.equal((await get(id, 'raw')).status, 404);
});

test('HTML comes under a policy that runs nothing and loads nothing', async () => {
  const text = mailText(
    headers({ 'Content-Type': 'text/html' }),
    '<p onclick="x()">Hi <img src="http://t.example/p.gif" alt="logo"><script>x()</script></p>',
  );
  const found = await get(await received(text), 'html');
  assert.equal(found.status, 200);
  assert.match(found.headers.get('content-security-policy') ?? '', /^default-src 'none'.*sandbox/);
  const html = await found.text();
  assert.match(html, /<p>Hi <span>logo<\/span><\/p>/);
  assert.doesNotMatch(html, /script|onclick|t\.example/);
});

const DOMAIN = 'example.com';
/** Verifies the mail on its input by the record in its arguments. */
const DKIMPY =
  'import sys, dkim; print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=lambda name, timeout=5: sys.argv[1].encode()))';

test('a signed mail with a file verifies by DKIM after it was stored', async (t) => {
  const key = await newDkimKey('rsa-sha256', 'r1');
  const { value } = dkimRecord(key);
  const base64 = randomBytes(50_000).toString('base64').replace(/.{76}/g, '$&\n');
  const text = mailText(
    headers({ Date: 'Mon, 23 Nov 2026 10:00:00 +0000', 'Content-Type': 'multipart/mixed; boundary=b' }),
    `--b\nContent-Type: text/plain\n\nSee  it. \n\n--b\nContent-Type: image/png\nContent-Disposition: attachment; filename=a.png\nContent-Transfer-Encoding: base64\n\n${base64}\n--b--\n`,
  );
  const signed = await signMail(Buffer.from(wire(text)), { domain: DOMAIN, keys: [key] });
  const id = await received(signed.toString('latin1'));
  assert.equal((await inside.store.attachments.of(rawOwner(id))).length, 3);
  const raw = await bytesOf(await get(id, 'raw'));
  const resolver = async (): Promise<string[][]> => [[value]];
  const { results } = await dkimVerify(raw, { resolver, strict: true });
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  );
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', DKIMPY, value], { input: raw, encoding: 'utf8' });
  if (stdout === null || /No module named/.test(stderr)) return t.diagnostic('python3-dkim is not installed');
  assert.equal(stdout.trim(), 'True', stderr);
});

test('a mail that leaves is composed once, and its original is what left, at each attempt', async () => {
  await inside.store.namespaces.claim(home.id, inside.now());
  const to = `${unique('bo')}@outside.example`;
  const content = randomBytes(20_000);
  const sent = await client.send(home.key, {
    from: address,
    to,
    subject: 'Out',
    body: 'Hello **Bo**',
    attachments: [{ filename: 'a.bin', content_type: 'application/octet-stream', content: content.toString('base64') }],
  });
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const { id } = sent.body as { readonly id: string };
  const find = async () => sink.arrived.find((one) => one.to[0] === to);
  await until(
    60_000,
    async () => refused.length,
    (count) => count > 0,
  );
  await inside.restart(DAY / 24);
  const { seen } = await until(60_000, find, (one) => one !== undefined);
  const raw = (await bytesOf(await get(id, 'raw'))).toString('latin1');
  assert.equal(raw.trimEnd(), seen?.raw.trimEnd());
  assert.equal(raw.trimEnd(), refused[0]?.trimEnd());
  assert.match(raw, /^DKIM-Signature:/m);
  const pieces = await inside.store.attachments.of(rawOwner(id));
  assert.ok(pieces.some(({ size }) => size === content.length));
});

test('an original goes when its days are over, with its storage, and the message stays', async () => {
  const id = await received(mailText(headers({}), 'Keep me'));
  assert.equal((await get(id, 'raw')).status, 200);
  await inside.restart(31 * DAY);
  await until(
    60_000,
    async () => (await get(id, 'raw')).status,
    (status) => status === 410,
  );
  const problem = (await (await get(id, 'html')).json()) as { readonly code: string };
  assert.equal(problem.code, 'raw_gone');
  assert.equal((await client.read(home.key, id)).status, 200);
});
