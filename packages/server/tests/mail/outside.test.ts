import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { type Arrived, answer, startSmtp } from '../../../../tests/harness/smtp.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';

interface Delivered {
  readonly to: string;
  readonly message_id: string;
  readonly status: string;
  readonly error: string | null;
  readonly attempts: number;
}
interface Mail extends Envelope {
  readonly deliveries?: readonly Delivered[];
  readonly not_answered?: string | null;
}
interface Problem {
  readonly code: string;
  readonly detail: string;
}
interface Event {
  readonly type: string;
  readonly mailbox: string;
  readonly data: Mail;
}

const WAIT_MS = 60_000;
/** What the server outside says to a recipient: `busy`, `gone`, `unknown` and `alien` in its address. */
const sink = await startSmtp({
  onRcptTo: ({ address }, _session, done) =>
    done(
      address.startsWith('busy')
        ? answer(451, '4.3.0 Come back later')
        : address.startsWith('gone')
          ? answer(550, '5.1.1 No such user')
          : address.startsWith('unknown')
            ? answer(550, 'User unknown')
            : address.startsWith('alien')
              ? answer(550, '5.1.8 Domain of sender address does not exist')
              : null,
    ),
});
after(() => sink[Symbol.asyncDispose]());
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url, WEBHOOK_NETWORKS: '127.0.0.1' },
});
const { client, store } = inside;
const port = inside.smtp?.port ?? 0;

/** A namespace whose owner is verified. */
async function claimed(): Promise<Home> {
  const home = await client.newNamespace();
  await store.namespaces.claim(home.id, inside.now());
  return home;
}
const home = await claimed();
const person = (name = 'ada'): string => `${unique(name)}@example.com`;
const send = (fields: Readonly<Record<string, unknown>>, headers?: Record<string, string>, key = home.key) =>
  client.send(key, { subject: 'Hello', body: 'Good day **Ada**', ...fields }, headers);
const read = async (id: string, key = home.key): Promise<Mail> => (await client.read(key, id)).body as Mail;
const arrivedFor = async (to: string, count = 1): Promise<readonly Arrived[]> => {
  const look = async () => sink.arrived.filter((one) => one.to.includes(to));
  return (await until(WAIT_MS, look, (mails) => mails.length >= count)).seen;
};
const ended = async (id: string, status: string): Promise<Mail> =>
  (
    await until(
      WAIT_MS,
      () => read(id),
      ({ deliveries }) => deliveries?.at(-1)?.status === status,
    )
  ).seen;
const eventsOf = async ({ id }: Pick<Mail, 'id'>): Promise<readonly Event[]> => {
  const found: Event[] = [];
  for (let after = ''; ; ) {
    const path = `/events?limit=200${after === '' ? '' : `&cursor=${after}`}`;
    const { items, next_cursor } = (await client.api<Page<Event>>('GET', path, { key: home.key })).body;
    if (items.length === 0) return found;
    found.push(...items.filter(({ type, data }) => type.startsWith('delivery.') && data.id === id));
    after = next_cursor ?? assert.fail();
  }
};
const isDelivery = ({ type }: Event): boolean => type.startsWith('delivery.');
const report = (to: string, headers: Readonly<Record<string, string>>, parts: readonly (readonly [string, string])[]) =>
  mailText(
    {
      From: 'MAILER-DAEMON@example.com',
      To: to,
      Subject: 'Report',
      'MIME-Version': '1.0',
      ...headers,
    },
    `${parts.map(([type, text]) => `--b\nContent-Type: ${type}\n\n${text}\n`).join('\n')}\n--b--\n`,
  );
const bounce = (to: string, recipient: string): string =>
  report(to, { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' }, [
    ['text/plain', 'It came back.'],
    [
      'message/delivery-status',
      `Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user`,
    ],
  ]);
