import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chance } from '../../../../tests/harness/chance.ts';
import { clientOver, unique } from '../../../../tests/harness/client.ts';
import type { Database } from '../../../../tests/harness/database.ts';
import { type Node, type Nodes, startNodes } from '../../../../tests/harness/nodes.ts';
import { newFolder, type Running, removeFolder, run } from '../../../../tests/harness/service.ts';
import type { Envelope, ThreadItem } from '../../../../tests/harness/wire.ts';
import { brokenIn, type Ending, type Grant } from './agent-log.ts';
import { each } from './promises.ts';
import { makeSteadfast } from './steadfast.ts';

export interface AgentsOptions {
  readonly database: Database;
  /** How many nodes; SQLite has one. */
  readonly nodes: number;
  /** How often a node or a program is killed. */
  readonly kills: number;
  readonly seed: number;
  /** Settings such as DEFECT, see `proof-main.ts`. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface AgentsReport {
  readonly acknowledged: number;
  /** Messages that were handed to more than one holder, one after the other. */
  readonly again: number;
  /** Connections that broke when their node ended. */
  readonly cut: number;
  /** A description of every broken promise. */
  readonly broken: readonly string[];
}

const WORKER = join(import.meta.dirname, './agent-worker.ts');
const PROGRAMS = 3;
const SENDERS = 8;

/** Kills nodes and the programs behind an address under load, and checks what was promised about every message. */
export async function agents({ database, nodes: count, kills, seed, env = {} }: AgentsOptions): Promise<AgentsReport> {
  const folder = newFolder();
  const random = chance(seed);
  const broken: string[] = [];
  const report = (text: string): void => void broken.push(text);
  const programs: Running[] = [];
  const postgres = { newDatabase: () => database.fresh(folder) };
  try {
    await using nodes = await startNodes({ postgres, count, env: { LEASE_SECONDS: '2', ...env } });
    const urls = join(folder, 'urls');
    const writeUrls = (): void => writeFileSync(urls, nodes.all.map(({ client }) => client.url).join('\n'));
    writeUrls();
    const caller = makeSteadfast(nodes.all, random, report);
    const owner = await caller.client.newNamespace();
    const sender = await caller.client.newNamespace();
    const { address } = await caller.client.newMailbox(owner, { behavior: { name: 'agent', settings: {} } });
    const logOf = (at: number): string => join(folder, `program-${at}.log`);
    const startProgram = (at: number): void => {
      programs[at] = run(process.execPath, [WORKER], {
        env: {
          AGENT_LOG: logOf(at),
          AGENT_URLS: urls,
          AGENT_KEY: owner.key,
          AGENT_ADDRESS: address,
          AGENT_SEED: String(Math.floor(random() * 1e9)),
        },
      });
    };
    for (let at = 0; at < PROGRAMS; at++) {
      writeFileSync(logOf(at), '');
      startProgram(at);
    }
    const acknowledged = new Map<string, Envelope>();
    const loading = Promise.allSettled(Array.from({ length: SENDERS }, (_, at) => sendOn(at % 2 === 0)));
    async function sendOn(sync: boolean): Promise<void> {
      for (;;) {
        const headers = { 'idempotency-key': unique('once-'), prefer: 'wait=1' };
        const { body } = await caller.client.send(sender.key, { to: address, body: unique('text '), sync }, headers);
        acknowledged.set(body.id, body);
      }
    }
    for (let kill = 0; kill < kills; kill++) {
      await pause(200 + random() * 500);
      if (random() < 0.5) {
        const at = Math.floor(random() * PROGRAMS);
        programs[at]?.child.kill('SIGKILL');
        await programs[at]?.exited;
        startProgram(at);
      } else {
        const victim = nodes.all[Math.floor(random() * nodes.all.length)] as Node;
        caller.changes(victim, false);
        await victim.kill();
        await pause(random() * 300);
        await victim.start();
        writeUrls();
        caller.changes(victim, true);
      }
    }
    await pause(200 + random() * 500);
    // A slow machine has done little by now.
    for (let rest = 300; acknowledged.size <= 5 * kills && rest > 0; rest--) await pause(100);
    caller.end();
    await loading;
    await check(nodes, sender.key, acknowledged, report);
    for (const program of programs) {
      if (program.child.exitCode !== null) report(`a program ended: ${program.stderr().slice(-500)}`);
      program.child.kill('SIGKILL');
      await program.exited;
    }
    const lines = programs.flatMap((_, at) => linesOf(logOf(at)));
    broken.push(...brokenIn(lines));
    await checkAnswers(nodes, sender.key, acknowledged, lines, report);
    await Promise.all(nodes.all.map((node) => node.stop()));
    for (const error of await database.errors(nodes.database)) report(error);
    const holders = Map.groupBy(
      lines.filter(({ kind }) => kind === 'grant'),
      ({ message }) => message,
    );
    const again = [...holders.values()].filter((its) => new Set(its.map(({ claim }) => claim)).size > 1).length;
    return { acknowledged: acknowledged.size, again, cut: caller.cut, broken };
  } finally {
    for (const program of programs) program.child.kill('SIGKILL');
    removeFolder(folder);
  }
}

/** The lines of a log; the last one is incomplete when its program was killed as it wrote. */
function linesOf(file: string): (Grant | Ending)[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Grant | Ending];
    } catch {
      return [];
    }
  });
}

const anyOf = (nodes: Nodes) =>
  clientOver('any node', (method, path, ask) => (nodes.all[0] as Node).client.api(method, path, ask));

/** Each acknowledged message is answered, once its last lease is over. */
async function check(
  nodes: Nodes,
  key: string,
  acknowledged: ReadonlyMap<string, Envelope>,
  report: (text: string) => void,
): Promise<void> {
  const client = anyOf(nodes);
  await each([...acknowledged.values()], async ({ id }) => {
    const { status, body, text } = await client.read(key, id, '?wait=60');
    if (status !== 200) report(`${id} was acknowledged and is lost: ${status} ${text.slice(0, 200)}`);
    else if (body.status !== 'completed') report(`${id} is not answered: ${text.slice(0, 300)}`);
  });
}

/** Each answer that a program was told of is there, and one of them settled the message. */
async function checkAnswers(
  nodes: Nodes,
  key: string,
  acknowledged: ReadonlyMap<string, Envelope>,
  lines: readonly (Grant | Ending)[],
  report: (text: string) => void,
): Promise<void> {
  const client = anyOf(nodes);
  const answers = Map.groupBy(
    lines.filter((line): line is Ending => line.kind === 'answer' && line.status === 200),
    ({ message }) => message,
  );
  await each([...acknowledged.values()], async ({ id, thread_id, body }) => {
    const { body: now } = await client.read(key, id);
    if (now.body !== body) report(`${id} has another text: ${now.body}`);
    const items = await client.all<ThreadItem>(`/mail/threads/${thread_id}`, key);
    const replies = items.filter(({ kind }) => kind === 'reply').map((item) => item.body);
    if (replies.length !== new Set(replies).size) report(`${id} has one reply twice: ${replies.join()}`);
    for (const { claim, settles } of answers.get(id) ?? []) {
      if (!replies.includes(claim)) report(`${id}: the answer of ${claim} is lost`);
      if (settles && now.reply?.body !== claim) report(`${id} was settled by ${claim} and shows ${now.reply?.body}`);
    }
  });
}
