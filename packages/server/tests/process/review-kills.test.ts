import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Client, connect, type Home, unique } from '../../../../tests/harness/client.ts';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { type Arrived, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount, LONG_ONLY } from '../../../../tests/soak/length.ts';

// Long form of: failpoint.test.ts, ../web/approved-nodes.test.ts.

// A process that is killed between a request, its decision and its delivery lets nothing leave that was not approved,
// nothing twice and nothing changed, and loses nothing.

const KILLS = amount(2, 100);
const PATIENCE_MS = 120_000;
const MAX_UNDECIDED = 10;

interface Review {
  readonly id: string;
  readonly hash: string;
  readonly status: string;
  readonly message_id: string;
  readonly message: { readonly body: string; readonly to: string[] | null };
}

/** Writes messages and decides on them without end, by whatever client is alive. */
class Traffic {
  /** The text of each message that was acknowledged, by its id. */
  readonly written = new Map<string, string>();
  /** The decisions that were begun, and those that were acknowledged, by the text. */
  readonly begun = new Map<string, 'approve' | 'reject'>();
  readonly decided = new Map<string, 'approve' | 'reject'>();
  over = false;
  readonly #client: () => Client;
  readonly #home: Home;
  readonly #from: string;
  readonly #here: string;
  readonly #reviewer: string;

  constructor(client: () => Client, home: Home, boxes: { from: string; here: string; reviewer: string }) {
    this.#client = client;
    this.#home = home;
    this.#from = boxes.from;
    this.#here = boxes.here;
    this.#reviewer = boxes.reviewer;
  }

