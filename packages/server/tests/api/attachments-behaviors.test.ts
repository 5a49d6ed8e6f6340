import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, PROOFREAD } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off', LIMIT_STORAGE_UNCLAIMED: String(1024 * 1024) } });
const { newNamespace, newMailbox, send, read } = connect(service.url);
const home = await newNamespace();
const { key } = home;
const proofread = await newMailbox(home, { local_part: 'proofread', behavior: PROOFREAD });

interface File {
  readonly filename: string;
  readonly content_type?: string;
  readonly content: string;
}
const file = (filename: string, text: string | Uint8Array, content_type?: string): File => ({
  filename,
  ...(content_type !== undefined && { content_type }),
  content: Buffer.from(text).toString('base64'),
});
async function ask(to: string, body: string, attachments: readonly File[], more = {}): Promise<Envelope> {
  const answer = await send(key, { sync: true, to, body, attachments, ...more });
  if (answer.status === 200) return answer.body;
  // On a busy machine the proofreader may load for longer than a caller is kept waiting.
  assert.equal(answer.status, 202, answer.text);
  const { seen } = await until(
    60_000,
    () => read(key, answer.body.id),
    ({ body: { status } }) => !['submitted', 'working'].includes(status),
  );
  return seen.body;
}
const download = (id: string, secret = key): Promise<Response> =>
  fetch(`${service.url}/api/v1/mail/attachments/${id}`, { headers: { authorization: `Bearer ${secret}` } });

interface ProofreadData {
  readonly corrected_text: string;
  readonly files: readonly { readonly filename: string; readonly edits: number; readonly attachment_id: string }[];
}

test('proofread returns an attached text corrected, with all else in it byte for byte', async () => {
  const text = '\ufeffI recieve teh letter 😀.\r\n\r\n\tShe go to school 👩‍👩‍👧 every day.\r\nNo end';
  const message = await ask(proofread.address, 'Please correct the attached file.', [
    file('a b.txt', text, 'text/plain'),
  ]);
  assert.equal(message.status, 'completed', JSON.stringify(message));
  assert.ok(message.reply);
  const { files } = message.reply.data as ProofreadData;
  const [attached] = message.reply.attachments;
  assert.ok(attached);
  assert.equal(message.reply?.attachments.length, 1);
  assert.deepEqual(files, [{ filename: 'a b.txt', edits: files[0]?.edits, attachment_id: attached.id }]);
  assert.ok((files[0]?.edits ?? 0) >= 3, JSON.stringify(files));
  const { filename, content_type } = attached;
  assert.deepEqual({ filename, content_type }, { filename: 'a b.txt', content_type: 'text/plain' });
  const bytes = Buffer.from(await (await download(attached.id)).arrayBuffer());
  assert.equal(
    bytes.toString(),
    '\ufeffI receive the letter 😀.\r\n\r\n\tShe goes to school 👩‍👩‍👧 every day.\r\nNo end',
  );
  assert.equal(bytes.length, attached.size);
  assert.match(message.reply?.body ?? '', /- `a b\.txt`: \d corrections\.\n$/);
  assert.deepEqual((await read(key, message.id)).body.reply, message.reply);
});

