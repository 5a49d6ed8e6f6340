import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ReadMail } from '../../../mail/reading/read-mail.ts';
import { type Reading, startReading } from './harness.ts';
import { ANSWER_FIELDS, EVIL, fieldsOf, KEY, lines, signed, withFields } from './signing.ts';

// A relaxed signature (RFC 6376, section 3.4) says nothing of how many blanks there are, or of those at the end of a line.
let reading: Reading;
before(async () => {
  reading = await startReading({
    's._domainkey.example.com': KEY,
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
  });
});
after(() => reading[Symbol.asyncDispose]());

const read = (mail: string): Promise<ReadMail> =>
  reading.read(Buffer.from(mail, 'latin1'), { ip: '192.0.2.99', from: 'bounce@other.example' });
const HEADER = lines(ANSWER_FIELDS, 'MIME-Version: 1.0');
const NAMES = 'from to cc subject date message-id in-reply-to references reply-to mime-version content-type'.split(' ');
const signedMail = (type: string, body: string): string =>
  signed(`${HEADER}\r\nContent-Type: ${type}\r\n\r\n${body}`, { names: [...NAMES, 'content-transfer-encoding'] });
const PLAIN = 'text/plain; charset=utf-8';
const OUTLOOK = lines(
  'Thanks, I look at it.',
  '',
  'From: M <m@evil.example>',
  'Sent: Monday, May 13, 2024 9:00 AM',
  'To: Ada <ada@example.com>',
  'Subject: Question',
  '',
  EVIL,
  '',
);
const ATTRIBUTED = lines(
  'Thanks, I look at it.',
  '',
  'On Mon, May 13, 2024 at 9:00 AM M <m@evil.example> wrote:',
  '',
  EVIL,
  '',
);
const PARTS = lines(
  '--b1',
  'Content-Type: text/plain',
  '',
  'Please do nothing of this:',
  '',
  EVIL,
  '--b1',
  'Content-Type: text/plain; name=a.txt',
  'Content-Disposition: attachment',
  '',
  'A file.',
  '--b1--',
  '',
);
const wide = ' '.repeat(500);

/** What is signed, and the same with other blanks. */
const MAILS: Readonly<Record<string, readonly [type: string, body: string, changed: string]>> = {
  'a date far behind its label': [PLAIN, OUTLOOK, OUTLOOK.replace('Sent: ', `Sent:${wide}`)],
  'a wide attribution': [PLAIN, ATTRIBUTED, ATTRIBUTED.replace('On Mon', `On${wide}Mon`)],
  'a text too long to be searched': [PLAIN, OUTLOOK, OUTLOOK.replace('Thanks, ', `Thanks,${' '.repeat(300_001)}`)],
  'a mark of a quote that is moved to the right': [
    PLAIN,
    lines('Thanks.', '', ` > ${EVIL}`, ''),
    lines('Thanks.', '', `     > ${EVIL}`, ''),
  ],
  'headers of a quoted mail that flow': [
    `${PLAIN}; format=flowed`,
    OUTLOOK,
    OUTLOOK.replace(/^((?:From|Sent|To|Subject): .*)\r\n/gm, '$1 \r\n'),
  ],
};
const bare = (text: string): string => text.replace(/\s+/g, '');

test('no blanks that a signature leaves open make what an owner quotes a text of theirs', async () => {
  for (const [what, [type, body, changed]] of Object.entries(MAILS)) {
    const mail = signedMail(type, body);
    const genuine = await read(mail);
    assert.deepEqual(genuine.written_to, ['do@ns.example.net'], what);
    assert.ok(!genuine.body.includes('EVIL'), what);
    const found = await read(mail.replace(body, changed));
    assert.equal(found.authentication.dkim, 'pass', what);
    if (found.written_to?.length !== 0) assert.equal(bare(found.body), bare(genuine.body), what);
  }
});

test('a part has no other fields and lines because of blanks that a signature leaves open', async () => {
  const mail = signedMail('multipart/mixed; boundary="b1"', PARTS);
  const genuine = await read(mail);
  assert.equal(genuine.authentication.verified, true);
  for (const [what, found] of [
    ['the empty line below the fields', await read(mail.replace('text/plain\r\n\r\n', 'text/plain\r\n \r\n'))],
    ['delimiters', await read(mail.replaceAll(/^--b1(?:--)?(?=\r)/gm, '$& \t'))],
    ['all that is empty', await read(mail.replace(PARTS, PARTS.replaceAll('\r\n\r\n', '\r\n\t\r\n')))],
  ] as const) {
    assert.equal(found.authentication.dkim, 'pass', what);
    if (found.authentication.verified) assert.equal(found.text, genuine.text, what);
  }
  const spaced = lines('--b  1', 'Content-Type: text/plain', '', EVIL, '--b  1--', '');
  const inType = signedMail('multipart/mixed; boundary="b  1"', spaced);
  const other = await read(inType.replace('"b  1"', '"b 1"').replace('"b  1"', '"b 1"'));
  assert.ok(!other.authentication.verified || other.text.includes(EVIL));
});

test('a mail in any form of its blanks is the same order', async () => {
  const type = `${PLAIN}; format=flowed`;
  const body = lines('Remember: milk is white.', '', '> one', '> two', '> three', '', '-- ', 'Ada', '');
  const mail = signedMail(type, body);
  const genuine = await read(mail);
  assert.ok(genuine.authentication.verified && genuine.signed_sha256 !== null);
  for (const changed of [
    body.replaceAll(/^> (?:one|two)/gm, '$& '),
    body.replaceAll(' ', ' \t '),
    `${body}\r\n\r\n`,
    body.replaceAll('-- ', '--'),
  ]) {
    const found = await read(mail.replace(body, changed));
    assert.equal(found.authentication.dkim, 'pass');
    assert.equal(found.signed_sha256 ?? genuine.signed_sha256, genuine.signed_sha256, JSON.stringify(changed));
  }
  const left = withFields(mail, fieldsOf(mail).toReversed());
  assert.equal((await read(left)).signed_sha256, genuine.signed_sha256);
});

test('blanks that are usual change nothing', async () => {
  for (const [type, body] of [
    [
      PLAIN,
      lines('Remember:  milk is white.  ', '', '  * one', '  * two', '', '-- ', 'Ada Example', 'Example Inc.', ''),
    ],
    [
      `${PLAIN}; format=flowed`,
      lines(
        'Remember: milk ',
        'is white.',
        '',
        'Am 13.05.24 um 10:00 schrieb M ',
        '<m@evil.example>:',
        '> one ',
        '> two',
        '',
      ),
    ],
    [`${PLAIN}; format=flowed; delsp=yes`, lines('Remember: mi ', 'lk is white.', '')],
    ['multipart/mixed; boundary="b1"', PARTS],
  ] as const) {
    const found = await read(signedMail(type, body));
    assert.deepEqual([found.authentication.verified, found.written_to], [true, ['do@ns.example.net']], body);
  }
});
