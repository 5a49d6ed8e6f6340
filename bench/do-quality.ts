// Plans and runs the instructions of FOLDER/do.json in this process and judges the answers:
//   node bench/do-quality.ts FOLDER [--list]
// Each entry has `battery`, `instruction`, `expect_regex` and `mode` (answer, askok, ask, refuse). The expectations hold for
// Sunday 2026-11-22, 13:20 UTC.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Incoming, Outcome } from '@mailroom/behavior';
import type { Effect } from '@mailroom/behavior/effect';
import type { Schedule } from '@mailroom/behavior/schedule';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import { makeDo } from '@mailroom/do';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { TaskError } from '@mailroom/english-instructions/tasks/task';
import { contextOf } from '../packages/behaviors/do/tests/context.ts';

interface Entry {
  readonly battery: string;
  readonly instruction: string;
  readonly expect_regex: string;
  readonly mode: 'answer' | 'askok' | 'ask' | 'refuse';
}
type Verdict = 'right' | 'asked' | 'failed' | 'wrong';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: node bench/do-quality.ts FOLDER [--list]');
const entries = JSON.parse(readFileSync(join(folder, 'do.json'), 'utf8')) as readonly Entry[];

let now = Date.UTC(2026, 10, 22, 13, 20);
const notes = new Map<string, string>();
const schedules = new Map<string, Schedule>();

/** What the steps reach: notes and schedules that are kept, and mailboxes that answer what they are sent. */
const services = {
  notes: {
    get: async (_: unknown, name: string) => {
      const text = notes.get(name);
      return text === undefined ? undefined : { name, text, updated_at: now };
    },
    find: async (_: unknown, query: string) =>
      [...notes]
        .filter(([name, text]) => `${name}\n${text}`.toLowerCase().includes(query.toLowerCase()))
        .map(([name, text]) => ({ name, text, updated_at: now })),
    count: async () => notes.size,
  },
  schedules: { of: async () => [...schedules.values()] },
  ask: async (_: string, { to, body }: { readonly to: string; readonly body: string }) => ({
    id: newId('msg', now),
    to,
    status: 'completed',
    reply: { body: `Received: ${body}`, data: null },
    error_message: null,
  }),
};

function keep(effects: readonly Effect[]): void {
  for (const effect of effects) {
    if (effect.kind === 'note' && effect.text === null) notes.delete(effect.name);
    else if (effect.kind === 'note') notes.set(effect.name, effect.text as string);
    else if (effect.kind === 'schedule') schedules.set(effect.schedule.id, effect.schedule);
    else if (effect.kind === 'unschedule') schedules.delete(effect.id);
  }
}

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const behavior = makeDo({
  tasks,
  limits: { steps: 50, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
  mailDomain: 'agents.mailroom.localhost',
  get: () => Promise.reject(new TaskError('There is no network here.')),
  sign: async () => 'signed',
});

async function answer(body: string): Promise<Outcome> {
  now += 1000;
  const id = newId('msg', now);
  const message: Incoming = {
    id,
    thread_id: threadOf(id),
    in_reply_to: null,
    retry_of: null,
    subject: null,
    body,
    data: null,
    tag: null,
    created_at: now,
    channel: 'api',
    hops: 0,
  };
  const context = { ...contextOf({ services: services as never }), clock: () => now };
  const outcome = await behavior.handle(message, context);
  if ('effects' in outcome) keep(outcome.effects ?? []);
  return outcome;
}

/** The expectations are written for another language's expressions, where `(?i:` and a leading `(?s)` are known. */
function expected(source: string): RegExp {
  const [, lead = '', rest = source] = /^\(\?([a-z]+)\)([\s\S]*)$/.exec(source) ?? [];
  const inside = source.includes('(?i:') && !lead.includes('i') ? 'i' : '';
  return new RegExp(rest.replaceAll('(?i:', '(?:'), lead + inside);
}

function judge({ mode, expect_regex }: Entry, outcome: Outcome): Verdict {
  const done = outcome.kind === 'reply';
  if (mode === 'ask' || mode === 'refuse') return done ? 'wrong' : 'right';
  if (done) return expected(expect_regex).test(outcome.body) ? 'right' : 'wrong';
  return outcome.kind === 'input_required' ? 'asked' : 'failed';
}

const sums = new Map<string, Record<Verdict, number>>();
const took: number[] = [];
const TIMES = 40;
for (const entry of entries) {
  const outcome = await answer(entry.instruction);
  const verdict = judge(entry, outcome);
  const sum = sums.get(entry.battery) ?? { right: 0, asked: 0, failed: 0, wrong: 0 };
  sum[verdict] += 1;
  sums.set(entry.battery, sum);
  const said = 'body' in outcome ? outcome.body : 'detail' in outcome ? outcome.detail : outcome.kind;
  if (values.list && verdict !== 'right')
    console.log(
      `${verdict}\t${entry.battery}\t${JSON.stringify(entry.instruction)} -> ${JSON.stringify(said.slice(0, 140))}`,
    );
}
/** Each at another time, as messages are, and of processor time, because a busy machine interrupts. */
for (let round = 0; round < 2; round++)
  for (const { instruction } of entries) {
    const from = process.threadCpuUsage();
    for (let at = 0; at < TIMES; at++)
      planOf(instruction, { tasks, now: now + at, time_zone: 'UTC', max_steps: 50, before: false });
    const { user, system } = process.threadCpuUsage(from);
    if (round > 0) took.push((user + system) / 1_000 / TIMES);
  }
took.sort((a, b) => a - b);

const all: Record<Verdict, number> = { right: 0, asked: 0, failed: 0, wrong: 0 };
for (const [battery, sum] of sums) {
  console.log(`${battery}: ${JSON.stringify(sum)}`);
  for (const name of Object.keys(all) as Verdict[]) all[name] += sum[name];
}
const share = (part: number): string => `${part}/${entries.length} = ${((100 * part) / entries.length).toFixed(1)} %`;
console.log(`all: right ${share(all.right)}, asked ${share(all.asked)}, wrong ${share(all.wrong)}`);
const at = (q: number): string => (took[Math.floor(took.length * q)] as number).toFixed(2);
console.log(`planning: median ${at(0.5)} ms, p99 ${at(0.99)} ms of processor time`);
await behavior.close?.();
