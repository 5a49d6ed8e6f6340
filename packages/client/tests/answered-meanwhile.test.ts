// Other programs: sh, Python.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { unique } from '../../../tests/harness/client.ts';
import { newFolder, removeFolder, sharedService } from '../../../tests/harness/service.ts';
import { until } from '../../../tests/harness/until.ts';
import { Mailroom, serve } from '../dist/index.js';
import { MAIN } from './command.ts';
import { NODE } from './old-node.ts';

// A program works on a message while a person answers it by hand, with the same key. What it writes then does not leave.

const WAIT_MS = 60_000;
const TOLD = /answered by hand meanwhile/;
const { url } = await sharedService();
const folder = newFolder();
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  removeFolder(folder);
});
const name = unique();
const { key } = await new Mailroom({ url, key: '' }).namespaces.create({ name });
const secret = key.secret ?? '';
const mailroom = new Mailroom({ url, key: secret });
const env = {
  ...{ PATH: `${dirname(NODE)}:${process.env.PATH ?? ''}`, HOME: folder, MAILROOM_URL: url, MAILROOM_KEY: secret },
  PYTHONPATH: join(import.meta.dirname, '../../../clients/python'),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** A program that writes “late” once its gate is open, and what it said. */
type Program = (address: string, gate: string) => { said(): string; stop(): Promise<void> | void };

function spawned(command: string, args: readonly string[]) {
  const child = spawn(command, [...args], { env });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += String(piece)));
  return { said: () => text, stop: () => void child.kill('SIGTERM') };
}

const python = (address: string, gate: string): string => `
import os, sys, time
from mailroom_client import serve
def answer(message):
    while not os.path.exists(${JSON.stringify(gate)}):
        time.sleep(0.05)
    return "late"
serve(${JSON.stringify(address)}, answer)
`;

const PROGRAMS: Readonly<Record<string, Program>> = {
  'serve of the client': (address, gate) => {
    const [over, errors] = [new AbortController(), [] as string[]];
    const handler = async (): Promise<string> => {
      await until(WAIT_MS, async () => existsSync(gate), Boolean);
      return 'late';
    };
    const done = serve(address, handler, {
      ...{ mailroom, signal: over.signal, handleSignals: false },
      onError: (error) => errors.push(String(error)),
    });
    return {
      said: () => errors.join('\n'),
      stop: () => {
        over.abort();
        return done;
      },
    };
  },
  'serve --agent of the command line': (address, gate) =>
    spawned(NODE, [MAIN, 'serve', address, '--agent', `while [ ! -e '${gate}' ]; do sleep 0.05; done; echo late`]),
  'serve of the client for Python': (address, gate) => spawned('python3', ['-c', python(address, gate)]),
};

for (const [what, program] of Object.entries(PROGRAMS))
  test(`${what} adds nothing to what a person answered meanwhile, is told so, and goes on`, {
    skip: what.includes('Python') && spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on the PATH',
  }, async () => {
    const gate = join(folder, unique('gate'));
    const { address } = await mailroom.mailboxes.create(name, { local_part: unique(), behavior: { name: 'agent' } });
    const { id } = await mailroom.send(address, 'When do you open?');
    const running = program(address, gate);
    await until(
      WAIT_MS,
      () => mailroom.messages.get(id),
      ({ status }) => status === 'working',
    );
    assert.equal((await mailroom.answers.answer(id, { body: 'At nine.' })).answer.settles, true);
    writeFileSync(gate, '');
    assert.equal((await mailroom.ask(address, 'And on Sundays?')).body, 'late');
    await running.stop();
    const { reply, replies_count: count } = await mailroom.messages.get(id);
    assert.deepEqual([reply?.body, count], ['At nine.', 1]);
    assert.match(running.said(), TOLD);
  });
