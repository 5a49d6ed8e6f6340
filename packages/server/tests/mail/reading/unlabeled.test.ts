import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere } from './harness.ts';

/** What a text is in, its bytes in hexadecimal, and what it says. */
const TEXTS: readonly (readonly [string, string, string])[] = [
  ['shift_jis', '82b182f182c982bf82cd814189ef8b6382cc8365835883678e9197bf82c582b7', 'こんにちは、会議のテスト資料です'],
  ['euc-jp', 'a4b3a4f3a4cba4c1a4cfa1a2b2f1b5c4a4cea5c6a5b9a5c8bbf1cec1a4c7a4b9', 'こんにちは、会議のテスト資料です'],
  ['euc-kr', 'bec8b3e7c7cfbcbcbfe420bfc0b4c3c0ba20c8b8c0c7b0a120c0d6bdc0b4cfb4d9', '안녕하세요 오늘은 회의가 있습니다'],
  ['gbk', 'c4fabac3a3acb2e2cad4cec4bcfec3fbb3c6', '您好，测试文件名称'],
  ['big5', 'b17aa66ea141a4b5a4d1a4d1aef0abdca66ea141c1c2c1c2', '您好，今天天氣很好，謝謝'],
  ['windows-1251', 'cff0e8e2e5f220e8e720cceef1eae2fb', 'Привет из Москвы'],
  ['koi8-r', 'f0d2c9d7c5d420c9da20edcfd3cbd7d9', 'Привет из Москвы'],
  ['windows-1253', 'cae1ebe7ecddf1e120eae1e920e5f5f7e1f1e9f3f4fe20f0efebfd', 'Καλημέρα και ευχαριστώ πολύ'],
  ['windows-1255', 'f9ece5ed20ecebe5eced20e5fae5e3e420f8e1e4', 'שלום לכולם ותודה רבה'],
  ['windows-1256', 'e3d1cdc8c720c8dfe320e6d4dfd1c720ccd2ede1c7', 'مرحبا بكم وشكرا جزيلا'],
  ['windows-874', 'cac7d1cab4d5a4c3d1ba20a2cdbaa4d8b3c1d2a1', 'สวัสดีครับ ขอบคุณมาก'],
];
const HEAD = 'From: ann@home.example\r\nTo: desk@shop.example\r\n';
const joined = (...pieces: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(pieces.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)));

for (const [charset, hex, text] of TEXTS)
  test(`bytes that name no charset are read as what they are: ${charset}`, async () => {
    const bytes = Buffer.from(hex, 'hex');
    for (const type of ['text/plain', 'text/plain; charset=us-ascii', 'text/plain; charset=unknown-8bit', 'text/html'])
      assert.equal((await readHere(joined(`${HEAD}Content-Type: ${type}\r\n\r\n`, bytes))).body, text, type);
    const { subject } = await readHere(joined(HEAD, 'Subject: ', bytes, '\r\n\r\nHi'));
    assert.equal(subject, text);
    const parts = joined(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename="`,
      bytes,
      '.pdf"\r\n\r\nx\r\n--b--\r\n',
    );
    assert.equal((await readHere(parts)).attachments[0]?.name, `${text}.pdf`);
  });

test('bytes of Latin scripts that name no charset are of Windows', async () => {
  for (const text of ['Grüße aus München', 'ÄÖÜß', 'Ça va très bien, à bientôt', '¡¡¡¿Qué?!', 'ÀÉÈÙ Ñandú', '«Où»'])
    assert.equal((await readHere(joined(`${HEAD}\r\n`, text))).body, text);
});

test('raw bytes of the headers are in the charset that a part of the mail names', async () => {
  const parts = (charset: string): string =>
    `Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nHi\r\n--b--\r\n`;
  for (const [charset, bytes, text] of [
    ['iso-8859-2', 'AK: \xae\xe1dost o schv\xe1len\xed', 'AK: Žádost o schválení'],
    ['windows-1251', '\xc4\xe0', 'Да'],
    ['utf-8', 'Gr\xfc\xdfe', 'Grüße'],
  ] as const)
    assert.equal((await readHere(joined(HEAD, `Subject: ${bytes}\r\n`, parts(charset)))).subject, text, charset);
});

test('HTML and XML name their charset where the part names ASCII', async () => {
  const bytes = Buffer.from('cff0e8e2e5f2', 'hex');
  for (const [type, start] of [
    ['text/html; charset=us-ascii', '<meta charset="windows-1251"><p>'],
    ['text/html', '<?xml version="1.0" encoding="windows-1251"?><p>'],
  ])
    assert.equal((await readHere(joined(`${HEAD}Content-Type: ${type}\r\n\r\n${start}`, bytes))).body, 'Привет');
});

test('encoded words that were joined or broken within are read', async () => {
  for (const word of [
    '=?utf-8?B?R3I=w7zDn2U=?=',
    '=?utf-8?Q?Gr=C3=BC=\r\n =C3=9Fe?=',
    '=?iso-8859-1?Q?Gr=FC=\r\n\t=DFe?=',
  ])
    assert.equal((await readHere(`${HEAD}Subject: ${word}\r\n\r\nHi`)).subject, 'Grüße', word);
});

test('a name of a file is read from a share of Windows, and in single quotes', async () => {
  for (const name of ['"\\\\server\\share\\x.pdf"', "'x.pdf'"])
    assert.equal(
      (
        await readHere(
          `${HEAD}Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=${name}\r\n\r\nx`,
        )
      ).attachments[0]?.name,
      'x.pdf',
      name,
    );
});
