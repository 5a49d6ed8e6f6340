import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startDns, type Zone } from '../../../../tests/harness/dns.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { dkimRecord } from '../../mail/writing/dkim.ts';
import { dkimKeys, retireDkimKeys, rotateDkimKeys } from '../../mail/writing/dkim-keys.ts';

const WAIT_MS = 60_000;
const MAIL_DOMAIN = 'mail.test';
const TEN_MINUTES = 600_000;

const [dns, sink] = [await startDns(), await startSmtp()];
const inside = await startInside({
  env: {
    MAIL_DOMAIN,
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TRUSTED: '127.0.0.0/8',
    SMTP_URL: sink.url,
    DNS_SERVERS: dns.address,
  },
});
after(async () => {
  for (const one of [dns, sink]) await one[Symbol.asyncDispose]();
});
const { address } = await inside.client.newMailbox(await inside.client.newNamespace());

/** The selectors in the signatures of an answer that leaves now. */
async function selectors(): Promise<readonly string[]> {
  const from = `${unique('ada')}@example.com`;
  const text = mailText({ From: from, To: address, Subject: 'Hi' }, 'Who are you?');
  assert.match(await sendMail(inside.smtp?.port ?? 0, { from, to: [address], text }), /^250 /);
  const { seen } = await until(
    WAIT_MS,
    async () => sink.arrived.find(({ to }) => to[0] === from),
    (found) => found !== undefined,
  );
  return [...(seen?.raw ?? '').matchAll(/\bs=([\w-]+);/g)].map(([, selector = '']) => selector).sort();
}
const publish = async (which: (selector: string) => boolean): Promise<void> => {
  const records = (await dkimKeys(inside.store.secrets)).flat().filter(({ selector }) => which(selector));
  dns.zone = Object.fromEntries(
    records.map(dkimRecord).map(({ name, value }) => [`${name}.${MAIL_DOMAIN}`, { TXT: [value] }]),
  ) satisfies Zone;
};
const FIRST = ['mailroom-ed25519', 'mailroom-rsa'];
const SECOND = ['mailroom-ed25519-2', 'mailroom-rsa-2'];

test('new keys sign once DNS has both of their records, and the old ones until then and without DNS', async () => {
  assert.deepEqual(await selectors(), FIRST);
  await rotateDkimKeys(inside.store.secrets);
  const listed = (await dkimKeys(inside.store.secrets)).map((keys) => keys.map(({ selector }) => selector).sort());
  assert.deepEqual(listed, [SECOND, FIRST], 'both are to be published');
  await publish((selector) => FIRST.includes(selector));
  inside.pass(TEN_MINUTES);
  assert.deepEqual(await selectors(), FIRST);
  await publish((selector) => selector !== 'mailroom-ed25519-2');
  inside.pass(TEN_MINUTES);
  assert.deepEqual(await selectors(), FIRST, 'one of two is not enough');
  await publish(() => true);
  inside.pass(TEN_MINUTES);
  assert.deepEqual(await selectors(), SECOND);
  const logged = inside.lines.filter((line) => line.includes('mail is signed with other keys'));
  assert.deepEqual(
    logged.map((line) => (JSON.parse(line) as { readonly selectors: readonly string[] }).selectors.toSorted()),
    [SECOND],
  );
  dns.zone = { [MAIL_DOMAIN]: 'SERVFAIL' };
  inside.pass(TEN_MINUTES);
  assert.deepEqual(await selectors(), FIRST, 'those are in DNS for certain');
  await publish(() => true);
  await inside.restart();
  assert.deepEqual(await selectors(), SECOND);
});

test('retired keys are gone, the newest sign without DNS, and the next have another number', async () => {
  const { secrets } = inside.store;
  assert.deepEqual([...(await retireDkimKeys(secrets))].sort(), FIRST);
  dns.zone = {};
  inside.pass(TEN_MINUTES);
  assert.deepEqual(await selectors(), SECOND);
  assert.deepEqual(await retireDkimKeys(secrets), []);
  await rotateDkimKeys(secrets);
  assert.deepEqual(
    (await dkimKeys(secrets)).flat().map(({ selector }) => selector),
    ['mailroom-rsa-3', 'mailroom-ed25519-3', 'mailroom-rsa-2', 'mailroom-ed25519-2'],
  );
});
