import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { type Arrived, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Page, Rule } from '../../../../tests/harness/wire.ts';

const WAIT_MS = 60_000;
const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url },
});
const { client, store } = inside;
const { api, newNamespace, newMailbox, newKey, change, read } = client;
const port = inside.smtp?.port ?? 0;

/** A namespace whose owner is verified. */
async function claimed(): Promise<Home> {
  const home = await newNamespace();
  await store.namespaces.claim(home.id, inside.now());
  return home;
}
const person = (name = 'ada'): string => `${unique(name)}@example.com`;
const forwarding = (forward_to: string, more: object = {}, id = 'on') => ({
  id,
  if: {},
  then: { forward_to, ...more },
});
const set = (home: Home, { address }: Mailbox, rules: unknown, key = home.key) =>
  api<Mailbox>('PATCH', `/mailboxes/${address}`, { key, body: { rules } });
const arrive = async (home: Home, { address }: Mailbox, fields: object = {}, headers = {}): Promise<Envelope> => {
  const answer = await client.send(home.key, { to: address, body: 'Hello', sync: true, ...fields }, headers);
  assert.equal(answer.status, 200, answer.text);
  return (await read(home.key, answer.body.id)).body;
};
const received = async (home: Home, { address }: Mailbox): Promise<readonly Envelope[]> =>
  (await api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items;
/** Resolves when no job is due or claimed: a forward is a job from the moment its message is written. */
const idle = async (): Promise<void> =>
  void (await until(
    WAIT_MS,
    () => store.jobs.depth(),
    (depth) => depth === 0,
  ));
const arrivedFor = async (to: string, count = 1): Promise<readonly Arrived[]> => {
  const look = async () => sink.arrived.filter((one) => one.to.includes(to));
  return (await until(WAIT_MS, look, (mails) => mails.length >= count)).seen;
};
const confirmedIn = async (home: Home, { address }: Mailbox): Promise<readonly (boolean | undefined)[]> =>
  ((await api<Mailbox>('GET', `/mailboxes/${address}`, { key: home.key })).body.rules ?? []).map(
    ({ forward_confirmed }: Rule) => forward_confirmed,
  );
/** The path of the page in the mail that asks this address. */
const linkFor = async (to: string, at = 0): Promise<string> => {
  const { mail } = (await arrivedFor(to, at + 1))[at] as Arrived;
  const [, path] = /https?:\/\/[^/\s]+(\/forwarding\/[0-9A-Za-z]+)/.exec(mail.text ?? '') ?? [];
  return path ?? assert.fail(mail.text);
};
const confirm = (path: string) =>
  api('POST', `/${path}`, { raw: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
/** A mail from outside, of which nothing is proven. */
const mailIn = async (to: string, fields: Readonly<Record<string, string>>, body = 'Good day'): Promise<string> => {
  const From = fields.From ?? 'eve@example.org';
  const text = mailText({ From, To: to, Subject: 'Hi', 'Message-ID': `<${unique()}@example.org>`, ...fields }, body);
  const reply = await sendMail(port, { from: From as string, to: [to], text });
  assert.match(reply, /^250 2\.0\.0 Received as msg_/);
  return reply.slice(reply.lastIndexOf(' ') + 1);
};

test('a repeated request is forwarded once', async () => {
  const [home, target] = [await newNamespace(), await newNamespace()];
  const to = await newMailbox(target);
  const box = await newMailbox(home, { rules: [forwarding(to.address, { label: ['x'] })] });
  const ask = () => arrive(home, box, {}, { 'Idempotency-Key': 'once' });
  const answers = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual([...new Set(answers.map(({ id }) => id))].length, 1);
  await ask();
  await idle();
  const [forwarded, ...more] = await received(target, to);
  assert.deepEqual([forwarded?.from, forwarded?.subject, more], [box.address, 'Fwd:', []]);
  assert.match(forwarded?.body ?? '', /Forwarded message[\s\S]*Hello/);
});

test('rules that forward are set by a key that may read messages and lasts, and stop with that key', async () => {
  const [home, target] = [await newNamespace(), await newNamespace()];
  const [box, to] = [await newMailbox(home), await newMailbox(target)];
  const rules = [forwarding(to.address)];
  const writer = await newKey(home, { scopes: ['mailboxes:write'] });
  const both = { scopes: ['mailboxes:write', 'messages:read'] };
  const passing = await newKey(home, { ...both, expires_at: new Date(inside.now() + 3_600_000).toISOString() });
  isProblem(await set(home, box, rules, writer.secret), 'insufficient_scope');
  isProblem(await set(home, box, rules, passing.secret), 'access_denied');
  const lasting = await newKey(home, both);
  assert.equal((await set(home, box, rules, lasting.secret)).status, 200);
  // Rules that stay as they are keep their key; others that forward need such a key again.
  assert.equal((await set(home, box, rules, writer.secret)).status, 200);
  const other = [{ ...forwarding(to.address), if: { body: 'x' } }];
  isProblem(await set(home, box, other, writer.secret), 'insufficient_scope');
  await arrive(home, box);
  await idle();
  assert.equal((await received(target, to)).length, 1);
  assert.equal((await api('DELETE', `/keys/${lasting.id}`, { key: home.key })).status, 204);
  assert.deepEqual((await arrive(home, box)).rules, ['on']);
  await idle();
  assert.equal((await received(target, to)).length, 1);
  assert.equal(
    (await api<Mailbox>('GET', `/mailboxes/${box.address}`, { key: home.key })).body.rules?.[0]?.forward_stopped,
    true,
  );
  isProblem(await set(home, box, rules, writer.secret), 'insufficient_scope');
  assert.equal((await set(home, box, rules)).body.rules?.[0]?.forward_stopped, undefined);
  await arrive(home, box);
  await idle();
  assert.equal((await received(target, to)).length, 2);
});

test('two mailboxes that forward to each other end, and each has the message once', async () => {
  const [one, two] = [await newNamespace(), await newNamespace()];
  const [first, second] = [await newMailbox(one), await newMailbox(two)];
  await change(one.key, first.address, { rules: [forwarding(second.address)] });
  await change(two.key, second.address, { rules: [forwarding(first.address)] });
  await arrive(one, first, { body: 'Round and round' });
  await idle();
  const messages = async (home: Home, box: Mailbox) =>
    (await received(home, box)).filter(({ in_reply_to }) => in_reply_to === null).length;
  assert.deepEqual([await messages(one, first), await messages(two, second)], [1, 1]);
});

test('a ring of three mailboxes ends after one round', async () => {
  const home = await newNamespace();
  const boxes = [await newMailbox(home), await newMailbox(home), await newMailbox(home)] as const;
  for (const [at, box] of boxes.entries())
    await change(home.key, box.address, { rules: [forwarding(boxes[(at + 1) % 3]?.address ?? '', { answer: false })] });
  await arrive(home, boxes[0]);
  await idle();
  const counts = await Promise.all(boxes.map(async (box) => (await received(home, box)).length));
  // The third forwards to the first, which does not forward it again.
  assert.deepEqual(counts, [2, 1, 1]);
});

test('an address outside gets nothing before it has confirmed by the link in its mail, which works once', async () => {
  const home = await claimed();
  const [other, box] = [await newMailbox(home), await newMailbox(home)];
  const ada = person();
  const [rule] = (await set(home, box, [forwarding(ada)])).body.rules ?? [];
  assert.deepEqual(rule, { ...forwarding(ada), forward_confirmed: false });
  const path = await linkFor(ada);
  const before = await arrive(home, box, { body: 'Too early' });
  assert.deepEqual([before.status, before.rules], ['completed', ['on']]);
  const page = await api('GET', `/${path}`);
  assert.equal(page.status, 200, page.text);
  assert.match(page.text, /Get forwarded messages\?/);
  assert.deepEqual(await confirmedIn(home, box), [false], 'opening the page confirms nothing');
  assert.equal((await api('GET', `/${path}x`)).status, 404);
  const done = await confirm(path);
  assert.equal(done.status, 200, done.text);
  assert.equal((await confirm(path)).status, 404);
  assert.deepEqual(await confirmedIn(home, box), [true]);
  await arrive(home, box, { body: 'In time', subject: 'News' });
  const [, forwarded, ...more] = await arrivedFor(ada, 2);
  assert.equal(more.length, 0);
  assert.deepEqual([forwarded?.mail.subject, forwarded?.mail.from?.address], ['Fwd: News', box.address]);
  assert.match(forwarded?.mail.text ?? '', /In time/);
  assert.match(forwarded?.raw ?? '', new RegExp(`^X-Loop: ${box.address}\r$`, 'm'));
  // Another mailbox asks again, and a rule that was taken away and set again too.
  assert.equal((await set(home, other, [forwarding(ada)])).body.rules?.[0]?.forward_confirmed, false);
  await set(home, box, []);
  assert.equal((await set(home, box, [forwarding(ada)])).body.rules?.[0]?.forward_confirmed, false);
});

test('a link of a rule that was taken away confirms nothing, nor does one after seven days', async () => {
  const home = await claimed();
  const box = await newMailbox(home);
  const ada = person();
  await set(home, box, [forwarding(ada)]);
  const path = await linkFor(ada);
  await set(home, box, [forwarding(ada), forwarding(ada, {}, 'more')]);
  await set(home, box, [{ id: 'x', if: {}, then: { label: ['x'] } }]);
  assert.equal((await confirm(path)).status, 404);
  await set(home, box, [forwarding(ada)]);
  const again = await linkFor(ada, 1);
  inside.pass(7 * 86_400_000 + 1);
  assert.equal((await confirm(again)).status, 404);
  assert.deepEqual(await confirmedIn(home, box), [false]);
});

test('saving rules again asks an address once an hour', async () => {
  const home = await claimed();
  const box = await newMailbox(home);
  const ada = person();
  for (const more of [{}, {}, { label: ['x'] }]) await set(home, box, [forwarding(ada, more)]);
  // A mail on its way would be sent again after so long.
  await linkFor(ada);
  inside.pass(3_600_001);
  await set(home, box, [forwarding(ada)]);
  await linkFor(ada, 1);
  assert.equal((await arrivedFor(ada, 2)).length, 2);
});

test('requests to confirm and forwards count as mails of the day', async () => {
  const env = { SMTP_URL: sink.url, RATE_LIMITS: 'on', LIMIT_MAILS_PER_DAY: '3' };
  const limited = await startInside({ env });
  const home = await limited.client.newNamespace();
  await limited.store.namespaces.claim(home.id, limited.now());
  const box = await limited.client.newMailbox(home);
  const people = Array.from({ length: 4 }, () => person());
  const [ada = ''] = people;
  const save = (targets: readonly string[]) =>
    limited.client.api<Mailbox>('PATCH', `/mailboxes/${box.address}`, {
      key: home.key,
      body: { rules: targets.map((one, at) => forwarding(one, {}, `r${at}`)) },
    });
  assert.equal((await save([ada])).status, 200);
  const asked = await linkFor(ada);
  await limited.client.api('POST', `/${asked}`, {
    raw: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await limited.client.send(home.key, { to: box.address, body: 'Hello', sync: true });
  await arrivedFor(ada, 2);
  isProblem(await save(people), 'rate_limited');
  await linkFor(people[1] ?? '');
  // An address that is made with such rules is there, and asks once they are saved again.
  const late = await limited.client.newMailbox(home, { rules: [forwarding(people[2] ?? '')] });
  assert.equal(late.rules?.[0]?.forward_confirmed, false);
  assert.equal(sink.arrived.filter(({ to }) => people.slice(2).some((one) => to.includes(one))).length, 0);
});

test('a suppressed address is refused with its place', async () => {
  const home = await claimed();
  const box = await newMailbox(home);
  const ada = person();
  const now = inside.now();
  await store.suppressions.add({
    namespace_id: home.id,
    kind: 'email',
    target: ada,
    reason: 'bounced',
    created_at: now,
  });
  const answer = await api<{ errors: { pointer: string }[] }>('PATCH', `/mailboxes/${box.address}`, {
    key: home.key,
    body: { rules: [{ id: 'x', if: {}, then: { answer: false } }, forwarding(ada)] },
  });
  isProblem(answer, 'validation_error');
  assert.deepEqual(
    answer.body.errors.map(({ pointer }) => pointer),
    ['/rules/1/then/forward_to'],
  );
});

test('what an address outside forwards back by mail, or answers, is not forwarded to it again', async () => {
  const home = await claimed();
  const box = await newMailbox(home);
  const ada = person();
  await set(home, box, [forwarding(ada, { answer: false })]);
  await confirm(await linkFor(ada));
  await mailIn(box.address, { From: 'eve@example.org' });
  const [, forwarded] = await arrivedFor(ada, 2);
  const [, loop = ''] = /^(X-Loop: .*)\r$/m.exec(forwarded?.raw ?? '') ?? [];
  const back = await mailIn(box.address, {
    From: 'eve@example.org',
    [loop.split(': ')[0] ?? '']: loop.split(': ')[1] ?? '',
  });
  // So long that its other header fields are not kept.
  const long = await mailIn(
    box.address,
    {
      From: 'eve@example.org',
      'X-Long': 'x '.repeat(40_000),
      'X-Loop': `other@example.com ${box.address.toUpperCase()}`,
    },
    'y\n'.repeat(30_000),
  );
  const answered = await mailIn(box.address, { From: ada });
  await idle();
  for (const id of [back, long, answered]) {
    const { rules, not_answered } = (await read(home.key, id)).body;
    assert.deepEqual([rules, not_answered], [['on'], 'rule']);
  }
  assert.equal((await arrivedFor(ada, 2)).length, 2);
});

test('rules look at mail as it came: whether its sender is proven, its files, and how it was addressed', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home, {
    rules: [
      { id: 'unproven', if: { verified: false }, then: { label: ['unproven'] } },
      { id: 'proven', if: { verified: true, channel: 'smtp' }, then: { label: ['proven'] } },
      { id: 'from', if: { from: ['*@example.org'] }, then: { label: ['org'] } },
      { id: 'listens', if: { label: 'cc' }, then: { label: ['listens'] } },
    ],
  });
  const id = await mailIn(box.address, {
    To: 'ann@example.net',
    Cc: box.address,
  });
  const message = (await read(home.key, id)).body;
  assert.deepEqual(
    [message.rules, message.labels, message.not_answered],
    [['proven', 'from', 'listens'], ['cc', 'listens', 'org', 'proven', 'unread'], 'cc'],
  );
});
