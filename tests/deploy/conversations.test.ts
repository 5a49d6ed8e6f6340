// Other programs: Postfix, Exim, OpenDKIM, swaks, msmtp, Python, NeoMutt.
// Conversations of people who use programs of others, and addresses here, through mail servers of others.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KEY, PRIVATE_KEY } from '../../packages/server/tests/mail/reading/signing.ts';
import { chance } from '../harness/chance.ts';
import { type Home, unique } from '../harness/client.ts';
import { startDns } from '../harness/dns.ts';
import { type Inside, startInside } from '../harness/inside.ts';
import { lacks } from '../harness/install.ts';
import { freePort } from '../harness/postgres.ts';
import { newFolder, removeFolder, run } from '../harness/service.ts';
import { startSmtp } from '../harness/smtp.ts';
import { until } from '../harness/until.ts';
import type { Envelope } from '../harness/wire.ts';
import { amount } from '../soak/length.ts';
import { eximFiles, startExim } from './exim.ts';
import { PROGRAMS } from './people.ts';
import { MASTER, startPostfix } from './postfix.ts';

const CONVERSATIONS = amount(6, 150);
const WAIT_MS = 60_000;
const MAIL_DOMAIN = 'mail.example.test';
/** What the addresses answer by themselves. */
const ANSWER = 'I write programs.';

const missing =
  lacks('swaks', 'swaks', 'libnet-ssleay-perl') ||
  lacks('msmtp') ||
  lacks('python3') ||
  lacks('neomutt') ||
  lacks('script', 'bsdutils') ||
  lacks('openssl');
const withoutPostfix =
  missing ||
  lacks('postfix') ||
  lacks('opendkim') ||
  (!existsSync(MASTER) && 'needs the Postfix of Debian') ||
  (process.getuid?.() !== 0 && 'needs root, as which Postfix starts');

/** A mail that reached a person. */
interface Received {
  readonly to: string;
  readonly raw: string;
}

/** A mail server between people and a service. */
interface Between {
  readonly port: number;
  readonly inside: Inside;
  received(): readonly Received[];
  queued(): number;
}

const folder = newFolder();
after(() => removeFolder(folder));

async function throughPostfix(): Promise<Between> {
  const [port, lmtp, milter] = [await freePort(), await freePort(), await freePort()];
  const dns = await startDns({
    's._domainkey.author.example': KEY,
    '_dmarc.author.example': { TXT: ['v=DMARC1; p=reject'] },
  });
  const sink = await startSmtp();
  const [key, config] = [join(folder, 'key.pem'), join(folder, 'opendkim.conf')];
  writeFileSync(key, PRIVATE_KEY, { mode: 0o600 });
  writeFileSync(
    config,
    `Mode s\nDomain author.example\nSelector s\nKeyFile ${key}\nSocket inet:${milter}@127.0.0.1\nInternalHosts 127.0.0.1\nRequireSafeKeys no\nSyslog no\nCanonicalization relaxed/relaxed\nOversignHeaders From\n`,
  );
  const signing = run('opendkim', ['-f', '-x', config]);
  const inside = await startInside({
    env: {
      MAIL_DOMAIN,
      SMTP_LISTEN: `127.0.0.1:${lmtp}`,
      SMTP_PROTOCOL: 'lmtp',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      DNS_SERVERS: dns.address,
      LIMIT_MAILS_PER_DAY: '100000',
    },
  });
  const postfix = await startPostfix({ port, mail_domain: MAIL_DOMAIN, lmtp, outside: sink.port, milter });
  after(async () => {
    await postfix[Symbol.asyncDispose]();
    await inside.stop();
    signing.child.kill('SIGTERM');
    await signing.exited;
    for (const one of [sink, dns]) await one[Symbol.asyncDispose]();
  });
  return {
    port,
    inside,
    queued: () => postfix.queued(),
    received: () => sink.arrived.flatMap(({ to, raw }) => to.map((one) => ({ to: one, raw }))),
  };
}

