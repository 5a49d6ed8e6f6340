import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import type { Incoming, Outcome } from '@mailroom/behavior';
import { compactJws, signerOf } from '@mailroom/behavior/jws';
import type { Sender } from '@mailroom/behavior/message';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import { makeDo } from '../index.ts';
import type { Settings } from '../owner/settings.ts';
import { PlannerThreads } from '../threads/planner-threads.ts';
import { contextOf, messageOf } from './context.ts';

const signer = signerOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'first', 'test+json');
const limits = { steps: 5, ms: 30_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 };
const script = new URL('./stuck-worker.ts', import.meta.url);
const behavior = makeDo({
  tasks: testTasks(),
  limits,
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new Error('There is no outside here.')),
  sign: (payload) => compactJws(signer, payload),
  signer: () => signer,
  threads: new PlannerThreads({ limits, script, quick_ms: 400, alone_ms: 500 }),
});
after(() => behavior.close?.());

const of = (namespace_id: string): Sender => ({ kind: 'key', id: 'key_2', namespace_id, key_id: 'key_2', from: null });
const STUCK = 'get stuck';
const TOO_LONG = /took too long and was stopped/;

const answer = async (
  body: string,
  sender: Sender,
  { settings = {}, ...fields }: Partial<Incoming> & { readonly settings?: Settings } = {},
): Promise<Outcome> => behavior.handle(messageOf(body, fields), contextOf({ sender, settings }));
const detailOf = (outcome: Outcome): string => ('detail' in outcome ? outcome.detail : outcome.kind);

test('a message that holds up its thread fails alone, and all that were with it are answered', async () => {
  const stuck = answer(STUCK, of('ns_hostile'));
  const others = Array.from({ length: 12 }, (_, at) => answer(`calculate ${at}*2`, of(`ns_${at % 3}`)));
  for (const [at, one] of (await Promise.all(others)).entries()) {
    assert.match(one.kind === 'reply' ? one.body : detailOf(one), new RegExp(`\\b${at * 2}\\b`));
  }
  assert.match(detailOf(await stuck), TOO_LONG);
});

// That callers take turns is shown by workers/tests/pool.test.ts.
test('who sends many of them waits for their own time, and the others for none of it', LONG_ONLY, async () => {
  let ended = 0;
  const many = Array.from({ length: 3 }, async () => {
    const outcome = await answer(STUCK, of('ns_hostile'));
    ended += 1;
    return detailOf(outcome);
  });
  for (let at = 0; at < 20; at++) assert.equal((await answer(`calculate ${at}*3`, of('ns_honest'))).kind, 'reply');
  assert.ok(ended < 3, `${ended} were ended before`);
  for (const detail of await Promise.all(many)) assert.match(detail, TOO_LONG);
});

test('long settings make no message one that the main thread reads', async () => {
  const description = 'x'.repeat(60_000);
  const procedures: Settings['procedures'] = [{ name: 'long', description, script: 'return 1' }];
  assert.match(detailOf(await answer(STUCK, of('ns_hostile'), { settings: { procedures } })), TOO_LONG);
  assert.equal((await answer('calculate 6*7', of('ns_fat'), { settings: { procedures } })).kind, 'reply');
});

test('a step of a plan that runs on the main thread is done on the others, and ended there', async () => {
  const steps = [
    { task: 'run', input: { code: 'return "get" + " stuck"' } },
    { task: 'text', input: { op: 'trim', text: '{{1}}' } },
  ];
  const outcome = await answer('x', of('ns_hostile'), { data: { steps } });
  assert.match(detailOf(outcome), /^Step 2 \(text\): This took too long and was stopped/);
  assert.equal((await answer('uppercase: all is well', of('ns_honest'))).kind, 'reply');
});

test('threads that do not start let messages be tried again, and none is read on the main thread', async () => {
  const missing = new URL('./there-is-no-such-worker.ts', import.meta.url);
  const threads = new PlannerThreads({ limits, script: missing });
  const given = {
    mailbox: 'do@acme.mailroom.test',
    party: 'own',
    before: {},
    signer,
    execute: () => assert.fail(),
  } as const;
  const outcomes: Outcome[] = [];
  for (let at = 0; at < 6; at++) outcomes.push(await threads.begin(messageOf('calculate 6*7'), contextOf(), given));
  await threads.close();
  assert.ok(
    outcomes.every(({ kind }) => kind === 'fail' || kind === 'retry'),
    JSON.stringify(outcomes),
  );
  assert.equal(outcomes.at(-1)?.kind, 'retry');
  assert.match(detailOf(outcomes.at(-1) as Outcome), /does not start/);
});
