import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn } from '../../core/messages/extraction.ts';
import { linkIn } from '../../core/messages/link-extraction.ts';
import { CODE_MAILS } from './extraction-codes.ts';
import { LINK_MAILS } from './extraction-links.ts';

/** The least share of mails of which the right value is found, and none where there is none. */
const LEAST = 0.97;

test('of mails in fourteen languages the one-time code is found, and no other number', (t) => {
  const wrong = CODE_MAILS.flatMap(([subject, text, code]) => {
    const found = codeIn({ subject, text }) ?? null;
    return found === code ? [] : [{ subject, code, found }];
  });
  for (const one of wrong) t.diagnostic(JSON.stringify(one));
  t.diagnostic(`${CODE_MAILS.length - wrong.length} of ${CODE_MAILS.length} are right`);
  assert.ok(1 - wrong.length / CODE_MAILS.length >= LEAST, JSON.stringify(wrong, null, 1));
});

test('of mails in fourteen languages the link to confirm, reset or sign in is found, and no other', (t) => {
  const wrong = LINK_MAILS.flatMap(([text, link]) => {
    const found = linkIn({ text }) ?? null;
    return found === link ? [] : [{ link, found }];
  });
  for (const one of wrong) t.diagnostic(JSON.stringify(one));
  t.diagnostic(`${LINK_MAILS.length - wrong.length} of ${LINK_MAILS.length} are right`);
  assert.ok(1 - wrong.length / LINK_MAILS.length >= LEAST, JSON.stringify(wrong, null, 1));
});

test('a long hostile text is read in little time', () => {
  for (const piece of [
    'code 1',
    'A-1',
    '1 ',
    '<https://a.example/confirm',
    '(12) 3',
    '\n> ',
    'code: AB1-',
    'code violet anchor meadow. ',
    'code:\n\nviolet anchor meadow\n\n',
  ])
    for (const read of [codeIn, linkIn]) {
      const began = performance.now();
      read({ subject: '', text: piece.repeat(100_000) });
      assert.ok(performance.now() - began < 2_000, `${read.name} ${piece} ${performance.now() - began}`);
    }
});