async function throughExim(files: NonNullable<ReturnType<typeof eximFiles>>): Promise<Between> {
  const [port, mail] = [await freePort(), await freePort()];
  const inside = await startInside({
    env: {
      MAIL_DOMAIN,
      SMTP_LISTEN: `127.0.0.1:${mail}`,
      SMTP_TRUSTED: '127.0.0.0/8',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      LIMIT_MAILS_PER_DAY: '100000',
    },
  });
  const exim = await startExim(files, { port, mail_domain: MAIL_DOMAIN, service: { port: mail, protocol: 'smtp' } });
  after(async () => {
    await exim[Symbol.asyncDispose]();
    await inside.stop();
    files[Symbol.dispose]();
  });
  return {
    port,
    inside,
    queued: () => exim.queued(),
    received: () => exim.filed().map((raw) => ({ to: /^Envelope-to: (.+)$/im.exec(raw)?.[1]?.trim() ?? '', raw })),
  };
}

interface Here {
  readonly address: string;
  readonly home: Home;
}

/** Conversations through one mail server, each mail checked as it arrives. */
class Conversations {
  readonly #between: Between;
  readonly #random: () => number;
  readonly #boxes: readonly Here[];
  /** How many automatic answers each address has given each person. */
  readonly #answers = new Map<string, number>();
  /** Mails that people were to receive in all. */
  expected = 0;

  constructor(between: Between, boxes: readonly Here[], seed: number) {
    this.#between = between;
    this.#boxes = boxes;
    this.#random = chance(seed);
  }

  #below(max: number): number {
    return Math.floor(this.#random() * max);
  }

