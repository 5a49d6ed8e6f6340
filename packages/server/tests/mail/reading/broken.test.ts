import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { PoolError, WORKER_REPLACED } from '@mailroom/workers/pool';
import { amount } from '../../../../../tests/soak/length.ts';
import { brokenMail } from './broken-mails.ts';
import { startReading } from './harness.ts';

/** Fewer than one sender may have waiting. */
const BATCH = 12;

test('broken mails are read without ending a thread, and none is verified', { timeout: 1_800_000 }, async () => {
  await using reading = await startReading({}, { threads: 2 });
  const replaced: unknown[] = [];
  const onReplaced = (notice: unknown): void => void replaced.push(notice);
  subscribe(WORKER_REPLACED, onReplaced);
  try {
    const count = amount(16, 10_000);
    for (let first = 0; first < count; first += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, at) => first + at);
      const mails = await Promise.all(numbers.map((number) => reading.read(brokenMail(number))));
      for (const [at, mail] of mails.entries()) {
        const where = `mail ${first + at}`;
        assert.equal(mail.authentication.verified, false, where);
        assert.ok(mail.text.isWellFormed() && !mail.text.includes('\0') && !mail.text.includes('\r'), where);
        assert.ok(mail.body.length <= mail.text.length, where);
        for (const { name } of mail.attachments) {
          assert.ok(Buffer.byteLength(name) <= 255 && !/[\p{Cc}/\\]/u.test(name) && name !== '', where);
        }
      }
    }
    assert.deepEqual(replaced, []);
  } finally {
    unsubscribe(WORKER_REPLACED, onReplaced);
  }
});

test('mails that are as large and hostile as a server takes are read, and the next ones too', {
  timeout: 600_000,
}, async () => {
  await using reading = await startReading({}, { threads: 1 });
  const from = 'From: Anna <anna@example.com>\r\n';
  /** How many of what a mail repeats: as many as a server takes, in short a fortieth of them. */
  const large = (count: number): number => Math.ceil(amount(count / 40, count));
  const MB = 1024 * 1024;
  const bodies: Readonly<Record<string, string | Buffer>> = {
    'line feeds': Buffer.alloc(large(25 * MB), '\n'),
    'carriage returns': Buffer.alloc(large(25 * MB), '\r'),
    'a header of 10 MB': `${from}X: ${'a'.repeat(large(10 * MB))}\r\n\r\nHere.`,
    'a million headers': `${from}${'X: y\r\n'.repeat(large(1_000_000))}\r\nHere.`,
    '100,000 recipients': `${from}To: ${'u@x.example,\r\n '.repeat(large(100_000))}\r\n\r\nHere.`,
    '100,000 parts': `${from}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(large(100_000))}`,
    'mails 1,000 deep': `${from}${'Content-Type: message/rfc822\r\n\r\n'.repeat(1_000)}Here.`,
    'elements 400,000 deep': `${from}Content-Type: text/html\r\n\r\n${'<div>'.repeat(large(400_000))}`,
    'tables 100,000 deep': `${from}Content-Type: text/html\r\n\r\n${'<table><tr><td>'.repeat(large(100_000))}`,
    'half a million elements of size 0': `${from}Content-Type: text/html\r\n\r\n<div style="font-size:0">${'<br>'.repeat(large(500_000))}`,
    'sizes of 0 within each other': `${from}Content-Type: text/html\r\n\r\n${'<div style="font-size:0">x'.repeat(large(2_900))}${'<br>'.repeat(large(400_000))}`,
    'a mark of half a million elements': `${from}Content-Type: text/html\r\n\r\n<p style="mso-list:Ignore">${'<br>'.repeat(large(500_000))}`,
    'half a million flowed lines': `${from}Content-Type: text/plain; format=flowed\r\n\r\n${'a \r\n'.repeat(large(500_000))}`,
    '1,000 signatures': `${Array.from({ length: 1_000 }, (_, n) => `DKIM-Signature: v=1; a=rsa-sha256; d=x${n}.example; s=s; l=${n}; h=from; bh=aa; b=aa\r\n`).join('')}${from}\r\n${'Here.\r\n'.repeat(large(100_000))}`,
    'a name of 400 KB': `${from}Content-Type: image/png; name="${'../a'.repeat(large(100_000))}"\r\nContent-Disposition: attachment\r\n\r\nx`,
    'a file of 18 MB': `${from}Content-Type: application/zip\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUFB'.repeat(19)}\r\n`.repeat(large(320_000))}`,
  };
  for (const [name, raw] of Object.entries(bodies)) {
    const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const mail = await reading.read(bytes).catch((error: unknown) => assert.fail(`${name}: ${error}`));
    assert.equal(mail.authentication.verified, false, name);
  }
  assert.equal((await reading.read(`${from}\nHere.\n`)).body, 'Here.');
});

test('a mail beyond what may wait is refused until others are read', async () => {
  await using reading = await startReading({}, { max_bytes: 1_000, trusted: ['192.0.2.0/24'] });
  const mail = `From: Anna <anna@example.com>\n\n${'word '.repeat(150)}`;
  const first = reading.read(mail);
  await assert.rejects(reading.read(mail), (error) => error instanceof PoolError && error.reason === 'full');
  assert.equal((await first).from?.address, 'anna@example.com');
  assert.equal((await reading.read(mail)).from?.address, 'anna@example.com');
});

test('a mail that is no longer wanted is not read, and closing refuses what waits', async () => {
  await using reading = await startReading({}, { trusted: ['192.0.2.0/24'] });
  const source = { ip: '192.0.2.1', helo: '', from: '' };
  const bytes = () => new Uint8Array(Buffer.from('From: a@x.example\r\n\r\nHere.'));
  const abort = AbortSignal.abort(new Error('gone'));
  await assert.rejects(reading.reader.read({ ...source, raw: bytes() }, abort), /gone/);
  const waiting = reading.reader.read({ ...source, raw: bytes() });
  const ended = assert.rejects(waiting, (error) => error instanceof PoolError && error.reason === 'closed');
  await reading.reader[Symbol.asyncDispose]();
  await ended;
});

test('bytes that are a part of a larger buffer are copied, and the others stay', async () => {
  await using reading = await startReading({}, { trusted: ['192.0.2.0/24'] });
  const whole = new Uint8Array(Buffer.from('From: a@x.example\r\n\r\nHere.AND MORE'));
  const raw = whole.subarray(0, whole.length - 'AND MORE'.length);
  const { length } = whole;
  const mail = await reading.reader.read({ raw, ip: '192.0.2.1', helo: '', from: 'a@x.example' });
  assert.deepEqual([mail.body, whole.length], ['Here.', length]);
});
