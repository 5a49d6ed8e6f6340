import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { newFolder, removeFolder } from '../../../../../tests/harness/service.ts';
import { type MailInput, NotAMail } from '../../../mail/writing/compose.ts';
import { dkimRecord, newDkimKey } from '../../../mail/writing/dkim.ts';
import { MailWriter } from '../../../mail/writing/writer.ts';

const writer = new MailWriter();
after(() => writer[Symbol.asyncDispose]());
const input: MailInput = {
  id: '<msg_0d8m3xk2q5v7w9y1a3c0@agents.mail.test>',
  from: { name: 'Hello', address: 'hello@agents.mail.test' },
  to: 'ada@outside.example',
  subject: 'Grüße',
  in_reply_to: null,
  references: [],
  markdown: 'Hello, **Ada**.',
  automatic: 'auto-replied',
  date: new Date('2026-11-23T10:00:00Z'),
};

test('a mail is written and signed on a thread, with files from memory and from streams', async () => {
  async function* streamed(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one, ');
    yield Buffer.from('two');
  }
  const key = await newDkimKey('ed25519-sha256', 's');
  const attachments = [
    { name: 'a.txt', type: 'text/plain', content: Buffer.from('whole') },
    { name: 'b.txt', type: 'text/plain', content: streamed() },
  ];
  const message = await writer.sign(await writer.compose({ ...input, attachments }), {
    domain: 'mail.test',
    keys: [key],
  });
  const { subject, attachments: files } = await PostalMime.parse(message);
  const texts = files.map(({ content }) => Buffer.from(content as ArrayBuffer).toString());
  assert.deepEqual([subject, texts], ['Grüße', ['whole', 'one, two']]);
  const { results } = await dkimVerify(message, { resolver: async () => [[dkimRecord(key).value]] });
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  );
});

test('a mail is written, signed and put into its file by one task', async () => {
  const folder = newFolder();
  const key = await newDkimKey('ed25519-sha256', 's');
  const path = join(folder, 'outbox', 'one.eml');
  assert.equal((await writer.compose(input, { sign: { domain: 'mail.test', keys: [key] }, path })).length, 0);
  const { results } = await dkimVerify(readFileSync(path), { resolver: async () => [[dkimRecord(key).value]] });
  assert.deepEqual(
    results.map(({ status }) => status.result),
    ['pass'],
  );
  await assert.rejects(writer.compose(input, { path: join(path, 'below.eml') }), { code: 'ENOTDIR' });
  removeFolder(folder);
});

test('what cannot be written as a mail fails as such, and the next one is written', async () => {
  await assert.rejects(writer.compose({ ...input, to: 'nowhere' }), NotAMail);
  async function* torn(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one');
    throw new Error('the file was deleted');
  }
  const attachments = [{ name: 'a.txt', type: 'text/plain', content: torn() }];
  await assert.rejects(writer.compose({ ...input, attachments }), /the file was deleted/);
  assert.match((await writer.compose(input)).toString(), /^To: ada@outside\.example\r$/m);
});
