import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Handler, MailroomError, type ServeOptions, serve } from '../dist/index.js';
import { type AgentServer, agentServer } from './agent-server.ts';
import { OLD_NODE } from './old-node.ts';
import { json } from './scripted-server.ts';

const ECHO = 'echo@ada.mailroom.localhost';

/** Serves the address until the test is over with it; `errors` is what went wrong. */
async function serving(handler: Handler, options: ServeOptions = {}) {
  const server = await agentServer();
  const stop = new AbortController();
  const errors: unknown[] = [];
  const done = serve(ECHO, handler, {
    ...{ url: server.url, key: 'k', handleSignals: false, signal: stop.signal, onError: (error) => errors.push(error) },
    ...options,
  });
  return { server, errors, stop: () => stop.abort(), done };
}

const replies = ({ messages }: AgentServer) => [...messages.values()].map(({ reply }) => reply);

test('each message is answered with what the handler returns: a text, or its parts', async () => {
  const { server, stop, done } = await serving((message, { thread }) =>
    message.body === 'parts'
      ? { body: 'Which one?', data: { before: thread.length }, status: 'input_required' }
      : `You wrote: ${message.body}`,
  );
  server.add('Hi');
  server.add('parts');
  await server.settled();
  assert.deepEqual(replies(server), [
    { status: 'completed', body: 'You wrote: Hi' },
    { status: 'input_required', body: 'Which one?', data: { before: 0 } },
  ]);
  stop();
  await done;
});

test('no more messages are handled at a time than asked for, and all are', async () => {
  let running = 0;
  let max = 0;
  const { server, stop, done } = await serving(
    async () => {
      max = Math.max(max, ++running);
      await pause(30);
      running--;
      return 'ok';
    },
    { concurrency: 3 },
  );
  for (let at = 0; at < 12; at++) server.add(`${at}`);
  await server.settled();
  assert.equal(max, 3);
  assert.ok([...server.messages.values()].every(({ answers, claims }) => answers === 1 && claims.length === 1));
  stop();
  await done;
});

test('a slow handler keeps its message, because its lease is renewed', async () => {
  const { server, stop, done } = await serving(
    async (_, context) => {
      await context.progress('half of it');
      await pause(2_000);
      return 'late';
    },
    { leaseSeconds: 1.5, concurrency: 2 },
  );
  const message = server.add('slow');
  await server.settled();
  assert.deepEqual([message.reply?.body, message.claims.length, message.progress[0]], ['late', 1, 'half of it']);
  stop();
  await done;
});

test('a text in pieces is shown while it is written, and is the reply', async () => {
  const { server, stop, done } = await serving(async function* () {
    for (const word of ['One', ' two', ' three']) {
      yield word;
      await pause(320);
    }
  });
  const message = server.add('Count');
  await server.settled();
  assert.equal(message.reply?.body, 'One two three');
  assert.ok(message.drafts.length > 0 && message.drafts.every((draft) => 'One two three'.startsWith(draft)));
  stop();
  await done;
});

test('a generator returns the other parts of its reply, and is ended when it yields what is no text', async () => {
  let ended = 0;
  const { server, errors, stop, done } = await serving(async function* ({ body }) {
    try {
      yield 'One';
      if (body === 'wrong') yield 7 as unknown as string;
      return { data: { n: 1 }, status: 'input_required' as const };
    } finally {
      ended++;
    }
  });
  const good = server.add('Count');
  const wrong = server.add('wrong');
  await server.settled();
  assert.deepEqual([good.reply?.body, good.reply?.data, good.reply?.status], ['One', { n: 1 }, 'input_required']);
  assert.deepEqual([wrong.reply?.status, ended], ['failed', 4]);
  assert.match(String(errors[0]), /pieces of a reply must be texts/);
  stop();
  await done;
});

test('a handler that throws gets its message again, and its third failure is told to the sender without its words', async () => {
  let count = 0;
  const { server, errors, stop, done } = await serving((message) => {
    if (message.body === 'twice' && ++count === 3) return 'at last';
    throw new Error('the secret of the database is x');
  });
  const twice = server.add('twice');
  const always = server.add('always');
  await server.settled();
  assert.deepEqual([twice.reply?.body, twice.claims.length], ['at last', 3]);
  assert.deepEqual([always.reply?.status, always.claims.length], ['failed', 3]);
  assert.doesNotMatch(JSON.stringify(always.reply), /secret/);
  assert.equal(errors.filter((error) => String(error).includes('secret')).length, 5);
  stop();
  await done;
});

