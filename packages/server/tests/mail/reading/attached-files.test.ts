import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { readHere } from './harness.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Quoted-printable of any bytes (RFC 2045, section 6.7); `hard`: line ends stay line ends. */
function quotedPrintable(bytes: Uint8Array, hard: boolean): string {
  let line = '';
  const lines: string[] = [];
  for (let position = 0; position < bytes.length; position += 1) {
    const byte = bytes[position] as number;
    if (hard && byte === 0x0d && bytes[position + 1] === 0x0a) {
      lines.push(line.replace(/[ \t]$/, (blank) => (blank === ' ' ? '=20' : '=09')));
      line = '';
      position += 1;
      continue;
    }
    const plain = (byte >= 0x20 && byte <= 0x7e && byte !== 0x3d) || byte === 0x09;
    line += plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (line.length > 70) {
      lines.push(`${line}=`);
      line = '';
    }
  }
  lines.push(line.replace(/[ \t]$/, (blank) => (blank === ' ' ? '=20' : '=09')));
  return lines.join('\r\n');
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');

/** Files whose bytes may be sent by any encoding: lines of text end with CRLF, and none begins like a delimiter. */
const line = fc.string({
  unit: fc.constantFrom('a', 'é', '漢', ' ', '\t', '=', '.', '>', '-', '"', '\u00a0', '='),
  maxLength: 40,
});
const text = fc
  .record({
    lines: fc.array(line, { maxLength: 12 }),
    charset: fc.constantFrom<BufferEncoding>('utf8', 'latin1', 'ascii'),
  })
  .map(({ lines, charset }) => Buffer.from(lines.join('\r\n'), charset));
const bytes = fc.uint8Array({ maxLength: 400 });
const TYPES = [
  'text/plain; charset=utf-8',
  'text/plain; charset=iso-8859-1',
  'text/plain; charset=utf-16',
  'text/plain; charset=utf-8; format=flowed; delsp=yes',
  'text/html',
  'text/csv; charset=windows-1252',
  'text/calendar; method=REQUEST; charset=iso-8859-1',
  'application/ics',
  'application/octet-stream',
  'image/svg+xml',
  'message/rfc822',
];

interface File {
  readonly type: string;
  readonly name: string;
  readonly encoding: string;
  readonly content: Uint8Array;
}
const file: fc.Arbitrary<File> = fc
  .record({
    type: fc.constantFrom(...TYPES),
    name: fc.constantFrom('a.txt', 'Prüfung 1.csv', 'x.eml', 'no'),
    encoding: fc.constantFrom('7bit', '8bit', 'binary', 'quoted-printable', 'Quoted-Printable', 'base64', ''),
    lines: text,
    bytes,
  })
  .map(({ lines, bytes: any, ...more }) => ({
    ...more,
    content: more.encoding === 'base64' || (more.encoding.length > 9 && any.length % 2 === 0) ? any : lines,
  }));

function partOf({ type, name, encoding, content }: File, hard: boolean): Buffer {
  const head = [
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
    ...(encoding === '' ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
  ].join('\r\n');
  const quoted = /quoted/i.test(encoding);
  const body = quoted ? quotedPrintable(content, hard) : encoding === 'base64' ? base64(content) : Buffer.from(content);
  return Buffer.concat([Buffer.from(`--b1\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')]);
}

const HEAD = 'From: Anna <anna@example.com>\r\nSubject: Files\r\nMIME-Version: 1.0\r\n';

test('an attached file has the bytes that were sent, by every encoding, type, charset and end of line', async () => {
  const files = fc.array(file, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), fc.boolean(), async (sent, hard, ended) => {
      const raw = Buffer.concat([
        Buffer.from(`${HEAD}Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\n\r\nHi.\r\n`),
        ...sent.map((one) => partOf(one, hard)),
        Buffer.from(ended ? '--b1--\r\nepilogue\r\n' : '--b1--\r\n'),
      ]);
      const { attachments, text: said } = await readHere(raw);
      assert.deepEqual(
        attachments.map(({ name, bytes: got }) => [name, got.length, sha256(got)]),
        sent.map(({ name, content }) => [name, content.length, sha256(content)]),
      );
      assert.equal(said, 'Hi.\n');
    }),
    { numRuns: 400 },
  );
});

test('a mail in a mail is a file with its bytes, however deep, and so are its own files when it is read', async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.integer({ min: 1, max: 5 }), async (sent, depth) => {
      let inner = Buffer.concat([
        Buffer.from(`${HEAD}Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\n\r\nHi.\r\n`),
        partOf(sent, true),
        Buffer.from('--b1--\r\n'),
      ]);
      const mails = [inner];
      for (let at = 0; at < depth; at += 1) {
        const head = `${HEAD}Content-Type: multipart/mixed; boundary="outer ${at}"\r\n\r\n--outer ${at}\r\nContent-Type: message/rfc822\r\n\r\n`;
        inner = Buffer.concat([Buffer.from(head), inner, Buffer.from(`\r\n--outer ${at}--\r\n`)]);
        mails.push(inner);
      }
      for (const expected of mails.slice(0, -1).toReversed()) {
        const [only] = (await readHere(inner)).attachments;
        assert.deepEqual(Buffer.from(only?.bytes ?? ''), expected);
        inner = Buffer.from(only?.bytes ?? '');
      }
      const [last] = (await readHere(inner)).attachments;
      assert.equal(sha256(last?.bytes ?? new Uint8Array()), sha256(sent.content));
    }),
    { numRuns: 60 },
  );
});

test('a mail that is one file alone has the bytes up to its end, also where its last part never ends', async () => {
  const lines = 'a,b\r\n\r\n1,2\r\n';
  const only = `${HEAD}Content-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n${lines}`;
  const open = `${HEAD}Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\nContent-Type: text/csv\r\n\r\n${lines}`;
  for (const raw of [
    only,
    open,
    only.replace('\r\n\r\na', '\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\na'),
  ]) {
    const [found] = (await readHere(Buffer.from(raw))).attachments;
    assert.equal(Buffer.from(found?.bytes ?? '').toString(), lines, raw);
  }
});

test('blanks that were added behind a soft break of quoted-printable are no part of a file', async () => {
  const raw = `${HEAD}Content-Type: text/csv\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Disposition: attachment\r\n\r\na=  \r\nb=3D=\t\r\nc=`;
  const [found] = (await readHere(Buffer.from(raw))).attachments;
  assert.equal(Buffer.from(found?.bytes ?? '').toString(), 'ab=c');
});
