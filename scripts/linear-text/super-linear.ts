import { analyse } from 'scslre';

export interface Finding {
  /** Exponential, or by the power of a count: no bound of instructions is low enough. */
  readonly steep: boolean;
  /** What an attacker repeats. */
  readonly character: string;
}

/** Why an expression may take more than linear time; none: it is linear in any run of one character. */
export function superLinear(source: string, flags: string): readonly Finding[] {
  const { reports } = analyse({ source, flags });
  return reports.map(({ type, exponential, character }) => ({
    steep: exponential || type === 'Self',
    character: character.pick,
  }));
}

const ROUNDS = 3;

/** CPU time in ms that the expression takes on runs of the characters that were found, the least of some tries. */
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