  #shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, at: this.#random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
  }

  /** The mails by this author with this word, once there are that many. */
  async #arrived(token: string, from: string, count: number): Promise<readonly Received[]> {
    const look = async () =>
      this.#between
        .received()
        .filter(({ raw }) => raw.includes(token) && new RegExp(`^From:.*${from}`, 'im').test(raw));
    return (await until(WAIT_MS, look, (some) => some.length >= count)).seen;
  }

  async #copies({ address, home }: Here, token: string): Promise<readonly Envelope[]> {
    const { client } = this.#between.inside;
    const all = await client.all<Envelope>(`/mailboxes/${address}/messages?query=${token}`, home.key);
    return all.filter(({ body }) => body.includes(token));
  }

  async run(nr: number): Promise<void> {
    const size = 3 + this.#below(6);
    const here = this.#shuffled(this.#boxes).slice(0, 1 + this.#below(Math.min(size - 1, this.#boxes.length)));
    const people = Array.from({ length: size - here.length }, () => `${unique('ann')}@author.example`);
    const all = [...here.map(({ address }) => address), ...people];
    const programs = this.#shuffled(Object.keys(PROGRAMS));
    // What each person received last, by which that person answers to all.
    let last: readonly Received[] = [];
    for (let turn = 0; turn < 3 + this.#below(2); turn++) {
      const token = unique('word').replaceAll('-', '');
      const readers = people.filter((one) => last.some(({ to }) => to === one));
      const writer = turn === 0 || readers.length > 0 ? this.#shuffled(turn === 0 ? people : readers)[0] : undefined;
      const byHand = turn === 2 || writer === undefined;
      const authorBox = here[this.#below(here.length)] as Here;
      const author = byHand ? authorBox.address : (writer as string);
      const others = all.filter((one) => one !== author);
      const shuffled = this.#shuffled(others);
      const split = 1 + this.#below(others.length);
      const program = programs[turn % programs.length] as string;
      const story = `conversation ${nr}.${turn}: ${author} by ${byHand ? 'API' : program} to ${others}`;
      let to = shuffled.slice(0, split);
      const answers = last.find((one) => one.to === author)?.raw;
      if (byHand) to = await this.#answerAll(authorBox, others, token, story);
      else {
        if (answers !== undefined) to = await this.#namedIn(answers, author, all);
        const cc = others.filter((one) => !to.includes(one));
        const send = PROGRAMS[program] ?? assert.fail(program);
        await send(this.#between.port, folder, {
          ...{ from: author, to, cc, body: token },
          ...(answers !== undefined && { answers }),
        });
      }
      const mails = people.filter((one) => one !== author);
      this.expected += mails.length;
      last = await this.#arrived(token, author, mails.length);
      assert.deepEqual(last.map((one) => one.to).sort(), mails.toSorted(), story);
      await this.#filed(here, { author, token, to, byHand }, story);
    }
  }

  /** A mailbox answers everyone of the newest message it has; who is in To. */
  async #answerAll(own: Here, others: readonly string[], token: string, story: string): Promise<string[]> {
    const { client } = this.#between.inside;
    const [newest] = await client.all<Envelope>(`/mailboxes/${own.address}/messages`, own.home.key);
    const sent = await client.send(own.home.key, {
      ...{ from: own.address, body: token, in_reply_to: newest?.id, reply_all: true },
    });
    assert.ok(sent.status < 300, `${story}: ${sent.text}`);
    const { recipients, to } = sent.body;
    const named = recipients ?? { to: [to as string], cc: [] };
    assert.deepEqual([...named.to, ...named.cc].sort(), others.toSorted(), story);
    return [...named.to];
  }

  /** Whom an answer to all names in To: the author of the mail that came. */
  async #namedIn(raw: string, own: string, all: readonly string[]): Promise<string[]> {
    const [, from = ''] = /^From:.*?([\w.+-]+@[\w.-]+)/im.exec(raw) ?? [];
    assert.ok(all.includes(from) && from !== own, raw.slice(0, 1_000));
    return [from];
  }

  /** Each address here has one copy, those in To answered a person once, and those in Cc did not. */
  async #filed(
    here: readonly Here[],
    { author, token, to, byHand }: { author: string; token: string; to: readonly string[]; byHand: boolean },
    story: string,
  ): Promise<void> {
    for (const box of this.#boxes) {
      const isIn = here.includes(box) && box.address !== author;
      const { seen } = await until(
        WAIT_MS,
        () => this.#copies(box, token),
        (some) => !isIn || some.some(({ status }) => status === 'completed'),
      );
      assert.equal(seen.length, isIn ? 1 : 0, `${story}: ${box.address}`);
      if (!isIn) continue;
      const acts = to.includes(box.address);
      assert.equal(seen[0]?.replies_count, acts ? 1 : 0, `${story}: ${box.address} ${JSON.stringify(seen[0])}`);
      if (!acts || byHand) continue;
      this.expected += 1;
      const between = `${box.address} ${author}`;
      const answers = (this.#answers.get(between) ?? 0) + 1;
      this.#answers.set(between, answers);
      const look = async () =>
        this.#between
          .received()
          .filter(({ to: person, raw }) => person === author && new RegExp(`^From:.*${box.address}`, 'im').test(raw))
          .filter(({ raw }) => raw.includes(ANSWER));
      const answered = await until(WAIT_MS, look, (some) => some.length >= answers);
      assert.equal(answered.seen.length, answers, `${story}: the answers of ${box.address}`);
    }
  }
}

async function converse(between: Between): Promise<void> {
  const { inside } = between;
  const homes: Home[] = [];
  for (let nr = 0; nr < 2; nr++) {
    const home = await inside.client.newNamespace();
    await inside.store.namespaces.claim(home.id, inside.now());
    homes.push(home);
  }
  const boxes: Here[] = [];
  for (let nr = 0; nr < 7; nr++) {
    const home = homes[nr % 2] as Home;
    boxes.push({ address: (await inside.client.newMailbox(home)).address, home });
  }
  const conversations = new Conversations(between, boxes, 37);
  for (let nr = 0; nr < CONVERSATIONS; nr++) await conversations.run(nr);
  await until(
    WAIT_MS,
    async () => between.queued(),
    (count) => count === 0,
  );
  assert.equal(between.received().length, conversations.expected, 'mails that people received in all');
}

test(
  `in ${CONVERSATIONS} conversations through Postfix none is dropped, added, or answered twice`,
  {
    skip: withoutPostfix,
  },
  async () => converse(await throughPostfix()),
);

const exim = missing === false ? eximFiles() : undefined;
test(`in ${CONVERSATIONS} conversations through Exim none is dropped, added, or answered twice`, {
  skip: missing || (exim === undefined && 'needs root, unshare, apt-get and the packages of Exim'),
}, async () => {
  if (exim !== undefined) await converse(await throughExim(exim));
});
