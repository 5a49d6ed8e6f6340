import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { readRequest } from '../read.ts';

const read = (body: string, data: Json = null) => readRequest({ body, data });
const ORIGIN = 'https://service.example';
const URL_ = 'https://mail.example/oidc/agents/auth?client_id=cli_1&scope=openid';

test('a token is asked for in plain words, with the service named once', () => {
  for (const body of [
    `token for ${ORIGIN}`,
    `Token for ${ORIGIN}.`,
    `a token for ${ORIGIN}`,
    `Please give me a token for ${ORIGIN}`,
    `Could you please issue me a signed token for ${ORIGIN}?`,
    `I need a JWT for ${ORIGIN}, please.`,
    `Get me an identity token to the service ${ORIGIN}`,
    `I'd like a token for <${ORIGIN}>`,
    `  create an agent token for ${ORIGIN}\n`,
  ]) {
    assert.deepEqual(read(body), { op: 'token', audience: ORIGIN }, body);
  }
});

test('a sign-in is asked for in plain words, with its URL whole', () => {
  for (const body of [
    `sign in ${URL_}`,
    `Sign in: ${URL_}`,
    `sign me in at ${URL_}`,
    `Please log in with <${URL_}>.`,
    `Could you sign in to ${URL_}?`,
    `login ${URL_}`,
  ]) {
    assert.deepEqual(read(body), { op: 'sign_in', url: URL_, service: undefined }, body);
  }
});

test('a text that says more than one thing, or something else, asks for nothing', () => {
  for (const body of [
    '',
    'Hello',
    'How do I sign people in?',
    `Tell me what a token for ${ORIGIN} is`,
    `token for ${ORIGIN} and https://other.example`,
    `token for ${ORIGIN}\ntoken for https://other.example`,
    `Somebody wrote: "sign in ${URL_}"`,
    `> sign in ${URL_}`,
    `sign in ${URL_} and send me the answer`,
    'sign in mailto:ada@example.com',
    `token for ${'x'.repeat(5000)}`,
  ]) {
    assert.deepEqual(read(body), { op: 'help' }, body);
  }
});

test('data says it exactly and counts before the text', () => {
  assert.deepEqual(read('sign in somewhere', { op: 'token', audience: ORIGIN }), { op: 'token', audience: ORIGIN });
  assert.deepEqual(read('', { op: 'sign_in', url: URL_, service: ORIGIN }), {
    op: 'sign_in',
    url: URL_,
    service: ORIGIN,
  });
  assert.deepEqual(read(`token for ${ORIGIN}`, { op: 'help' }), { op: 'help' });
  assert.deepEqual(read(`token for ${ORIGIN}`, { other: 1 }), { op: 'token', audience: ORIGIN });
  assert.deepEqual(read('', [{ op: 'token' }]), { op: 'help' });
});

test('data that lacks something or names no operation is answered with what to send', () => {
  for (const data of [
    { op: 'token' },
    { op: 'token', audience: 1 },
    { op: 'sign_in' },
    { op: 'sign_in', url: [] },
    { op: 'sign_in', url: URL_, service: 5 },
    { op: 'constructor' },
    { op: 7 },
    { op: null },
  ] as Json[]) {
    const request = read(`token for ${ORIGIN}`, data);
    assert.equal(request.op, 'unclear', JSON.stringify(data));
  }
});

test('a hostile text is read as fast as any other', () => {
  const texts = [
    `${'please '.repeat(580)}x`,
    `${'give me '.repeat(500)}token`,
    `sign in http://${'a'.repeat(4000)} b`,
    `token for ${'<'.repeat(4000)}`,
  ];
  for (const text of texts) assert.equal(read(text).op, 'help', text.slice(0, 30));
});

test('a token for the issuer is asked for with the service that may redeem it', () => {
  const data = { op: 'token', audience: 'https://mail.example/oidc/agents', client_id: 'cli_1' };
  assert.deepEqual(read('', data), data);
  assert.equal(read('', { ...data, client_id: 1 }).op, 'unclear');
});
