import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { amount } from '../../../tests/soak/length.ts';
import { Grams, wordsOf } from '../grams.ts';
import { KINDS } from '../passwords.ts';
import { RULE_WORDS } from '../secretlint.ts';
import { secretsIn } from '../secrets.ts';
import { TOKENS } from '../tokens.ts';
import { cleanMail } from './generated-mails.ts';
import { generatedSecrets } from './generated-secrets.ts';

/** What leaves no search out. */
const WHOLE = { isAscii: false, mayHave: () => true };
const PRESET = createRequire(import.meta.url).resolve('@secretlint/secretlint-rule-preset-recommend');

/** How many secrets a text has, which are the same by the whole search. */
function assertSame(text: string): number {
  const found = secretsIn(text, new Grams(text));
  assert.deepEqual(found, secretsIn(text, WHOLE), JSON.stringify(text));
  return found.length;
}

/** A form without what stands around a match and is not of it. */
function withoutLookaround({ source, flags }: RegExp): RegExp {
  let plain = '';
  for (let index = 0; index < source.length; index += 1) {
    if (!/^\(\?<?[!=]/.test(source.slice(index, index + 4))) {
      plain += source[index];
      if (source[index] === '\\') plain += source[++index];
      continue;
    }
    let inClass = false;
    for (let depth = 0; index < source.length; index += 1) {
      const unit = source[index];
      if (unit === '\\') index += 1;
      else if (unit === '[') inClass = true;
      else if (unit === ']') inClass = false;
      else if (unit === '(' && !inClass) depth += 1;
      else if (unit === ')' && !inClass && --depth === 0) break;
    }
  }
  return new RegExp(plain.replace(/\\b/g, '').replace(/\(\?<\w+>/g, '(?:'), flags.replace(/[giy]/g, ''));
}

const matching = (form: RegExp, count: number): string[] =>
  fc.sample(fc.stringMatching(withoutLookaround(form), { maxLength: 400 }), { numRuns: count, seed: 41 });

test('in secrets of all kinds and in ordinary mails the words leave no finding out', () => {
  for (const { text } of generatedSecrets(amount(100, 500))) assertSame(text);
  for (let count = 0; count < amount(300, 2_000); count += 1) assertSame(cleanMail().text);
});

test('each secret in the form of a service has a word of it', () => {
  for (const [service, form] of TOKENS) {
    const texts = matching(form, 40).map((token) => `Host=a.example;User=b; ${token} `);
    const found = texts.filter((text) => text.match(form) !== null).map(assertSame);
    assert.ok(found.length > 0 && found.some((count) => count > 0), `${service}: ${form}`);
  }
});

test('each pattern of secretlint has a word of its rule', () => {
  const source = readFileSync(PRESET, 'utf8');
  const patterns = [
    ...source
      .slice(source.indexOf('AWSAccessKeyIDPattern'))
      .matchAll(/\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/(g[iu]*)[;,]/g),
  ];
  const forms = patterns.map(([, pattern = '', flags]) => new RegExp(pattern, flags));
  const found = forms.filter((form) => {
    const texts = matching(form, 10).map((secret) => `It is ${secret} `);
    return texts.map(assertSame).some((count) => count > 0);
  });
  assert.ok(found.length >= 25, `${found.length} of ${forms.length}`);
  const { rules } = createRequire(import.meta.url)(PRESET) as { rules: { readonly meta: { readonly id: string } }[] };
  const names = rules.map(({ meta }) => meta.id.replace('@secretlint/secretlint-rule-', ''));
  assert.deepEqual(
    Object.keys(RULE_WORDS).filter((name) => !names.includes(name)),
    [],
  );
});

test('each name of a password or key, in any case, has a word of its kind', () => {
  const seen = new Set<string>();
  for (const { names } of KINDS) {
    for (const name of matching(names, 400)) {
      for (const cased of [name, name.toUpperCase(), name.replaceAll('s', 'ſ').replaceAll('k', '\u212a')]) {
        const value = 'kX9wq2Rt7Lm4Zp1Vb6Ny';
        for (const text of [`\n${cased}: ${value}\n`, `"${cased}": "${value}"`])
          if (assertSame(text) > 0) seen.add(name.toLowerCase());
      }
    }
  }
  assert.ok(seen.size > 60, `${seen.size}`);
});

test('a text has the words that are in it, in any case, and seldom others', () => {
  const letters = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), letters, fc.string({ unit: 'grapheme' }), (head, word, tail) => {
      const grams = new Grams(head + word + tail);
      assert.ok(grams.mayHave(wordsOf([word])));
      const other = word.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
      assert.ok(grams.mayHave(wordsOf([other])));
      assert.equal(grams.isAscii, /^[\0-\x7f]*$/.test(head + word + tail));
    }),
  );
  const grams = new Grams('The meeting is at nine on Monday, in the room beside the kitchen.');
  const words = TOKENS.flatMap(([, , own]) => (own === '' ? [] : own.split(' ')));
  assert.ok(words.filter((word) => grams.mayHave(wordsOf([word]))).length <= 2);
  assert.ok(words.every((word) => word.length >= 3));
});