const complaint = (to: string, type: string, returnPath: string): string =>
  report(to, { 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=b' }, [
    ['text/plain', 'This is an abuse report.'],
    [
      'message/feedback-report',
      `Feedback-Type: ${type}\nUser-Agent: FBL/1.0\nVersion: 1\nOriginal-Mail-From: <${returnPath}>`,
    ],
    ['message/rfc822', `Return-Path: <${returnPath}>\nSubject: Hello\n\nGood day`],
  ]);
const suppressed = async (key = home.key) =>
  (await client.api<Page<{ address: string; reason: string }>>('GET', '/mail/suppressions?limit=200', { key })).body
    .items;

test('a mailbox writes first to an address outside, its answer arrives in the thread, and the mailbox continues it', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'agent' } });
  const to = person();
  const sent = await send({ to: to.toUpperCase(), from: address, sync: true });
  const first = sent.body as Mail;
  assert.deepEqual([sent.status, first.to, first.from, first.status], [202, to, address, 'completed']);
  assert.deepEqual(
    first.deliveries?.map(({ to: at, status, message_id }) => [at, status, message_id]),
    [[to, 'queued', first.id]],
  );
  const [mail] = await arrivedFor(to);
  assert.ok(mail !== undefined);
  assert.match(mail.from, /^bounces\+dlv_/);
  const headers = new Map(mail.mail.headers.map(({ key, value }) => [key, value]));
  assert.deepEqual(
    [mail.mail.from?.address, mail.mail.subject, headers.has('auto-submitted'), headers.has('in-reply-to')],
    [address, 'Hello', false, false],
  );
  assert.match(mail.mail.html ?? '', /<strong[^>]*>Ada<\/strong>/);
  assert.deepEqual(
    (await ended(first.id, 'sent')).deliveries?.map(({ attempts, error }) => [attempts, error]),
    [[1, null]],
  );

  const theirs = `<${unique()}@example.com>`;
  const more = {
    'Message-ID': theirs,
    'In-Reply-To': mail.mail.messageId ?? '',
    References: mail.mail.messageId ?? '',
  };
  // Many programs write an address with capitals, as its owner or their company does.
  const capital = `${to[0]?.toUpperCase()}${to.slice(1)}`;
  const { key } = home;
  await client.api('PATCH', `/mailboxes/${address}`, { key, body: { senders: { allow: [to] } } });
  const text = mailText({ From: capital, To: address, Subject: 'Re: Hello', ...more }, 'And to you.');
  const reply = await sendMail(port, { from: capital, to: [address], text });
  const answered = await read(/\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply));
  assert.deepEqual([answered.thread_id, answered.in_reply_to], [first.thread_id, first.id]);
  assert.deepEqual(answered.sender, { kind: 'email', id: to, verified: true });

  const next = (await send({ to, from: address, subject: 'Hello', body: 'Tea?', thread_id: first.thread_id })).body;
  assert.equal(next.thread_id, first.thread_id);
  const [, second] = await arrivedFor(to, 2);
  assert.deepEqual(
    [second?.mail.inReplyTo, second?.mail.references, second?.mail.subject],
    [theirs, `${mail.mail.messageId} ${theirs}`, 'Re: Hello'],
  );
  const { items } = (
    await client.api<Page<{ id: string; to: string }>>('GET', `/mail/threads/${first.thread_id}`, { key: home.key })
  ).body;
  assert.deepEqual(
    items.map(({ id }) => id),
    [first.id, answered.id, next.id],
  );
  const list = async (direction: string) =>
    (
      await client.api<Page<Mail>>('GET', `/mailboxes/${address}/messages?direction=${direction}`, { key: home.key })
    ).body.items.map(({ id }) => id);
  assert.deepEqual(await list('sent'), [next.id, first.id]);
  assert.deepEqual(await list('received'), [answered.id]);
  assert.deepEqual(await list('all'), [next.id, answered.id, first.id]);
  const mine = (await client.api<Page<Mail>>('GET', '/mail/messages', { key: home.key })).body.items.map(
    ({ id }) => id,
  );
  assert.ok(mine.includes(first.id) && mine.includes(next.id));
});

