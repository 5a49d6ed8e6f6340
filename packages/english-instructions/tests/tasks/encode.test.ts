import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { encode } from '../../tasks/encode/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { EXAMPLES } from './examples/encode.ts';
import { FOREIGN } from './foreign.ts';
import { clause, context, examplesOf, NOW } from './harness.ts';

examplesOf(encode, EXAMPLES);

type Given = { readonly [name: string]: unknown };
interface Out {
  readonly result: unknown;
  readonly note?: string;
  readonly times?: { readonly [claim: string]: string };
  readonly signature_checked?: boolean;
}
const roomy = context({ limits: { ms: 5_000, output_bytes: 4 << 20, memory_bytes: 32 << 20 } });

const run = (input: Given, within = roomy): Out => {
  assert.ok(Check(encode.input, input), JSON.stringify(input).slice(0, 200));
  const output = encode.run(input, within) as Out;
  assert.ok(Check(encode.output, output), 'it fits the schema of outputs');
  assert.notEqual(encode.show(output, input), '');
  return output;
};

const CODECS = ['base64', 'base64url', 'hex', 'binary', 'url', 'html', 'rot13', 'morse'];

test('encode: what is for others is left to them', () => {
  for (const says of FOREIGN) assert.equal(encode.read(clause(says)), undefined, says);
});

test('encode: what was encoded is decoded to the same', () => {
  for (const as of CODECS.filter((one) => one !== 'morse')) {
    for (const text of ['', 'a', 'Grüße & <b>"quoted"</b> 100% \'🎉\'', '\u0000\n\t', '\ufeffa', '%41 &amp; +']) {
      const { result } = run({ op: 'encode', as, text });
      assert.equal(run({ op: 'decode', as, text: result }).result, text, `${as} of ${JSON.stringify(text)}`);
    }
  }
  assert.equal(
    run({ op: 'decode', as: 'morse', text: run({ op: 'encode', as: 'morse', text: 'é a.b' }).result }).result,
    'É A.B',
  );
});

test('encode: what is wrong is told with its place', () => {
  const wrong: readonly (readonly [Given, RegExp])[] = [
    [{ op: 'decode', as: 'base64', text: 'aGV$bG8=' }, /“\$” at character 4/],
    [{ op: 'decode', as: 'base64', text: 'aGVsbG8=x' }, /“=”, but there is more behind the one at character 8/],
    [{ op: 'decode', as: 'base64', text: 'abcde' }, /cannot be complete/],
    [{ op: 'decode', as: 'hex', text: '0g' }, /“g” at character 2/],
    [{ op: 'decode', as: 'hex', text: 'abc' }, /3 hexadecimal digits/],
    [{ op: 'decode', as: 'binary', text: '0102' }, /“2” at character 4/],
    [{ op: 'decode', as: 'binary', text: '010' }, /5 are missing/],
    [{ op: 'decode', as: 'url', text: 'a%2' }, /“%” at character 2/],
    [{ op: 'decode', as: 'morse', text: '... ---------' }, /letter 2, is no Morse/],
    [{ op: 'encode', as: 'morse', text: 'a漢' }, /no Morse code for “漢”/],
    [{ op: 'encode', as: 'url', text: 'ab\ud800' }, /Character 3 is half of a surrogate pair/],
    [{ op: 'hash', text: '\udc00' }, /Character 1 is half/],
    [{ op: 'hash', as: 'base64', text: 'a' }, /is no hash/],
    [{ op: 'encode', as: 'md5', text: 'a' }, /is no encoding/],
    [{ op: 'hmac', text: 'a' }, /needs a key/],
    [{ op: 'hmac', as: 'crc32', key: 'k', text: 'a' }, /crc32 is none/],
    [{ op: 'jwt', text: 'eyJhIjoxfQ' }, /three parts with a dot between them; this has 1/],
    [{ op: 'jwt', text: 'a.b.c.d.e' }, /encrypted/],
    [{ op: 'jwt', text: 'e30.%%.x' }, /payload of this token/],
    [{ op: 'jwt', text: '!!.e30.x' }, /header of this token/],
  ];
  for (const [input, message] of wrong)
    assert.throws(() => run(input), { name: 'TaskError', message }, String(message));
});

test('encode: bytes that are no text are given in hex', () => {
  assert.deepEqual(run({ op: 'decode', as: 'url', text: 'a%ff' }).result, '61ff');
  const { result, note } = run({ op: 'decode', as: 'hex', text: 'c3 28' });
  assert.equal(result, 'c328');
  assert.match(note ?? '', /2 bytes are no text in UTF-8/);
  assert.equal(run({ op: 'decode', as: 'html', text: '&#xD800;&#0;&#x110000;&unknown;&;' }).result, '���&unknown;&;');
});

test('encode: a token tells its times, and that nobody checked it', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const seconds = NOW / 1_000;
  const token = (claims: unknown): string => `${part({ alg: 'none' })}.${part(claims)}.`;
  const { times, note, signature_checked } = run({
    op: 'jwt',
    text: token({ exp: seconds - 7_200, iat: seconds - 86_400 * 3, nbf: seconds + 90, __proto__: 1 }),
  });
  assert.deepEqual(times, {
    iat: 'issued November 17, 2026 at 08:00:00 UTC (3 days ago)',
    nbf: 'not valid before November 20, 2026 at 08:01:30 UTC (in 1 minute)',
    exp: 'expired November 20, 2026 at 06:00:00 UTC (2 hours ago)',
  });
  assert.equal(signature_checked, false);
  assert.match(note ?? '', /NOT checked/);
  assert.match(run({ op: 'jwt', text: token({ exp: 1e300 }) }).times?.exp ?? '', /no date/);
  assert.equal(run({ op: 'jwt', text: `Bearer ${token({ exp: 'soon' })}` }).times?.exp, undefined);
});

test('encode: 256 KB go either way soon, and a result that is too large is refused', async () => {
  for (const text of ['a', '&', '%41', '=', '.- ', '01 ', ' ', '&#', 'é', '0x'].map((one) =>
    one.repeat(Math.floor(262_144 / Buffer.byteLength(one))),
  )) {
    for (const as of CODECS) {
      for (const op of ['encode', 'decode']) {
        await assertEffort(200, `${op} ${as} of ${JSON.stringify(text.slice(0, 6))}`, () => {
          try {
            run({ op, as, text });
          } catch (error) {
            assert.ok(error instanceof TaskError, String(error));
          }
        });
      }
    }
  }
  for (const as of ['binary', 'url', 'html', 'morse', 'base64']) {
    assert.throws(() => run({ op: 'encode', as, text: '&'.repeat(60_000) }, context()), { message: /at most 64 KB/ });
  }
});

test('encode: reading takes little time, also of hostile instructions', async () => {
  for (const says of [
    `decode ${'hex '.repeat(480)}`,
    `encode ${'in base64 '.repeat(190)}`,
    `hash ${'with md5 '.repeat(210)}`,
    `hmac ${'with key '.repeat(210)}`,
    `hmac "${'key="'.repeat(380)}`,
    `convert ${'from base64 to '.repeat(130)}`,
    `what is ${'this base64 '.repeat(160)}`,
    `eyJ${'a.'.repeat(7_000)}`,
  ]) {
    await assertEffort(20, says.slice(0, 30), () => encode.read(clause(says)));
  }
});
