import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Behavior, Outcome } from '@mailroom/behavior';
import { AppError } from '@mailroom/behavior/values/error';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { Registry } from '../../core/access/registry.ts';
import type { NewMailbox } from '../../core/entities/mailbox.ts';
import type { Store } from '../../core/ports/store.ts';
import { Preview } from '../../core/runs/preview.ts';
import { compileCheck } from '../../http/validate.ts';

const behaviors = testBehaviors();
after(async () => {
  for (const behavior of behaviors) await behavior.close?.();
});

/** A store whose use fails the test. */
const untouchable = new Proxy({} as Store, {
  get(_, name) {
    throw new Error(`store.${String(name)}`);
  },
});

function open(all: readonly Behavior[], options: { max_body?: number; run_ms?: number } = {}) {
  const clock = Date.now;
  const registry = new Registry(
    {
      store: untouchable,
      directory: undefined as never,
      dispatch: undefined as never,
      storage: undefined as never,
      keys: undefined as never,
      clock,
      behaviors: all,
      webhookClient: undefined as never,
      forwardTargets: undefined as never,
      onPushable: () => {},
      onDeleted: () => {},
    },
    {
      mailDomain: 'mailroom.test',
      checkSettings: (schema, settings) => compileCheck(schema, '/behavior/settings')(settings),
    },
  );
  const errors: unknown[] = [];
  const preview = new Preview(
    { registry, behaviors: all, clock },
    { max_body: 8192, onError: (_, error) => errors.push(error), ...options },
  );
  const run = (name: string, settings: object, body: string, gone?: AbortSignal) =>
    preview.run(
      { namespace: 'ada', mailbox: { local_part: 'hello', behavior: { name, settings } } as NewMailbox, body },
      gone,
    );
  return { preview, run, errors };
}

/** Threads that a busy machine starts. */
const PATIENT = { run_ms: 120_000 };

/** `hello` with another way to answer. */
const acting = (handle: Behavior['handle']): Behavior[] => [
  { ...(behaviors.find(({ name }) => name === 'hello') as Behavior), handle },
];

describe('a preview', () => {
  test('answers as the behavior does with the settings that were typed, and stores nothing', async () => {
    const { run } = open(behaviors);
    const settings = { name: 'Ada', introduction: 'I am Ada.', languages: { de: 'Ich bin Ada.' } };
    const preview = await run('hello', settings, 'Wer bist du?');
    assert.equal(preview.status, 'completed');
    assert.equal(preview.body, 'Ich bin Ada.');
    assert.equal((preview.data as { name: string }).name, 'Ada');
    assert.ok(preview.took_ms >= 0 && preview.took_ms < 10_000);
    assert.equal(preview.message.body, 'Wer bist du?');
    assert.equal(preview.message.reply?.body, preview.body);
    assert.equal((await run('hello', {}, 'Hi')).body, 'Hello, this is hello@ada.');
  });

  test('runs threads too', async () => {
    const { run } = open(behaviors, PATIENT);
    const made = await run('proofread', { dialect: 'british' }, 'It could of been worse.');
    assert.equal((made.data as { corrected_text: string }).corrected_text, 'It could have been worse.');
  });

  test('answers each example of each behavior', async () => {
    const { run, errors } = open(behaviors, PATIENT);
    for (const { name, looks } of behaviors)
      for (const example of looks?.examples?.({}) ?? []) {
        const { status, detail } = await run(name, {}, example);
        assert.ok(status !== 'failed' || /preview/.test(detail ?? ''), `${name}: ${example}: ${detail}`);
      }
    assert.deepEqual(errors, []);
  });

  test('refuses what the registry refuses, at the same places', async () => {
    const { run, preview } = open(behaviors);
    const settings = { name: '', links: [{ label: 'x', url: 'x' }] };
    const fails = async (work: Promise<unknown>): Promise<AppError> => {
      const error = await work.then(
        () => assert.fail('it went through'),
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof AppError);
      return error;
    };
    const settingsError = await fails(run('hello', settings, 'Hi'));
    assert.equal(settingsError.code, 'validation_error');
    assert.deepEqual(
      settingsError.errors.map(({ pointer }) => pointer),
      ['/behavior/settings/name', '/behavior/settings/links/0/url'],
    );
    assert.equal((await fails(run('nobody', {}, 'Hi'))).errors[0]?.pointer, '/behavior/name');
    assert.equal((await fails(run('hello', {}, ' \n'))).errors[0]?.pointer, '/body');
    assert.equal((await fails(run('hello', {}, 'é'.repeat(4097)))).code, 'body_too_large');
    assert.equal((await run('hello', {}, 'é'.repeat(4096))).status, 'completed');
    assert.throws(
      () => preview.mailbox({ namespace: 'ada', mailbox: { local_part: 'abuse', behavior: { name: 'hello' } } }),
      { code: 'validation_error' },
    );
  });

  test('is over in time, whether the behavior heeds its signal or not', async () => {
    let signal: AbortSignal | undefined;
    const deaf = open(
      acting((_, context) => {
        ({ signal } = context);
        return new Promise<Outcome>(() => {});
      }),
      { run_ms: 20 },
    );
    const made = await deaf.run('hello', {}, 'Hi');
    assert.equal(made.status, 'failed');
    assert.match(made.detail ?? '', /^It took longer than/);
    assert.equal(signal?.aborted, true);
    const heedful = open(
      acting(
        (_, context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => reject(new Error('ended')));
          }),
      ),
      { run_ms: 20 },
    );
    assert.equal((await heedful.run('hello', {}, 'Hi')).status, 'failed');
    // An abort is not an error of the behavior.
    assert.deepEqual(heedful.errors, []);
  });

  test('ends when whoever asked is gone', async () => {
    const slow = open(acting(() => new Promise<Outcome>(() => {})));
    const gone = new AbortController();
    const running = slow.run('hello', {}, 'Hi', gone.signal);
    gone.abort();
    assert.equal((await running).status, 'failed');
    assert.equal((await slow.run('hello', {}, 'Hi', gone.signal)).status, 'failed');
  });

  test('shows a break, a refusal and a later try as they are, without the inside', async () => {
    const outcome = async (handle: Behavior['handle']) => {
      const { run, errors } = open(acting(handle));
      const { status, body, detail } = await run('hello', {}, 'Hi');
      return { status, body, detail, errors: errors.length };
    };
    const broken = await outcome(() => {
      throw new Error('secret inside');
    });
    assert.deepEqual([broken.status, broken.body, broken.errors], ['failed', null, 1]);
    assert.doesNotMatch(broken.detail ?? '', /secret/);
    assert.deepEqual(await outcome(() => ({ kind: 'reject', detail: 'No.' })), {
      status: 'rejected',
      body: null,
      detail: 'No.',
      errors: 0,
    });
    const later = await outcome(() => ({ kind: 'retry', after_ms: 1000, detail: 'Busy.' }));
    assert.deepEqual([later.status, later.detail], ['failed', 'Busy.']);
    const asks = await outcome(() => ({ kind: 'input_required', body: 'Which?' }));
    assert.deepEqual([asks.status, asks.body], ['input_required', 'Which?']);
  });
});
