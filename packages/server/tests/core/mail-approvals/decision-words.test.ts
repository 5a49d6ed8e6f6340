import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailedDecision } from '../../../core/mail-in/approvals/decision-words.ts';

const from = { name: 'Ada King Lovelace', address: 'ada@example.com' };
const read = (body: string, html_body: string | null = null) => mailedDecision({ body, html_body, from });

test('a plain yes approves, in seven languages, with courtesies and the name of its author', () => {
  for (const text of [
    'yes',
    'Yes.',
    'YES!',
    'ok, do it',
    'OK',
    'Approve',
    'approved, thanks',
    'Yes, please.\n\nBest regards,\nAda',
    'Yes\n\nAda Lovelace',
    'yes\n\nThanks!\nA.',
    'ja',
    'Ja, bitte.\n\nViele Grüße\nAda',
    'Genehmigt',
    'oui',
    'D’accord, merci',
    'Sí, adelante.',
    'si',
    'Sì, grazie',
    'va bene',
    'Sim, obrigada',
    'Aprovado',
    'Ja, doe maar.\n\nMet vriendelijke groet,\nAda',
    'Akkoord',
    '**Yes**',
    'Yes thanks',
    'Sure, go ahead',
    'Sounds good to me.\n\nAda',
    'Yes, run it.',
    'Ja, gerne',
    'Ja gern, danke',
    'Oui merci',
    'Sì grazie',
    'Sim, pode',
    'Ja graag',
    '👍🏽',
  ])
    assert.deepEqual(read(text), { decision: 'approve' }, text);
});

test('a plain no refuses, and what stands beside it is the reason', () => {
  for (const [text, reason] of [
    ['no', undefined],
    ['No.', undefined],
    ['Reject', undefined],
    ['no, thanks', undefined],
    ['No, too expensive.', 'too expensive.'],
    ['no - ask me again next week', 'ask me again next week'],
    [
      'No\n\nThe address is wrong.\nIt is bob@example.com.\n\nBest,\nAda',
      'The address is wrong.\nIt is bob@example.com.',
    ],
    ['Nein, bitte', undefined],
    ['Nein: zu spät', 'zu spät'],
    ['Non merci', undefined],
    ['No, gracias', undefined],
    ['Rifiuto', undefined],
    ['Não', undefined],
    ['Nee, te laat', 'te laat'],
  ] as const)
    assert.deepEqual(read(text), { decision: 'refuse', ...(reason !== undefined && { reason }) }, text);
});

test('any other text decides nothing', () => {
  for (const text of [
    '',
    'yes but not the second',
    'Sure thing, but later',
    'Sounds good but wait',
    'thanks',
    'no thanks yes',
    '👍👎',
    'Yes, but not the second step',
    'yes\nbut leave out the last one',
    'Yes\n\nOnly the first step, please.',
    'yes?',
    'yes, really?',
    'Ok, what does step 2 do',
    'no problem',
    'No problem, go ahead',
    'no, wait: yes',
    'no\nyes',
    'not yet',
    'yesterday',
    'I said yes last week',
    'Hello,\n\nyes',
    'nein doch ja',
    'ja, aber nur den ersten Schritt',
    'oui mais pas le deuxième',
    'sí, pero mañana',
    'I am out of the office until Monday.',
    'Your mail was received. Approved senders get an answer soon.',
    '> yes',
    'yes\n\nBob',
    'yes\n\nNot two',
    `yes${' '.repeat(6_000)}`,
    'no objection',
    'no objections, do it',
    'yes no',
    'y/n',
  ])
    assert.equal(read(text), undefined, text);
});

test('a text and an HTML that do not say the same decide nothing', () => {
  assert.deepEqual(read('Yes', 'Yes, please.'), { decision: 'approve' });
  assert.deepEqual(read('No, too long', 'No, too long'), { decision: 'refuse', reason: 'too long' });
  for (const [text, html] of [
    ['Yes', 'No'],
    ['No', 'Yes'],
    ['Yes', ''],
    ['Yes', 'Yes, but later'],
    ['Let me think', 'Yes'],
  ] as const)
    assert.equal(read(text, html), undefined, `${text} / ${html}`);
});
