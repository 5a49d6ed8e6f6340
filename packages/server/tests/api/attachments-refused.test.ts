import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { file, firstOf, MiB, openAttaching, problemOf } from './attaching.ts';

const { service, newKey, send, tryOut, home, key, to, post, formOf, sendForm, download } = await openAttaching();

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
