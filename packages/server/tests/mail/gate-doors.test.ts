import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { TaskState } from '@a2a-js/sdk';
import { a2aClient, request, says, sendTask } from '../../../../tests/harness/a2a.ts';
import { json, openAgentServer } from '../../../../tests/harness/agent-server.ts';
import { newCertificate } from '../../../../tests/harness/certificate.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail, smtpClient } from '../../../../tests/harness/mail.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { startSmtp } from '../../../../tests/harness/smtp.ts';
import { openStream, type Stream } from '../../../../tests/harness/stream.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { LONG } from '../../../../tests/soak/length.ts';

// By every door through which something leaves a mailbox: nothing of it is seen outside before it is approved, and all of
// it exactly once after.

const folder = newFolder();
const { cert, key: certKey } = newCertificate(folder, ['localhost']);
const sink = await startSmtp();
const hook = await webhookEndpoint();
let modelSays = 'Hello.';
const model = await openModelServer(() => ({ text: modelSays }));
after(async () => {
  removeFolder(folder);
  await Promise.all([sink, hook, model].map((one) => one[Symbol.asyncDispose]()));
});
const inside = await startInside({
  env: {
    ...{ SMTP_TLS_CERT: cert, SMTP_TLS_KEY: certKey, SUBMISSION_LISTEN: '127.0.0.1:0', SMTP_LISTEN: '127.0.0.1:0' },
    ...{ SMTP_URL: sink.url, WEBHOOK_NETWORKS: '127.0.0.1', OUTSIDE_NETWORKS: '127.0.0.1' },
    ...{ MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny' },
  },
});
const { client, store } = inside;
const { api, all, newMailbox, newNamespace, newKey, send, read } = client;
const port = inside.smtp?.port ?? 0;
const home = await newNamespace();
const other = await newNamespace();
await store.namespaces.claim(home.id, inside.now());
const reviewer = await newKey(home, { scopes: ['mail:review'] });
const program = await newKey(home, { scopes: ['mail:send', 'messages:read', 'mail:answer'] });
const theirs = await newMailbox(other, { behavior: { name: 'agent' } });
const second = await newMailbox(other, { behavior: { name: 'agent' } });
const hooked = await api('POST', '/webhooks', {
  key: other.key,
  body: { url: hook.url, types: ['message.*', 'reply.*'] },
});
if (hooked.status !== 201) await api('POST', '/webhooks', { key: other.key, body: { url: hook.url } });

interface Review {
  id: string;
  mailbox: string;
  status: string;
  message_id: string;
  hash: string;
  message: { body: string };
}

/** A mailbox whose owner looks at all that leaves it. */
const held = (behavior: object = { name: 'agent' }, more: object = {}): Promise<Mailbox> =>
  newMailbox(home, { behavior, outgoing: { review: 'always' }, ...more });
const ask = (to: string, fields: object = {}) =>
  send(other.key, { from: theirs.address, to, body: 'Who are you?', ...fields });
const pendingOf = async ({ address }: Mailbox): Promise<Review[]> =>
  (await all<Review>('/mail/reviews?status=pending', reviewer.secret)).filter(({ mailbox }) => mailbox === address);

/** Messages and threads that were looked at one by one before a door; in the long form each is again at every door. */
const known = new Set<string>();
const isNew = (id: string): boolean => LONG || !known.has(id);

/** All that is seen outside of the namespace: rows, replies, threads, events, webhooks and mails. */
async function seen(): Promise<string> {
  const whole: string[] = [];
  const threads = new Set<string>();
  for (const { address } of [theirs, second]) {
    const rows = await all<Envelope>(`/mailboxes/${address}/messages?direction=all`, other.key);
    whole.push(JSON.stringify(rows));
    for (const { thread_id } of rows) threads.add(thread_id);
  }
  for (const thread of [...threads].filter(isNew)) {
    const found = await api<{ items: Envelope[] }>('GET', `/mail/threads/${thread}`, { key: other.key });
    whole.push(found.text);
  }
  const sent = await all<Envelope>('/mail/messages?direction=all', other.key);
  whole.push(JSON.stringify(sent));
  for (const { id } of sent.filter(({ id }) => isNew(id))) whole.push((await read(other.key, id)).text);
  const events = await api('GET', '/events?wait=0', { key: other.key });
  whole.push(events.text, ...streams.map(({ text }) => text()), ...hook.posted.map(({ text }) => text));
  for (const { mail, raw } of sink.arrived) {
    const files = (mail.attachments ?? []).map(({ content }) => Buffer.from(content as ArrayBuffer).toString());
    whole.push([raw, mail.text, mail.html, mail.subject, ...files].join('\n'));
  }
  for (const id of [...threads, ...sent.map(({ id }) => id)]) known.add(id);
  return whole.join('\n');
}

/** A door: what makes something with this mark leave, and where it then is. */
interface Door {
  readonly name: string;
  /** What is looked for; the secret itself by default. */
  readonly mark?: string;
  run(secret: string): Promise<Way>;
}
interface Way {
  readonly box: Mailbox;
  /** The mails that leave, by their recipient. */
  readonly mails?: readonly string[];
  /** The mailboxes that get a message. */
  readonly rows?: readonly string[];
  /** Messages of theirs that get this many replies. */
  readonly replies?: Readonly<Record<string, number>>;
  /** Each row has its file. */
  readonly files?: boolean;
}

/** What was told while it happened. */
const streams: Pick<Stream, 'text'>[] = [];
async function follow(id: string, key = other.key): Promise<void> {
  const stream = await openStream(`${inside.url}/api/v1/mail/messages/${id}`, { authorization: `Bearer ${key}` });
  streams.push(stream);
  after(() => stream.close());
}

const doors: Door[] = [];
const door = (name: string, run: Door['run'], mark?: string): void =>
  void doors.push({ name, run, ...(mark !== undefined && { mark }) });

async function claimOf({ address }: Mailbox): Promise<string> {
  const { body, text } = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${address}/claim`, {
    key: program.secret,
    body: {},
  });
  return body.items[0]?.claim ?? assert.fail(text);
}
const answer = async (id: string, body: object, key = program.secret): Promise<void> => {
  const given = await api('POST', `/mail/messages/${id}/answer`, { key, body });
  assert.ok(given.status < 300, given.text);
};
const file = (secret: string) => ({
  filename: 'a.txt',
  content_type: 'text/plain',
  content: Buffer.from(`file ${secret}`).toString('base64'),
});
const mailIn = async (to: Mailbox, body: string, from = `${unique('ann')}@far.example`) => {
  const head = { From: from, To: to.address, Subject: unique('s'), 'Message-ID': `<${unique()}@far.example>` };
  const reply = await sendMail(port, { from, to: [to.address], text: mailText(head, body) });
  return { from, id: /\b(msg_[0-9a-z]{20})\b/.exec(reply)?.[1] ?? assert.fail(reply) };
};

door('hello', async (secret) => {
  const box = await held({ name: 'hello', settings: { introduction: `I am ${secret}.` } });
  const { body, status } = await ask(box.address, { sync: true });
  assert.deepEqual([status, body.waiting_for], [202, 'review']);
  return { box, replies: { [body.id]: 1 } };
});
door(
  'proofread',
  async () => {
    const box = await held({ name: 'proofread' });
    const { body } = await ask(box.address, { body: 'She have two cat.', sync: true });
    return { box, replies: { [body.id]: 1 } };
  },
  'She has two',
);
door(
  'do, with what a plan of steps answers',
  async () => {
    const box = await held({ name: 'do', settings: { rights: { others: ['calculate'] } } });
    const steps = [{ task: 'calculate', input: { expression: '0.5 * 0.333333' } }];
    const { body } = await ask(box.address, { body: 'x', data: { steps }, sync: true });
    return { box, replies: { [body.id]: 1 } };
  },
  '0.1666665',
);
door('assistant', async (secret) => {
  modelSays = `The answer is ${secret}.`;
  const box = await held({ name: 'assistant', settings: { instructions: 'Help.' } });
  const { body } = await ask(box.address, { body: 'What is it?', sync: true });
  return { box, replies: { [body.id]: 1 } };
});
door('a program under its claim, with progress, a draft, data and a file', async (secret) => {
  const box = await held();
  const { body } = await ask(box.address);
  const claim = await claimOf(box);
  await follow(body.id);
  const progress = { claim, text: `half ${secret}`, draft: `draft ${secret}` };
  await api('POST', `/mail/messages/${body.id}/progress`, { key: program.secret, body: progress });
  await answer(body.id, { claim, body: `It is ${secret}.`, data: { secret }, attachments: [file(secret)] });
  return { box, replies: { [body.id]: 1 }, files: true };
});
door('a webhook', async (secret) => {
  const server = await openAgentServer();
  after(() => server[Symbol.asyncDispose]());
  server.answer(() => json({ body: `It is ${secret}.`, attachments: [file(secret)] }));
  const box = await held({ name: 'agent', settings: { webhook_url: server.url } });
  const { body } = await ask(box.address);
  return { box, replies: { [body.id]: 1 }, files: true };
});
door('a key by hand, and further replies', async (secret) => {
  const box = await held();
  const { body } = await ask(box.address);
  await answer(body.id, { body: `It is ${secret}.` });
  const [review] = await pendingOf(box);
  assert.ok(review);
  await approve(review);
  await answer(body.id, { body: `And ${secret} more.`, data: { secret }, attachments: [file(secret)] });
  return { box, replies: { [body.id]: 1 }, files: true };
});
for (const claims of [true, false])
  door(`an answer to all, ${claims ? 'under a claim' : 'by hand'}, with Bcc`, async (secret) => {
    const box = await held();
    const [cc, bcc] = [`${unique('cc')}@far.example`, `${unique('bcc')}@far.example`];
    const { from, id } = await mailIn(box, 'To all?');
    const fields = { reply_all: true, cc: [cc, second.address], bcc: [bcc] };
    await answer(id, { body: `All: ${secret}.`, ...fields, ...(claims && { claim: await claimOf(box) }) });
    return { box, mails: [from, cc, bcc], rows: [second.address] };
  });
door('the answer to a mail, with data and a file', async (secret) => {
  const box = await held();
  const { from, id } = await mailIn(box, 'By mail?');
  await answer(id, { body: `It is ${secret}.`, attachments: [file(secret)] });
  return { box, mails: [from] };
});
door('the answer of a behavior to a mail', async (secret) => {
  const box = await held({ name: 'hello', settings: { introduction: `I am ${secret}.` } });
  const { from } = await mailIn(box, 'Who are you?');
  return { box, mails: [from] };
});
door('new mail to the outside, with HTML and a file', async (secret) => {
  const box = await held();
  const to = `${unique('bo')}@far.example`;
  const fields = { from: box.address, to, subject: secret, body: secret, html: `<p>${secret}</p>` };
  const sent = await send(program.secret, { ...fields, attachments: [file(secret)] });
  assert.deepEqual([sent.status, sent.body.waiting_for], [202, 'review'], sent.text);
  return { box, mails: [to] };
});
door('a message to several, here and outside', async (secret) => {
  const box = await held();
  const [to, bcc] = [`${unique('to')}@far.example`, `${unique('bcc')}@far.example`];
  const fields = { from: box.address, to: [theirs.address, to], cc: [second.address], bcc: [bcc] };
  const sent = await send(program.secret, { ...fields, body: `For all: ${secret}`, data: { secret } });
  assert.equal(sent.body.waiting_for, 'review', sent.text);
  return { box, mails: [to, bcc], rows: [theirs.address, second.address] };
});
door('a message to one mailbox here, in its thread', async (secret) => {
  const box = await held();
  const first = await ask(box.address);
  const fields = { from: box.address, to: theirs.address, in_reply_to: first.body.id, body: secret };
  const sent = await send(program.secret, { ...fields, attachments: [file(secret)] });
  assert.equal(sent.body.waiting_for, 'review', sent.text);
  return { box, rows: [theirs.address], files: true };
});
door('a forward', async (secret) => {
  const box = await held();
  const { id } = await mailIn(box, `Forward ${secret}`);
  const to = `${unique('fw')}@far.example`;
  const body = { to: [to, theirs.address], body: `See: ${secret}` };
  const given = await api<Envelope>('POST', `/mail/messages/${id}/forward`, { key: home.key, body });
  assert.equal(given.body.waiting_for, 'review', given.text);
  return { box, mails: [to], rows: [theirs.address] };
});
door('a draft at its time', async (secret) => {
  const box = await held();
  const send_at = new Date(inside.now() + 60_000).toISOString();
  const body = { from: box.address, to: theirs.address, body: secret, send_at, attachments: [file(secret)] };
  const made = await api('POST', '/mail/drafts', { key: program.secret, body });
  assert.equal(made.status, 201, made.text);
  inside.pass(61_000);
  return { box, rows: [theirs.address], files: true };
});
/** Has `do` plan an instruction for a minute from now, lets `box` write and answer what plans it, and has that minute pass. */
async function schedule(to: Mailbox, box: Mailbox, instructions: string, fields: object = {}): Promise<void> {
  const at = new Date(inside.now() + 60_000).toISOString();
  const steps = [{ task: 'schedule', input: { op: 'add', instructions, at } }];
  const plan = await send(home.key, { to: to.address, body: 'x', data: { steps }, ...fields });
  const { seen: waiting } = await until(
    30_000,
    () => pendingOf(box),
    (found) => found.length > 0,
  );
  for (const review of waiting) await approve(review);
  await until(
    30_000,
    async () => (await read(home.key, plan.body.copies?.[0]?.id ?? plan.body.id)).body.status,
    (status) => status === 'completed',
  );
  inside.pass(61_000);
}
const doing = { name: 'do', settings: { planner: 'builtin' } };
door('a schedule, with what its instruction sends', async (secret) => {
  const box = await held(doing);
  await schedule(box, box, `send ${theirs.address}: Sent ${secret}`);
  return { box, rows: [theirs.address] };
});
door('a schedule that writes as a mailbox', async (secret) => {
  const box = await held();
  await schedule(await newMailbox(home, { behavior: doing }), box, `say: ${secret}`, { from: box.address });
  return { box };
});
door('do, with what a step sends', async (secret) => {
  const box = await held({ name: 'do' });
  const steps = [{ task: 'send', input: { to: theirs.address, body: `Sent: ${secret}` } }];
  const sent = await send(home.key, { to: box.address, body: 'x', data: { steps } });
  assert.equal(sent.status, 202, sent.text);
  return { box, rows: [theirs.address] };
});
door('do, with what a step sends to several', async (secret) => {
  const box = await held({ name: 'do' });
  const steps = [{ task: 'send', input: { to: theirs.address, cc: [second.address], body: `Sent: ${secret}` } }];
  const sent = await send(home.key, { to: box.address, body: 'x', data: { steps } });
  assert.equal(sent.status, 202, sent.text);
  return { box, rows: [theirs.address, second.address] };
});
door('MCP', async (secret) => {
  const box = await held();
  await using mcp = await mcpClient(inside.url, { key: program.secret });
  const to = `${unique('mcp')}@far.example`;
  const sent = await callTool(mcp, 'send', { from: box.address, to, body: secret, wait: 0 });
  assert.notEqual(sent.isError, true, JSON.stringify(sent));
  return { box, mails: [to] };
});
door('A2A, whose task is at work while it waits', async (secret) => {
  const box = await held({ name: 'hello', settings: { introduction: `I am ${secret}.` } });
  const agent = await a2aClient(inside, box.address, { key: other.key });
  const task = await sendTask(agent, says('Who are you?', { metadata: undefined }));
  assert.equal(task.status?.state, TaskState.TASK_STATE_WORKING);
  assert.ok(!JSON.stringify(task).includes(secret));
  return { box, replies: { [task.id.replace(/^.*?(msg_)/, '$1')]: 1 } };
});
door('A2A, to a client that follows its stream', async (secret) => {
  modelSays = `The answer is ${secret}.`;
  const box = await held({ name: 'assistant', settings: { instructions: 'Help.' } });
  const agent = await a2aClient(inside, box.address, { key: other.key });
  let told = '';
  streams.push({ text: () => told });
  const reading = (async () => {
    for await (const event of agent.sendMessageStream(request(says('What is it?')))) told += JSON.stringify(event);
  })();
  after(() => reading.catch(() => {}));
  const { seen } = await until(
    30_000,
    () => pendingOf(box),
    (found) => found.length > 0,
  );
  return { box, replies: { [seen[0]?.message_id ?? '']: 1 } };
});
door('a page, to a guest without a key', async (secret) => {
  const box = await held({ name: 'hello', settings: { introduction: `I am ${secret}.` } }, { access: 'public' });
  const tried = await client.tryOut({ to: box.address, body: 'Who are you?' });
  assert.ok(tried.status < 300, tried.text);
  const token = tried.body.thread_token;
  const guest = async () => (await read(token, tried.body.id)).text;
  assert.ok(!`${tried.text}${await guest()}`.includes(secret), tried.text);
  await until(
    30_000,
    () => pendingOf(box),
    (found) => found.length > 0,
  );
  assert.ok(!(await guest()).includes(secret));
  return { box };
});
door('a rule that forwards', async (secret) => {
  const box = await held();
  const rules = [{ id: 'all', if: { channel: 'smtp' }, then: { forward_to: theirs.address } }];
  const changed = await api('PATCH', `/mailboxes/${box.address}`, { key: home.key, body: { rules } });
  assert.equal(changed.status, 200, changed.text);
  await mailIn(box, `Forward ${secret}`);
  return { box, rows: [theirs.address] };
});
door('a message that failed and is sent again', async (secret) => {
  const box = await held({ name: 'agent' }, { outgoing: { review: 'never' } });
  const failing = await newMailbox(other, { behavior: { name: 'agent' } });
  const sent = await send(program.secret, { from: box.address, to: failing.address, body: 'x' });
  await answer(sent.body.id, { status: 'failed', error: 'No.' }, other.key);
  await client.change(home.key, box.address, { outgoing: { review: 'always' } });
  const again = await api<Envelope>('POST', `/mail/messages/${sent.body.id}/retry`, { key: program.secret });
  assert.deepEqual([again.status, again.body.waiting_for], [202, 'review'], `${again.text} ${secret}`);
  return { box };
});
door('a mail program', async (secret) => {
  const box = await held();
  const to = `${unique('sub')}@far.example`;
  await using smtp = await smtpClient(inside.submission[0]?.port ?? 0);
  await smtp.say('EHLO client.example');
  await smtp.secure(cert);
  await smtp.say('EHLO client.example');
  const login = Buffer.from(`\0${box.address}\0${program.secret}`).toString('base64');
  assert.match(await smtp.say(`AUTH PLAIN ${login}`), /^235 /);
  await smtp.all(`MAIL FROM:<${box.address}>`, `RCPT TO:<${to}>`, `RCPT TO:<${theirs.address}>`, 'DATA');
  const head = {
    From: box.address,
    To: to,
    Subject: secret,
    'Message-ID': `<${unique()}@x>`,
    'Auto-Submitted': 'auto-generated',
  };
  assert.match(await smtp.say(`${mailText(head, secret)}\r\n.`), /^250 /);
  return { box, mails: [to], rows: [theirs.address] };
});

const decided = (review: Review) =>
  api<Review>('POST', `/mail/reviews/${review.id}/approve`, { key: reviewer.secret, body: { hash: review.hash } });
async function approve(review: Review): Promise<void> {
  const given = await decided(review);
  assert.equal(given.status, 200, given.text);
}

/** Doors of the same code as another one. */
const REPEATS: ReadonlySet<string> = new Set([
  'proofread',
  'assistant',
  'an answer to all, by hand, with Bcc',
  'do, with what a step sends',
  'the answer of a behavior to a mail',
]);

for (const { name, run, mark } of doors.filter((one) => LONG || !REPEATS.has(one.name)))
  test(`nothing leaves before it is approved, and all of it once after: ${name}`, async () => {
    const secret = unique('zq');
    const wanted = mark ?? secret;
    const from = sink.arrived.length;
    const { box, mails = [], rows = [], replies = {}, files = false } = await run(secret);
    const pending = await until(
      30_000,
      () => pendingOf(box),
      (found) => found.length > 0,
    );
    const early = await seen();
    const isFurther = name.includes('further');
    assert.ok(
      isFurther || !early.includes(wanted),
      early.slice(early.indexOf(wanted) - 300, early.indexOf(wanted) + 100),
    );
    assert.ok(!isFurther || !early.includes(`And ${wanted} more`));
    for (let waiting = pending.seen; waiting.length > 0; waiting = await pendingOf(box))
      for (const review of waiting) await approve(review);
    const text = isFurther ? `And ${wanted} more` : wanted;
    const isWithFile = name.endsWith('a file');
    const arrived = () => sink.arrived.slice(from).filter(({ raw, mail }) => `${raw}${mail.text}`.includes(text));
    const rowsOf = async (address: string) =>
      (await all<Envelope>(`/mailboxes/${address}/messages`, other.key)).filter(({ body }) => body.includes(text));
    const state = async () => ({
      mails: arrived()
        .filter(({ mail }) => !isWithFile || mail.attachments.length === 1)
        .flatMap(({ to }) => to)
        .toSorted(),
      rows: (
        await Promise.all(
          [theirs, second].map(async ({ address }) =>
            (await rowsOf(address)).map(({ attachments }) => `${address}${' and a file'.repeat(attachments.length)}`),
          ),
        )
      )
        .flat()
        .toSorted(),
      replies: Object.fromEntries(
        await Promise.all(
          Object.keys(replies).map(async (id) => {
            const { body } = await read(other.key, id);
            const thread = await api<{ items: Envelope[] }>('GET', `/mail/threads/${body.thread_id}`, {
              key: other.key,
            });
            const count = [
              body.reply?.body ?? '',
              ...thread.body.items.filter((one) => one.in_reply_to === id).map((one) => one.body),
            ];
            return [id, new Set(count.filter((one) => one.includes(text))).size] as const;
          }),
        ),
      ),
    });
    // A reply in the mailbox of the one who asked is a row too.
    const isReplied = Object.keys(replies).length > 0 && !name.startsWith('A2A');
    const expected = {
      mails: mails.toSorted(),
      rows: [...rows, ...(isReplied ? [theirs.address] : [])]
        .map((one) => `${one}${files ? ' and a file' : ''}`)
        .toSorted(),
      replies: { ...replies },
    };
    await until(8_000, state, (now) => JSON.stringify(now) === JSON.stringify(expected)).catch(async () =>
      assert.deepEqual(await state(), expected),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(await state(), expected, 'something left twice');
  });
