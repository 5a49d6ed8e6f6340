import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { TaskState } from '@a2a-js/sdk';
import { a2aClient } from '../../../../tests/harness/a2a.ts';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import {
  allSame,
  type Door,
  keyDoors,
  mail,
  page,
  type Sent,
  type Shown,
  sentBy,
} from '../../../../tests/harness/doors.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor } from '../../../../tests/harness/mail.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { moody } from '../../../../tests/harness/moody.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';

const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', LIMIT_BODY: '20000' },
  behaviors: [...testBehaviors(), moody],
});
const url = inside.client.url;
const { api, newNamespace, newMailbox, newKey, newPaused, read } = inside.client;
const port = (): number => inside.smtp?.port ?? 0;
const DOORS = keyDoors(url);
const PAGE = page(url);
const MOODY = { name: 'moody' };
const BY_HAND = { name: 'agent', settings: { by_hand: true } };

let home: Home;
let stranger: Home;
before(async () => {
  home = await newNamespace();
  stranger = await newNamespace();
});

const byAll = (send: (door: Door) => Promise<Shown>): Promise<Sent> => sentBy(DOORS, send);

/** The message as it is stored, without what differs from one to the next. */
async function stored(id: string): Promise<Partial<Envelope>> {
  const { status, body } = await read(home.key, id);
  assert.equal(status, 200, id);
  const { id: _, thread_id: _t, created_at: _c, settled_at: _s, channel: _ch, sender: _se, reply, ...rest } = body;
  const { id: _r, in_reply_to: _i, created_at: _rc, ...answer } = reply ?? ({} as NonNullable<Envelope['reply']>);
  return { ...rest, ...(reply !== null && { reply: answer as never }) };
}

const ANSWERED: readonly (readonly [string, object, string, Partial<Shown>])[] = [
  [
    'hello',
    { name: 'hello', settings: { introduction: 'I write programs.' } },
    'Who are you?',
    { status: 'completed' },
  ],
  ['proofread', { name: 'proofread' }, 'She have two cat.', { status: 'completed' }],
  ['do, with a question', { name: 'do' }, 'Sort something', { status: 'input_required' }],
  ['do, with a result', { name: 'do' }, '17.5% of 2000', { status: 'completed' }],
  ['a failed one', MOODY, 'fail here', { status: 'failed' }],
  ['a rejected one', MOODY, 'reject this', { status: 'rejected' }],
  ['a question', MOODY, 'ask me', { status: 'input_required', reply: 'Which day suits you?' }],
];

for (const [what, behavior, text, wanted] of ANSWERED) {
  test(`${what}: every transport tells the same status, reply and error, and stores the same message`, async () => {
    const { address } = await newMailbox(home, { behavior });
    const results = await byAll((door) => door.send(address, text, { key: home.key, subject: 'Hi', data: undefined }));
    const same = allSame(results, ({ status, reply, message }) => ({ status, reply, message }));
    assert.deepEqual({ ...same, ...wanted }, same);
    const messages = [];
    for (const [name, { id, thread_id }] of results) {
      const { body } = await read(home.key, id);
      assert.equal(body.thread_id, thread_id, name);
      assert.equal(body.channel, DOORS.find((door) => door.name === name)?.channel);
      assert.deepEqual([body.status, body.reply?.body ?? null], [same.status, same.reply], name);
      assert.equal(body.error?.message ?? '', same.status === 'input_required' ? '' : same.message, name);
      assert.equal(body.subject, 'Hi');
      messages.push(await stored(id));
    }
    for (const message of messages) assert.deepEqual(withoutTimes(message), withoutTimes(messages[0]));

    const guests: Sent = await Promise.all(
      [...DOORS, PAGE].map(async (door) => [door.name, await door.send(address, text, {})] as const),
    );
    const guest = allSame(guests, ({ status, reply, message }) => ({ status, reply, message }));
    assert.deepEqual({ ...guest, ...wanted }, guest);
    for (const [name, { id }] of guests) {
      const { body } = await read(home.key, id);
      assert.equal(body.sender.kind, 'guest', name);
      assert.equal(body.sender.id, body.thread_id, name);
      assert.equal(body.channel, [...DOORS, PAGE].find((door) => door.name === name)?.channel);
    }

    const { id: mailed, said } = await mail(port(), address, text);
    assert.ok(mailed !== undefined, said);
    const { body } = await read(home.key, mailed, '?wait=30');
    assert.deepEqual([body.status, body.channel, body.sender.kind], [guest.status, 'smtp', 'email']);
    assert.equal(body.reply?.body ?? null, guest.reply);
    assert.equal(body.error?.code ?? null, (await read(home.key, results[0]?.[1].id ?? '')).body.error?.code ?? null);
  });
}

