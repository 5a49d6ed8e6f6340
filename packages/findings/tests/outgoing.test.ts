import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../../tests/harness/linear.ts';
import { amount } from '../../../tests/soak/length.ts';
import { type OutgoingContent, outgoingFindings, parseWhere } from '../index.ts';
import { cleanMail } from './generated-mails.ts';
import { generatedSecrets, KINDS } from './generated-secrets.ts';

const NPM = `npm_${'4fJ0q8Zk2Lw7'.repeat(3)}`;
const find = (content: Partial<OutgoingContent>) => outgoingFindings({ text: '', recipients_count: 1, ...content });
const kindsOf = (content: Partial<OutgoingContent>): string[] => find(content).map(({ kind }) => kind);

/** The text at the place of a finding. */
function textAt(content: string, where: string | undefined): string {
  const { start = 0, length = 0 } = parseWhere(where ?? '')?.span ?? {};
  return content.slice(start, start + length);
}

const [SECRETS, ORDINARY] = [amount(150, 500), amount(1_000, 5_000)];

test(`of ${SECRETS} secrets of some fifty kinds, in prose, settings and JSON, 98 of a hundred are found`, () => {
  assert.ok(Object.keys(KINDS).length >= 40);
  const all = generatedSecrets(SECRETS);
  assert.equal(all.length, 3 * SECRETS);
  const missed = all.filter(({ text }) => !kindsOf({ text }).includes('secret'));
  assert.ok(missed.length <= 0.02 * all.length, missed.map(({ kind, text }) => `${kind}: ${text}`).join('\n'));
});

test(`of ${ORDINARY} ordinary mails at most one has a finding`, () => {
  const found = Array.from({ length: ORDINARY }, () => cleanMail()).flatMap(({ text, subject }) => {
    const findings = find({ text, subject });
    return findings.map(({ where, kind }) => `${kind}: ${textAt(text, where)}`);
  });
  assert.ok(found.length <= 1, found.join('\n'));
});

test('a finding names the place of the secret, and its sentence has none of it', () => {
  const text = `Здравствуйте 👋, the token is ${NPM}.`;
  const [finding, ...others] = find({ text });
  assert.deepEqual(others, []);
  assert.equal(textAt(text, finding?.where), NPM);
  assert.ok(!finding?.why.includes(NPM.slice(4, 14)));
  assert.equal(parseWhere(finding?.where ?? '')?.field, 'body');
});

test('a secret is found in each field that leaves', () => {
  const file = { filename: 'a.txt', content_type: 'text/plain' };
  for (const [field, content] of [
    ['subject', { subject: `Re: ${NPM}` }],
    ['html', { html: `<p>${NPM}</p>` }],
    ['data', { data: JSON.stringify({ token: NPM }) }],
    ['attachments/1', { files: [file, { ...file, text: NPM }] }],
    ['attachments/0/filename', { files: [{ ...file, filename: `${NPM}.txt` }] }],
  ] as const) {
    assert.deepEqual(
      find(content).map(({ kind, where }) => [kind, parseWhere(where)?.field]),
      [['secret', field]],
    );
  }
});

test('a secret with tags, entities or invisible characters within is found where it stands', () => {
  for (const html of [
    `<p>Use npm<b>_4fJ0q8Zk2</b><i>Lw7</i>${'4fJ0q8Zk2Lw7'.repeat(2)}</p>`,
    `<p>Use npm&#95;${'4fJ0q8Zk2Lw7'.repeat(3)}</p>`,
    `<a href="https://x.example/?k=${NPM}">x</a>`,
  ]) {
    const [finding] = find({ html });
    assert.equal(finding?.kind, 'secret', html);
    assert.ok(textAt(html, finding?.where).startsWith('npm'), finding?.where);
  }
  const text = `Use ${NPM.split('').join('\u200b')} now`;
  assert.equal(textAt(text, find({ text })[0]?.where), NPM.split('').join('\u200b'));
});

test('a comment that switches secretlint off does not', () => {
  const token = `glpat-${'4fJ0q8Zk2Lw7'.repeat(2).slice(0, 20)}`;
  assert.deepEqual(kindsOf({ text: `/* secretlint-disable */ ${token}\n# secretlint-disable-line\n${token}` }), [
    'secret',
    'secret',
  ]);
});