test('a mail that answers what a mailbox wrote first is answered as any other, once', async () => {
  const { address } = await client.newMailbox(home, { behavior: { name: 'proofread' } });
  const to = person();
  await send({ to, from: address });
  const [mail] = await arrivedFor(to);
  const more = { 'Message-ID': `<${unique()}@example.com>`, 'In-Reply-To': mail?.mail.messageId ?? '' };
  await sendMail(port, {
    from: to,
    to: [address],
    text: mailText({ From: to, To: address, Subject: 'Re: Hello', ...more }, 'She have two cat.'),
  });
  const [, back] = await arrivedFor(to, 2);
  assert.match(back?.mail.text ?? '', /She has two cats\./);
  assert.equal(back?.mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-replied');
});

test('only a mailbox of a namespace with a verified owner writes to the outside, and the problem says what to do', async () => {
  const to = person();
  const problem = (sent: { status: number; body: unknown }) => [sent.status, (sent.body as Problem).code];
  const none = await send({ to });
  assert.deepEqual(problem(none), [403, 'sender_not_allowed']);
  assert.match((none.body as unknown as Problem).detail, /`from`/);
  const other = await client.newNamespace();
  const { address } = await client.newMailbox(other);
  const unclaimed = await send({ to, from: address }, undefined, other.key);
  assert.deepEqual(problem(unclaimed), [404, 'mailbox_not_found']);
  assert.match((unclaimed.body as unknown as Problem).detail, /Owners/);
  const bound = await client.newKey(home, { scopes: ['mail:send'], mailbox: (await client.newMailbox(home)).address });
  assert.equal((await send({ to }, undefined, bound.secret)).status, 202);
  assert.equal((await arrivedFor(to)).length, 1);
  const mine = (await client.newMailbox(home)).address;
  for (const wrong of ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example', 'a@-x.example'])
    assert.equal((await send({ to: wrong, from: mine })).status, 422, wrong);
  assert.deepEqual(problem(await send({ to: 'ada@mailroom.localhost', from: mine })), [404, 'mailbox_not_found']);
});

test('a repeated request is the same mail, and so is one at the same time', async () => {
  const { address } = await client.newMailbox(home);
  const to = person();
  const repeated = { 'idempotency-key': unique() };
  const [one, two] = await Promise.all([send({ to, from: address }, repeated), send({ to, from: address }, repeated)]);
  const again = await send({ to, from: address }, repeated);
  assert.equal(new Set([one, two, again].map(({ body }) => body.id)).size, 1);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await send({ to, from: address, body: 'Other' }, repeated)).status, 422);
  await ended(one.body.id, 'sent');
  assert.equal((await arrivedFor(to)).length, 1);
});

test('files leave with the mail, and a draft leaves at its time', async () => {
  const { address } = await client.newMailbox(home);
  const to = person();
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'SGVsbG8=' }];
  const sent = await send({ to, from: address, attachments });
  assert.equal(sent.status, 202);
  const [mail] = await arrivedFor(to);
  const [file] = mail?.mail.attachments ?? [];
  assert.deepEqual([file?.filename, Buffer.from(file?.content as ArrayBuffer).toString()], ['a.txt', 'Hello']);

  const later = person();
  const at = new Date(inside.now() + 3_600_000).toISOString();
  const draft = await send({ to: later, from: address, send_at: at });
  assert.deepEqual([draft.status, (draft.body as unknown as { draft_id: string }).draft_id.slice(0, 4)], [202, 'drf_']);
  assert.equal(sink.arrived.filter((one) => one.to.includes(later)).length, 0);
  inside.pass(3_600_001);
  assert.equal((await arrivedFor(later)).length, 1);
});

