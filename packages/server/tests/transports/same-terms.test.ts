import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { rpc } from '../../../../tests/harness/a2a.ts';
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
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { moody } from '../../../../tests/harness/moody.ts';

const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', SYNC_SECONDS: '1', LIMIT_DATA: '2000', LIMIT_STORAGE_UNCLAIMED: '150000' },
  behaviors: [...testBehaviors(), moody],
});
const { url } = inside.client;
const { api, newNamespace, newMailbox, newKey, newPaused, read } = inside.client;
const port = (): number => inside.smtp?.port ?? 0;
const DOORS = keyDoors(url);
const [API] = DOORS as readonly [Door, ...Door[]];
const PAGE = page(url);
const MOODY = { name: 'moody' };
const BY_HAND = { name: 'agent', settings: { by_hand: true } };
const PAIRS = DOORS.flatMap((one) => DOORS.filter((other) => other !== one).map((other) => [one, other] as const));

let home: Home;
let stranger: Home;
before(async () => {
  home = await newNamespace();
  stranger = await newNamespace();
});

const byAll = (send: (door: Door) => Promise<Shown>): Promise<Sent> => sentBy(DOORS, send);
const received = async (address: string): Promise<number> =>
  (await api<{ items: unknown[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items.length;
const answer = (id: string, body: object) =>
  api('POST', `/mail/messages/${id}/answer`, { key: home.key, body }).then(({ status, text }) =>
    assert.equal(status, 200, text),
  );

test('two transports that send one message at once under one key send it once, and both get its answer', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  for (const [one, other] of PAIRS) {
    const of = { key: home.key, idempotencyKey: unique('at-once-') };
    const both = await Promise.all([one.send(address, 'slow 100', of), other.send(address, 'slow 100', of)]);
    const names = `${one.name} with ${other.name}: ${JSON.stringify(both)}`;
    assert.equal(both[0].id, both[1].id, names);
    assert.deepEqual([both[0].status, both[0].reply], ['completed', 'You wrote: slow 100'], names);
    assert.deepEqual([both[1].status, both[1].reply], ['completed', 'You wrote: slow 100'], names);
  }
  assert.equal(await received(address), PAIRS.length);
});

test('a message that waits is repeated by each other transport, which waits for the same answer', async () => {
  const { address } = await newMailbox(home, { behavior: BY_HAND });
  for (const [one, other] of PAIRS) {
    const options = { key: home.key, idempotencyKey: unique('waits-') };
    const begun = await one.send(address, 'Hello', { ...options, async: true });
    const again = other.send(address, 'Hello', options);
    await answer(begun.id, { body: 'Done.' });
    const shown = await again;
    const names = `${one.name}, then ${other.name}: ${JSON.stringify(shown)}`;
    assert.equal(shown.id, begun.id, names);
    assert.ok(['submitted', 'completed'].includes(String(shown.status)), names);
    assert.equal((await other.send(address, 'Hello', options)).reply, 'Done.', names);
  }
  assert.equal(await received(address), PAIRS.length);
});

test('an answer that takes longer than the wait comes later, by whichever transport it is read', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  const each = DOORS.map(async (one) => {
    // A tool of MCP says itself how long it waits.
    const begun = await one.send(address, 'slow 1500', { key: home.key, async: one.channel === 'mcp' });
    assert.ok(begun.status === 'working' || begun.status === 'submitted', `${one.name}: ${JSON.stringify(begun)}`);
    for (const other of DOORS)
      assert.deepEqual(
        (({ id, status, reply }) => [id, status, reply])(await other.read(address, begun.id, home.key, true)),
        [begun.id, 'completed', 'You wrote: slow 1500'],
        `${one.name}, then ${other.name}`,
      );
  });
  await Promise.all(each);
});

test('who may not see a message neither reads nor cancels it by any transport', async () => {
  const { address } = await newMailbox(home, { behavior: BY_HAND });
  const other = await newMailbox(home, { behavior: BY_HAND });
  const bound = await newKey(home, { scopes: ['mail:send', 'messages:read'], mailbox: other.address });
  const { token = '' } = await API.send(address, 'Hello', {});
  for (const entrance of DOORS) {
    const { id } = await entrance.send(address, 'Secret', { key: home.key, async: true });
    for (const key of [stranger.key, bound.secret, token])
      for (const door of DOORS) {
        const names = `${entrance.name}, then ${door.name}`;
        const shown = await door.read(address, id, key);
        assert.match(String(shown.code), /_not_found$/, `${names}: ${JSON.stringify(shown)}`);
        const canceled = await door.cancel?.(address, id, key);
        assert.ok(canceled === undefined || /_not_found$/.test(String(canceled.code)), names);
      }
    assert.equal((await read(home.key, id)).body.status, 'submitted', entrance.name);
  }
});

test('a key that is bound to an address writes as it by every transport', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  const mailbox = await newMailbox(home, { behavior: MOODY });
  const bound = await newKey(home, { scopes: ['mail:send', 'messages:read'], mailbox: mailbox.address });
  for (const [name, { id, status }] of await byAll((door) => door.send(address, 'Hello', { key: bound.secret }))) {
    assert.equal(status, 'completed', name);
    const { body } = await read(home.key, id);
    assert.deepEqual([body.from, body.sender], [mailbox.address, { kind: 'mailbox', id: mailbox.id }], name);
  }
});

