import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

interface EmailEnvelope extends Envelope {
  readonly not_answered: string | null;
}

const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', RATE_LIMITS: 'on', LIMIT_ANSWERS_PER_HOUR: '3' },
});
const { client, outbox, store } = inside;
const home = await client.newNamespace();
const { address } = await client.newMailbox(home, { behavior: { name: 'hello' } });

/** Sends a mail as a program that marks nothing; gives the message. */
async function received(from: string, to = address, body = 'Who are you?'): Promise<EmailEnvelope> {
  const fields = { From: from, To: to, Subject: 'Hello', 'Message-ID': `<${unique()}@example.com>` };
  const reply = await sendMail(inside.smtp?.port ?? 0, { from, to: [to], text: mailText(fields, body) });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  return (await client.read(home.key, id, '?wait=60')).body as EmailEnvelope;
}

test('an autoresponder that marks nothing stops at the answers to one address in an hour, and others go on', async () => {
  const from = `${unique('robot')}@example.com`;
  const reasons: (string | null)[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { not_answered, reply } = await received(from, address, `Thank you for mail ${round}.`);
    assert.equal(reply === null, not_answered !== null);
    reasons.push(not_answered);
  }
  assert.deepEqual(reasons, [null, null, null, 'too_many', 'too_many']);
  assert.equal((await leftFor(outbox, from, 3)).length, 3);
  const other = `${unique('ada')}@example.com`;
  assert.equal((await received(other)).not_answered, null);
  assert.equal((await received(from, (await client.newMailbox(home)).address)).not_answered, null);
});

test('an address that mail came back from is not answered', async () => {
  const from = `${unique('gone')}@example.com`;
  const found = await store.namespaces.byName(home.name);
  await store.suppressions.add({
    namespace_id: found?.id ?? assert.fail(),
    kind: 'email',
    target: from,
    reason: 'bounced 5.1.1',
    created_at: inside.now(),
  });
  const { not_answered, reply } = await received(from);
  assert.deepEqual([not_answered, reply], ['suppressed', null]);
});

test('a mail that says it is from an address here is not answered', async () => {
  const { not_answered, reply } = await received((await client.newMailbox(home)).address);
  assert.deepEqual([not_answered, reply], ['own', null]);
});

test('a notice of a vacation in a thread is filed in the thread, and not answered', async () => {
  const from = 'anna@gmail.com';
  const question = await received(from);
  const [answer] = await leftFor(outbox, from);
  const sample = readFileSync(join(import.meta.dirname, './samples/auto_submitted/gmail-vacation.eml'), 'utf8');
  const text = sample
    .replace(/^Return-Path:.*\n/, '')
    .replaceAll('<msg_06g0000000000000000a@ns.example.net>', answer?.messageId ?? '')
    .replaceAll('hello@ns.example.net', address)
    .replaceAll('\n', '\r\n');
  const reply = await sendMail(inside.smtp?.port ?? 0, { from: '', to: [address], text });
  const id = /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply);
  const notice = (await client.read(home.key, id)).body as EmailEnvelope;
  assert.deepEqual(
    [notice.thread_id, notice.not_answered, notice.status, notice.reply],
    [question.thread_id, 'auto_submitted', 'completed', null],
  );
  assert.equal((await leftFor(outbox, from)).length, 1);
});
