import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isProblem } from '../../../../tests/harness/problem.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { base64, bytesOf, type File, file, firstOf, openAttaching, problemOf } from './attaching.ts';

const { service, api, newNamespace, newMailbox, newKey, send, read, home, key, to, post, formOf, sendForm, download } =
  await openAttaching();

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('files of a form arrive as they were sent, in their order, emoji in the name included', async () => {
  const files: File[] = [
    { filename: 'prices 👩‍🚀 «2026».csv', type: 'text/csv', bytes: randomBytes(600_000) },
    { filename: 'empty', bytes: new Uint8Array() },
    { filename: 'a "quoted" name.md', type: 'text/markdown; charset=utf-8', bytes: Buffer.from('# Hi') },
  ];
  for (const last of [false, true]) {
    const { status, body, text } = await post(formOf({ to, body: 'See the files.' }, files, last));
    assert.equal(status, 202, text);
    assert.deepEqual(
      body.attachments.map(({ id, ...rest }) => {
        assert.match(id, /^att_[0-9a-z]{20}$/);
        return rest;
      }),
      files.map(({ filename, type = 'application/octet-stream', bytes }) => ({
        filename,
        content_type: type,
        size: bytes.length,
        sha256: sha256(bytes),
      })),
    );
    for (const [at, { bytes }] of files.entries()) {
      const response = await download(body.attachments[at]?.id as string);
      assert.equal(response.status, 200);
      assert.deepEqual(await bytesOf(response), Buffer.from(bytes));
    }
    assert.deepEqual((await read(key, body.id)).body.attachments, body.attachments);
  }
});

test('files in the JSON are the same as files of a form', async () => {
  const attachments = [
    { filename: 'a.json', content_type: 'application/json', content: base64('{"a":1}') },
    { filename: 'b', content: '' },
  ];
  const sent = await send(key, { to, body: 'Hi', attachments, sync: true });
  assert.equal(sent.status, 200, sent.text);
  const [first, second] = sent.body.attachments;
  assert.deepEqual([first?.filename, first?.content_type, first?.size], ['a.json', 'application/json', 7]);
  assert.deepEqual([second?.filename, second?.content_type, second?.size], ['b', 'application/octet-stream', 0]);
  assert.equal(await (await download(first?.id as string)).text(), '{"a":1}');
  assert.equal((await download(second?.id as string)).headers.get('content-length'), '0');
  const both = await sendForm({ to, body: 'Hi', attachments }, [file('c')]);
  assert.deepEqual(
    both.body.attachments.map(({ filename }) => filename),
    ['a.txt', 'a.json', 'b'],
  );
});

test('a message without files has none, and so does its reply', async () => {
  const { body } = await send(key, { to, body: 'Hi', sync: true });
  assert.deepEqual(body.attachments, []);
  assert.deepEqual(body.reply?.attachments, []);
  assert.deepEqual((await send(key, { to, body: 'Hi', attachments: [] })).body.attachments, []);
});

test('attachments are in every list that has the message', async () => {
  const box = await newMailbox(home);
  const { body } = await sendForm({ to: box.address, body: 'Hi', sync: true }, [file('one')]);
  for (const path of [
    `/mailboxes/${box.address}/messages`,
    '/mail/messages?limit=1',
    `/mail/threads/${body.thread_id}`,
  ]) {
    const list = await api<{ items: Envelope[] }>('GET', path, { key });
    assert.deepEqual(list.body.items[0]?.attachments, body.attachments, path);
  }
});

test('an attachment is a download with its name, type and version, and HEAD says the same', async () => {
  const name = 'Größe 100% "x".csv';
  const { id, sha256: hash } = firstOf(await sendForm({ to, body: 'Hi' }, [file('a,b\n1,2\n', name, 'text/csv')]));
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await download(id, {}, method);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/csv');
    assert.equal(headers.get('content-length'), '8');
    assert.equal(headers.get('etag'), `"${hash}"`);
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="Gr__e 100_ _x_.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25%20%22x%22.csv`,
    );
  }
  const known = await download(id, { 'if-none-match': `W/"x", "${hash}"` });
  assert.equal(known.status, 304);
  assert.equal(known.headers.get('etag'), `"${hash}"`);
  assert.equal((await download(id, { 'if-none-match': '"other"' })).status, 200);
});

