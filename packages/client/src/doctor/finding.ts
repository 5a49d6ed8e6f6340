/** What a check found: `fail` keeps something from working, `warn` will or may, `skip` was not looked at. */
export type FindingStatus = 'ok' | 'warn' | 'fail' | 'skip';

/** The result of one check. */
export interface Finding {
  /** What was looked at, such as `tls` or `database`; several findings may have the same. */
  readonly check: string;
  readonly status: FindingStatus;
  /** What is there, on one line, without secrets. */
  readonly found: string;
  /** What to do, on one line; '' where nothing is to be done. */
  readonly advice: string;
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, advice: '' });
export const warn = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'warn',
  found,
  advice,
});
export const fail = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'fail',
  found,
  advice,
});
export const skip = (check: string, found: string, advice = ''): Finding => ({ check, status: 'skip', found, advice });

const MARKS: Readonly<Record<FindingStatus, string>> = { ok: 'ok', warn: 'warn', fail: 'FAIL', skip: 'skip' };
const CHECK_COLUMN = 10;

/** Findings for a person: a line each, with the advice on a line below. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const lines = findings.flatMap(({ check, status, found, advice }) => [
    `${MARKS[status].padEnd(4)}  ${check.padEnd(CHECK_COLUMN)} ${found}`,
    ...(advice === '' ? [] : [`${' '.repeat(CHECK_COLUMN + 7)}${advice}`]),
  ]);
  const count = (status: FindingStatus): number => findings.filter((one) => one.status === status).length;
  const [failed, warned] = [count('fail'), count('warn')];
  return [...lines, '', failed + warned === 0 ? 'Nothing is wrong.' : `${failed} failed, ${warned} to look at.`];
}

/** Why a request or connection failed, by the code that is innermost, for `found`. */
export function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const { code, message = String(error) } = reason as { readonly code?: string; readonly message?: string };
  const [line = ''] = message.split('\n', 1);
  return code === undefined || line.includes(code) ? line : `${line === '' ? 'failed' : line} (${code})`;
}
