import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import type { Ended } from './hostile-process.ts';
import { HOSTILE, LIMITS } from './hostile-programs.ts';

const MAX_MIB = 200;

const child = spawn(process.execPath, [fileURLToPath(new URL('./hostile-process.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Map(
  (JSON.parse((await child.stdout.toArray()).join('')) as Ended[]).map((one) => [one.name, one] as const),
);

test('there are many hostile programs, and each was run', (t) => {
  assert.ok(HOSTILE.length >= 45);
  assert.equal(ended.size, HOSTILE.length);
  const worst = [...ended.values()].sort((a, b) => b.over - a.over).slice(0, 5);
  t.diagnostic(`the most memory: ${worst.map(({ name, over }) => `${name} ${over} MiB`).join(', ')}`);
});

for (const { name, ends = [], value } of HOSTILE) {
  test(`contained, below ${MAX_MIB} MiB, and a good program after it gives the right value: ${name}`, async () => {
    const of = ended.get(name) as Ended;
    if (of.problem === undefined) {
      assert.ok(value !== undefined, `it came to ${JSON.stringify(of.value).slice(0, 200)}`);
      assert.deepEqual(of.value, value);
    } else {
      const { kind, message, stack } = of.problem;
      assert.ok((ends as readonly string[]).includes(kind), `${kind}: ${message.slice(0, 200)}`);
      assert.ok(message.length < 2_000 && stack.length < 4_000);
    }
    assert.ok(Buffer.byteLength(of.logs.join('\n')) <= LIMITS.log_bytes + 10);
    assert.ok(of.over < MAX_MIB, `${of.over} MiB`);
    assert.equal(of.next, 126);
    await assertSoon(of.ms, LIMITS.ms + 3_000, 'the end');
  });
}
