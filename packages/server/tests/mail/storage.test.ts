import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { unique } from '../../../../tests/harness/client.ts';
import { type Inside, startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';

const KiB = 1024;
const WAIT_MS = 30_000;
const FULL = /^452 4\.2\.2 There is no room left/;

/** A mail with a file of this many bytes that is like no other. */
const mailWith = (from: string, to: string, bytes: number): string =>
  mailText(
    {
      From: from,
      To: to,
      Subject: 'A file',
      'Message-ID': `<${unique()}@example.com>`,
      'MIME-Version': '1.0',
      'Content-Type': 'application/octet-stream; name=file.bin',
      'Content-Transfer-Encoding': 'base64',
    },
    (
      randomBytes(bytes)
        .toString('base64')
        .match(/.{1,76}/g) ?? []
    ).join('\n'),
  );

/** What a mail of a stranger with a file of 100 KiB is answered. */
const sender =
  (service: Inside) =>
  (to: string, network = '127.0.0.7', from = `${unique('eve')}@${unique('evil')}.example`): Promise<string> =>
    sendMail(service.smtp?.port ?? 0, { from, to: [to], text: mailWith(from, to, 100 * KiB) }, network);

/** How many of them are taken, until one is not. */
async function fill(send: () => Promise<string>): Promise<number> {
  for (let taken = 0; taken < 50; taken++) {
    const reply = await send();
    if (FULL.test(reply)) return taken;
    assert.match(reply, /^250/);
  }
  return assert.fail('It is never full.');
}

const inside = await startInside({
  env: {
    RAW_DAYS: '0',
    SMTP_LISTEN: '127.0.0.1:0',
    LIMIT_STORAGE: String(4_000 * KiB),
    LIMIT_STORAGE_UNCLAIMED: String(1_000 * KiB),
    LIMIT_STORAGE_NETWORK: String(1_500 * KiB),
  },
});
const { client } = inside;
const send = sender(inside);

test('what strangers send by mail fills half of a namespace, and of those of a network, so that each owner can write', async () => {
  const [home, other] = [await client.newNamespace(), await client.newNamespace()];
  const [box, second] = [await client.newMailbox(home), await client.newMailbox(other)];
  const taken = await fill(() => send(box.address));
  assert.equal(taken, 4, '4 of 102 KiB fit into 500 KiB');
  const ofSecond = await fill(() => send(second.address));
  assert.equal(ofSecond, 3, '7 of 102 KiB fit into 750 KiB');
  for (const [{ key }, { address }] of [
    [home, box],
    [other, second],
  ] as const) {
    const sent = await client.send(key, { to: address, body: 'x'.repeat(60 * KiB), sync: true });
    assert.equal(sent.status, 200, sent.text);
  }
  const { items } = (await client.api<Page<Envelope>>('GET', `/mailboxes/${box.address}/messages`, { key: home.key }))
    .body;
  const mail = items.find(({ channel }) => channel === 'smtp');
  assert.equal((await client.api('DELETE', `/mail/messages/${mail?.id}`, { key: home.key })).status, 204);
  // Its files are removed, and the totals are read, after that.
  await until(
    WAIT_MS,
    () => send(box.address),
    (reply) => reply.startsWith('250'),
  );
  assert.match(await send(box.address), FULL);
});

test('one network or proven domain fills half of what strangers may in a namespace, so that it stops no mail of others', async () => {
  const env = { SMTP_LISTEN: '127.0.0.1:0', LIMIT_STORAGE_UNCLAIMED: String(1_000 * KiB) };
  const ways = [
    [{}, 'eve@evil.example', '127.0.0.7'],
    [UNPROVEN, undefined, '127.0.0.8'],
  ] as const;
  for (const [more, from, elsewhere] of everyNth(ways, 2, 1)) {
    const service = await startInside({ env: { ...env, ...more } });
    const home = await service.client.newNamespace();
    const [box, second] = [await service.client.newMailbox(home), await service.client.newMailbox(home)];
    const other = await service.client.newMailbox(await service.client.newNamespace());
    const mail = sender(service);
    assert.equal(await fill(() => mail(box.address, '127.0.0.7', from)), 2, '2 of 102 KiB fit into 250 KiB');
    assert.match(await mail(second.address, '127.0.0.7', from), FULL);
    assert.match(await mail(box.address, elsewhere), /^250/);
    assert.match(await mail(other.address, '127.0.0.7', from), /^250/);
    service.pass(DAY);
    assert.match(await mail(box.address, '127.0.0.7', from), /^250/);
  }
});

/** No domain is proven. */
const UNPROVEN = { SMTP_TRUSTED: 'none', DNS_SERVERS: '127.0.0.1:9' };

test('the bytes of mails count for the network and for the proven domain that sends them, and begin again the next day', async () => {
  const env = { SMTP_LISTEN: '127.0.0.1:0', LIMIT_MAIL_STORAGE: String(350 * KiB) };
  const ways = [
    [{}, ['127.0.0.8', 'eve@evil.example'], ['127.0.0.7', 'ada@good.example']],
    [UNPROVEN, ['127.0.0.7', 'ada@good.example'], ['127.0.0.8', 'eve@evil.example']],
  ] as const;
  for (const [more, again, elsewhere] of everyNth(ways, 2)) {
    const service = await startInside({ env: { ...env, ...more } });
    const home = await service.client.newNamespace();
    const { address } = await service.client.newMailbox(home);
    const mail = sender(service);
    assert.equal(await fill(() => mail(address, '127.0.0.7', 'eve@evil.example')), 3);
    assert.match(await mail(address, ...again), FULL);
    assert.match(await mail(address, ...elsewhere), /^250/);
    service.pass(DAY);
    assert.match(await mail(address, ...again), /^250/);
  }
});
