import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { clean } from '../../../../tests/harness/texts.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, send, read } = connect(service.url);
const home = await newNamespace();
const american = (await newMailbox(home, { behavior: { name: 'proofread' } })).address;

interface Edit {
  offset: number;
  length: number;
  original: string;
  replacement: string;
  kind: string;
  explanation: string;
  suggestions: string[];
}
interface Corrections {
  language: string;
  dialect: string;
  corrected_text: string;
  edits: Edit[];
  doubts: { offset: number; length: number; original: string }[];
  passed_over?: object;
}

async function proofread(body: string, to = american): Promise<{ data: Corrections; body: string }> {
  const sent = await send(home.key, { to, body, sync: true }, { prefer: 'wait=120' });
  assert.equal(sent.status, 200, sent.text.slice(0, 300));
  assert.equal(sent.body.status, 'completed', JSON.stringify(sent.body.error));
  const reply = sent.body.reply ?? assert.fail('no reply');
  const data = reply.data as Corrections;
  fits(body, data);
  return { data, body: reply.body };
}

/** Asserts that applying `edits` to `body` gives exactly `corrected_text` (contract, section 9). */
function fits(body: string, data: Corrections): void {
  const { passed_over: _passed, ...whole } = data;
  assert.deepEqual(Object.keys(whole).sort(), ['corrected_text', 'dialect', 'doubts', 'edits', 'language']);
  let text = '';
  let offset = 0;
  for (const edit of data.edits) {
    assert.deepEqual(Object.keys(edit).sort(), [
      'explanation',
      'kind',
      'length',
      'offset',
      'original',
      'replacement',
      'suggestions',
    ]);
    assert.ok(edit.offset >= offset, 'edits stand in order and do not overlap');
    assert.equal(body.slice(edit.offset, edit.offset + edit.length), edit.original);
    assert.notEqual(edit.replacement, edit.original);
    assert.notEqual(edit.explanation, '');
    text += body.slice(offset, edit.offset) + edit.replacement;
    offset = edit.offset + edit.length;
  }
  assert.equal(text + body.slice(offset), data.corrected_text);
}

test('proofread corrects a text and gives its reasons', async () => {
  const { data, body } = await proofread('She have two cat.');
  assert.equal(data.corrected_text, 'She has two cats.');
  assert.equal(data.dialect, 'american');
  assert.match(data.language, /^en/);
  assert.ok(body.includes(data.corrected_text));
  for (const edit of data.edits) assert.ok(body.includes(edit.replacement.trim()), edit.replacement);
});

test('clean text is left alone, and the reply says so', async () => {
  const { data, body } = await proofread('The committee meets on the first Monday of every month.');
  assert.deepEqual(data.edits, []);
  assert.notEqual(body, '');
});

test('what is not English is not corrected, and the reply says so', async () => {
  for (const text of [
    'Das ist ein ganz gewöhnlicher deutscher Satz über das Wetter von gestern.',
    "Ceci n'est pas une phrase anglaise, mais une phrase tout à fait française.",
    'これは日本語の文です。英語ではありません。',
    'Это предложение написано на русском языке.',
    '12345 67890',
    '😀😀😀',
    ' \r\n\t ',
  ]) {
    const { data, body } = await proofread(text);
    assert.deepEqual(data.edits, [], text);
    assert.equal(data.corrected_text, text);
    assert.notEqual(body, '');
  }
});

test('edits fit whatever else the text holds', async () => {
  for (const text of [
    'She go home 😀😀 and he go too.\r\nThey was tired.\r\n',
    'He have a cafe\u0301 and  two  spaces , he said.',
    'שלום. She go home. \u202bThey is here.\u202c',
    '👩‍👩‍👧‍👦 This are an test 👩🏽‍💻 of a apple.',
    '**She go** to `the have` [they is](https://example.org) now.',
    '\ufeffI has a apple.\u2028They is red.',
    'I recieve teh mail alot.\n\n\n- it are good\n- he dont know',
  ]) {
    await proofread(text);
  }
});

test('British words are right in British and wrong in no way', async () => {
  const british = (await newMailbox(home, { behavior: { name: 'proofread', settings: { dialect: 'british' } } }))
    .address;
  const text = 'The colour of the harbour at dawn is grey.';
  const { data } = await proofread(text, british);
  assert.equal(data.dialect, 'british');
  assert.deepEqual(data.edits, []);
});

test('a dialect that is none is refused', async () => {
  isProblem(
    await api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: home.key,
      body: { local_part: 'x', behavior: { name: 'proofread', settings: { dialect: 'scottish' } } },
    }),
    'validation_error',
    '/behavior/settings/dialect',
  );
});

test('a text of 256 KiB is read to its end', async () => {
  const text = `${clean(262_144 - 40)} In the end they was all very happy.`.slice(0, 262_144);
  const { data } = await proofread(text);
  assert.ok(
    data.edits.some((edit) => edit.offset > 262_000),
    'the last sentence is corrected',
  );
});

test('long texts do not starve short ones', async () => {
  const long = await Promise.all(
    Array.from({ length: 4 }, () => send(home.key, { to: american, body: clean(200_000) })),
  );
  const took: number[] = [];
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    await proofread('She go home.');
    took.push(Math.round(performance.now() - began));
  }
  await assertSoon(Math.max(...took), 5_000, 'a short text');
  for (const { body } of long) await api('POST', `/mail/messages/${body.id}/cancel`, { key: home.key });
});

test('the event loop stays free while a long text is read', async () => {
  const { id } = (await send(home.key, { to: american, body: clean(200_000) })).body;
  const took: number[] = [];
  for (let i = 0; i < 50; i++) {
    const began = performance.now();
    assert.equal((await api('GET', '//livez')).status, 200);
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  await assertSoon(took[25] ?? 0, 50, 'half of 50 small requests');
  await api('POST', `/mail/messages/${id}/cancel`, { key: home.key });
  assert.equal((await read(home.key, id)).body.status, 'canceled');
});
