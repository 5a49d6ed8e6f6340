import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyRules, type RuleFacts } from '@mailroom/server/core/entities/rule-matching';
import type { Rule } from '@mailroom/server/core/entities/rules';
import { chance } from '../../../../tests/harness/chance.ts';
import { assertEffort } from '../../../../tests/harness/effort.ts';

const facts = (fields: Partial<RuleFacts> = {}): RuleFacts => ({
  from: new Set(),
  to: new Set(),
  subject: null,
  body: '',
  has_attachment: false,
  findings: [],
  verified: true,
  channel: 'api',
  labels: [],
  ...fields,
});

/** Rules and facts of few words, so that rules meet each other. */
function generated(seed: number): { readonly rules: readonly Rule[]; readonly facts: RuleFacts } {
  const random = chance(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const some = <T>(all: readonly T[]): T[] => all.filter(() => random() < 0.4);
  const words = ['a', 'b', 'c', 'Ab', 'bC'];
  const maybe = <T>(value: T): T | undefined => (random() < 0.25 ? value : undefined);
  const defined = (fields: object): object =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const rules = Array.from({ length: Math.floor(random() * 12) }, (_, at): Rule => {
    const conditions = {
      from: maybe([pick(words)]),
      to: maybe([pick(words), pick(words)]),
      subject: maybe([pick(words)]),
      body: maybe([pick(words), pick(words)]),
      has: maybe('attachment' as const),
      finding: maybe([pick(words)]),
      verified: maybe(random() < 0.5),
      channel: maybe([pick(['api', 'smtp'])]),
      label: maybe([pick(words)]),
    };
    const actions = {
      label: maybe(some(words)),
      forward_to: maybe(pick(words)),
      review: maybe(true as const),
      answer: maybe(false as const),
      done: maybe(true as const),
    };
    return { id: `r${at}`, if: defined(conditions), then: defined(actions) };
  });
  const text = (): string => Array.from({ length: 3 }, () => pick(words)).join('');
  return {
    rules,
    facts: facts({
      from: new Set(some(words)),
      to: new Set(some(words)),
      subject: random() < 0.3 ? null : text(),
      body: text(),
      has_attachment: random() < 0.5,
      findings: some(words),
      verified: random() < 0.5,
      channel: random() < 0.5 ? 'api' : 'smtp',
      labels: some(words).slice(0, 1),
    }),
  };
}

const idsOf = async (rules: readonly Rule[], given: RuleFacts): Promise<readonly string[]> =>
  (await applyRules(rules, given))?.ids ?? [];

test('of 3,000 generated lists of rules, each rule is decided by those before it alone, and done ends', async () => {
  for (let seed = 0; seed < 3_000; seed++) {
    const { rules, facts: given } = generated(seed);
    const whole = await idsOf(rules, given);
    for (let length = 0; length <= rules.length; length++) {
      const first = rules.slice(0, length);
      const known = new Set(first.map(({ id }) => id));
      assert.deepEqual(
        await idsOf(first, given),
        whole.filter((id) => known.has(id)),
        `seed ${seed}`,
      );
    }
    const ended = rules.findIndex(({ id, then }) => then.done === true && whole.includes(id));
    if (ended >= 0) assert.equal(whole.at(-1), rules[ended]?.id, `seed ${seed}`);
  }
});

test('of 3,000 generated lists of rules, the outcome is that of the rules that applied, and applying again changes nothing', async () => {
  for (let seed = 0; seed < 3_000; seed++) {
    const { rules, facts: given } = generated(seed);
    const applied = await applyRules(rules, given);
    const those = rules.filter(({ id }) => applied?.ids.includes(id));
    const all = <T>(values: readonly (T | undefined)[]): T[] => [
      ...new Set(values.filter((value) => value !== undefined)),
    ];
    assert.deepEqual(applied?.labels ?? [], all(those.flatMap(({ then }) => then.label ?? [])), `seed ${seed}`);
    assert.deepEqual(applied?.forward_to ?? [], all(those.map(({ then }) => then.forward_to)), `seed ${seed}`);
    assert.equal(
      applied?.review === true,
      those.some(({ then }) => then.review),
      `seed ${seed}`,
    );
    assert.equal(
      applied?.answer === false,
      those.some(({ then }) => then.answer === false),
      `seed ${seed}`,
    );
    assert.deepEqual(await applyRules(rules, given), applied);
  }
});

test('a rule whose conditions do not name a label applies alone as it does among others', async () => {
  for (let seed = 0; seed < 1_000; seed++) {
    const { rules, facts: given } = generated(seed);
    const whole = await idsOf(
      rules.map((rule) => {
        const { done: _, ...then } = rule.then;
        return { ...rule, then };
      }),
      given,
    );
    for (const rule of rules) {
      if (rule.if.label !== undefined) continue;
      assert.equal((await idsOf([rule], given)).length === 1, whole.includes(rule.id), `seed ${seed}`);
    }
  }
});

test('a text is found whatever its case, and in no other field', async () => {
  const rules: Rule[] = [
    { id: 'subject', if: { subject: ['RÉSUMÉ'] }, then: { done: true } },
    { id: 'body', if: { body: ['straße', 'X'] }, then: {} },
  ];
  assert.deepEqual(await idsOf(rules, facts({ subject: 'Mein Résumé', body: 'x' })), ['subject']);
  assert.deepEqual(await idsOf(rules, facts({ subject: 'x', body: 'In der Straße' })), ['body']);
  assert.deepEqual(await idsOf(rules, facts({ subject: 'straße', body: 'Résumé' })), []);
});

test('a message has at most 20 labels by rules', async () => {
  const label = (at: number) => Array.from({ length: 15 }, (_, n) => `l${at}-${n}`);
  const rules = [0, 1, 2].map((at): Rule => ({ id: `r${at}`, if: {}, then: { label: label(at) } }));
  assert.equal((await applyRules(rules, facts()))?.labels?.length, 20);
});

test('the most and longest texts in the longest message take linear time', async () => {
  const length = 256 * 1024;
  const bodies = ['a'.repeat(length), 'ab'.repeat(length / 2), `${'a'.repeat(199)}b`.repeat(length / 200)];
  const patterns = [
    `b${'a'.repeat(199)}`,
    `${'a'.repeat(199)}c`,
    `${'a'.repeat(100)}bb${'a'.repeat(98)}`,
    `${'ab'.repeat(99)}bb`,
    'aaaaaab',
    'aabb',
  ];
  const rules = patterns.map((pattern, at): Rule => ({ id: `r${at}`, if: { body: [pattern] }, then: {} }));
  for (const body of bodies) await assertEffort(10, 'six texts', () => applyRules(rules, facts({ body })));
});
