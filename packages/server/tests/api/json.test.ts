import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO } from '../../../../tests/harness/client.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, all } = connect(service.url);

const setUp = async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const post = (raw: string | Uint8Array<ArrayBuffer>, path = '/mail/send') =>
    api('POST', path, { key: home.key, raw });
  const nothingKept = async () => assert.deepEqual(await all('/mail/messages', home.key), []);
  return { home, to, post, nothingKept };
};

test('what is no JSON at all is malformed', async () => {
  const { to, post, nothingKept } = await setUp();
  const whole = `{"to":"${to}","body":"Hi"}`;
  for (const text of [
    '',
    ' ',
    '{',
    whole.slice(0, -1),
    `${whole}}`,
    `${whole} x`,
    `${whole}${whole}`,
    `{"to":"${to}","body":"Hi",}`,
    `{'to':'${to}','body':'Hi'}`,
    `{to:"${to}"}`,
    `{"to":"${to}","body":"a\nb"}`,
    `{"to":"${to}","body":"\\x41"}`,
    `{"to":"${to}","body":"\\u12"}`,
    `{"to":"${to}","body":"Hi","data":NaN}`,
    `{"to":"${to}","body":"Hi","data":01}`,
    `{"to":"${to}","body":"Hi","data":1.}`,
    `{"to":"${to}","body":"Hi","data":+1}`,
    `{"to":"${to}","body":"Hi"/* no */}`,
    'undefined',
    'to=x&body=y',
    '\u00a0{}',
  ]) {
    isProblem(await post(text), 'malformed_json');
  }
  await nothingKept();
});

test('JSON that is no object is not valid', async () => {
  const { post } = await setUp();
  for (const text of ['null', 'true', '5', '"text"', '[]', '[{}]', '{}'])
    isProblem(await post(text), 'validation_error');
});

test('a name that stands twice is refused, at any depth', async () => {
  const { to, post, nothingKept } = await setUp();
  const with_ = (rest: string) => `{"to":"${to}","body":"Hi"${rest}}`;
  for (const text of [
    with_(`,"to":"${to}"`),
    with_(',"body":"Hi"'),
    with_(',"sync":true,"sync":true'),
    `{"to":"${to}","body":"Hi","t\\u006f":"${to}"}`,
    with_(',"data":{"a":1,"a":1}'),
    with_(',"data":{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}'),
    with_(',"data":[{"":1,"":2}]'),
    with_(',"data":{"é":1,"\\u00e9":2}'),
    with_(',"data":{"__proto__":1,"__proto__":2}'),
    with_(',"data":{"a\\"b":1,"a\\u0022b":2}'),
    with_(',"data":{"a:b":1,"a:b":2}'),
    with_(',"data":{"1":1,"1":2}'),
    with_(`,"data":{"x":"${'y'.repeat(1000)}","x":2}`),
  ]) {
    isProblem(await post(text), 'validation_error');
  }
  await nothingKept();
});

test('names that only look alike are taken', async () => {
  const { to, post } = await setUp();
  const data = '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}],"A":":","\\u0061b":"a:b","é":1,"e\\u0301":2,"\\\\":"\\":"}';
  const sent = await post(`{"to":"${to}","body":"a: \\"b\\": {","sync":true,"data":${data}}`);
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual((sent.body as Envelope).data, JSON.parse(data));
});

test('nesting without end is refused, not followed', async () => {
  const { to, post, nothingKept } = await setUp();
  for (const depth of [66, 1_000, 100_000, 500_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      if (depth * (open.length + 1) > 1_900_000) continue;
      const data = `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`;
      isOneOf(await post(`{"to":"${to}","body":"Hi","data":${data}}`), 'validation_error', 'body_too_large');
    }
  }
  isOneOf(await post('['.repeat(1_000_000)), 'malformed_json', 'validation_error', 'body_too_large');
  isOneOf(await post('{"a":'.repeat(300_000)), 'malformed_json', 'validation_error', 'body_too_large');
  isOneOf(await post(`${'['.repeat(900_000)}${']'.repeat(900_000)}`), 'validation_error', 'body_too_large');
  await nothingKept();
});

test('half a surrogate pair is refused in any text', async () => {
  const { to, post, nothingKept } = await setUp();
  for (const text of ['\\ud800', '\\udc00', 'a\\ud83db', '\\ude00\\ud83d', '\\ud83d\\ud83d\\ude00', 'x\\uDBFF']) {
    isProblem(await post(`{"to":"${to}","body":"${text}"}`), 'validation_error', '/body');
    isProblem(await post(`{"to":"${to}","body":"Hi","subject":"${text}"}`), 'validation_error', '/subject');
    isProblem(await post(`{"to":"${to}","body":"Hi","data":"${text}"}`), 'validation_error', '/data');
    isProblem(await post(`{"to":"${to}","body":"Hi","data":{"a":[1,"${text}"]}}`), 'validation_error', '/data/a/1');
    isProblem(await post(`{"to":"${to}","body":"Hi","data":{"${text}":1}}`), 'validation_error');
  }
  await nothingKept();
});