test('changes of a delivery reach a webhook and a stream, each with the message and how its mail stands', async () => {
  const domain = await claimed();
  const { address } = await client.newMailbox(domain);
  await using endpoint = await webhookEndpoint();
  const { url } = endpoint;
  const types = ['delivery.sent', 'delivery.deferred', 'delivery.bounced', 'delivery.complained'];
  const hook = await client.api('POST', '/webhooks', { key: domain.key, body: { url, types } });
  assert.equal(hook.status, 201, hook.text);
  const stream = await openStream(`${inside.url}/api/v1/events`, { authorization: `Bearer ${domain.key}` });
  const wanted = new Map<string, string>();
  for (const [name, type] of [
    ['ada', 'sent'],
    ['busy', 'deferred'],
    ['gone', 'bounced'],
  ] as const)
    wanted.set((await send({ to: person(name), from: address }, undefined, domain.key)).body.id, type);
  const posted = await endpoint.got(wanted.size);
  const seenAs = ({ type, data }: Event): string =>
    `${data.id} ${type}: ${data.deliveries?.map(({ status }) => status).join(' ')}`;
  const expected = [...wanted].map(([id, type]) => `${id} delivery.${type}: ${type}`).toSorted();
  assert.deepEqual(posted.map(({ text }) => seenAs(JSON.parse(text) as Event)).toSorted(), expected);
  const streamed = async () => stream.events.map(({ data }) => JSON.parse(data) as Event);
  const { seen } = await until(WAIT_MS, streamed, (events) => events.filter(isDelivery).length >= wanted.size);
  assert.deepEqual(seen.filter(isDelivery).map(seenAs).toSorted(), expected);
  stream.close();
});

