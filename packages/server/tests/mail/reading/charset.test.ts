import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere } from './harness.ts';

const HEAD = 'From: anna@example.com\r\nTo: inbox@agents.example.net\r\nMIME-Version: 1.0\r\n';
const mail = (headers: string, body: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${HEAD}${headers}\r\n\r\n`, 'latin1'), Buffer.from(body as string)]);
const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');
const EUC_KR = hex('be c8 20 89 e7 bf e4'); // '안 됬요', of which the second is in windows-949 alone

test('a text is read in the charset that its label stands for by the Encoding Standard', async () => {
  const rows: readonly (readonly [string, Buffer, string])[] = [
    ['ks_c_5601-1987', EUC_KR, '안 됬요'],
    ['windows-949', EUC_KR, '안 됬요'],
    ['cp949', EUC_KR, '안 됬요'],
    ['big5-hkscs', hex('a7 da 87 40 fe 51'), '我䏰犂'],
    ['iso-2022-kr', Buffer.from('\u001b$)C\u000e>H3gGO<<?d\u000f ok', 'latin1'), '안녕하세요 ok'],
    ['hz-gb-2312', Buffer.from('A ~~ ~{VPND~} B', 'latin1'), 'A ~ 中文 B'],
    ['gb2312', hex('d6 d0 ce c4'), '中文'],
    ['iso-2022-jp', Buffer.from('\u001b$B2q5D\u001b(B', 'latin1'), '会議'],
    ['iso-8859-9', hex('fe fd f0'), 'şığ'],
    ['koi8-r', hex('f0 d2 c9'), 'При'],
  ];
  for (const [charset, bytes, text] of rows)
    assert.equal((await readHere(mail(`Content-Type: text/plain; charset=${charset}`, bytes))).body, text, charset);
});

test('a text that its label is certainly not of is read as what it is', async () => {
  const utf8 = Buffer.from('Příliš žluťoučký kůň');
  for (const charset of ['iso-8859-1', 'iso-8859-2', 'windows-1251', 'us-ascii', 'no-charset', 'koi8-r', 'iso-2022-jp'])
    assert.equal((await readHere(mail(`Content-Type: text/plain; charset=${charset}`, utf8))).body, `${utf8}`, charset);
  for (const charset of ['gb2312', 'big5', 'shift_jis', 'euc-kr'])
    assert.equal(
      (await readHere(mail(`Content-Type: text/plain; charset=${charset}`, '日本語'))).body,
      '日本語',
      charset,
    );
  const jis = Buffer.from('\u001b$B2q5D\u001b(B', 'latin1');
  for (const type of ['text/plain', 'text/plain; charset=utf-8', 'text/plain; charset=us-ascii', 'text/plain;'])
    assert.equal((await readHere(mail(`Content-Type: ${type}`, jis))).body, '会議', type);
  for (const bytes of [hex('89ef 8b63'), hex('b2f1 b5c4')])
    assert.equal((await readHere(mail('Content-Type: text/plain; charset=iso-2022-jp', bytes))).body, '会議');
});

test('HTML names its charset itself where its part names none', async () => {
  for (const meta of ['<meta charset="iso-8859-2">', '<META http-equiv=x content="text/html; charset=ISO-8859-2">']) {
    const html = Buffer.concat([Buffer.from(`<html><head>${meta}</head><p>`), hex('ae 6c 75 bb'), Buffer.from('</p>')]);
    assert.equal((await readHere(mail('Content-Type: text/html', html))).body, 'Žluť');
  }
});

test('raw and encoded words of headers are read as texts are', async () => {
  const rows: readonly (readonly [string, string])[] = [
    ['\u001b$B2q5D$N7o\u001b(B', '会議の件'],
    ['Gr\xfc\xdfe', 'Grüße'],
    ['=?iso-8859-1?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?ks_c_5601-1987?B?iee9wLTPtNk=?=', '됬습니다'],
    ['=?utf-8?B?5pel5pys6A==?=\r\n =?utf-8?B?qp7jga4=?= ok', '日本語の ok'],
    ['=?utf-8?Q?=E6=97?= =?UTF-8?B?pQ==?=', '日'],
  ];
  for (const [value, subject] of rows)
    assert.equal((await readHere(mail(`Subject: ${value}`, 'Hi'))).subject, subject, value);
  const raw = mail('Subject: \xf0\xd2\xc9\r\nContent-Type: text/plain; charset=koi8-r', 'Hi');
  assert.equal((await readHere(raw)).subject, 'При');
});

const file = (disposition: string): Buffer =>
  mail(
    'Content-Type: multipart/mixed; boundary=B',
    Buffer.from(
      `--B\r\nContent-Type: text/plain\r\n\r\nHi\r\n--B\r\nContent-Type: application/pdf\r\n${disposition}\r\n\r\nDATA\r\n--B--\r\n`,
      'latin1',
    ),
  );

test('names of files are read as texts are, with paths of Windows', async () => {
  const rows: readonly (readonly [string, string])[] = [
    ['attachment; filename="Pr\xfcfung.pdf"', 'Prüfung.pdf'],
    ['attachment; filename="\u001b$B2q5D\u001b(B.pdf"', '会議.pdf'],
    ['attachment; filename="=?utf-8?B?5pel5pys6A==?=\r\n =?utf-8?B?qp4ucGRm?="', '日本語.pdf'],
    [`attachment; filename*=iso-8859-1''Pr%C3%BCfung.pdf`, 'Prüfung.pdf'],
    [`attachment; filename*0*=utf-8''Pr%C3; filename*1*=%BCf; filename*2="ung.pdf"`, 'Prüfung.pdf'],
    ['attachment; filename="C:\\dir\\x.pdf"', 'x.pdf'],
    ['attachment; filename=C:\\dir\\x.pdf', 'x.pdf'],
    ['attachment filename=x.pdf', 'x.pdf'],
  ];
  for (const [disposition, name] of rows) {
    const { attachments } = await readHere(file(`Content-Disposition: ${disposition}`));
    assert.deepEqual(
      attachments.map((one) => one.name),
      [name],
      disposition,
    );
  }
});

test('a text is the body, however its type is written', async () => {
  for (const type of [
    'text',
    'TEXT',
    'plain',
    '',
    'text/plain charset=utf-8',
    'text/plain, charset="utf-8"',
    'text/markdown',
    'text/x-unknown; charset=utf-8',
    'text/enriched',
  ]) {
    const { body, attachments } = await readHere(mail(`Content-Type: ${type}`, 'Grüße.'));
    assert.deepEqual([body, attachments.length], ['Grüße.', 0], type);
  }
});

test('a file is none of the body, however its type is written', async () => {
  for (const type of ['application', 'image', 'jpeg; name="x.jpg"', '; name="x.jpg"']) {
    const raw = mail(
      'Content-Type: multipart/mixed; boundary=B',
      `--B\r\n\r\nSee it.\r\n--B\r\nContent-Type: ${type}\r\n\r\nDATA\r\n--B--\r\n`,
    );
    const { body, attachments } = await readHere(raw);
    assert.deepEqual([body, attachments[0]?.content_type], ['See it.', 'application/octet-stream'], type);
  }
});

test('a text that is named as a file is one, unless it is the whole mail', async () => {
  const named = (disposition: string): Buffer =>
    mail(
      'Content-Type: multipart/mixed; boundary=B',
      `--B\r\nContent-Type: text/plain\r\n\r\nPlease correct it.\r\n--B\r\nContent-Type: text/plain; name="essay.txt"\r\n${disposition}\r\n\r\nTwo cat.\r\n--B--\r\n`,
    );
  for (const disposition of [
    'Content-Disposition: inline; filename="essay.txt"',
    'Content-Disposition: inline',
    'X-A: b',
  ]) {
    const { body, attachments } = await readHere(named(disposition));
    assert.deepEqual([body, attachments[0]?.name], ['Please correct it.', 'essay.txt'], disposition);
  }
  assert.equal((await readHere(mail('Content-Type: text/plain; name="note.txt"', 'Hello'))).body, 'Hello');
});

test('a Message-ID with blanks is one without', async () => {
  assert.equal((await readHere(mail('Message-ID: < 1234 @ example.com >', 'Hi'))).message_id, '<1234@example.com>');
});

test('a footer below a text in base64 is read as it is', async () => {
  const text = 'Please correct it: two cat, and a longer line that is folded.';
  const encoded = Buffer.from(text).toString('base64').replace(/.{40}/g, '$&\r\n');
  const footer = '_____________\r\nlist mailing list\r\nhttps://lists.example.org';
  const head = 'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64';
  const { body } = await readHere(mail(head, `${encoded}\r\n\r\n${footer}\r\n`));
  assert.equal(body.split('\n')[0], text);
  assert.ok(body === text || body.endsWith('lists.example.org'), body);
});

test('types and encodings are read as what programs mean by them', async () => {
  for (const type of ['plain/text', 'text / plain', 'message/plain', 'application/text', 'text/'])
    assert.equal((await readHere(mail(`Content-Type: ${type}`, 'Grüße'))).body, 'Grüße', type);
  for (const type of ['html', 'html/text', 'application/xhtml+xml', 'text / html'])
    assert.equal((await readHere(mail(`Content-Type: ${type}`, '<p>Grüße</p>'))).body, 'Grüße', type);
  for (const encoding of ['quoted printable', 'quoted_printable', '"quoted-printable"', 'quoted', 'QP'])
    assert.equal(
      (await readHere(mail(`Content-Transfer-Encoding: ${encoding}`, 'Gr=C3=BC=C3=9Fe'))).body,
      'Grüße',
      encoding,
    );
  for (const encoding of ['base-64', 'b64', 'x-base64', '(7bit) BASE64'])
    assert.equal(
      (await readHere(mail(`Content-Transfer-Encoding: ${encoding}`, 'R3LDvMOfZQ=='))).body,
      'Grüße',
      encoding,
    );
  const file = await readHere(mail('Content-Type: application/xhtml+xml; name="page.html"', '<p>x</p>'));
  assert.deepEqual([file.body, file.attachments[0]?.name], ['', 'page.html']);
});

test('what says base64 is read in the alphabet of URLs, and as it is where it was never encoded', async () => {
  const head = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64';
  assert.equal((await readHere(mail(head, '8J-YgA=='))).body, '😀');
  const plain = 'Hello, this is no base64!\r\nReally.';
  assert.equal((await readHere(mail(head, plain))).body, plain.replace('\r\n', '\n'));
});

test('a file that uuencode put into the text in base64 is one', async () => {
  const text = 'See.\r\nbegin-base64 644 a.bin\r\nSGVsbG8=\r\n====\r\nBye.';
  const { body, attachments } = await readHere(mail('Content-Type: text/plain', text));
  assert.deepEqual(
    [body, attachments[0]?.name, `${Buffer.from(attachments[0]?.bytes ?? [])}`],
    ['See.\nBye.', 'a.bin', 'Hello'],
  );
  const none = 'begin-base64 644 a.bin\r\nSGVsbG8=\r\nBye.';
  assert.equal((await readHere(mail('Content-Type: text/plain', none))).body, none.replaceAll('\r\n', '\n'));
});
