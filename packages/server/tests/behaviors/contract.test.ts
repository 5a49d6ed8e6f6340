import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import assistant from '@mailroom/assistant';
import type { Behavior } from '@mailroom/behavior';
import { checkBehavior, shapeErrors } from '@mailroom/behavior/check';
import type { LanguageModel } from '@mailroom/behavior/model';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { readConfig } from '../../config.ts';

/** Examples that depend on their owner, or on the issuer. */
const OTHERWISE: ReadonlySet<string> = new Set(['hello', 'auth']);

const behaviors = testBehaviors();
after(async () => {
  for (const behavior of behaviors) await behavior.close?.();
});

for (const behavior of behaviors)
  test(`${behavior.name} keeps the promises of a behavior`, async () => {
    await checkBehavior(() => behavior, { exact: !OTHERWISE.has(behavior.name) });
  });

test('assistant keeps the promises of a behavior, and is not there without a model', async () => {
  const model: LanguageModel = {
    name: 'test',
    step: async () => ({ text: 'Yes.', calls: [], tokens: { input: 1, output: 1 }, finish: 'stop' }),
  };
  const settings = { ...readConfig({}) };
  const behavior = await checkBehavior(assistant, { host: { settings, model }, exact: false });
  assert.equal(behavior.name, 'assistant');
  await assert.rejects(checkBehavior(assistant, { host: { settings } }), /made nothing/);
});

const RIGHT: Behavior = {
  name: 'right',
  title: 'Right',
  description: 'Answers.',
  settings: {},
  example: { body: 'Hi', reply: 'Hello' },
  handle: () => ({ kind: 'reply', body: 'Hello' }),
};

test('the check can fail: it finds a wrong shape, an outcome that is none, a wrong example and an unknown setting', async () => {
  assert.equal((await checkBehavior(() => RIGHT)).name, 'right');
  assert.deepEqual(shapeErrors(RIGHT), []);
  const looks = { title: 'Right', line: 'Answers.', verb: 'Answers' };
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ name: 'Not right' }, /`name` must be/],
    [{ title: '' }, /`title` must be/],
    [{ settings: undefined }, /`settings` must be/],
    [{ handle: undefined }, /`handle` must be/],
    [{ looks: { ...looks, glyph: '"><script>' } }, /`looks.glyph` must be/],
    [{ looks: { ...looks, hue: 400 } }, /`looks.hue` must be/],
    [{ looks: { ...looks, verb: undefined } }, /`looks.verb` must be/],
    [{ looks: { ...looks, form: { '/speed': {} } } }, /There is no setting \/speed/],
    [{ handle: () => undefined }, /has no outcome/],
    [{ handle: () => ({ kind: 'reply', body: 'Bye' }) }, /The reply to its example is "Bye"/],
    [{ handle: () => ({ kind: 'reject', detail: 'No.' }) }, /"Hi" has no reply each time/],
    [
      {
        handle() {
          throw new Error('broken');
        },
      },
      /threw Error: broken/,
    ],
  ];
  for (const [change, error] of wrong)
    await assert.rejects(
      checkBehavior(() => ({ ...RIGHT, ...change }) as Behavior),
      error,
    );
  await assert.rejects(
    checkBehavior(() => undefined),
    /made nothing/,
  );
});
