import { test } from 'node:test';
import { readRequest } from '@mailroom/auth/read';
import { parseAddress } from '@mailroom/behavior/values/address';
import { detectLanguage } from '@mailroom/detect-language';
import { protectedRanges } from '@mailroom/english-proofreader/protect';
import { readForm } from '@mailroom/server/http/forms';
import { renderMarkdown } from '@mailroom/server/http/markdown';
import { acceptsJson } from '@mailroom/server/http/media';
import { SessionCookie } from '@mailroom/server/http/session-cookie';
import { firstSentence } from '@mailroom/server/transports/web/new/line';
import { assertLinear } from '../../../../tests/harness/linear.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { errorIn } from '../../tasks/json/syntax-error.ts';
import { random } from '../../tasks/random/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { CASES } from '../../tasks/text/case.ts';
import { EXTRACTED } from '../../tasks/text/extract.ts';
import { text } from '../../tasks/text/index.ts';
import { context } from './harness.ts';

const KB = 1_024;
/** Of what is read so quickly that less would take no time. */
const LARGE = amount(16, 256) * KB;
const roomy = context({ limits: { ms: 5_000, output_bytes: 4 << 20, memory_bytes: 32 << 20 } });

/** Refusing a text must take linear time too. */
const tried = (work: () => unknown): void => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
  }
};

const OPS: readonly { readonly [name: string]: unknown }[] = [
  ...CASES.map((to) => ({ op: 'case', to })),
  ...EXTRACTED.map((what) => ({ op: 'extract', what })),
  ...['count', 'sort', 'unique', 'reverse', 'split', 'join', 'slug', 'trim', 'number', 'wrap'].map((op) => ({ op })),
  { op: 'template', values: { a: '1' } },
  { op: 'replace', find: 'a', with: 'b' },
  { op: 'last', count: 3, unit: 'sentences' },
  { op: 'unique', by: 'words' },
  { op: 'between', after: 'a', before: '-' },
];

for (const op of OPS) {
  test(`text: ${JSON.stringify(op)} takes linear time`, () =>
    assertLinear(
      String(op.op),
      (one) => tried(() => text.run({ ...op, text: one } as Parameters<typeof text.run>[0], roomy)),
      { suffixes: [' x'], length: amount(8, 32) * KB },
    ));
}

test('random: a list is read in linear time', () =>
  assertLinear('picking', (items) => tried(() => random.run({ kind: 'pick', items }, roomy)), {
    suffixes: [' x'],
    length: LARGE,
  }));

test('where JSON is wrong is found in linear time', () => assertLinear('JSON', errorIn, { length: LARGE }));

test('what must not be corrected is found in linear time', () =>
  assertLinear('protection', protectedRanges, { suffixes: [' x'], length: amount(2, 8) * KB }));

test('other readers of what strangers write take linear time', async () => {
  const cookie = new SessionCookie('secret');
  await assertLinear('auth', (body) => readRequest({ body, data: null }), {
    prefixes: ['', 'please give me a token for ', 'sign in at https://'],
    length: amount(2, 4) * KB,
  });
  await assertLinear('language', detectLanguage, { length: LARGE });
  await assertLinear('a first sentence', firstSentence, { prefixes: ['', '# a\n'], length: amount(2, 8) * KB });
  await assertLinear('an address', (one) => parseAddress(`a@${one}`, 'mailroom.test'), { length: amount(2, 8) * KB });
  await assertLinear('Accept', acceptsJson, { prefixes: ['', 'text/html;q='], length: amount(4, 16) * KB });
  await assertLinear('Cookie', (one) => cookie.read(one, true), { prefixes: ['', 'a='], length: amount(4, 16) * KB });
  await assertLinear('a form', (one) => tried(() => readForm(Buffer.from(one.replaceAll('&', '.')))), {
    prefixes: ['a='],
    length: LARGE,
  });
});

test('Markdown of a reply is rendered in linear time, or shown as it is', () =>
  assertLinear('Markdown', renderMarkdown, { suffixes: [' x'], length: amount(8, 16) * KB }));