test('a handler that returns nothing useful, or never returns, is a failure that says so', async () => {
  const { server, errors, stop, done } = await serving(
    (message) =>
      message.body === 'never' ? new Promise<string>(() => {}) : (JSON.parse(message.body) as unknown as string),
    { handlerMs: 30, concurrency: 8 },
  );
  const refusal = '{"status": "rejected"}';
  for (const body of ['null', '""', '7', '{}', '{"body": 1}', '[]', 'never', refusal]) server.add(body);
  await server.settled();
  assert.ok(replies(server).every((reply) => reply?.status === 'failed'));
  const texts = new Set(errors.map((error) => (error as Error).message));
  assert.deepEqual(
    [...texts].map((text) => /must return a text|took longer|status "rejected" needs an `error`/.exec(text)?.[0]),
    ['must return a text', 'status "rejected" needs an `error`', 'took longer'],
  );
  stop();
  await done;
});

test('who lost the claim answers nothing, its handler is told, and it serves on', async () => {
  let reason: unknown;
  const { server, stop, done } = await serving(
    async (message, { signal }) => {
      if (message.body !== 'taken') return 'ok';
      await once(signal, 'abort');
      reason = signal.reason;
      throw signal.reason;
    },
    { leaseSeconds: 0.3, concurrency: 1 },
  );
  const taken = server.add('taken');
  while (taken.claim === undefined) await pause(5);
  // Another holder took it over.
  Object.assign(taken, { claim: 'clm_other', until: Number.POSITIVE_INFINITY });
  while (reason === undefined) await pause(10);
  assert.equal((reason as { code: string }).code, 'claim_lost');
  const next = server.add('next');
  while (next.reply === undefined) await pause(10);
  assert.deepEqual([taken.answers, next.reply.body], [0, 'ok']);
  stop();
  await done;
});

test('an answer that the network lost is given again, once, under the same claim', async () => {
  const { server, stop, done } = await serving(() => 'ok');
  for (let at = 0; at < 5; at++)
    server.next('/answer', (response) =>
      at % 2 === 0 ? response.destroy() : json(response, 503, { code: 'unavailable' }),
    );
  const message = server.add('Hi');
  await server.settled();
  const claims = server.received
    .filter(({ path }) => path.endsWith('/answer'))
    .map(({ body }) => JSON.parse(body).claim as string);
  assert.deepEqual([message.answers, claims.length, new Set(claims).size], [1, 6, 1]);
  stop();
  await done;
});

test('answers that are ready together are one request, and one that is refused is lost alone', async () => {
  let [running, waved] = [0, Promise.withResolvers<void>()];
  const { server, errors, stop, done } = await serving(
    async () => {
      if (++running === 2) waved.resolve();
      await waved.promise;
      return 'ok';
    },
    { concurrency: 4 },
  );
  const wave = async (instead?: Parameters<AgentServer['next']>[1]) => {
    [running, waved] = [0, Promise.withResolvers<void>()];
    if (instead !== undefined) server.next('/answers', instead);
    const countBefore = server.received.length;
    for (let at = 0; at < 2; at++) server.add('Hi');
    await server.settled();
    return server.received
      .slice(countBefore)
      .map(({ path }) => path.split('/').at(-1))
      .filter((path) => path?.startsWith('answer'));
  };
  assert.deepEqual(await wave(), ['answers']);
  assert.deepEqual(errors, []);
  const refuse = { status: 422, code: 'validation_error', detail: 'No.' };
  assert.deepEqual(await wave((response) => json(response, 422, refuse)), ['answers', 'answer', 'answer']);
  assert.deepEqual(errors, []);
  await wave((response) => {
    for (const id of ['msg_5', 'msg_6']) Object.assign(server.messages.get(id) ?? {}, { reply: {}, until: Infinity });
    const lost = { status: 409, code: 'claim_lost', title: 'Lost', detail: 'It was lost.' };
    const items = [{ message_id: 'msg_5', problem: lost }, { message_id: 'msg_6' }];
    json(response, 200, { items });
  });
  while (errors.length === 0) await pause(5);
  assert.deepEqual([errors.length, (errors[0] as unknown as MailroomError).code], [1, 'claim_lost']);
  stop();
  await done;
});

test('a service that is away is asked again, and one that refuses ends it with the reason', async () => {
  const { server, errors, stop, done } = await serving(() => 'ok');
  for (let at = 0; at < 2; at++) server.next('/claim', (response) => void response.destroy());
  server.add('Hi');
  await server.settled();
  assert.ok(errors.length >= 1);
  stop();
  await done;
  const refusing = await agentServer();
  refusing.next('/claim', (response) => json(response, 403, { code: 'insufficient_scope', detail: 'No.' }));
  await assert.rejects(
    serve(ECHO, () => 'x', { url: refusing.url, handleSignals: false }),
    { code: 'insufficient_scope' },
  );
});

