import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere } from './harness.ts';

const short = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);
const long = (value: number): Buffer => Buffer.concat([short(value & 0xffff), short(value >>> 16)]);
const attribute = (level: number, id: number, bytes: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([level]),
    long(id),
    long(bytes.length),
    bytes,
    short(bytes.reduce((a, b) => a + b, 0) & 0xffff),
  ]);
const sized = (bytes: Buffer): Buffer =>
  Buffer.concat([long(1), long(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
const properties = (rows: readonly (readonly [number, number, Buffer])[]): Buffer =>
  Buffer.concat([
    long(rows.length),
    ...rows.map(([type, id, value]) => Buffer.concat([short(type), short(id), value])),
  ]);
const utf16 = (text: string): Buffer => sized(Buffer.from(`${text}\0`, 'utf16le'));

/** One file by the old attributes, and one by properties, with others of each kind before. */
const files = Buffer.concat([
  attribute(2, 0x69002, Buffer.alloc(14)),
  attribute(2, 0x18010, Buffer.from([...Buffer.from('Pr'), 0xfc, ...Buffer.from('fung.csv\0')])),
  attribute(2, 0x6800f, Buffer.from('a,b\n1,2\n')),
  attribute(2, 0x69002, Buffer.alloc(14)),
  attribute(2, 0x18010, Buffer.from('LONGNA~1.TXT\0')),
  attribute(
    2,
    0x69005,
    properties([
      [3, 0x3705, long(1)],
      [0x40, 0x3007, Buffer.alloc(8)],
      [0x1f, 0x8001, Buffer.concat([Buffer.alloc(16), long(0), long(7), utf16('named')])],
      [0x1f, 0x3707, utf16('A long name – 日本.txt')],
      [0x1e, 0x370e, sized(Buffer.from('text/plain\0'))],
      [0x102, 0x3701, sized(Buffer.from('hello'))],
    ]),
  ),
]);
const tnef = (...attributes: readonly Buffer[]): Buffer =>
  Buffer.concat([
    long(0x223e9f78),
    short(1),
    attribute(1, 0x69007, Buffer.concat([long(1252), long(0)])),
    ...attributes,
  ]);

const mail = (text: string, bytes: Buffer, type = 'application/ms-tnef; name="winmail.dat"'): Buffer =>
  Buffer.from(
    'From: ann@example.com\r\nTo: inbox@agents.example.net\r\nSubject: Files\r\nMIME-Version: 1.0\r\n' +
      `Content-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--B\r\n` +
      `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--B--\r\n`,
  );
const read = async (raw: Buffer) => {
  const { body, attachments } = await readHere(raw);
  return {
    body,
    files: attachments.map(({ name, content_type, bytes }) => [name, content_type, `${Buffer.from(bytes)}`]),
  };
};

test('files within winmail.dat are files of the mail', async () => {
  for (const type of ['application/ms-tnef; name="winmail.dat"', 'application/octet-stream; name="WINMAIL.DAT"']) {
    const found = await read(mail('See the files.', tnef(files), type));
    assert.equal(found.body, 'See the files.');
    assert.deepEqual(found.files, [
      ['Prüfung.csv', 'application/octet-stream', 'a,b\n1,2\n'],
      ['A long name – 日本.txt', 'text/plain', 'hello'],
    ]);
  }
});

test('the text within winmail.dat is that of a mail that has no other', async () => {
  const body = attribute(1, 0x2800c, Buffer.from('Please read it.\0'));
  assert.equal((await read(mail('', tnef(body, files)))).body, 'Please read it.');
  const unicode = attribute(1, 0x69003, properties([[0x1f, 0x1000, utf16('Bitte prüfen.')]]));
  assert.equal((await read(mail('', tnef(unicode)))).body, 'Bitte prüfen.');
  const html = attribute(1, 0x69003, properties([[0x102, 0x1013, sized(Buffer.from('<p>Bitte <b>lesen</b>.</p>'))]]));
  assert.equal((await read(mail('', tnef(html)))).body, 'Bitte lesen.');
  assert.equal((await read(mail('Own text.', tnef(body, files)))).body, 'Own text.');
});

test('winmail.dat that cannot be read, or has no files, is a file itself', async () => {
  const whole = tnef(files);
  for (const bytes of [
    tnef(),
    Buffer.from('no TNEF'),
    Buffer.alloc(0),
    ...[5, 30, 60, 100, 200].map((at) => whole.subarray(0, at)),
  ]) {
    const found = await read(mail('See the files.', bytes));
    assert.deepEqual([found.body, found.files.length, found.files[0]?.[0]], ['See the files.', 1, 'winmail.dat']);
  }
});

test('random changes of winmail.dat are read without an error, and lose no mail', async () => {
  const whole = tnef(files);
  for (let seed = 1; seed < 300; seed += 1) {
    const bytes = Buffer.from(whole);
    bytes[(seed * 7919) % bytes.length] = (seed * 31) & 255;
    const found = await read(mail('See the files.', bytes));
    assert.equal(found.body, 'See the files.');
    assert.ok(found.files.length > 0);
  }
});

const encoded = (bytes: Buffer): string => {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 45) {
    const part = bytes.subarray(at, at + 45);
    const digits = Array.from(part.toString('base64').replace(/=/g, 'A'), (digit) =>
      String.fromCharCode(
        96 - ((96 - 32 - 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(digit)) % 64),
      ),
    );
    lines.push(String.fromCharCode(32 + part.length) + digits.join(''));
  }
  return `begin 644 data.bin\n${lines.join('\n')}\n\`\nend`;
};
const plainMail = (text: string): Buffer =>
  Buffer.from(`From: ann@example.com\r\nTo: inbox@agents.example.net\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`);

test('a file that is in a text by uuencode is a file, and what only looks like one is text', async () => {
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * 7) & 255));
  const { body, attachments } = await readHere(plainMail(`See below.\n\n${encoded(bytes)}\n\nRegards`));
  assert.equal(body, 'See below.\n\n\nRegards');
  assert.deepEqual(
    attachments.map(({ name }) => name),
    ['data.bin'],
  );
  assert.deepEqual(Buffer.from(attachments[0]?.bytes ?? []), bytes);
  for (const text of [
    'begin 644 x\nnot encoded\nend',
    `${encoded(bytes).slice(0, 300)}`,
    'begin 644 x\nend',
    'begin with this\n!\nend',
  ])
    assert.deepEqual(await read(plainMail(text)), { body: text, files: [] });
});
