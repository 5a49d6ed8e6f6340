import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { chance } from '../../../../tests/harness/chance.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { type Arrived, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { KEY, namesOf, signed } from './reading/signing.ts';

const CONVERSATIONS = amount(4, 300);
const dns = await startDns({
  's._domainkey.example.com': KEY,
  'example.com': { TXT: ['v=spf1 -all'] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] },
});
const sink = await startSmtp();
after(async () => {
  await dns[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});
const inside = await startInside({
  env: {
    SMTP_LISTEN: '127.0.0.1:0',
    SMTP_TRUSTED: 'none',
    SMTP_URL: sink.url,
    DNS_SERVERS: dns.address,
    LIMIT_MAILS_PER_DAY: '100000',
  },
});
const { client, store } = inside;
const port = inside.smtp?.port ?? 0;

interface Here {
  readonly address: string;
  readonly home: Home;
}

async function claimed(): Promise<Home> {
  const home = await client.newNamespace();
  await store.namespaces.claim(home.id, inside.now());
  return home;
}

const person = (): string => `${unique('ann')}@example.com`;
const arrivedWith = (token: string): readonly Arrived[] =>
  sink.arrived.filter(({ raw }) => String(raw).includes(token));
const has = async ({ address, home }: Here, token: string): Promise<readonly Envelope[]> =>
  (await client.all<Envelope>(`/mailboxes/${address}/messages?query=${token}`, home.key)).filter(({ body }) =>
    body.includes(token),
  );

/** A signed mail, or one that only says who wrote it. */
function mailOf(fields: Readonly<Record<string, string>>, body: string, proven = true): string {
  const text = mailText({ Subject: 'Plans', Date: new Date().toUTCString(), ...fields }, body);
  return proven ? signed(text, { names: namesOf(text), domain: 'example.com' }) : text;
}

test(`in ${CONVERSATIONS} conversations of three to eight none is dropped, added, or answered twice`, async () => {
  const homes = [await claimed(), await claimed()];
  const boxes: Here[] = [];
  for (let at = 0; at < 8; at++) {
    const home = homes[at % 2] as Home;
    boxes.push({ address: (await client.newMailbox(home)).address, home });
  }
  const random = chance(37);
  const below = (max: number): number => Math.floor(random() * max);
  const shuffled = <T>(all: readonly T[]): T[] =>
    all
      .map((one) => ({ one, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  let expected = 0;
  for (let nr = 0; nr < CONVERSATIONS; nr++) {
    const size = 3 + below(6);
    const here = shuffled(boxes).slice(0, 1 + below(size - 1));
    const outside = Array.from({ length: size - here.length }, person);
    const all = [...here.map(({ address }) => address), ...outside];
    let last: { readonly token: string; readonly rfc: string } | undefined;
    for (let turn = 0; turn < 2 + below(3); turn++) {
      const token = unique('word').replaceAll('-', '');
      const author = all[below(all.length)] as string;
      const ownBox = here.find(({ address }) => address === author);
      const others = shuffled(all.filter((one) => one !== author));
      const split = 1 + below(others.length);
      let [to, cc] = [others.slice(0, split), others.slice(split)];
      const story = `${nr}.${turn} ${token}: ${author} to ${to} cc ${cc}`;
      if (ownBox === undefined) {
        const rcpt = here.map(({ address }) => address);
        const rfc = `<${unique()}@example.com>`;
        const fields = {
          From: author,
          To: to.join(', '),
          ...(cc.length > 0 && { Cc: cc.join(', ') }),
          'Message-ID': rfc,
        };
        const text = mailOf({ ...fields, ...(last && { 'In-Reply-To': last.rfc, References: last.rfc }) }, token);
        assert.match(await sendMail(port, { from: author, to: rcpt, text }), /^250 /, story);
        last = { token, rfc };
      } else {
        const mine = last === undefined ? undefined : await messageWith(ownBox, last.token);
        const sent = await client.send(ownBox.home.key, {
          from: author,
          body: token,
          sync: false,
          ...(mine === undefined ? { to, cc } : { in_reply_to: mine.id, reply_all: true }),
        });
        assert.ok(sent.status === 202 || sent.status === 200, `${story}: ${sent.text}`);
        const { recipients, to: only } = sent.body;
        [to, cc] = [recipients?.to ?? [only as string], recipients?.cc ?? []];
        assert.deepEqual([...to, ...cc].sort(), others.toSorted(), story);
        const mails = outside.length;
        expected += mails;
        const seen = await until(
          60_000,
          async () => arrivedWith(token),
          (some) => some.length >= mails,
        );
        assert.deepEqual(seen.seen.flatMap((one) => one.to).sort(), outside.toSorted(), story);
        last = { token, rfc: seen.seen[0]?.mail.messageId ?? last?.rfc ?? '' };
      }
      const acting = here.filter(({ address }) => address !== author && to.includes(address));
      if (ownBox === undefined) {
        // Each address in To answers the author, who is proven, and no other.
        expected += acting.length;
        const answers = async () => sink.arrived.filter(({ mail }) => mail.inReplyTo === last?.rfc);
        const { seen } = await until(60_000, answers, (some) => some.length >= acting.length);
        assert.deepEqual(
          seen.flatMap((one) => one.to),
          acting.map(() => author),
          story,
        );
      }
      // Copies share the thread of their author, and a mail that of its first message in a namespace.
      const threads = new Map<string, string>();
      for (const box of boxes) {
        const isIn = here.includes(box) && box.address !== author;
        const look = () => has(box, token);
        const { seen } = await until(
          60_000,
          look,
          (some) => !isIn || some.some(({ status }) => status === 'completed'),
        );
        assert.equal(seen.length, isIn ? 1 : 0, `${story}: ${box.address}`);
        const [copy] = seen;
        if (copy === undefined) continue;
        assert.equal(copy.replies_count, acting.includes(box) ? 1 : 0, `${story}: ${box.address}`);
        const key = ownBox === undefined ? box.home.id : author;
        threads.set(key, threads.get(key) ?? copy.thread_id);
        assert.equal(copy.thread_id, threads.get(key), story);
      }
    }
  }
  assert.equal(sink.arrived.length, expected, 'mails that left in all');
});

/** The message with this text that an address received or sent. */
const messageWith = async ({ address, home }: Here, token: string): Promise<Envelope | undefined> =>
  (await client.all<Envelope>(`/mailboxes/${address}/messages?direction=all&query=${token}`, home.key)).find(
    ({ body }) => body.includes(token),
  );

test('a forged author, and 49 victims in Cc of a verified stranger, get nothing from an address of an unclaimed namespace', async () => {
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home);
  const arrivedBefore = sink.arrived.length;
  const victims = Array.from({ length: 49 }, person);
  const [stranger, forged] = [person(), person()];
  const head = { To: address, Cc: victims.join(', '), 'Reply-To': victims[0] as string };
  await sendMail(port, {
    from: stranger,
    to: [address],
    text: mailOf({ From: stranger, 'Message-ID': `<${unique()}@example.com>`, ...head }, 'Hello?'),
  });
  await sendMail(port, {
    from: forged,
    to: [address],
    text: mailOf({ From: forged, 'Message-ID': `<${unique()}@example.com>`, ...head }, 'Hello?', false),
  });
  await until(
    60_000,
    () => client.all<Envelope>(`/mailboxes/${address}/messages`, home.key),
    (some) => some.length === 2 && some.every(({ status }) => status === 'completed'),
  );
  await until(
    60_000,
    async () => sink.arrived.length,
    (count) => count > arrivedBefore,
  );
  for (const { id } of await client.all<Envelope>(`/mailboxes/${address}/messages`, home.key)) {
    const refused = await client.api('POST', `/mail/messages/${id}/answer`, {
      key: home.key,
      body: { body: 'To all', reply_all: true },
    });
    assert.ok(refused.status >= 400, refused.text);
  }
  assert.deepEqual(
    sink.arrived.slice(arrivedBefore).flatMap(({ to }) => to),
    [stranger],
  );
});
