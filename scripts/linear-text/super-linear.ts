import { analyse } from 'scslre';

export interface Finding {
  /** Exponential, or a power given by a count: no length limit is low enough. */
  readonly steep: boolean;
  /** The text that an attacker repeats. */
  readonly character: string;
}

/** Why an expression may take more than linear time; an empty list when it is linear on runs of any one character. */
export function superLinear(source: string, flags: string): readonly Finding[] {
  const { reports } = analyse({ source, flags });
  return reports.map(({ type, exponential, character }) => ({
    steep: exponential || type === 'Self',
    character: character.pick,
  }));
}

const ROUNDS = 10;

/** CPU time in ms of the expression on runs of the characters that were found, the minimum of several tries. */
export function costOf(source: string, flags: string, findings: readonly Finding[], length: number): number {
  const expression = new RegExp(source, flags);
  const costs = findings.flatMap(({ character }) =>
    ['', '\0'].map((end) => {
      const text = character.repeat(length) + end;
      const rounds = Array.from({ length: ROUNDS }, () => {
        const before = process.threadCpuUsage();
        text.replace(expression, '');
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1_000;
      });
      return Math.min(...rounds);
    }),
  );
  return Math.max(0, ...costs);
}
