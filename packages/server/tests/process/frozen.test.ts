import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import { frozen } from './frozen.ts';

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

// In `npm test` the same is shown on the nodes of `nodes-takeover`.
test('a node that hung past its lease settles nothing that another has taken over', LONG_ONLY, async () => {
  const { tried, broken } = await frozen({ postgres });
  assert.deepEqual(broken, []);
  assert.ok(tried > 0, 'it came to the end of none');
});

test('a service that settles without the fence is found out', LONG_ONLY, async (t) => {
  const { broken } = await frozen({ postgres, env: { DEFECT: 'no-fence' } });
  t.diagnostic(`${broken.length} broken promises: ${broken[0]}`);
  assert.ok(
    broken.some((text) => /was settled by a, who had lost it/.test(text)),
    broken.join('\n'),
  );
});