test('proofread names each file that it does not read, with the reason', async () => {
  const message = await ask(proofread.address, 'Please correct these.', [
    file('notes.md', '# Notes\r\n\r\nHe have two cat.\r\n'),
    file('photo.png', 'no text', 'image/png'),
    file('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9])),
    file('long.txt', 'a '.repeat(128 * 1024 + 1)),
    file('brief.txt', 'Dies ist ein kurzer Brief, den ich gestern Abend an meine Mutter geschrieben habe.'),
    file('empty.markdown', ''),
  ]);
  assert.equal(message.status, 'completed', JSON.stringify(message));
  const { body = '', attachments = [] } = message.reply ?? {};
  assert.match(body, /`notes\.md`: [12] corrections?\./);
  assert.match(body, /`photo\.png` was not read: only plain text and Markdown are\./);
  assert.match(body, /`latin\.txt` was not read: it is not UTF-8 text\./);
  assert.match(body, /`long\.txt` was not read: it is longer than 256 KiB\./);
  assert.match(body, /`brief\.txt` was not corrected: it does not read as English/);
  assert.match(body, /`empty\.markdown`: nothing to correct\./);
  assert.deepEqual(
    attachments.map(({ filename }) => filename),
    ['notes.md', 'empty.markdown'],
  );
  assert.match(await (await download(attachments[0]?.id ?? '')).text(), /^# Notes\r\n\r\nHe has two cats?\.\r\n$/);
});

test('the files of a reply are for whoever may read the reply', async () => {
  const message = await ask(proofread.address, 'See the file.', [file('a.txt', 'I has a apple.')]);
  const id = message.reply?.attachments[0]?.id ?? '';
  assert.equal((await download(id)).status, 200);
  assert.equal((await download(id, (await newNamespace()).key)).status, 404);
});

test('the files of a reply count for the storage of its sender, who is told when there is no room', async () => {
  const own = await newNamespace();
  const box = await newMailbox(own, { local_part: 'proofread', behavior: PROOFREAD });
  const ask = (attachments: readonly File[]) =>
    send(own.key, { sync: true, to: box.address, body: 'See.', attachments });
  for (const byte of [1, 2]) {
    const { body } = await ask([file('a.bin', Buffer.alloc(470 * 1024, byte))]);
    assert.equal(body.status, 'completed', JSON.stringify(body));
  }
  const { body } = await ask([file('a.txt', 'I has a apple. '.repeat(3_400))]);
  assert.equal(body.status, 'failed', JSON.stringify(body));
  assert.equal(body.error?.code, 'storage_full');
  assert.equal(body.reply, null);
});

const doing = await newMailbox(home, { local_part: 'do', behavior: { name: 'do' } });

test('do works on an attached file as if it were pasted below the instruction', async () => {
  const csv = 'item,price\r\n🍎 apple,1.50\r\n"pear, ripe",2.25\r\n';
  const csvAsJson = await ask(doing.address, 'turn this csv into json', [file('prices.csv', csv, 'text/csv')]);
  assert.equal(csvAsJson.status, 'completed', JSON.stringify(csvAsJson));
  assert.match(csvAsJson.reply?.body ?? '', /🍎 apple[\s\S]*pear, ripe/);
  const json = await ask(doing.address, 'format this json', [file('a.json', '{"a":[1,"😀"]}')]);
  assert.equal(json.status, 'completed', JSON.stringify(json));
  assert.match(json.reply?.body ?? '', /"a": \[/);
  const words = await ask(doing.address, 'count the words', [file('a.txt', 'one two\r\nthree')]);
  assert.match(JSON.stringify(words.reply?.data), /"text":"one two\\r\\nthree"/);
});

test('do asks which of several files is meant, and does nothing with one that it cannot read', async () => {
  const files = [file('a.txt', 'one'), file('b.txt', 'two')];
  const several = await ask(doing.address, 'count the words', files);
  assert.equal(several.status, 'input_required', JSON.stringify(several));
  assert.match(several.reply?.body ?? '', /"a\.txt"[\s\S]*"b\.txt"/);
  const again = await ask(doing.address, 'count the words', files.slice(0, 1), { thread_id: several.thread_id });
  assert.equal(again.status, 'completed', JSON.stringify(again));
  for (const [one, why] of [
    [file('a.png', 'x', 'image/png'), /only JSON, CSV and text are/],
    [file('a.csv', Buffer.from([0xff])), /not UTF-8/],
    [file('a.json', ' '.repeat(256 * 1024 + 1)), /longer than 256 KiB/],
  ] as const) {
    const refused = await ask(doing.address, 'count the words', [one]);
    assert.equal(refused.status, 'rejected', JSON.stringify(refused));
    assert.match(refused.error?.message ?? '', why);
  }
});