test('a whole surrogate pair is taken, escaped or not', async () => {
  const { to, post } = await setUp();
  const sent = await post(`{"to":"${to}","body":"\\ud83d\\ude00😀","sync":true}`);
  assert.equal((sent.body as Envelope).body, '😀😀', sent.text);
});

test('U+0000 is refused in any text', async () => {
  const { to, post, nothingKept } = await setUp();
  isProblem(await post(`{"to":"${to}","body":"a\\u0000b"}`), 'validation_error', '/body');
  isProblem(await post(`{"to":"${to}","body":"Hi","subject":"\\u0000"}`), 'validation_error', '/subject');
  isProblem(await post(`{"to":"${to}","body":"Hi","data":{"a":"\\u0000"}}`), 'validation_error', '/data/a');
  isProblem(await post(`{"to":"${to}","body":"Hi","data":{"a\\u0000":1}}`), 'validation_error');
  isProblem(await post(`{"to":"${to}","body":"a\u0000b"}`), 'malformed_json');
  await nothingKept();
});

test('bytes that are no UTF-8 are malformed', async () => {
  const { to, post, nothingKept } = await setUp();
  const [head, tail] = [Buffer.from(`{"to":"${to}","body":"`), Buffer.from('"}')];
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
    [0x80],
  ]) {
    isProblem(await post(Buffer.concat([head, Buffer.from(bytes), tail])), 'malformed_json');
  }
  isProblem(await post(Buffer.from(`{"to":"${to}","body":"Hi"}`, 'utf16le')), 'malformed_json');
  await nothingKept();
});

test('numbers of any size do no harm', async () => {
  const { to, post } = await setUp();
  for (const number of [
    '1e400',
    '-1e400',
    '1e-400',
    '9'.repeat(5_000),
    '9007199254740993',
    '-0',
    `0.${'1'.repeat(5_000)}`,
    '1E+2',
  ]) {
    const answer = await post(`{"to":"${to}","body":"Hi","sync":true,"data":${number}}`);
    if (answer.status === 200)
      assert.notEqual((answer.body as Envelope).data, null, `${number.slice(0, 20)} became null`);
    else isProblem(answer, 'validation_error');
  }
});

test('no text becomes a truth value or a number, nor the other way round', async () => {
  const { to, post, nothingKept } = await setUp();
  for (const [pointer, text] of [
    ['/sync', `{"to":"${to}","body":"Hi","sync":"true"}`],
    ['/sync', `{"to":"${to}","body":"Hi","sync":0}`],
    ['/body', `{"to":"${to}","body":5}`],
    ['/body', `{"to":"${to}","body":["Hi"]}`],
    ['/subject', `{"to":"${to}","body":"Hi","subject":true}`],
  ] as const) {
    isProblem(await post(text), 'validation_error', pointer);
  }
  await nothingKept();
});

test('unknown fields are refused by every endpoint that takes JSON', async () => {
  const { home, to } = await setUp();
  for (const [method, path, body] of [
    ['POST', '/mail/send', { to, body: 'Hi' }],
    ['POST', '/mail/try', { to, body: 'Hi' }],
    ['POST', '/namespaces', { name: 'never-made' }],
    ['PATCH', `/namespaces/${home.name}`, { display_name: 'x' }],
    ['POST', `/namespaces/${home.name}/mailboxes`, { local_part: 'never', behavior: HELLO }],
    ['PATCH', `/mailboxes/${to}`, { description: 'x' }],
    ['POST', '/keys', { scopes: ['mail:send'] }],
  ] as const) {
    const key = path === '/mail/try' || path === '/namespaces' ? undefined : home.key;
    isProblem(await api(method, path, { key, body: { ...body, extra: 1 } }), 'validation_error', '/extra');
    const text = JSON.stringify(body);
    const field = Object.entries(body)[0] ?? ['', ''];
    isProblem(
      await api(method, path, { key, raw: `${text.slice(0, -1)},"${field[0]}":${JSON.stringify(field[1])}}` }),
      'validation_error',
    );
    isProblem(await api(method, path, { key, raw: text.slice(0, -1) }), 'malformed_json');
    isProblem(await api(method, path, { key, raw: text.replace('":', '":"\\ud800",":') }), 'malformed_json');
    isProblem(await api(method, path, { key, body: [body] }), 'validation_error');
  }
  isProblem(await api('GET', '/namespaces/never-made'), 'namespace_not_found');
});
