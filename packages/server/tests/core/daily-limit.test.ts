import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PER_DAY } from '@mailroom/behavior';
import { DAY } from '@mailroom/behavior/values/clock';
import { DailyLimit } from '../../core/limits/daily-limit.ts';
import { LocalLimiter, type Policy } from '../../core/values/limits.ts';
import type { Counters } from '../../core/values/shared-limits.ts';
import { freshName, keyOf, mailboxOf, messageOf, namespaceOf, T } from '../store/made.ts';

const PER_DAY = { quota: MAX_PER_DAY, burst: MAX_PER_DAY, window_ms: DAY };
const POLICY: Policy = { name: 'day', what: 'messages', ...PER_DAY, kind: 'day' };

test('two nodes together take no more than the owner set, and what was not written is taken again', async () => {
  const bucket = new LocalLimiter(POLICY, () => T);
  const counters: Counters = {
    async take(_policy, caller, tokens) {
      let granted = 0;
      while (granted < tokens && bucket.take(caller).allowed) granted++;
      return { granted, level: bucket.peek(caller).remaining * DAY };
    },
    refund: async (_policy, caller) => bucket.refund(caller),
  };
  const store = { shared: { counters } } as never;
  const node = (): DailyLimit => new DailyLimit({ store, clock: () => T });
  const nodes = [node(), node()] as const;
  const namespace = namespaceOf(freshName());
  const mailbox = mailboxOf(namespace, 'agent');
  const world = { namespace, mailbox, key: keyOf(namespace) };
  const message = () => messageOf(world, world);
  const taken = message();
  await nodes[0].take(taken, mailbox, 3);
  await nodes[1].take(message(), mailbox, 3);
  await nodes[0].take(message(), mailbox, 3);
  for (const each of nodes) await assert.rejects(each.take(message(), mailbox, 3), { code: 'rate_limited' });
  nodes[0].refund(taken);
  nodes[0].refund(taken);
  await nodes[1].take(message(), mailbox, 3);
  await assert.rejects(nodes[0].take(message(), mailbox, 3), { code: 'rate_limited' });
});
