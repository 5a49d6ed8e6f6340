import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

/** What left. */
const remaining: string[] = [];
const sink = await startSmtp({
  data({ raw }) {
    remaining.push(raw);
    return undefined;
  },
});
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url } });
const { api, newNamespace, newMailbox, send } = inside.client;
const BY_HAND = { behavior: { name: 'agent', settings: { by_hand: true } } };

const bytes = async (path: string, key: string): Promise<Buffer> =>
  Buffer.from(
    await (await fetch(`${inside.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer(),
  );
const received = async (key: string, address: string) =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key })).body.items;

async function mail(to: string, body: string, subject = 'Über: a/b'): Promise<string> {
  const text = mailText(
    { From: 'ada@example.com', To: to, Subject: subject, 'Message-ID': `<${unique()}@example.com>` },
    body,
  );
  const reply = await sendMail(inside.smtp?.port ?? 0, { from: 'ada@example.com', to: [to], text });
  return /Received as (msg_\w+)/.exec(reply)?.[1] ?? assert.fail(reply);
}

test('a mail is forwarded as an attachment with exactly its bytes', async () => {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home, BY_HAND), await newMailbox(home, BY_HAND)];
  const id = await mail(one.address, 'From here\n\n> old\n');
  const path = `/mail/messages/${id}/forward`;
  const forwarded = await api<Envelope>('POST', path, {
    key: home.key,
    body: { to: two.address, body: 'Look', as: 'attachment' },
  });
  assert.equal(forwarded.status, 202, forwarded.text);
  const [got] = await received(home.key, two.address);
  assert.deepEqual([got?.body, got?.attachments.length], ['Look', 1]);
  const [file] = got?.attachments ?? [];
  assert.deepEqual([file?.filename, file?.content_type], ['Über a b.eml', 'message/rfc822']);
  assert.deepEqual(
    await bytes(`/mail/attachments/${file?.id}`, home.key),
    await bytes(`/mail/messages/${id}/raw`, home.key),
  );
  const silent = await api<Envelope>('POST', path, { key: home.key, body: { to: two.address, as: 'attachment' } });
  assert.equal(silent.body.body, 'The forwarded message is attached.');
  isProblem(
    await api('POST', path, { key: home.key, body: { to: two.address, as: 'attachment', attachments: 'none' } }),
    'validation_error',
  );
  const other = await newNamespace();
  isProblem(
    await api('POST', path, { key: other.key, body: { to: two.address, as: 'attachment' } }),
    'message_not_found',
  );
});

test('a message that was no mail is attached as one, with its files and without its Bcc', async () => {
  const home = await newNamespace();
  const [one, two, hidden] = [
    await newMailbox(home, BY_HAND),
    await newMailbox(home, BY_HAND),
    await newMailbox(home, BY_HAND),
  ];
  const file = { filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('In it').toString('base64') };
  const sent = await send(home.key, {
    from: one.address,
    to: [two.address],
    bcc: [hidden.address],
    subject: 'Figures',
    body: 'Here',
    attachments: [file],
  });
  await api('POST', `/mail/messages/${sent.body.id}/forward`, {
    key: home.key,
    body: { to: two.address, as: 'attachment' },
  });
  const [got] = await received(home.key, two.address);
  const text = (await bytes(`/mail/attachments/${got?.attachments[0]?.id}`, home.key)).toString('latin1');
  assert.match(text, new RegExp(`^X-Mailroom-Id: ${sent.body.id}\r$`, 'm'));
  assert.match(text, /^Subject: Figures\r$/m);
  assert.ok(text.includes(Buffer.from('In it').toString('base64')));
  assert.ok(!text.includes(hidden.address));
});

test('to the outside a message leaves as a part message/rfc822 that needs no encoding, else as a file', async () => {
  const home = await newNamespace();
  await inside.store.namespaces.claim(home.id, inside.now());
  const { address } = await newMailbox(home, BY_HAND);
  for (const [body, type] of [
    [
      'Plain',
      /^Content-Type: message\/rfc822;[\s\S]*?Content-Transfer-Encoding: 7bit\r\n[\s\S]*?^From: ada@example\.com\r$/m,
    ],
    ['Grüße', /^Content-Type: application\/octet-stream;[\s\S]*?Content-Transfer-Encoding: base64\r$/m],
  ] as const) {
    remaining.length = 0;
    const id = await mail(address, body, 'A/b');
    const sent = await api('POST', `/mail/messages/${id}/forward`, {
      key: home.key,
      body: { to: `eve@outside.example`, as: 'attachment' },
    });
    assert.equal(sent.status, 202, sent.text);
    await until(
      10_000,
      async () => remaining.length,
      (count) => count > 0,
    );
    assert.match(remaining[0] ?? '', type);
  }
});
