import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { unique } from '../../../tests/harness/client.ts';
import { sharedService } from '../../../tests/harness/service.ts';
import { ask, Mailroom, serve } from '../dist/index.js';

const { url } = await sharedService();
const name = unique();
let mailroom: Mailroom;

before(async () => {
  const { key } = await new Mailroom({ url, key: '' }).namespaces.create({ name });
  assert.ok(key.secret !== null);
  mailroom = new Mailroom({ url, key: key.secret });
});

/** An address of the behavior `agent`, with a key that may answer there and nothing else. */
async function newAgent(local_part: string): Promise<{ readonly address: string; readonly agent: Mailroom }> {
  const { address } = await mailroom.mailboxes.create(name, { local_part, behavior: { name: 'agent' } });
  const key = await mailroom.keys.create({ scopes: ['mail:answer', 'messages:read'], mailbox: address });
  assert.ok(key.secret !== null);
  return { address, agent: new Mailroom({ url, key: key.secret }) };
}

test('a function answers an address of the real service: text, data, files, a question, a refusal', async () => {
  const { address, agent } = await newAgent('echo');
  const stop = new AbortController();
  const errors: unknown[] = [];
  const done = serve(
    address,
    async (message, { thread, progress }) => {
      await progress('Reading it');
      if (message.body === 'ask') return { body: 'Which one?', status: 'input_required' };
      if (message.body === 'refuse') return { status: 'rejected', error: 'Not for this address.' };
      if (message.body === 'coded') return { status: 'failed', error: { code: 'no_stock', message: 'Sold out.' } };
      const files = [{ filename: 'echo.txt', content: message.body }];
      return { body: `You wrote: ${message.body}`, data: { before: thread.length }, files };
    },
    {
      mailroom: agent,
      signal: stop.signal,
      handleSignals: false,
      concurrency: 4,
      onError: (error) => errors.push(error),
    },
  );
  const first = await mailroom.send(address, 'Hi').settled();
  assert.equal(first.reply?.body, 'You wrote: Hi');
  const again = await mailroom.ask(address, { body: 'Again', thread_id: first.thread_id });
  assert.deepEqual(again.data, { before: 2 });
  const [file] = again.attachments;
  assert.equal(await (await mailroom.messages.getAttachment(file?.id ?? '')).text(), 'Again');
  const { secret } = await mailroom.keys.create({ scopes: ['mail:send'] });
  assert.equal((await ask(address, 'ask', { url, key: secret ?? '' })).body, 'Which one?');
  assert.equal((await mailroom.send(address, 'ask').settled()).status, 'input_required');
  await assert.rejects(mailroom.ask(address, 'refuse'), /Not for this address/);
  assert.deepEqual((await mailroom.send(address, 'coded').settled()).error, { code: 'no_stock', message: 'Sold out.' });
  const bodies = Array.from({ length: 20 }, (_, at) => `many ${at}`);
  const replies = await Promise.all(bodies.map((body) => mailroom.ask(address, body)));
  assert.deepEqual(
    replies.map(({ body }) => body),
    bodies.map((body) => `You wrote: ${body}`),
  );
  stop.abort();
  await done;
  assert.deepEqual(errors, []);
});

test('who follows a message reads its reply while the function writes it', async () => {
  const { address, agent } = await newAgent('writer');
  const stop = new AbortController();
  const more = Promise.withResolvers<void>();
  async function* write() {
    yield 'One';
    await new Promise((resolve) => setTimeout(resolve, 400));
    yield ' two';
    await more.promise;
    yield ' three';
  }
  const done = serve(address, write, { mailroom: agent, signal: stop.signal, handleSignals: false });
  const { id } = await mailroom.send(address, 'Count');
  const drafts: string[] = [];
  for await (const update of mailroom.follow(id)) {
    if (update.type === 'draft') {
      drafts.push(update.text);
      more.resolve();
    } else if (update.message.reply !== null) drafts.push(update.message.reply.body);
  }
  assert.deepEqual(drafts.slice(-2), ['One two', 'One two three']);
  stop.abort();
  await done;
});

test('two agents that ask each other end in a loop error, which names what happened', async () => {
  const stop = new AbortController();
  const scopes = ['mail:answer', 'messages:read', 'mail:send'] as const;
  const [ping = '', pong = ''] = await Promise.all(
    ['ping', 'pong'].map(
      async (local_part) =>
        (await mailroom.mailboxes.create(name, { local_part, behavior: { name: 'agent' } })).address,
    ),
  );
  let handled = 0;
  const agents = [ping, pong].map(async (address) => {
    const { secret } = await mailroom.keys.create({ scopes: [...scopes], mailbox: address });
    await serve(
      address,
      async (_, { ask }) => {
        handled++;
        try {
          return (await ask(address === ping ? pong : ping, 'Your turn')).body;
        } catch (error) {
          return `It ended: ${(error as { code: string }).code}`;
        }
      },
      { url, key: secret ?? '', signal: stop.signal, handleSignals: false, concurrency: 8 },
    );
  });
  const { body } = await mailroom.ask(ping, 'Begin');
  assert.deepEqual([body, handled], ['It ended: loop_detected', 8]);
  stop.abort();
  await Promise.all(agents);
});

test('an address that is not answered by programs, or a key that may not, ends it with the reason', async () => {
  const { address } = await mailroom.mailboxes.create(name, { local_part: 'proof', behavior: { name: 'proofread' } });
  await assert.rejects(
    serve(address, () => 'x', { mailroom, handleSignals: false }),
    { code: 'not_waiting' },
  );
  const none = address.replace('proof', 'none');
  await assert.rejects(
    serve(none, () => 'x', { mailroom, handleSignals: false }),
    { code: 'mailbox_not_found' },
  );
  const { agent } = await newAgent('bound');
  const other = (await newAgent('other')).address;
  await assert.rejects(
    serve(other, () => 'x', { mailroom: agent, handleSignals: false }),
    (error: { status: number }) => [403, 404].includes(error.status),
  );
});
