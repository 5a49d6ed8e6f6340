import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../tests/harness/client.ts';
import { startInside } from '../../../tests/harness/inside.ts';
import { startSmtp } from '../../../tests/harness/smtp.ts';
import { until } from '../../../tests/harness/until.ts';
import { mailroomCommand } from './command.ts';
import type { Finished } from './old-node.ts';

const sink = await startSmtp();
after(() => sink[Symbol.asyncDispose]());
const { client, store, folder, now } = await startInside({ env: { SMTP_URL: sink.url } });
const home = await client.newNamespace();
await store.namespaces.claim(home.id, now());
const { address } = await client.newMailbox(home);

const mailroom = (args: readonly string[]): Promise<Finished> =>
  mailroomCommand(args, { XDG_CONFIG_HOME: folder, MAILROOM_URL: client.url, MAILROOM_KEY: home.key });

test('send writes to an address outside, from an address of yours', async () => {
  const to = `${unique('ada')}@example.com`;
  const sent = await mailroom(['send', to, 'Good day', '--from', address, '--wait', '0']);
  assert.equal(sent.status, 0, sent.stderr);
  await until(60_000, async () => sink.arrived.some((mail) => mail.to.includes(to)), Boolean);
  const none = await mailroom(['send', to, 'Good day']);
  assert.notEqual(none.status, 0);
  assert.match(none.stderr, /`from`/);
});

test('suppressed addresses are listed with their reasons, and lifted', async () => {
  const target = `${unique('gone')}@example.com`;
  const one = { namespace_id: home.id, kind: 'email', target, reason: 'bounced 5.1.1', created_at: now() } as const;
  await store.suppressions.add(one);
  assert.match((await mailroom(['suppressions'])).stdout, new RegExp(`${target}\\s.*bounced 5\\.1\\.1`));
  assert.equal((await mailroom(['suppressions', 'rm', target])).status, 0);
  assert.deepEqual(JSON.parse((await mailroom(['suppressions', '--json'])).stdout), []);
  assert.notEqual((await mailroom(['suppressions', 'rm', target])).status, 0);
});