test('each change of a delivery is an event with the message, and a server that refuses says why', async () => {
  const { address } = await client.newMailbox(home);
  const [fine, busy, gone] = [person(), person('busy'), person('gone')];
  const ids: string[] = [];
  for (const to of [fine, busy, gone]) ids.push((await send({ to, from: address })).body.id);
  const [sent = '', deferred = '', bounced = ''] = ids;
  await ended(sent, 'sent');
  const { deliveries: waits } = await ended(deferred, 'deferred');
  assert.match(waits?.[0]?.error ?? '', /451 4\.3\.0 Come back later/);
  const { deliveries: failed } = await ended(bounced, 'bounced');
  assert.match(failed?.[0]?.error ?? '', /550 5\.1\.1 No such user/);
  inside.pass(10 * 60_000);
  const { seen } = await until(
    WAIT_MS,
    () => read(deferred),
    ({ deliveries }) => (deliveries?.[0]?.attempts ?? 0) > 1,
  );
  assert.equal(seen.deliveries?.[0]?.status, 'deferred');
  const types = async (id: string) => (await eventsOf({ id })).map(({ type, mailbox }) => [type, mailbox]);
  assert.deepEqual(await types(sent), [['delivery.sent', address]]);
  assert.deepEqual(await types(deferred), [['delivery.deferred', address]]);
  assert.deepEqual(await types(bounced), [['delivery.bounced', address]]);
  const [event] = await eventsOf({ id: bounced });
  assert.deepEqual(
    event?.data.deliveries?.map(({ to, status }) => [to, status]),
    [[gone, 'bounced']],
  );
  const refused = await send({ to: gone, from: address });
  assert.deepEqual([refused.status, (refused.body as unknown as Problem).code], [422, 'address_suppressed']);
  assert.match((refused.body as unknown as Problem).detail, /5\.1\.1.*\/mail\/suppressions\//);
});

test('a notice to the return path ends a delivery and suppresses the address, for that namespace alone, until it is lifted', async () => {
  const [mine, other] = [await client.newMailbox(home), await claimed()];
  const theirs = await client.newMailbox(other);
  const to = person();
  const { id } = (await send({ to, from: mine.address })).body;
  await ended(id, 'sent');
  const [mail] = await arrivedFor(to);
  const path = mail?.from ?? '';
  // Its code is of that delivery alone: any other one is no address here.
  for (const forged of [path.replace(/\.[0-9a-z]/, '.z'), path.replace('dlv_0', 'dlv_1'), 'bounces@mailroom.localhost'])
    if (forged !== path)
      assert.match(await sendMail(port, { from: '', to: [forged], text: bounce(forged, to) }), /^550 5\.1\.1 /, forged);
  assert.equal((await read(id)).deliveries?.[0]?.status, 'sent');
  assert.match(await sendMail(port, { from: '', to: [path], text: bounce(path, to) }), /^250 /);
  const { deliveries } = await ended(id, 'bounced');
  assert.equal(deliveries?.[0]?.error, 'bounced 5.1.1: 550 5.1.1 No such user');
  assert.deepEqual(
    (await eventsOf({ id })).map(({ type }) => type),
    ['delivery.sent', 'delivery.bounced'],
  );
  assert.ok((await suppressed()).some(({ address, reason }) => address === to && reason === 'bounced 5.1.1'));
  assert.deepEqual(await suppressed(other.key), []);
  assert.equal((await send({ to, from: mine.address })).status, 422);
  assert.equal((await send({ to, from: theirs.address }, undefined, other.key)).status, 202);
  const lift = () => client.api('DELETE', `/mail/suppressions/${to}`, { key: home.key });
  assert.deepEqual([(await lift()).status, (await lift()).status], [204, 404]);
  assert.equal((await send({ to, from: mine.address })).status, 202);
});

test('a notice ends a delivery by what it says, and stops further mail only where the address is at fault', async () => {
  const { address } = await client.newMailbox(home);
  const status = (action: string, code: string, recipient: string, original = recipient): string =>
    `Reporting-MTA: dns; mx.example.com\n\nOriginal-Recipient: rfc822; ${original}\nFinal-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${code}`;
  const reported = (text: string) => (path: string) =>
    report(path, { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b' }, [
      ['text/plain', 'It came back.'],
      ['message/delivery-status', text],
    ]);
  const words = (subject: string, text: string) => (path: string) =>
    mailText({ From: 'MAILER-DAEMON@example.com', To: path, Subject: subject }, text);
  const cases: readonly (readonly [(to: string) => (path: string) => string, string, boolean])[] = [
    [(to) => reported(status('failed', '5.1.1', to.toUpperCase())), 'bounced', true],
    [(to) => reported(status('failed', '5.1.8', to)), 'bounced', false],
    [(to) => reported(status('failed', '4.4.7', to)), 'bounced', false],
    [(to) => reported(status('delayed', '4.4.1', to)), 'deferred', false],
    [(to) => reported(status('failed', '5.1.1', 'other@far.example', to)), 'bounced', false],
    [
      (to) => reported(`${status('failed', '5.1.1', 'other@far.example')}\n\n${status('relayed', '2.0.0', to)}`),
      'sent',
      false,
    ],
    [(to) => words('Undeliverable', `${to}\n  mailbox is full`), 'bounced', false],
    [(to) => words('Returned mail', `>>> RCPT To:<${to}>\n<<< 550 User unknown`), 'bounced', true],
    [() => words('Rückläufer', 'Ihre Nachricht kam nicht an.'), 'bounced', false],
    [
      () => (path) => mailText({ From: 'ada@example.com', To: path, Subject: 'Out of office' }, 'Back soon.'),
      'sent',
      false,
    ],
  ];
  for (const [at, [notice, status, stops]] of cases.entries()) {
    const to = person();
    const { id } = (await send({ to, from: address })).body;
    await ended(id, 'sent');
    const path = (await arrivedFor(to))[0]?.from ?? '';
    assert.match(await sendMail(port, { from: '', to: [path], text: notice(to)(path) }), /^250 /);
    const [delivery] = (await read(id)).deliveries ?? [];
    assert.deepEqual([at, delivery?.status], [at, status]);
    assert.deepEqual([at, (await suppressed()).some((one) => one.address === to)], [at, stops]);
  }
});

test('a server that refuses an address in words stops further mail, and one that refuses its sender does not', async () => {
  const { address } = await client.newMailbox(home);
  for (const [name, stops] of [
    ['unknown', true],
    ['alien', false],
  ] as const) {
    const to = person(name);
    await ended((await send({ to, from: address })).body.id, 'bounced');
    assert.equal(
      (await suppressed()).some((one) => one.address === to),
      stops,
      name,
    );
  }
});

test('a report of abuse that knows the return path settles the delivery as complained, wherever it is sent', async () => {
  const { address } = await client.newMailbox(home);
  const abuse = `abuse@${home.name}.mailroom.localhost`;
  for (const where of everyNth(['path', 'fbl@mailroom.localhost', 'abuse@mailroom.localhost', abuse], 3)) {
    const to = person();
    const { id } = (await send({ to, from: address })).body;
    await ended(id, 'sent');
    const path = (await arrivedFor(to))[0]?.from ?? '';
    const at = where === 'path' ? path : where;
    const forged = path.replace(/\.[0-9a-z]{16}@/, '.0123456789abcdef@');
    const reported = (type: string, named: string) =>
      sendMail(port, { from: 'fbl@example.com', to: [at], text: complaint(at, type, named) });
    if (where !== 'path') assert.match(await reported('abuse', forged), where === abuse ? /^250 / : /^550 5\.7\.1 /);
    await reported('auth-failure', path);
    assert.equal((await read(id)).deliveries?.[0]?.status, 'sent', where);
    assert.match(await reported('abuse', path), /^250 /);
    const { deliveries } = await ended(id, 'complained');
    assert.equal(deliveries?.[0]?.error, 'complained (abuse)');
    assert.ok((await suppressed()).some((one) => one.address === to && one.reason === 'complained (abuse)'));
    assert.equal((await eventsOf({ id })).at(-1)?.type, 'delivery.complained');
  }
});

test('an export says how far a mail is, and its owner deletes it', async () => {
  const { address } = await client.newMailbox(home);
  const to = person('gone');
  const { id } = (await send({ to, from: address })).body;
  await ended(id, 'bounced');
  const text = (await client.api('GET', `/namespaces/${home.name}/export`, { key: home.key })).text;
  const line = text.split('\n').find((one) => one.includes(id)) ?? assert.fail();
  assert.deepEqual(
    (JSON.parse(line) as Mail).deliveries?.map(({ status }) => status),
    ['bounced'],
  );
  assert.equal((await client.api('DELETE', `/mail/messages/${id}`, { key: home.key })).status, 204);
  assert.equal((await client.read(home.key, id)).status, 404);
});

test('a mail to the outside goes with its mailbox, and with its deletion', async () => {
  const { address } = await client.newMailbox(home);
  const message = (await send({ to: person(), from: address })).body;
  await ended(message.id, 'sent');
  assert.equal((await client.api('DELETE', `/mailboxes/${address}`, { key: home.key })).status, 204);
  const gone = await until(
    WAIT_MS,
    async () => (await store.deliveries.byId(`dlv_${message.id.slice(4)}`)) === undefined,
    Boolean,
  );
  assert.equal(gone.seen, true);
  assert.equal((await client.read(home.key, message.id)).status, 404);
});

test('a namespace sends so many mails to the outside a day, and answers to mail do not count', async () => {
  const limited = await startInside({
    env: { SMTP_LISTEN: '127.0.0.1:0', SMTP_URL: sink.url, RATE_LIMITS: 'on', LIMIT_MAILS_PER_DAY: '2' },
  });
  const namespace = await limited.client.newNamespace();
  await limited.store.namespaces.claim(namespace.id, limited.now());
  const { address } = await limited.client.newMailbox(namespace);
  const to = person();
  const first = () => limited.client.send(namespace.key, { to, from: address, body: 'Hello' });
  assert.deepEqual([(await first()).status, (await first()).status], [202, 202]);
  const over = await first();
  assert.deepEqual([over.status, (over.body as unknown as Problem).code], [429, 'rate_limited']);
  assert.ok(Number(over.headers.get('retry-after')) > 0);
  await limited.restart();
  assert.equal((await first()).status, 429, 'a restart forgets nothing');
  const text = mailText({ From: to, To: address, Subject: 'Hi' }, 'Who are you?');
  await sendMail(limited.smtp?.port ?? 0, { from: to, to: [address], text });
  assert.equal((await arrivedFor(to, 3)).length, 3);
  limited.pass(86_400_000);
  assert.equal((await first()).status, 202);
});
