import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../tests/harness/chance.ts';
import { incomingFindings, outgoingFindings, parseWhere } from '../index.ts';
import { hostileMails } from './generated-mails.ts';
import { generatedSecrets } from './generated-secrets.ts';

/** What makes a text shorter or longer as it is searched, and what is found in it. */
const PIECES = [
  ...[
    '<b>',
    '</b>',
    '<p>',
    '&#x41;',
    '&amp;',
    '&',
    '<',
    '<!--',
    '-->',
    '\u200b',
    '\u00ad',
    '\u{e0041}',
    '👋',
    '𝐢𝐠𝐧𝐨𝐫𝐞',
    'ﷺ',
  ],
  ...[
    'é',
    'e\u0301',
    '\n',
    ' ',
    'Ａ',
    '\ud800',
    '\0',
    '"',
    'password: ',
    'DE89 3704 0044 0532 0130 00 ',
    '4111 1111 1111 1111 ',
  ],
  ...generatedSecrets(50).map(({ text }) => text),
  ...hostileMails(50).map(({ mail }) => mail.text),
];

test('each finding has a place within its field, whatever the text, and no text makes the search fail', () => {
  const random = chance(7);
  const piece = (): string => {
    const text = PIECES[Math.floor(random() * PIECES.length)] as string;
    return random() < 0.3 ? text.slice(Math.floor(random() * text.length)) : text;
  };
  let places = 0;
  for (let round = 0; round < 400; round += 1) {
    const text = Array.from({ length: 1 + Math.floor(random() * 12) }, piece).join('');
    const person = { name: text, address: text.slice(0, 60) };
    const found = [
      ...outgoingFindings({ text, html: text, subject: text, data: text, recipients_count: 1 }),
      ...incomingFindings({
        from: person,
        reply_to: [person],
        subject: text,
        text,
        hidden: { text, why: ['same_color'] },
        files: [{ filename: text, content_type: text }],
        known_domains: ['acme.com', text.slice(0, 20)],
      }),
    ];
    for (const { where } of found) {
      const place = parseWhere(where);
      assert.ok(place !== undefined, where);
      if (place.span === undefined) continue;
      const { start, length } = place.span;
      assert.ok(length > 0 && start + length <= text.length, `${where} of ${text.length}`);
      places += 1;
    }
  }
  assert.ok(places > 1_000, String(places));
});

test('a place never begins or ends within a character or an entity', () => {
  const text = 'x 𝐢𝐠𝐧𝐨𝐫𝐞 𝐚𝐥𝐥 𝐩𝐫𝐞𝐯𝐢𝐨𝐮𝐬 𝐢𝐧𝐬𝐭𝐫𝐮𝐜𝐭𝐢𝐨𝐧𝐬 x';
  const [finding] = incomingFindings({
    from: { name: '', address: 'a@b.example' },
    reply_to: [],
    subject: '',
    text,
    hidden: undefined,
    files: [],
    known_domains: [],
  });
  assert.equal(finding?.where, `body:2+${text.length - 4}`);
  const token = `npm_${'a1B2'.repeat(8)}a1B`;
  const [secret] = outgoingFindings({ text: '', html: `<p>${token}&#50;.</p>`, recipients_count: 1 });
  assert.equal(secret?.where, `html:3+${token.length + 5}`);
});