/** A receipt and a drawn number differ from one run to the next. */
const withoutTimes = (message: Partial<Envelope> | undefined): unknown =>
  JSON.parse(JSON.stringify(message, (name, value) => (name === 'data' || name === 'progress' ? undefined : value)));

test('a paused address holds what comes by every transport, and answers at once that it waits', async () => {
  const { address } = await newPaused(home, { behavior: MOODY });
  const results = await byAll((door) => door.send(address, 'Later', { key: home.key }));
  assert.equal(
    allSame(results, ({ status }) => status),
    'submitted',
  );
  const guests: Sent = await Promise.all(
    DOORS.map(async (door) => [door.name, await door.send(address, 'Later', {})] as const),
  );
  assert.equal(
    allSame(guests, ({ status }) => status),
    'submitted',
  );
  const paged = await PAGE.send(address, 'Later', {});
  const { id: mailed = '' } = await mail(port(), address, 'Later');
  const all = [...results, ...guests].map(([, { id }]) => id);
  for (const id of [...all, paged.id, mailed]) assert.equal((await read(home.key, id)).body.status, 'submitted');
  await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { status: 'online' } });
  for (const id of [...all, paged.id, mailed])
    assert.equal((await read(home.key, id, '?wait=30')).body.status, 'completed');
});

interface Refusal {
  readonly what: string;
  /** The key that sends. */
  readonly by: () => string;
  readonly text?: string;
  readonly code: string;
  readonly smtp: RegExp;
  readonly guest?: string;
  readonly mailbox: () => Promise<string>;
}

const long = 'word '.repeat(5_000);
const REFUSALS: readonly Refusal[] = [
  {
    what: 'an address that there is not',
    by: () => home.key,
    code: 'mailbox_not_found',
    guest: 'mailbox_not_found',
    smtp: /^550 5\.1\.1 /,
    mailbox: async () => `${unique()}@${home.name}.mailroom.localhost`,
  },
  {
    what: 'an address for keys of its own namespace',
    by: () => stranger.key,
    code: 'mailbox_not_found',
    guest: 'mailbox_not_found',
    smtp: /^550 5\.1\.1 /,
    mailbox: async () => (await newMailbox(home, { behavior: MOODY, access: 'key', try_out: false })).address,
  },
  {
    what: 'a deleted address',
    by: () => home.key,
    code: 'mailbox_gone',
    guest: 'mailbox_gone',
    smtp: /^550 5\.1\.6 /,
    async mailbox() {
      const { address } = await newMailbox(home, { behavior: MOODY });
      await api('DELETE', `/mailboxes/${address}`, { key: home.key });
      return address;
    },
  },
  {
    what: 'a sender that its owner blocked',
    by: () => stranger.key,
    code: 'sender_not_allowed',
    smtp: /^550 5\.7\.1 /,
    mailbox: async () =>
      (await newMailbox(home, { behavior: MOODY, senders: { allow: [], block: [stranger.name, '*@example.org'] } }))
        .address,
  },
  {
    what: 'a text that is too long',
    by: () => home.key,
    text: long,
    code: 'body_too_large',
    guest: 'body_too_large',
    smtp: /^552 5\.3\.4 /,
    mailbox: async () => (await newMailbox(home, { behavior: MOODY })).address,
  },
];