test('at the stop what is held is finished, what takes too long is given back, and nothing else is taken', async () => {
  const { server, stop, done } = await serving(
    async (message) => {
      await pause(message.body === 'slow' ? 60_000 : 100, undefined, { ref: false });
      return 'ok';
    },
    { concurrency: 2, stopMs: 300 },
  );
  const quick = server.add('quick');
  const slow = server.add('slow');
  while (quick.claim === undefined || slow.claim === undefined) await pause(5);
  stop();
  const later = server.add('later');
  await done;
  assert.equal(quick.reply?.body, 'ok');
  assert.deepEqual([slow.reply, slow.claim, slow.status], [undefined, undefined, 'submitted']);
  assert.equal(later.claims.length, 0);
});

test('five lines are an agent: SIGTERM ends it after its last answer', async () => {
  const server = await agentServer();
  const program = `
    import { serve } from ${JSON.stringify(join(import.meta.dirname, '../dist/index.js'))};
    await serve('${ECHO}', async (message) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return \`You wrote: \${message.body}\`;
    });
    console.log('ended');
  `;
  const env = { PATH: process.env.PATH, MAILROOM_URL: server.url, MAILROOM_KEY: 'mr_live_x' };
  const child = spawn(OLD_NODE || process.execPath, ['--input-type=module', '-e', program], { env });
  let out = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (out += text));
  const message = server.add('Hi');
  while (message.claim === undefined) await pause(10);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.deepEqual([code, out, message.reply?.body], [0, 'ended\n', 'You wrote: Hi']);
  assert.equal(server.received[0]?.headers.authorization, 'Bearer mr_live_x');
});

test('an error of what a handler asks another address is a failure of the handler, not a lost claim', async () => {
  const gone = new MailroomError('It was deleted.', { code: 'mailbox_gone', status: 410 });
  const { server, errors, stop, done } = await serving(() => Promise.reject(gone));
  const message = server.add('Ask');
  await server.settled();
  assert.deepEqual([message.reply?.status, message.claims.length, errors.length], ['failed', 3, 3]);
  stop();
  await done;
});

test('a file that cannot be read is a failure of the handler, and no part of it is sent', async () => {
  let count = 0;
  const { server, errors, stop, done } = await serving(({ body }) => {
    if (body === 'nonsense') return { body: 'See', files: [{ filename: 'a', content: 5 as unknown as string }] };
    const broken = (async function* () {
      yield new Uint8Array([65]);
      throw new Error('The disk broke.');
    })();
    return count++ === 0 ? { body: 'See', files: [{ filename: 'a', content: broken }] } : 'Without it';
  });
  const broken = server.add('broken');
  const nonsense = server.add('nonsense');
  await server.settled();
  assert.deepEqual([broken.reply?.body, broken.claims.length], ['Without it', 2]);
  assert.deepEqual([nonsense.reply?.status, nonsense.claims.length], ['failed', 3]);
  const said = errors.map(String).join('\n');
  assert.match(said, /The disk broke/);
  assert.match(said, /"a" has no content/);
  stop();
  await done;
});

test('an answer whose file is a stream is not given again, because the stream was read: the message is', async () => {
  let count = 0;
  const { server, stop, done } = await serving(() => {
    const content = (async function* () {
      yield new Uint8Array([65]);
    })();
    return count++ === 0 ? { body: 'See', files: [{ filename: 'a', content }] } : 'Again';
  });
  server.next('/answer', (response) => response.destroy());
  const message = server.add('Hi');
  await server.settled();
  assert.deepEqual([message.reply?.body, message.claims.length, message.answers], ['Again', 2, 1]);
  stop();
  await done;
});

test('progress and drafts are cut between characters, and an empty progress shows nothing', async () => {
  const { server, stop, done } = await serving(async (_, { progress, draft }) => {
    await progress('');
    await progress(`${'x'.repeat(199)}🎉`);
    await draft('Half a \ud83c');
    return 'ok';
  });
  const message = server.add('Hi');
  await server.settled();
  assert.deepEqual([message.reply?.body, message.claims.length], ['ok', 1]);
  assert.deepEqual(message.progress, ['x'.repeat(199)]);
  assert.deepEqual(message.drafts, ['Half a ']);
  stop();
  await done;
});