  run(): Promise<unknown> {
    return Promise.all([this.#repeat(() => this.#write()), this.#repeat(() => this.#decide())]);
  }

  async #repeat(act: () => Promise<void>): Promise<void> {
    while (!this.over) await act().catch(() => pause(20));
  }

  async #write(): Promise<void> {
    // What is written faster than it is decided is only waited for at the end.
    if (this.written.size - this.begun.size > MAX_UNDECIDED) return pause(20);
    const body = unique('kill');
    const fields = { from: this.#from, to: [`${body}@far.example`, this.#here], body };
    const headers = { 'idempotency-key': body };
    for (let tries = 0; tries < 200; tries++) {
      const sent = await this.#client()
        .send(this.#home.key, fields, headers)
        .catch(() => undefined);
      if (sent !== undefined && sent.status < 300) {
        this.written.set(sent.body.id, body);
        return;
      }
      await pause(25);
    }
    assert.fail(`${body} was never taken`);
  }

  async #decide(): Promise<void> {
    const page = await this.#client().api<{ items: Review[] }>('GET', '/mail/reviews?status=pending', {
      key: this.#reviewer,
    });
    for (const review of page.body.items.toReversed()) {
      const { body } = review.message;
      const decision = this.begun.get(body) ?? (randomInt(4) === 0 ? 'reject' : 'approve');
      this.begun.set(body, decision);
      const given = await this.#client().api('POST', `/mail/reviews/${review.id}/${decision}`, {
        key: this.#reviewer,
        body: decision === 'approve' ? { hash: review.hash } : {},
      });
      if (given.status === 200) this.decided.set(body, decision);
    }
    await pause(randomInt(30));
  }

  /** Decides what is left, and sees that each message was dealt with as it was decided. */
  async ends(arrived: readonly Arrived[], received: () => Promise<readonly Envelope[]>): Promise<void> {
    this.over = false;
    const client = this.#client();
    const pending = async () =>
      (await client.api<{ items: Review[] }>('GET', '/mail/reviews?status=pending', { key: this.#reviewer })).body
        .items;
    while ((await pending()).length > 0) await this.#decide();
    const approved = [...this.begun].filter(([, decision]) => decision === 'approve').map(([body]) => body);
    const mailed = () => arrived.map(({ mail }) => (mail.text ?? '').split(/\s/)[0] ?? '');
    const missing = async () => approved.filter((body) => !mailed().includes(body));
    await until(PATIENCE_MS, missing, (left) => left.length === 0).catch(async () =>
      assert.deepEqual(await missing(), [], 'approved, and never left'),
    );
    const rows = async () => (await received()).map(({ body }) => body);
    const unreceived = async () => {
      const here = await rows();
      return approved.filter((body) => !here.includes(body));
    };
    await until(PATIENCE_MS, unreceived, (left) => left.length === 0).catch(async () =>
      assert.deepEqual(await unreceived(), [], 'approved, and never received here'),
    );
    const here = await rows();
    assert.deepEqual(here.toSorted(), [...new Set(here)].toSorted(), 'received twice');
    // A mail whose server was not heard may be handed over again, as the same mail (RFC 5321, section 4.5.4.1).
    const ids = new Map(arrived.map(({ mail }) => [(mail.text ?? '').split(/\s/)[0] ?? '', new Set<string>()]));
    for (const { mail } of arrived) ids.get((mail.text ?? '').split(/\s/)[0] ?? '')?.add(mail.messageId ?? '');
    for (const [body, of] of ids) assert.equal(of.size, 1, `${body} left as several mails`);
    for (const body of [...ids.keys(), ...here])
      assert.equal(this.begun.get(body), 'approve', `${body} left without its approval`);
    for (const [id, body] of this.written) {
      const { status, waiting_for, error } = (await client.read(this.#home.key, id)).body;
      const wanted = this.begun.get(body) === 'approve' ? [null] : ['review_rejected'];
      assert.deepEqual([waiting_for, error?.code ?? null], [null, ...wanted], `${body} ${status}`);
    }
    assert.ok(this.written.size > KILLS && this.decided.size > KILLS, `${this.written.size} written`);
  }
}

/** The boxes of a test. */
async function settle(client: Client, home: Home) {
  const outgoing = { review: 'always' };
  const from = (await client.newMailbox(home, { outgoing, behavior: { name: 'agent' } })).address;
  const here = (await client.newMailbox(home, { behavior: { name: 'hello', settings: {} } })).address;
  const reviewer = (await client.newKey(home, { scopes: ['mail:review'] })).secret;
  return { from, here, reviewer };
}

test(`killed ${KILLS} times between request, decision and delivery, SQLite lets leave what was approved, once`, async () => {
  const folder = newFolder();
  const sink = await startSmtp();
  after(async () => {
    await sink[Symbol.asyncDispose]();
    removeFolder(folder);
  });
  const env = { SMTP_URL: sink.url, LEASE_SECONDS: '2', LOG_LEVEL: 'fatal' };
  let service = await startService({ folder, env });
  const home = { id: '', name: 'agents', key: service.ownerKey, keyId: '' };
  const boxes = await settle(connect(service.url), home);
  const traffic = new Traffic(() => connect(service.url), home, boxes);
  const running = traffic.run();
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(randomInt(700));
    await service.kill();
    service = await startService({ folder, env });
  }
  await pause(1_000);
  traffic.over = true;
  await running;
  const { all } = connect(service.url);
  await traffic.ends(sink.arrived, () => all<Envelope>(`/mailboxes/${boxes.here}/messages`, home.key));
  await service.stop();
});

test(
  `of three nodes on PostgreSQL one is killed ${KILLS} times, and what was approved leaves once`,
  LONG_ONLY,
  async () => {
    await using postgres = await sharedPostgres();
    await using sink = await startSmtp();
    const env = { SMTP_URL: sink.url, LEASE_SECONDS: '2' };
    await using nodes = await startNodes({ postgres, env });
    const { house } = nodes;
    const [first, second, third] = nodes.all;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const boxes = await settle(first.client, house);
    const living = () => nodes.all.filter(({ up }) => up);
    const traffic = new Traffic(() => (living()[randomInt(living().length)] ?? second).client, house, boxes);
    const running = traffic.run();
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(randomInt(700));
      await third.kill();
      await third.start();
    }
    await pause(1_000);
    traffic.over = true;
    await running;
    await traffic.ends(sink.arrived, () => first.client.all<Envelope>(`/mailboxes/${boxes.here}/messages`, house.key));
  },
);

test('two who decide at once on two nodes decide once, and what leaves is what was decided', async () => {
  await using postgres = await sharedPostgres();
  await using sink = await startSmtp();
  await using nodes = await startNodes({ postgres, count: 2, env: { SMTP_URL: sink.url } });
  const { house } = nodes;
  const [first, second] = nodes.all;
  assert.ok(first !== undefined && second !== undefined);
  const { from, here, reviewer } = await settle(first.client, house);
  const other = (await second.client.newKey(house, { scopes: ['mail:review'] })).secret;
  const approved: string[] = [];
  for (let round = 0; round < 12; round++) {
    const body = unique('kill');
    const sent = await first.client.send(house.key, { from, to: [`${body}@far.example`, here], body });
    const pending: readonly Review[] = await second.client.all<Review>('/mail/reviews?status=pending', other);
    const review = pending.find(({ message_id }) => message_id === sent.body.id);
    const path = `/mail/reviews/${review?.id}`;
    const yes = { key: reviewer, body: { hash: review?.hash } };
    const results: readonly Answer<unknown>[] = await Promise.all([
      first.client.api('POST', `${path}/approve`, yes),
      second.client.api('POST', `${path}/${round % 2 === 0 ? 'reject' : 'approve'}`, {
        key: other,
        body: round % 2 === 0 ? {} : { hash: review?.hash },
      }),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
      results.map(({ text }) => text).join(),
    );
    if (results[0]?.status === 200 || round % 2 === 1) approved.push(body);
  }
  const rows = async () =>
    (await first.client.all<Envelope>(`/mailboxes/${here}/messages`, house.key)).map(({ body }) => body).toSorted();
  const mails = () => sink.arrived.map(({ mail }) => (mail.text ?? '').split(/\s/)[0] ?? '').toSorted();
  const both = async () => [await rows(), mails()];
  const wanted = JSON.stringify([approved.toSorted(), approved.toSorted()]);
  await until(30_000, both, (found) => JSON.stringify(found) === wanted).catch(() => {});
  await pause(500);
  assert.equal(JSON.stringify(await both()), wanted);
});
