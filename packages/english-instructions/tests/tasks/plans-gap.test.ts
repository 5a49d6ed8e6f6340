import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortestGap } from '../../tasks/plans/gap.ts';
import { nextTime } from '../../tasks/plans/rules.ts';

const MINUTE = 60_000;
const GAPS: readonly (readonly [rule: string, minutes: number])[] = [
  ['* * * * *', 1],
  ['*/5 * * * *', 5],
  ['*/7 * * * *', 4],
  ['0,4,30 * * * *', 4],
  ['58,0 * * * *', 2],
  ['58,0 9 * * *', 58],
  ['59 9,10 * * *', 60],
  ['0,59 23,0 * * *', 1],
  ['5-9 12 1 1 *', 1],
  ['10-50/20 * * * *', 20],
  ['0 9 * * 1-5', 1440],
  ['0 */6 * * *', 360],
];

test('the shortest time between two times of a rule is found, across hours too', () => {
  for (const [rule, minutes] of GAPS) assert.equal(shortestGap(rule), minutes * MINUTE, rule);
});

test('no two times of a rule are closer than that', () => {
  for (const [rule] of GAPS) {
    let at = nextTime(rule, 'UTC', Date.UTC(2026, 0, 1)) ?? 0;
    for (let i = 0; i < 50; i++) {
      const next = nextTime(rule, 'UTC', at);
      if (next === undefined) break;
      assert.ok(next - at >= shortestGap(rule), `${rule}: ${new Date(at).toISOString()}`);
      at = next;
    }
  }
});

test('what cannot be told is taken for the shortest', () => {
  for (const rule of ['L * * * *', '0 L * * *', '', '61 * * * *', '5-1 * * * *'])
    assert.equal(shortestGap(rule), 0, rule);
});