for (const { what, by, text = 'Hello', code, guest, smtp, mailbox } of REFUSALS) {
  test(`${what}: every transport refuses with the same code, and stores nothing`, async () => {
    const address = await mailbox();
    const shown = await byAll((door) => door.send(address, text, { key: by() }));
    assert.equal(
      allSame(shown, (one) => one.code),
      code,
    );
    if (guest !== undefined) {
      const guests = await byAll((door) => door.send(address, text, {}));
      assert.equal(
        allSame(guests, (one) => one.code),
        guest,
      );
      const paged = await PAGE.send(address, text, {});
      assert.ok(paged.code !== null, JSON.stringify(paged));
    }
    const { said, id } = await mail(port(), address, text);
    assert.match(said, smtp);
    assert.equal(id, undefined);
    const { status, body } = await api<{ items: unknown[] }>('GET', `/mailboxes/${address}/messages`, {
      key: home.key,
    });
    if (status === 200) assert.deepEqual(body.items, []);
  });
}

test('an address without a try-out asks guests for a key on every transport', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY, try_out: false });
  for (const door of DOORS) {
    const { code } = await door.send(address, 'Hello', {});
    // The try-out is an endpoint of its own, so it says that it is closed; the others take a key in the same request.
    assert.equal(code, door.channel === 'api' ? 'access_denied' : 'missing_key', door.name);
  }
  assert.ok((await PAGE.send(address, 'Hello', {})).code !== null);
});

test('a key without the right to send, a revoked one and a wrong one are refused the same on every transport', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const gone = await newKey(home, { scopes: ['mail:send'] });
  await api('DELETE', `/keys/${gone.id}`, { key: home.key });
  const cases = [
    [reader.secret, 'insufficient_scope'],
    [gone.secret, 'invalid_key'],
    [`${home.key.slice(0, -1)}${home.key.endsWith('a') ? 'b' : 'a'}`, 'invalid_key'],
  ] as const;
  for (const [key, code] of cases) {
    const shown = await byAll((door) => door.send(address, 'Hello', { key }));
    assert.equal(
      allSame(shown, (one) => one.code),
      code,
    );
  }
});

test('a message that is repeated by another transport under the same key is the same message', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  for (const first of DOORS) {
    const idempotencyKey = unique('once-');
    const sent = await first.send(address, 'Once', {
      key: home.key,
      idempotencyKey,
      data: { b: [1], a: 2 },
      subject: 'S',
    });
    assert.equal(sent.status, 'completed', JSON.stringify(sent));
    for (const again of DOORS) {
      const repeated = await again.send(address, 'Once', {
        key: home.key,
        idempotencyKey,
        data: { a: 2, b: [1] },
        subject: 'S',
      });
      assert.equal(repeated.id, sent.id, `${first.name}, then ${again.name}: ${JSON.stringify(repeated)}`);
      assert.deepEqual([repeated.status, repeated.reply], [sent.status, sent.reply]);
      const other = await again.send(address, 'Another', { key: home.key, idempotencyKey });
      assert.equal(other.code, 'idempotency_mismatch', `${first.name}, then ${again.name}: ${JSON.stringify(other)}`);
    }
  }
  const { body } = await api<{ items: unknown[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key });
  assert.equal(body.items.length, DOORS.length);
});

/** Every ordered pair of two transports that programs use with a key. */
const PAIRS = DOORS.flatMap((one) => DOORS.filter((other) => other !== one).map((other) => [one, other] as const));

/** Answers by hand, by the API. */
const answer = (id: string, body: object) =>
  api('POST', `/mail/messages/${id}/answer`, { key: home.key, body }).then(({ status, text }) =>
    assert.equal(status, 200, text),
  );

async function mailboxByHand(): Promise<Mailbox> {
  return newMailbox(home, { behavior: BY_HAND });
}

