import { test } from 'node:test';
import { mailroomCommand } from '../command.ts';
import type { Result } from './scenario.ts';
import { everyCase, type Task } from './suite.ts';

const TO = 'echo@ada.mailroom.localhost';
/** What the command line has of the operations, as others have them; it waits for a message by its stream. */
const COMMANDS: Readonly<Record<string, (to: string) => readonly string[]>> = {
  send: (to) => ['send', to, 'Hi', '--wait', '0', '--json'],
  ask: (to) => ['send', to, 'Hi', '--json'],
  revoke: () => ['keys', 'rm', 'key_1', '--yes', '--json'],
};

async function run({ url, call }: Task): Promise<Result> {
  const { to = TO, key = 'k' } = (call.args ?? {}) as { readonly to?: string; readonly key?: string };
  const args = COMMANDS[call.do]?.(to) ?? [];
  const { status, stdout, stderr } = await mailroomCommand(args, { MAILROOM_URL: url, MAILROOM_KEY: key });
  if (stdout === '') {
    const { error } = JSON.parse(stderr);
    // A person is told in words how long to wait.
    return { error: { code: error.code, status: error.status ?? null } };
  }
  if (call.do === 'revoke') return { value: null };
  const message = JSON.parse(stdout);
  if (call.do === 'send') return { value: message.id };
  if (status === 0 && message.reply !== null) return { value: message.reply.body };
  const code = message.not_answered === undefined ? (message.error?.code ?? message.status) : 'not_answered';
  return { error: { code, status: null } };
}

const cases = await everyCase((call) => call.do in COMMANDS);
const results = cases.map(({ task }) => run(task));
for (const [place, { name, check }] of cases.entries())
  test(`command line, ${name}`, async () =>
    check(await (results[place] as Promise<Result>), { withoutRetryAfter: true }));
