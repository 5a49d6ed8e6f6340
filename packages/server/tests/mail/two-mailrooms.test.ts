import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { type Inside, startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

interface EmailEnvelope extends Envelope {
  readonly not_answered: string | null;
}

const WAIT_MS = 60_000;

/** Forwards to a port that is known later, since each of two services needs the other's before it starts. */
async function forwarder() {
  let port = 0;
  const server = createServer((socket) => {
    const other = connect(port, '127.0.0.1');
    for (const one of [socket, other]) one.on('error', () => [socket, other].map((each) => each.destroy()));
    socket.pipe(other).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (target: Inside) => {
      port = target.smtp?.port ?? assert.fail('It receives no mail.');
    },
  };
}

const [toOne, toTwo] = [await forwarder(), await forwarder()];
const room = (domain: string, relay: string): Promise<Inside> =>
  startInside({
    env: { SMTP_LISTEN: '127.0.0.1:0', MAIL_DOMAIN: domain, SMTP_TRUSTED: '127.0.0.0/8', SMTP_URL: relay },
  });
const [one, two] = [await room('one.example', toTwo.url), await room('two.example', toOne.url)];
toOne.to(one);
toTwo.to(two);

async function mailbox({ client }: Inside, behavior: string) {
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home, { behavior: { name: behavior } });
  const received = async (): Promise<readonly EmailEnvelope[]> =>
    (await client.api<Page<EmailEnvelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
  return { address, received };
}

for (const behavior of ['hello', 'proofread'])
  test(`two Mailrooms of which two addresses write to each other stop after one answer: ${behavior}`, async () => {
    const [here, there] = [await mailbox(one, behavior), await mailbox(two, behavior)];
    const text = mailText(
      { From: there.address, To: here.address, Subject: 'Hello', 'Message-ID': `<${unique()}@two.example>` },
      'She have two cat.',
    );
    const reply = await sendMail(one.smtp?.port ?? 0, { from: there.address, to: [here.address], text });
    assert.match(reply, /^250 /);
    const { seen } = await until(WAIT_MS, there.received, ([item]) => typeof item?.not_answered === 'string');
    const asked = await here.received();
    assert.deepEqual(
      asked.map(({ not_answered, status }) => [not_answered, status]),
      [[null, 'completed']],
    );
    assert.deepEqual(
      seen.map(({ not_answered, status, reply }) => [not_answered, status, reply]),
      [['auto_submitted', 'completed', null]],
    );
    // Nothing waits that could continue it.
    for (const { store } of [one, two]) {
      await until(
        WAIT_MS,
        () => store.deliveries.waiting(),
        ({ length }) => length === 0,
      );
      assert.deepEqual(await store.emails.owed('', 10), []);
    }
    assert.deepEqual([(await here.received()).length, (await there.received()).length], [1, 1]);
  });
