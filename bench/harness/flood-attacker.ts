// The attacker: a process of the lowest priority, so that what it needs itself does not count as the service's.
import { setPriority } from 'node:os';
import { FLOODS } from '../floods/index.ts';
import { Attacker, type AttackTarget } from './flood-client.ts';

export type AttackQuestion =
  | {
      readonly prepare: string;
      readonly target: AttackTarget;
      readonly networks: readonly string[];
    }
  | { readonly flood_ms: number };

export interface AttackAnswer {
  readonly statuses?: Readonly<Record<string, number>>;
  readonly error?: string;
}

setPriority(19);
let attacker: Attacker | undefined;
let flood: (() => Promise<unknown>) | undefined;

async function answer(question: AttackQuestion): Promise<AttackAnswer> {
  if ('prepare' in question) {
    attacker?.end();
    attacker = new Attacker(question.target, question.networks);
    flood = await FLOODS.find(({ name }) => name === question.prepare)?.begin(attacker);
    return {};
  }
  if (attacker === undefined || flood === undefined) throw new Error('nothing is prepared');
  return { statuses: await attacker.run(flood, question.flood_ms) };
}

process.on('message', (question: AttackQuestion) => {
  answer(question).then(
    (answered) => process.send?.(answered),
    (error: unknown) => process.send?.({ error: String((error as Error).stack ?? error) }),
  );
});
// A connection that the service closed is what it should do.
process.on('uncaughtException', (error) => {
  if (!/ECONN|EPIPE|socket hang up/.test(String(error))) console.error(error);
});