test('ranges of bytes come from any place of a file, across its chunks', async () => {
  const bytes = randomBytes(700_000);
  const { id, sha256: hash } = firstOf(await sendForm({ to, body: 'Hi' }, [{ filename: 'x', bytes }]));
  for (const [range, from, to_] of [
    ['bytes=0-0', 0, 0],
    ['bytes=262143-262144', 262_143, 262_144],
    ['bytes=100000-', 100_000, 699_999],
    ['bytes=-5', 699_995, 699_999],
    ['bytes=-9999999', 0, 699_999],
    ['bytes=5-999999999', 5, 699_999],
  ] as const) {
    const response = await download(id, { range });
    assert.equal(response.status, 206, range);
    assert.equal(response.headers.get('content-range'), `bytes ${from}-${to_}/700000`);
    assert.equal(response.headers.get('content-length'), String(to_ - from + 1));
    assert.deepEqual(await bytesOf(response), bytes.subarray(from, to_ + 1), range);
    assert.equal((await download(id, { range }, 'HEAD')).status, 206);
  }
  for (const range of ['bytes=700000-', 'bytes=-0', 'bytes=999999999999999-']) {
    const response = await download(id, { range });
    assert.equal(response.headers.get('content-range'), 'bytes */700000');
    isProblem(await problemOf(response), 'range_not_satisfiable');
  }
  for (const range of [
    'bytes=5-1',
    'lines=1-2',
    'bytes=0-1,5-6',
    'bytes=a-b',
    'bytes=-',
    `bytes=${'9'.repeat(400)}-`,
  ]) {
    assert.equal((await bytesOf(await download(id, { range }))).length, 700_000, range);
  }
  assert.equal((await download(id, { range: 'bytes=0-1', 'if-range': `"${hash}"` })).status, 206);
  assert.equal((await download(id, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
});

test('whoever may read the message may read its files, and no one else', async () => {
  const [ann, ben, eve] = await Promise.all([newNamespace(), newNamespace(), newNamespace()]);
  const box = await newMailbox(ben);
  const { id } = firstOf(await sendForm({ to: box.address, body: 'Hi' }, [file('secret')], {}, ann.key));
  const get = (secret: string) => download(id, {}, 'GET', secret);
  assert.equal((await get(ann.key)).status, 200);
  assert.equal((await get(ben.key)).status, 200);
  const reader = await newKey(ben, { scopes: ['messages:read'], mailbox: box.address });
  assert.equal((await get(reader.secret)).status, 200);
  const sender = await newKey(ben, { scopes: ['mail:send'] });
  for (const secret of [eve.key, sender.secret]) isProblem(await problemOf(await get(secret)), 'not_found');
  isProblem(await problemOf(await fetch(`${service.url}/api/v1/mail/attachments/${id}`)), 'missing_key');
  for (const wrong of ['att_00000000000000000000', 'att_', 'msg_00000000000000000000', '..%2f..', '%00'])
    isProblem(await problemOf(await download(wrong)), 'not_found');
  await api('DELETE', `/mailboxes/${box.address}`, { key: ben.key });
  for (const { key: secret } of [ann, ben]) isProblem(await problemOf(await get(secret)), 'not_found');
});

test('the same request again is the same message, and other bytes are another request', async () => {
  const headers = { 'idempotency-key': `key-${randomBytes(8).toString('hex')}` };
  const first = await sendForm({ to, body: 'Once.' }, [file('one')], headers);
  const again = await sendForm({ to, body: 'Once.' }, [file('one')], headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body.attachments, first.body.attachments);
  assert.equal((await download(firstOf(first).id)).status, 200);
  const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: base64('one') }];
  const json = await send(key, { to, body: 'Once.', attachments }, headers);
  assert.equal(json.body.id, first.body.id, 'whether in a form or in JSON');
  for (const other of [[file('two')], [file('one', 'b.txt')], [file('one', 'a.txt', 'text/csv')], []])
    isProblem(await sendForm({ to, body: 'Once.' }, other, headers), 'idempotency_mismatch');
});

test('an export has the files of each message', async () => {
  const ann = await newNamespace();
  const box = await newMailbox(ann);
  const { body } = await sendForm({ to: box.address, body: 'Hi', sync: true }, [file('x')], {}, ann.key);
  const lines = (await api('GET', `/namespaces/${ann.name}/export`, { key: ann.key, headers: { accept: '*/*' } })).text;
  assert.ok(lines.includes(body.attachments[0]?.sha256 as string), lines.slice(0, 500));
});