test('a thread that its owner took over waits for an answer by hand, by whichever transport it goes on', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  for (const entrance of DOORS) {
    const { thread_id } = await entrance.send(address, 'Hello', { key: home.key });
    await api('POST', `/mail/threads/${thread_id}/take-over`, { key: home.key });
    for (const other of DOORS) {
      const more = await other.send(address, 'More', { key: home.key, thread: thread_id, async: true });
      const names = `${entrance.name}, then ${other.name}: ${JSON.stringify(more)}`;
      assert.deepEqual([more.status, more.thread_id], ['submitted', thread_id], names);
      await answer(more.id, { body: 'By hand.' });
      assert.equal((await entrance.read(address, more.id, home.key)).reply, 'By hand.', names);
    }
  }
});

const LIMITS: readonly {
  readonly what: string;
  readonly code: string;
  readonly guest?: string;
  readonly smtp?: RegExp;
  readonly text?: string;
  readonly data?: unknown;
  mailbox(): Promise<string>;
}[] = [
  {
    what: 'more messages a day than its owner takes',
    code: 'rate_limited',
    guest: 'rate_limited',
    smtp: /^45[0-9] /,
    async mailbox() {
      const settings = { by_hand: true, max_messages_per_day: 1 };
      const { address } = await newMailbox(home, { behavior: { name: 'agent', settings } });
      await API.send(address, 'The first', { key: home.key, async: true });
      return address;
    },
  },
  {
    what: 'data that is too large',
    code: 'body_too_large',
    data: { text: 'x'.repeat(3000) },
    mailbox: async () => (await newMailbox(home, { behavior: MOODY })).address,
  },
];

for (const { what, code, guest, smtp, text = 'Hello', data, mailbox } of LIMITS) {
  test(`${what}: refused by every transport with the same code, and nothing is stored`, async () => {
    const address = await mailbox();
    const had = await received(address);
    const shown = await byAll((door) => door.send(address, text, { key: home.key, data, async: true }));
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
      assert.ok((await PAGE.send(address, text, {})).code !== null);
    }
    if (smtp !== undefined) assert.match((await mail(port(), address, text)).said, smtp);
    assert.equal(await received(address), had);
  });
}

test('a namespace that is full sends no more by any transport', async () => {
  const full = await newNamespace();
  const { address } = await newPaused(home, { behavior: MOODY });
  for (let n = 0; n < 10; n++) await API.send(address, 'x'.repeat(20_000), { key: full.key, async: true });
  const had = await received(address);
  const shown = await byAll((door) => door.send(address, 'x'.repeat(20_000), { key: full.key, async: true }));
  assert.equal(
    allSame(shown, ({ code }) => code),
    'storage_full',
  );
  assert.equal(await received(address), had);
});

test('a guest’s message is the same when another transport repeats it, as is a form or a mail that comes twice', async () => {
  const { address } = await newMailbox(home, { behavior: MOODY });
  // MCP has no such key for guests, and a page counts the text too, because a form may be changed and sent again.
  const doors = DOORS.filter(({ channel }) => channel !== 'mcp');
  for (const door of doors) {
    const idempotencyKey = crypto.randomUUID();
    const sent = await door.send(address, 'Once', { idempotencyKey });
    assert.equal(sent.status, 'completed', `${door.name}: ${JSON.stringify(sent)}`);
    for (const again of doors) {
      const repeated = await again.send(address, 'Once', { idempotencyKey });
      assert.equal(repeated.id, sent.id, `${door.name}, then ${again.name}: ${JSON.stringify(repeated)}`);
      const other = await again.send(address, 'Another', { idempotencyKey });
      assert.equal(other.code, 'idempotency_mismatch', `${door.name}, then ${again.name}: ${JSON.stringify(other)}`);
    }
  }
  const form = { idempotencyKey: crypto.randomUUID() };
  const sent = await PAGE.send(address, 'Once', form);
  assert.equal((await PAGE.send(address, 'Once', form)).id, sent.id);
  const headers = { 'Message-ID': `<${unique()}@example.org>`, Date: new Date().toUTCString() };
  const first = await mail(port(), address, 'Once', { headers });
  assert.equal((await mail(port(), address, 'Once', { headers })).id, first.id);
  assert.equal(await received(address), doors.length + 2);
});