test('a message begun by one transport is read and waited for by each other one', async () => {
  const { address } = await mailboxByHand();
  for (const [one, other] of PAIRS) {
    const names = `${one.name}, then ${other.name}`;
    const begun = await one.send(address, 'Wait', { key: home.key, async: true });
    const now = await other.read(address, begun.id, home.key);
    assert.deepEqual([now.id, now.thread_id, now.status], [begun.id, begun.thread_id, 'submitted'], names);
    const waits = other.read(address, begun.id, home.key, true);
    await answer(begun.id, { body: 'Done.' });
    const ended = await waits;
    assert.deepEqual([ended.id, ended.status, ended.reply], [begun.id, 'completed', 'Done.'], names);
    assert.deepEqual(
      (({ status, reply }) => [status, reply])(await one.read(address, begun.id, home.key)),
      ['completed', 'Done.'],
      names,
    );
  }
});

test('a message begun by one transport is canceled by each other one', async () => {
  const { address } = await mailboxByHand();
  for (const [one, other] of PAIRS) {
    if (other.cancel === undefined) continue;
    const names = `${one.name}, then ${other.name}`;
    const begun = await one.send(address, 'Wait', { key: home.key, async: true });
    assert.equal((await other.cancel(address, begun.id, home.key)).status, 'canceled', names);
    assert.equal((await one.read(address, begun.id, home.key)).status, 'canceled', names);
  }
});

test('a question that one transport got is answered by each other one, and the first sees the answer', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  for (const [one, other] of PAIRS) {
    const names = `${one.name}, then ${other.name}`;
    const question = await one.send(address, 'ask me', { key: home.key });
    assert.equal(question.status, 'input_required', names);
    const more = await other.send(address, 'Friday', { key: home.key, thread: question.thread_id });
    assert.deepEqual(
      [more.status, more.reply],
      ['completed', 'You wrote: Friday'],
      `${names}: ${JSON.stringify(more)}`,
    );
    assert.equal(more.thread_id, question.thread_id, names);
    const seen = await one.read(address, question.id, home.key);
    // A task continues under its id; a message that asked stays one.
    const wanted = one.channel === 'a2a' && other.channel !== 'a2a' ? 'completed' : 'input_required';
    assert.equal(seen.status, wanted, `${names}: ${JSON.stringify(seen)}`);
    const { body } = await api<{ items: { body: string }[] }>('GET', `/mail/threads/${question.thread_id}`, {
      key: home.key,
    });
    assert.deepEqual(
      body.items.map((item) => item.body),
      ['ask me', 'Which day suits you?', 'Friday', 'You wrote: Friday'],
      names,
    );
  }
});

test('a guest continues, reads and cancels by every transport what another one began', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  const held = await newPaused(home, { behavior: MOODY });
  for (const door of [...DOORS, PAGE]) {
    const begun = await door.send(address, 'ask me', {});
    const token = begun.token ?? '';
    assert.match(token, /^mt_/, `${door.name}: ${JSON.stringify(begun)}`);
    for (const other of DOORS) {
      const names = `${door.name}, then ${other.name}`;
      const seen = await other.read(address, begun.id, token);
      assert.equal(seen.id, begun.id, `${names}: ${JSON.stringify(seen)}`);
      const more = await other.send(address, 'Friday', { key: token });
      assert.equal(more.status, 'completed', `${names}: ${JSON.stringify(more)}`);
      const { body } = await read(home.key, more.id);
      assert.equal(body.thread_id, (await read(home.key, begun.id)).body.thread_id, names);
    }
    const paged = await PAGE.send(address, 'Friday', { key: token });
    assert.equal(paged.status, 'completed', `${door.name}, then page: ${JSON.stringify(paged)}`);
    for (const other of [...DOORS, PAGE]) {
      if (other.cancel === undefined) continue;
      const open = await door.send(held.address, 'Wait', {});
      const canceled = await other.cancel(held.address, open.id, open.token ?? '');
      assert.equal(canceled.status, 'canceled', `${door.name}, then ${other.name}: ${JSON.stringify(canceled)}`);
    }
  }
});

