export const ok = (check, found) => ({ check, status: 'ok', found, advice: '' });
export const warn = (check, found, advice) => ({
    check,
    status: 'warn',
    found,
    advice,
});
export const fail = (check, found, advice) => ({
    check,
    status: 'fail',
    found,
    advice,
});
export const skip = (check, found, advice = '') => ({ check, status: 'skip', found, advice });
const MARKS = { ok: 'ok', warn: 'warn', fail: 'FAIL', skip: 'skip' };
const CHECK_COLUMN = 10;
/** Findings for a person: a line each, with the advice on a line below. */
export function findingLines(findings) {
    const lines = findings.flatMap(({ check, status, found, advice }) => [
        `${MARKS[status].padEnd(4)}  ${check.padEnd(CHECK_COLUMN)} ${found}`,
        ...(advice === '' ? [] : [`${' '.repeat(CHECK_COLUMN + 7)}${advice}`]),
    ]);
    const count = (status) => findings.filter((one) => one.status === status).length;
    const [failed, warned] = [count('fail'), count('warn')];
    return [...lines, '', failed + warned === 0 ? 'Nothing is wrong.' : `${failed} failed, ${warned} to look at.`];
}
/** Why a request or connection failed, by the code that is innermost, for `found`. */
export function reasonOf(error) {
    let reason = error;
    while (reason instanceof Error && reason.cause instanceof Error)
        reason = reason.cause;
    const { code, message = String(error) } = reason;
    const [line = ''] = message.split('\n', 1);
    return code === undefined || line.includes(code) ? line : `${line === '' ? 'failed' : line} (${code})`;
}