test('a message that waits for its owner says so on every transport, and is refused for all of them', async () => {
  const { address: target } = await newPaused(home, { behavior: MOODY });
  const { address } = await newMailbox(home, { behavior: { name: 'do', settings: { approval: ['send'] } } });
  for (const entrance of DOORS) {
    const begun = await entrance.send(address, `send ${target}: approved`, { key: home.key });
    assert.equal(begun.status, 'working', `${entrance.name}: ${JSON.stringify(begun)}`);
    for (const other of DOORS) {
      const names = `${entrance.name}, then ${other.name}`;
      assert.equal((await other.read(address, begun.id, home.key)).status, 'working', names);
    }
    assert.equal((await read(home.key, begun.id)).body.waiting_for, 'approval');
    await api('POST', `/mail/messages/${begun.id}/refuse`, { key: home.key });
    const ends = await Promise.all(
      DOORS.map(async (other) => [other.name, await other.read(address, begun.id, home.key, true)] as const),
    );
    const end = allSame(ends, ({ status, reply, message }) => ({ status, reply, message }));
    assert.equal(end.status, 'rejected', entrance.name);
  }
  assert.equal(await received(target), 0);
});

test('a file that comes by any transport is the same attachment, and is answered with the same file', async () => {
  const { address } = await newMailbox(home, { behavior: { name: 'proofread' } });
  const content = Buffer.from('She have two cat.\n').toString('base64');
  const file = { filename: 'note.txt', content_type: 'text/plain', content };
  const body = 'He go home.';
  const sent = new Map<string, string>();
  const byApi = await inside.client.send(home.key, { to: address, body, attachments: [file], sync: true });
  sent.set('API', byApi.body.id);
  const part = { raw: content, filename: file.filename, mediaType: file.content_type };
  const message = () => ({ messageId: unique('m'), role: 'ROLE_USER', parts: [{ text: body }, part] });
  const asked = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: message() } };
  sent.set('A2A', (await rpc({ url }, address, asked, { key: home.key })).body.result.task.id);
  await using assistant = await mcpClient(url, { key: home.key });
  const tool = await callTool(assistant, 'send', { to: address, body, attachments: [file] });
  sent.set('MCP', String(tool.structuredContent.id));
  const headers = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=x' };
  const parts = [
    `--x\nContent-Type: text/plain\n\n${body}`,
    `--x\nContent-Type: text/plain; name=note.txt\nContent-Disposition: attachment; filename=note.txt\nContent-Transfer-Encoding: base64\n\n${content}`,
    '--x--\n',
  ];
  sent.set('SMTP', (await mail(port(), address, parts.join('\n'), { headers })).id ?? '');
  const files = async (id: string) => {
    const { body: one } = await read(home.key, id, '?wait=30');
    const shownFile = ({ filename, content_type, size, sha256 }: (typeof one.attachments)[number]) => ({
      filename,
      content_type,
      size,
      sha256,
    });
    return [one.status, one.attachments.map(shownFile), one.reply?.body, one.reply?.attachments.map(shownFile)];
  };
  const first = await files(sent.get('API') as string);
  assert.equal((first[3] as unknown[]).length, 1, JSON.stringify(first));
  for (const [name, id] of sent) assert.deepEqual(await files(id), first, name);
});

test('a message that goes in a circle is refused by every transport on which a program can name its cause', async () => {
  const loop = await newNamespace();
  const { address } = await newPaused(loop, { behavior: MOODY });
  const own = await newPaused(loop, { behavior: MOODY });
  let caused_by: string | undefined;
  for (let hop = 0; hop < 9; hop++) {
    const { body, status } = await inside.client.send(loop.key, { to: own.address, body: 'On', caused_by });
    if (status === 508) break;
    caused_by = body.id;
  }
  const refused = await inside.client.send(loop.key, { to: address, body: 'On', caused_by });
  assert.deepEqual([refused.status, (refused.body as unknown as { code: string }).code], [508, 'loop_detected']);
  const message = { messageId: unique('m'), role: 'ROLE_USER', parts: [{ text: 'On' }], metadata: { caused_by } };
  const asked = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
  const a2a = await rpc({ url }, address, asked, { key: loop.key });
  assert.deepEqual([a2a.status, a2a.body.error.data[0].reason], [508, 'LOOP_DETECTED']);
  await using assistant = await mcpClient(url, { key: loop.key });
  const tool = await callTool(assistant, 'send', { to: address, body: 'On', caused_by });
  assert.deepEqual([tool.isError, tool.structuredContent.code], [true, 'loop_detected']);
});