test('what came by mail is read, waited for and canceled by its owner on every transport', async () => {
  const { address } = await mailboxByHand();
  for (const door of DOORS) {
    const { id = '' } = await mail(port(), address, 'Wait');
    assert.equal((await door.read(address, id, home.key)).status, 'submitted', door.name);
    const waits = door.read(address, id, home.key, true);
    await answer(id, { body: 'Done.' });
    const { status, reply } = await waits;
    assert.deepEqual([status, reply], ['completed', 'Done.'], door.name);
    if (door.cancel === undefined) continue;
    const { id: other = '' } = await mail(port(), address, 'Wait');
    assert.equal((await door.cancel(address, other, home.key)).status, 'canceled', door.name);
    assert.equal((await read(home.key, other)).body.status, 'canceled', door.name);
  }
});

test('a question that came by mail is answered by mail, and is one task of A2A', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  const from = `${unique()}@example.org`;
  const { id = '' } = await mail(port(), address, 'ask me', { from });
  const [asked] = await leftFor(inside.outbox, from);
  assert.match(asked?.text ?? '', /Which day suits you/);
  const { id: more = '' } = await mail(port(), address, 'Friday', {
    from,
    headers: { 'In-Reply-To': asked?.messageId ?? '', Subject: 'Re: Hello' },
  });
  const answered = await read(home.key, more, '?wait=30');
  assert.equal(answered.body.thread_id, (await read(home.key, id)).body.thread_id);
  for (const door of DOORS.filter(({ channel }) => channel === 'a2a'))
    assert.deepEqual((({ status, reply }) => [status, reply])(await door.read(address, id, home.key)), [
      'completed',
      'You wrote: Friday',
    ]);
});

test('a message is answered by a tool of MCP as by the API, whichever transport began it', async () => {
  const { address } = await mailboxByHand();
  await using assistant = await mcpClient(url, { key: home.key });
  for (const door of DOORS) {
    const { id } = await door.send(address, 'Which day?', { key: home.key, async: true });
    const given = await callTool(assistant, 'answer', { id, body: 'Friday' });
    assert.equal(given.structuredContent.status, 'completed', JSON.stringify(given));
    const { status, reply } = await door.read(address, id, home.key);
    assert.deepEqual([status, reply], ['completed', 'Friday'], door.name);
  }
});

test('a task lists each conversation once, whichever transport continued it', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  const sender = await newNamespace();
  const roots: string[] = [];
  for (const [nth, one] of DOORS.entries())
    for (const other of everyNth(DOORS, 3, nth)) {
      const asked = await one.send(address, 'ask me', { key: sender.key });
      roots.push(asked.id);
      const of = other.channel === 'a2a' ? { answers: asked.id } : { thread: asked.thread_id };
      assert.equal((await other.send(address, 'Friday', { key: sender.key, ...of })).status, 'completed');
    }
  const client = await a2aClient({ url }, address, { key: sender.key });
  const page = { tenant: '', contextId: '', pageSize: 100, pageToken: '', statusTimestampAfter: undefined };
  const { tasks } = await client.listTasks({ ...page, status: TaskState.TASK_STATE_UNSPECIFIED });
  assert.deepEqual(tasks.map(({ id }) => id).sort(), roots.sort());
  for (const { status } of tasks) assert.equal(status?.state, TaskState.TASK_STATE_COMPLETED);
});

test('the rules of a mailbox apply whatever way a message comes, and its sender is told nothing of them', async () => {
  const rules = [{ id: 'on', if: { body: 'rule' }, then: { label: ['ruled'], answer: false } }];
  const { address } = await newMailbox(home, { behavior: MOODY, rules });
  const text = 'A rule applies';
  const results = await byAll((door) =>
    door.send(address, text, { key: stranger.key, subject: 'Hi', data: undefined }),
  );
  const guest = await PAGE.send(address, text, {});
  const mailed = await mail(port(), address, text);
  const received = (await api<{ items: Envelope[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body;
  assert.equal(received.items.length, results.length + 2);
  for (const { rules: applied, labels, status, not_answered } of received.items)
    assert.deepEqual([applied, labels, status, not_answered], [['on'], ['ruled', 'unread'], 'completed', 'rule']);
  for (const [name, { id }] of results) {
    const { body } = await read(stranger.key, id);
    assert.deepEqual([body.rules, body.labels], [undefined, undefined], name);
  }
  for (const { id } of [guest, mailed]) assert.ok(received.items.some((one) => one.id === id));
});
