import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

// Part of `npm run pack-client`, and so at the end of each `npm ci`: packs the Python client as a wheel (PyPA, binary
// distribution format 1.0) into build/client, without Python. The same sources make the same bytes.

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'clients/python');
const BUILD = join(ROOT, 'build/client');
/** 1 January 1980, the first time that a zip can hold, in MS-DOS format. */
const DATE = 0x21;
const METHOD_DEFLATE = 8;
/** A regular file that its owner may write and all may read, as Unix keeps it. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

interface Entry {
  readonly name: string;
  readonly content: Buffer;
}

/** The header that a file has before its content, and again in the directory (PKWARE APPNOTE 4.3.7, 4.3.12). */
function header({ name, content }: Entry, size: number, offset: number | undefined): Buffer {
  const isDirectory = offset !== undefined;
  const fields = Buffer.alloc(isDirectory ? 46 : 30);
  let at = fields.writeUInt32LE(isDirectory ? 0x02014b50 : 0x04034b50, 0);
  if (isDirectory) at = fields.writeUInt16LE((3 << 8) | 20, at);
  at = fields.writeUInt16LE(20, at);
  // Names are UTF-8.
  at = fields.writeUInt16LE(0x800, at);
  at = fields.writeUInt16LE(METHOD_DEFLATE, at);
  at = fields.writeUInt16LE(0, at);
  at = fields.writeUInt16LE(DATE, at);
  at = fields.writeUInt32LE(crc32(content), at);
  at = fields.writeUInt32LE(size, at);
  at = fields.writeUInt32LE(content.length, at);
  at = fields.writeUInt16LE(Buffer.byteLength(name), at);
  if (isDirectory) {
    fields.writeUInt32LE(ATTRIBUTES, 38);
    fields.writeUInt32LE(offset, 42);
  }
  return Buffer.concat([fields, Buffer.from(name)]);
}

function zip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = deflateRawSync(entry.content, { level: 9 });
    const file = Buffer.concat([header(entry, packed.length, undefined), packed]);
    directory.push(header(entry, packed.length, offset));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

const read = (...path: readonly string[]): Buffer => readFileSync(join(SOURCE, ...path));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
const info = `mailroom_client-${version}.dist-info`;
const metadata = `Metadata-Version: 2.1
Name: mailroom-client
Version: ${version}
Summary: Client of Mailroom: write to addresses that answer, and answer at your own.
License: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown

`;
const entries: Entry[] = [
  ...readdirSync(join(SOURCE, 'mailroom_client'))
    .filter((name) => name.endsWith('.py') || name === 'py.typed')
    .sort()
    .map((name) => ({ name: `mailroom_client/${name}`, content: read('mailroom_client', name) })),
  { name: `${info}/METADATA`, content: Buffer.concat([Buffer.from(metadata), read('README.md')]) },
  {
    name: `${info}/WHEEL`,
    content: Buffer.from('Wheel-Version: 1.0\nGenerator: mailroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  },
  { name: `${info}/LICENSE`, content: read('LICENSE') },
];
const sum = (content: Buffer): string => createHash('sha256').update(content).digest('base64url');
const record = entries.map(({ name, content }) => `${name},sha256=${sum(content)},${content.length}\n`).join('');
entries.push({ name: `${info}/RECORD`, content: Buffer.from(`${record}${info}/RECORD,,\n`) });

mkdirSync(BUILD, { recursive: true });
for (const name of readdirSync(BUILD)) if (name.endsWith('.whl')) rmSync(join(BUILD, name));
writeFileSync(join(BUILD, `mailroom_client-${version}-py3-none-any.whl`), zip(entries));
