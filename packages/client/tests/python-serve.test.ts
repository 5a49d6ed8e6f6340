// Other programs: Python.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentServer } from './agent-server.ts';

const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on the PATH';
const CLIENT = join(import.meta.dirname, '../../../clients/python');
const PROGRAM = `
import time
from mailroom_client import serve

def answer(message, context):
    if message.body == "fail":
        raise ValueError("secret words")
    if message.body == "slow":
        context.progress("Looking")
        time.sleep(1)
    if message.body == "pieces":
        return (piece for piece in ("a", "b"))
    return {"body": message.body.upper(), "data": {"n": 1}}

serve("echo@ada.mailroom.localhost", answer, concurrency=4, on_ready=lambda: print("ready", flush=True))
print("ended", flush=True)
`;

test('a Python agent answers each message once, gives back what fails, and ends on SIGTERM after what it holds', {
  skip,
}, async () => {
  const server = await agentServer();
  const env = { PATH: process.env.PATH ?? '', PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-c', PROGRAM], { env: { ...env, MAILROOM_URL: server.url, MAILROOM_KEY: 'k' } });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.resume();
  await once(child.stdout, 'data');
  const many = Array.from({ length: 20 }, (_, at) => server.add(`text ${at}`));
  const pieces = server.add('pieces');
  const failing = server.add('fail');
  await server.settled();
  assert.deepEqual(
    many.map(({ reply, answers }) => [reply?.body, answers]),
    many.map(({ body }) => [body.toUpperCase(), 1]),
  );
  assert.deepEqual(many[0]?.reply?.data, { n: 1 });
  assert.equal(pieces.reply?.body, 'ab');
  assert.deepEqual([failing.claims.length, failing.reply?.status], [3, 'failed']);
  assert.doesNotMatch(JSON.stringify(failing.reply), /secret words/);

  const slow = server.add('slow');
  while (slow.progress.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGTERM');
  assert.deepEqual(await closed, [0, null]);
  assert.equal(slow.reply?.body, 'SLOW');
  assert.match(output, /ready\nended\n/);
});

test('a Python agent outlasts a service that is away, and ends where it is refused', { skip }, async () => {
  const server = await agentServer();
  const refuse = (status: number) => server.next('/claim', (response) => void response.writeHead(status).end());
  refuse(503);
  const program = `
from mailroom_client import Mailroom, MailroomError, serve
try:
    serve("echo@ada.mailroom.localhost", lambda message: message.body, mailroom=Mailroom(max_retries=0))
except MailroomError as error:
    print(error.code, error.status)
`;
  const env = { PATH: process.env.PATH ?? '', PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-c', program], { env: { ...env, MAILROOM_URL: server.url, MAILROOM_KEY: 'k' } });
  child.stderr.resume();
  const added = server.add('here');
  await server.settled();
  assert.equal(added.reply?.body, 'here');
  refuse(403);
  // The call that is open brings this one, and the next is refused.
  server.add('again');
  const printed = Buffer.concat(await child.stdout.toArray()).toString();
  assert.equal(printed, 'unexpected_answer 403\n');
});

test('an agent of asyncio runs coroutines on its loop, and a task that is canceled ends it', { skip }, async () => {
  const server = await agentServer();
  const program = `
import asyncio
from mailroom_client import AsyncMailroom

async def main():
    loop = asyncio.get_running_loop()
    async def answer(message):
        assert asyncio.get_running_loop() is loop
        await asyncio.sleep(0.01)
        return message.body + "!"
    answered = asyncio.Event()
    on_answer = lambda _: loop.call_soon_threadsafe(answered.set)
    task = asyncio.ensure_future(AsyncMailroom().serve("echo@ada.mailroom.localhost", answer, on_answer=on_answer))
    await answered.wait()
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("canceled")

asyncio.run(main())
`;
  const env = { PATH: process.env.PATH ?? '', PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-c', program], { env: { ...env, MAILROOM_URL: server.url, MAILROOM_KEY: 'k' } });
  child.stderr.resume();
  const added = server.add('here');
  const printed = Buffer.concat(await child.stdout.toArray()).toString();
  assert.equal(printed, 'canceled\n');
  assert.equal(added.reply?.body, 'here!');
});