test('a key of a Mailroom is known by its checksum', async () => {
  const { newSecret } = await import('../../server/core/entities/key.ts');
  const { secret } = newSecret();
  assert.deepEqual(find({ text: secret }), [
    { kind: 'secret', where: `body:0+${secret.length}`, why: 'This is a key of a Mailroom.' },
  ]);
  const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
  assert.deepEqual(find({ text: wrong }), []);
});

test('what stands for a secret is none', () => {
  for (const text of [
    'password: ********',
    'password = os.environ["DB_PASSWORD"]',
    'Password: <your password>',
    'API_KEY=$(API_KEY)',
    'token: string',
    'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
    'postgres://localhost:5432/app',
    'https://user@host.example/',
    'AWS key AKIAIOSFODNN7EXAMPLE',
  ])
    assert.deepEqual(find({ text }), [], text);
});

test('a payment card is found by its check digit, in print and in one run', () => {
  for (const number of ['4111 1111 1111 1111', '5555555555554444', '3782 822463 10005', '6011-1111-1111-1117'])
    assert.equal(textAt(`My card: ${number}.`, find({ text: `My card: ${number}.` })[0]?.where), number);
  for (const text of [
    'My card: 4111 1111 1111 1112',
    'Order 9400111899223197428490',
    'https://shop.example/item/4111111111111111',
    'Ref. 1234567890123456',
  ])
    assert.deepEqual(find({ text }), [], text);
});

test('an account number is found by its check digits and the length of its country', () => {
  for (const iban of ['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'fr14 2004 1010 0505 0001 3m02 606']) {
    const text = `Please pay to ${iban} until Friday.`;
    const [finding] = find({ text });
    assert.equal(finding?.kind, 'iban');
    assert.equal(textAt(text, finding?.where), iban);
  }
  for (const text of ['DE88 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130', 'DE89 3704 0044 0532 0130 001'])
    assert.deepEqual(find({ text }), [], text);
});

test('ten recipients are many', () => {
  assert.deepEqual(find({ recipients_count: 9 }), []);
  assert.deepEqual(find({ recipients_count: 10 }), [
    { kind: 'many_recipients', where: 'recipients', why: 'It goes to 10 recipients at once.' },
  ]);
});

test('a field with thousands of secrets has fifty findings', () => {
  assert.equal(find({ text: `${NPM} `.repeat(5_000) }).length, 50);
});

test('a place that is none is not read', () => {
  for (const where of ['', 'body:', 'body:1', 'body:1+', 'cc', 'attachments/x', 'body:-1+2', 'body:1+2 '])
    assert.equal(parseWhere(where), undefined, where);
  assert.deepEqual(parseWhere('attachments/3/filename:0+9'), {
    field: 'attachments/3/filename',
    span: { start: 0, length: 9 },
  });
});

test('any text is searched in linear time, as text and as HTML', async () => {
  await assertLinear('the search in a text', (text) => find({ text }), {
    length: amount(16_000, 80_000),
    prefixes: ['password: '],
  });
  await assertLinear('the search in HTML', (html) => find({ html }), { length: amount(8_000, 40_000) });
});

test('something signed that is no token, such as a receipt, is no secret, and a JWT of any kind is', () => {
  const signed = (typ: string | undefined): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = part({ alg: 'ES256', kid: 'k', ...(typ !== undefined && { typ }) });
    return `${head}.${part({ kind: 'receipt', sub: '12345678' })}.${'Xk3dksUBDBUwJEEnTLd88PgnQQGcBUXs'.repeat(2)}`;
  };
  const kindsIn = (typ: string | undefined): readonly string[] =>
    outgoingFindings({ text: 'Done.', data: JSON.stringify({ jws: signed(typ) }), recipients_count: 1 }).map(
      ({ kind }) => kind,
    );
  for (const typ of ['mailroom-receipt+json', 'JOSE']) assert.deepEqual(kindsIn(typ), [], typ);
  for (const typ of ['JWT', 'at+jwt', 'logout+jwt', undefined]) assert.deepEqual(kindsIn(typ), ['secret'], `${typ}`);
});
