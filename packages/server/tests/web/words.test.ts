import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Behavior, Context, Incoming, Outcome } from '@mailroom/behavior';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import { detectLanguage } from '@mailroom/detect-language';
import { testBehaviors } from '../../../../tests/harness/behaviors.ts';
import { examplesOf } from '../../transports/web/examples.ts';
import { showBehaviors } from '../../transports/web/looks.ts';
import { verbOf, wordsOf } from '../../transports/web/words.ts';

const behaviors = testBehaviors();
showBehaviors(behaviors);
after(async () => {
  for (const behavior of behaviors) await behavior.close?.();
});

test('every behavior of this build has words of its own, and any other one has its title', () => {
  for (const behavior of behaviors) {
    const { title, line, heading } = wordsOf(behavior);
    assert.notEqual(title, behavior.title);
    assert.notEqual(line, behavior.description);
    assert.notEqual(heading, 'Settings');
    assert.match(verbOf(behavior.name), /^[A-Z][a-z]+s\b/);
  }
  const other = {
    name: 'constructor',
    title: 'Weather',
    description: 'Tells the weather.',
    example: { body: 'Lagos?', reply: `${'Sunny '.repeat(40)}\nand dry` },
  };
  const words = wordsOf(other);
  assert.deepEqual(
    [words.title, words.line, verbOf('constructor', 'Weather')],
    ['Weather', 'Tells the weather.', 'Weather'],
  );
  const { text } = words.example?.reply ?? assert.fail();
  assert.ok(text.length <= 91 && text.endsWith('Sunny…'));
  assert.equal(verbOf('do'), 'Does tasks');
  assert.equal(verbOf('auth'), 'Signs in');
});

test('the words have fields that there are: each pointer is one into the settings', () => {
  for (const behavior of behaviors) {
    const { form, more } = wordsOf(behavior);
    const { properties } = behavior.settings as unknown as { properties: Record<string, unknown> };
    for (const pointer of Object.keys(form)) assert.ok((pointer.split('/')[1] as string) in properties, pointer);
    for (const name of more) assert.ok(name in properties, name);
  }
});

/** The answer to a guest from a mailbox without settings. */
function answered(behavior: Behavior, body: string): Outcome | Promise<Outcome> {
  const id = newId('msg', Date.now());
  const message = { id, thread_id: threadOf(id), data: null, created_at: Date.now(), hops: 0, body };
  const context = {
    settings: {},
    mailbox: { local_part: 'hello', namespace: 'ada', namespace_id: 'ns_1', display_name: null },
    sender: { kind: 'guest', id: null, namespace_id: null, key_id: null, from: null },
    clock: Date.now,
    signal: new AbortController().signal,
    attachments: { list: [] },
    report() {},
    again: false,
    outside: {},
    services: { owner: undefined },
  };
  return behavior.handle(message as Incoming, context as unknown as Context<unknown>);
}

test('the example on a card is what really comes back', async () => {
  for (const behavior of behaviors) {
    const { example } = wordsOf(behavior);
    // What a program of the owner answers is not known before.
    if (behavior.answered !== undefined) {
      assert.deepEqual([example, examplesOf({ behavior: behavior.name, settings: {} }, behavior)], [undefined, []]);
      continue;
    }
    if (example === undefined) assert.fail(`${behavior.name} has no example`);
    const plain = example.reply.text.replace(/<del>.*?<\/del> ?|<\/?ins>/g, '');
    const outcome = await answered(behavior, example.body);
    assert.equal(outcome.kind, 'reply');
    // The introduction depends on its owner; the others always give this answer.
    if (behavior.name === 'hello') continue;
    const said = (outcome as { body: string }).body.replace(/[*\\]/g, '');
    assert.ok(said.startsWith(plain.replace(/[*\\]/g, '')), said);
  }
});

test('each message to click is answered, to people without a key too', async () => {
  for (const behavior of behaviors.filter(({ answered }) => answered === undefined)) {
    const examples = examplesOf({ behavior: behavior.name, settings: {} }, behavior);
    assert.ok(examples.length > 0, behavior.name);
    for (const example of examples) assert.equal((await answered(behavior, example)).kind, 'reply', example);
  }
  const examples = examplesOf({ behavior: 'do', settings: {} }, undefined);
  assert.ok(examples.length >= 4 && examples.length <= 6 && examples.some((one) => one.includes(', then ')));
});

test('who writes another introduction chooses from languages that are told apart', () => {
  const keys =
    wordsOf(behaviors.find(({ name }) => name === 'hello') as (typeof behaviors)[0]).form['/languages']?.keys ?? {};
  const phrases = {
    en: 'Who are you?',
    de: 'Wer bist du?',
    fr: 'Qui es-tu ?',
    es: '¿Quién eres?',
    ja: 'あなたは誰ですか',
    ko: '누구세요?',
    el: 'Ποιος είσαι;',
    ka: 'ვინ ხარ შენ',
    hy: 'Ով ես դու',
  };
  for (const [code, text] of Object.entries(phrases)) {
    assert.equal(detectLanguage(text), code);
    assert.ok(code in keys, code);
  }
  for (const [code, name] of Object.entries(keys)) assert.ok(/^[a-z]{2}$/.test(code) && name !== code, code);
});
