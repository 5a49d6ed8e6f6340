import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Home } from '../../../../tests/harness/client.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { wire } from '../../../../tests/harness/raw.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Attachment, Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const MiB = 1024 * 1024;
const service = await serveInside({
  env: { LIMIT_STORAGE_UNCLAIMED: String(60 * MiB), LIMIT_STORAGE_NETWORK: String(1024 * MiB), RATE_LIMITS: 'off' },
});
const { api, newNamespace, newMailbox, newKey, send, tryOut, read } = connect(service.url);

const home = await newNamespace();
const mailbox = await newMailbox(home, { local_part: 'ada' });
const { key } = home;
const to = mailbox.address;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

interface File {
  readonly filename: string;
  readonly type?: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Sends a body as it is. */
async function post(
  body: string | Buffer<ArrayBuffer> | FormData,
  headers: Record<string, string> = {},
  secret = key,
  url = service.url,
): Promise<Answer<Envelope>> {
  const response = await fetch(`${url}/api/v1/mail/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Envelope };
}

/** A form as a browser or curl would send it. */
function formOf(message: unknown, files: readonly File[], last = false): FormData {
  const form = new FormData();
  const put = (): void => form.append('message', typeof message === 'string' ? message : JSON.stringify(message));
  if (!last && message !== undefined) put();
  for (const { filename, type = '', bytes } of files) form.append('file', new Blob([bytes], { type }), filename);
  if (last) put();
  return form;
}
const sendForm = (message: unknown, files: readonly File[], headers: Record<string, string> = {}, secret = key) =>
  post(formOf(message, files), headers, secret);

const download = (id: string, headers: Record<string, string> = {}, method = 'GET', secret = key): Promise<Response> =>
  fetch(`${service.url}/api/v1/mail/attachments/${id}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity', ...headers },
  });
const problemOf = async (response: Response): Promise<Answer<unknown>> => {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
};

const file = (text: string, filename = 'a.txt', type = 'text/plain'): File => ({
  filename,
  type,
  bytes: Buffer.from(text),
});
const firstOf = ({ body }: Answer<Envelope>): Attachment => {
  const [attachment] = body.attachments;
  assert.ok(attachment, JSON.stringify(body));
  return attachment;
};

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

test('names lose paths, control characters and what turns the text around', async () => {
  for (const [given, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\x.txt', 'x.txt'],
    ['/', 'file'],
    ['..', 'file'],
    ['  ', 'file'],
    ['a\u0000b\r\nSet-Cookie: x\u007f\u0085.txt', 'abSet-Cookie: x.txt'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    [`${'ä'.repeat(300)}.jpeg`, `${'ä'.repeat(125)}.jpeg`],
    ["'; drop table blobs; --", "'; drop table blobs; --"],
    ['<img src=x onerror=alert(1)>.svg', '<img src=x onerror=alert(1)>.svg'],
  ] as const) {
    const escaped = !given.includes('\u0000');
    if (escaped) {
      const json = await send(key, { to, body: 'Hi', attachments: [{ filename: given, content: '' }] });
      assert.equal(firstOf(json).filename, kept, given);
    }
    const form = await sendForm({ to, body: 'Hi' }, [file('x', given)]);
    assert.equal(firstOf(form).filename, kept, given);
    assert.equal((await download(firstOf(form).id)).status, 200);
  }
  isProblem(
    await send(key, { to, body: 'Hi', attachments: [{ filename: '', content: '' }] }),
    'validation_error',
    '/attachments/0/filename',
  );
  isProblem(
    await send(key, { to, body: 'Hi', attachments: [{ filename: 'a\u0000', content: '' }] }),
    'validation_error',
    '/attachments/0/filename',
  );
});

test('names in other notations are read as browsers, curl and mail programs write them', async () => {
  const part = (disposition: string): string =>
    `--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n${JSON.stringify({ to, body: 'Hi' })}\r\n` +
    `--b\r\n${disposition}\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n`;
  for (const [header, kept] of [
    ['Content-Disposition: form-data; name="f"; filename="a%22b%0D%0A.txt"', 'a"b.txt'],
    ['Content-Disposition: form-data; name="f"; filename="a\\"b\\\\c.txt"', 'c.txt'],
    ['Content-Disposition: form-data; name="f"; filename="C:\\docs\\new.txt"', 'new.txt'],
    ['Content-Disposition: form-data; name=f; filename=plain.txt', 'plain.txt'],
    ["content-disposition: form-data;name=f;filename=x;filename*=UTF-8''%F0%9F%9A%80%0A.txt", '🚀.txt'],
    ["Content-Disposition: form-data; name=f; filename=x.txt; filename*=UTF-8''%ff", 'x.txt'],
    ['Content-Disposition: form-data; name="f"; filename="🚀 ñ.txt"', '🚀 ñ.txt'],
    ['Content-Disposition: form-data; name="f"; filename=""', 'file'],
  ] as const) {
    const sent = await post(Buffer.from(part(header)), { 'content-type': 'multipart/form-data; boundary="b"' });
    assert.equal(sent.status, 202, `${header}: ${sent.text}`);
    assert.equal(firstOf(sent).filename, kept, header);
  }
});

test('a type that is none is refused with its place', async () => {
  for (const content_type of [
    '',
    'text',
    'text/',
    '/csv',
    'text/csv; x',
    'text/plain\r\nx: y',
    'ä/b',
    `a/${'b'.repeat(300)}`,
  ]) {
    const attachments = [
      { filename: 'a', content: '' },
      { filename: 'b', content_type, content: '' },
    ];
    isProblem(await send(key, { to, body: 'Hi', attachments }), 'validation_error', '/attachments/1/content_type');
  }
  const html = firstOf(await sendForm({ to, body: 'Hi' }, [file('<script>1</script>', 'x.html', 'text/html')]));
  const { headers } = await download(html.id);
  assert.match(headers.get('content-disposition') ?? '', /^attachment;/);
});

test('what is not base64 is refused with its place', async () => {
  for (const content of ['a', 'ab=', '!!!!', 'YWJj\nYWJj', 'YWJj====', 'Y=Jj', '-_-_', ' YWJ', 'ä'.repeat(4)]) {
    const answer = await send(key, { to, body: 'Hi', attachments: [{ filename: 'a', content }] });
    isProblem(answer, 'validation_error', '/attachments/0/content');
  }
  for (const attachments of [
    {},
    'x',
    [1],
    [{ filename: 'a' }],
    [{ content: '' }],
    [{ filename: 'a', content: '', id: 1 }],
    [null],
  ])
    isProblem(await send(key, { to, body: 'Hi', attachments }), 'validation_error');
});

test('guests attach nothing', async () => {
  const attachments = [{ filename: 'a', content: '' }];
  isProblem(await tryOut({ to, body: 'Hi', attachments }), 'validation_error', '/attachments');
  const form = formOf({ to, body: 'Hi' }, [file('x')]);
  const response = await fetch(`${service.url}/api/v1/mail/try`, { method: 'POST', body: form });
  isProblem(await problemOf(response), 'unsupported_media_type');
  isProblem(
    await problemOf(await fetch(`${service.url}/api/v1/mail/send`, { method: 'POST', body: form })),
    'missing_key',
  );
  const weak = await newKey(home, { scopes: ['messages:read'] });
  isProblem(await post(form, {}, weak.secret), 'insufficient_scope');
});

test('twenty files are sent, and one more is too many', async () => {
  const files = Array.from({ length: 21 }, (_, at) => file(`file ${at}`, `${at}.txt`));
  const sent = await sendForm({ to, body: 'Hi' }, files.slice(1));
  assert.equal(sent.body.attachments.length, 20, sent.text);
  isProblem(await sendForm({ to, body: 'Hi' }, files), 'body_too_large', '/attachments/20');
  const attachments = files.map(({ filename }) => ({ filename, content: '' }));
  isProblem(await send(key, { to, body: 'Hi', attachments }), 'body_too_large', '/attachments/20');
});

test('a file has at most 10 MiB, all files 25 MiB, and the message a document’s size', async () => {
  const exact = new Uint8Array(10 * MiB);
  const sent = await sendForm({ to, body: 'Hi' }, [{ filename: 'x', bytes: exact }]);
  assert.equal(firstOf(sent).size, 10 * MiB);
  const over = await sendForm({ to, body: 'Hi' }, [{ filename: 'x', bytes: new Uint8Array(10 * MiB + 1) }]);
  isProblem(over, 'body_too_large', '/attachments/0');
  const three = Array.from({ length: 3 }, (_, at) => ({ filename: `${at}`, bytes: randomBytes(9 * MiB) }));
  isProblem(await sendForm({ to, body: 'Hi' }, three), 'body_too_large', '/attachments/2');
  const many = Array.from({ length: 3 }, (_, at) => ({ filename: `${at}`, bytes: exact }));
  isProblem(await sendForm({ to, body: 'Hi' }, many), 'body_too_large');
  isProblem(
    await sendForm(JSON.stringify({ to, body: 'x'.repeat(3 * MiB) }), [file('x')]),
    'body_too_large',
    '/message',
  );
  isProblem(await sendForm({ to, body: 'x'.repeat(300_000) }, [file('x')]), 'body_too_large', '/body');
});

test('a form that is broken is refused, whatever is wrong, and stores nothing', async () => {
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const message = `--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n${JSON.stringify({ to, body: 'Hi' })}\r\n`;
  const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nbytes\r\n';
  for (const [body, code] of [
    ['', 'malformed_request'],
    ['no boundary at all', 'malformed_request'],
    [message, 'malformed_request'],
    [`${message}${part}`, 'malformed_request'],
    [`${message}${part}--b`, 'malformed_request'],
    [`${message}--b\r\nContent-Disposition: form-data; name="f"; filename="x"`, 'malformed_request'],
    [`${message}--b\r\n\r\nbytes\r\n--b--`, 'malformed_request'],
    [
      `${message}--b\r\nContent-Disposition: attachment; name="f"; filename="x"\r\n\r\nbytes\r\n--b--`,
      'malformed_request',
    ],
    [`${message}--b\r\nContent-Disposition: form-data; filename="x"\r\n\r\nbytes\r\n--b--`, 'malformed_request'],
    [`${message}--b\r\nX: ${'x'.repeat(200_000)}\r\n\r\nbytes\r\n--b--`, 'malformed_request'],
    ['--b--\r\n', 'validation_error'],
    [`${part}--b--\r\n`, 'validation_error'],
    [`${message}${message}--b--\r\n`, 'validation_error'],
    [`${message}--b\r\nContent-Disposition: form-data; name="to"\r\n\r\nx\r\n--b--`, 'validation_error'],
    [`--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n{"to":\r\n${part}--b--`, 'malformed_json'],
    [`--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n\r\n--b--`, 'malformed_json'],
    [`--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n[]\r\n--b--`, 'validation_error'],
  ] as const) {
    const answer = await post(body, type);
    isProblem(answer, code);
  }
  for (const content of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
    'multipart/form-data; x=y',
  ])
    isProblem(await post(`${message}--b--`, { 'content-type': content }), 'malformed_request');
  for (const content of ['multipart/mixed; boundary=b', 'multipart/form-dataa; boundary=b', 'text/plain'])
    isProblem(await post(`${message}--b--`, { 'content-type': content }), 'unsupported_media_type');
  isProblem(await post(message, { ...type, 'content-encoding': 'gzip' }), 'unsupported_media_type');
  const preamble = await post(`a preamble\r\n${message}${part}--b--\r\nan epilogue`, type);
  assert.equal(preamble.status, 202, preamble.text);
});

test('what is wrong with the message is reported in the order of the contract', async () => {
  isProblem(await sendForm({ to, body: '' }, [file('x')]), 'validation_error', '/body');
  isProblem(await sendForm({ to, body: 'Hi', other: 1 }, [file('x')]), 'validation_error', '/other');
  isProblem(
    await sendForm({ to: `no-one@${home.name}.mailroom.localhost`, body: 'Hi' }, [file('x')]),
    'mailbox_not_found',
  );
  isProblem(
    await sendForm({ to, body: 'Hi', thread_id: 'thr_00000000000000000000' }, [file('x')]),
    'validation_error',
    '/thread_id',
  );
  isProblem(
    await post(formOf({ to, body: '' }, [{ filename: 'x', bytes: new Uint8Array(11 * MiB) }], true)),
    'body_too_large',
  );
});

/** The head of a form whose message is whole, and the first `size` bytes of a file of 5 MiB. */
function half(size: number): readonly Uint8Array[] {
  const message = `--b\r\nContent-Disposition: form-data; name="message"\r\n\r\n${JSON.stringify({ to, body: 'Half.' })}\r\n`;
  const head =
    'POST /api/v1/mail/send HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
    `Authorization: Bearer ${key}\r\nContent-Length: ${5 * MiB}\r\n\r\n`;
  const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n';
  return [Buffer.from(head + message + part), randomBytes(size)];
}

test('half an upload stores no message, and the service goes on', async () => {
  const before = (await api<{ items: Envelope[] }>('GET', '/mail/messages?limit=1', { key })).body.items[0]?.id;
  for (const size of [10, 100_000, 600_000, 2 * MiB]) {
    const socket = dial(service.port, '127.0.0.1');
    await once(socket, 'connect');
    for (const chunk of half(size)) socket.write(chunk);
    await sleep(100);
    socket.destroy();
    const answer = await wire(service.port, { chunks: half(size), end: true, patience_ms: 3_000 });
    assert.ok(answer.status === 0 || answer.status === 400, String(answer.status));
  }
  const after = (await api<{ items: Envelope[] }>('GET', '/mail/messages?limit=1', { key })).body.items[0]?.id;
  assert.equal(after, before);
  assert.equal((await sendForm({ to, body: 'Hi' }, [file('x')])).status, 202);
  assert.doesNotMatch(service.logs(), /"level":(50|60)/, 'nothing of it is an error of the service');
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

const fillers = (count: number): File[] =>
  Array.from({ length: count }, (_, at) => ({ filename: `${at}.bin`, bytes: randomBytes(amount(2, 8) * MiB) }));

/** A service with little room, for tests that fill it. */
const small = await serveInside({
  env: {
    LIMIT_STORAGE_UNCLAIMED: String(amount(15, 60) * MiB),
    LIMIT_STORAGE_NETWORK: String(1024 * MiB),
    RATE_LIMITS: 'off',
  },
});
const inSmall = connect(small.url);
const sendThere = (message: unknown, files: readonly File[], secret: string) =>
  post(formOf(message, files), {}, secret, small.url);

test('the same bytes many times are stored once', async () => {
  const ann = await inSmall.newNamespace();
  const box = await inSmall.newMailbox(ann);
  const bytes = randomBytes(amount(125_000, 500_000));
  const files = Array.from({ length: 20 }, (_, at) => ({ filename: `${at}.bin`, bytes }));
  for (let round = 0; round < 7; round++) {
    const sent = await sendThere({ to: box.address, body: 'Hi' }, files, ann.key);
    assert.equal(sent.status, 202, `${round}: ${sent.text}`);
  }
  // More was sent than a namespace may store: 70 MB with 60 MiB of room, in short a quarter of both.
  assert.equal((await sendThere({ to: box.address, body: 'Hi' }, fillers(3), ann.key)).status, 202);
});

/** Sends two fifths of the room at a time until refused. */
async function fill(ann: Home, address: string): Promise<number> {
  for (let taken = 0; taken < 10; taken++) {
    const sent = await sendThere({ to: address, body: 'Hi' }, fillers(3), ann.key);
    if (sent.status !== 202) {
      isProblem(sent, 'storage_full');
      return taken;
    }
  }
  throw new Error('It is never full.');
}

test('full storage refuses files, and what is deleted makes room again', async () => {
  const ann = await inSmall.newNamespace();
  const box = await inSmall.newMailbox(ann);
  assert.equal(await fill(ann, box.address), 2);
  isProblem(await sendThere({ to: box.address, body: '' }, fillers(3), ann.key), 'validation_error', '/body');
  assert.equal(
    (await sendThere({ to: box.address, body: 'Hi' }, [file('small')], ann.key)).status,
    202,
    'there is room for little',
  );
  await inSmall.api('DELETE', `/mailboxes/${box.address}`, { key: ann.key });
  const other = await inSmall.newMailbox(ann);
  const more = fillers(3);
  await until(
    40_000,
    async () => (await sendThere({ to: other.address, body: 'Hi' }, more, ann.key)).status,
    (status) => status === 202,
  );
});

test('a download that is read a byte a second delays no other', async () => {
  const bytes = randomBytes(9 * MiB);
  const { id } = firstOf(await sendForm({ to, body: 'Hi' }, [{ filename: 'x', bytes }]));
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = dial(service.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET /api/v1/mail/attachments/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      await once(socket, 'readable');
      assert.ok(socket.read(1));
      return socket;
    }),
  );
  const began = performance.now();
  for (let second = 0; second < 3; second++) {
    for (const socket of sockets) socket.read(1);
    assert.equal((await send(key, { to, body: 'Hi', sync: true })).status, 200);
    assert.deepEqual(await bytesOf(await download(id)), bytes);
    await sleep(300);
  }
  assert.ok(performance.now() - began < 20_000);
  for (const socket of sockets) socket.destroy();
});

test('an export has the files of each message', async () => {
  const ann = await newNamespace();
  const box = await newMailbox(ann);
  const { body } = await sendForm({ to: box.address, body: 'Hi', sync: true }, [file('x')], {}, ann.key);
  const lines = (await api('GET', `/namespaces/${ann.name}/export`, { key: ann.key, headers: { accept: '*/*' } })).text;
  assert.ok(lines.includes(body.attachments[0]?.sha256 as string), lines.slice(0, 500));
});
