import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asCorrections, passedOver } from '../../core/values/corrections.ts';
import { mailHtml } from '../../mail/writing/html.ts';
import { correctedText } from '../../transports/web/corrections.ts';

const BODY = 'They was here, and we all quanified it.';
const EDIT = { offset: 5, length: 3, original: 'was', replacement: 'were', explanation: '“They” takes “were”.' };
const DOUBT = {
  offset: 26,
  length: 9,
  original: 'quanified',
  suggestions: ['qualified', 'quantified'],
  explanation: '“quanified” is in no dictionary.',
  rule: 'spelling',
};
const data = (doubts: unknown, edits: unknown = [EDIT]) => ({ corrected_text: 'x', edits, doubts });

test('doubts of the text are shown, and those that are not of it or touch a correction are left out', () => {
  assert.deepEqual(asCorrections(data([DOUBT]), BODY)?.doubts, [DOUBT]);
  for (const wrong of [
    { ...DOUBT, offset: 25 },
    { ...DOUBT, offset: 4, length: 5, original: ' was ' },
    { ...DOUBT, suggestions: 'qualified' },
    { ...DOUBT, suggestions: [1] },
    { ...DOUBT, explanation: null },
    { ...DOUBT, offset: -1 },
    null,
    7,
  ])
    assert.deepEqual(asCorrections(data([wrong]), BODY)?.doubts, [], JSON.stringify(wrong));
  assert.deepEqual(asCorrections(data([DOUBT, DOUBT]), BODY)?.doubts, [DOUBT]);
  assert.deepEqual(asCorrections(data('none'), BODY)?.doubts, []);
  assert.deepEqual(asCorrections(data(undefined), BODY)?.doubts, []);
});

test('a text with doubts alone is shown with them, and one with neither as Markdown', () => {
  assert.deepEqual(asCorrections(data([DOUBT], []), BODY)?.doubts, [DOUBT]);
  assert.equal(asCorrections(data([], []), BODY), undefined);
});

test('pages underline doubts beside the corrections and list them apart, with what was passed over', () => {
  const corrections = asCorrections(
    { ...data([DOUBT]), passed_over: { other_language: 12, not_prose: 0, unknown: 1 } },
    BODY,
  );
  assert.ok(corrections);
  const page = correctedText(BODY, corrections, 'k').text;
  assert.match(page, /<a class="edit doubt" href="#why-k-d1" aria-describedby="why-k-d1">quanified<\/a>/);
  assert.match(page, /1 correction in American English, with reasons/);
  assert.match(page, /1 worth a look, left as it is/);
  assert.match(page, /<li id="why-k-d1"><span>quanified <b>qualified, quantified\?<\/b>/);
  assert.match(page, /12 words in another language and 1 unknown word were passed over\./);
  assert.equal(passedOver(corrections), '12 words in another language and 1 unknown word were passed over.');
});

test('mails list doubts apart from the corrections', async () => {
  const corrections = asCorrections(data([DOUBT]), BODY);
  assert.ok(corrections);
  const mail = await mailHtml('x', { kind: 'corrections', text: BODY, corrections }, undefined);
  assert.match(mail, /border-bottom:2px dotted[^>]*>quanified<\/span> it\./);
  assert.match(mail, /Worth a look, left as written[\s\S]*<b>qualified, quantified\?<\/b>/);
});
