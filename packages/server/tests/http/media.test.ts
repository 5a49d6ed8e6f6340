import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { acceptsJson, checkMediaType } from '../../http/media.ts';

const typed = (type: string) => checkMediaType({ 'content-type': type }, true);

test('JSON in UTF-8 is taken, however the header writes it', () => {
  const types = [
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; charset = "utf-8" ',
    'application/json;',
    'application/json; charset=utf-8;',
  ];
  for (const type of types) typed(type);
});

test('anything else is unsupported_media_type', () => {
  const types = [
    '',
    'json',
    'text/plain',
    'text/json',
    'application/json5',
    'application/jsonx',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'application/json x',
  ];
  for (const type of types) assert.throws(() => typed(type), { code: 'unsupported_media_type' }, type);
});

test('a body without a type is refused, a request without a body is not', () => {
  const refused = { code: 'unsupported_media_type' };
  assert.throws(() => checkMediaType({ 'content-length': '2' }, true), refused);
  assert.throws(() => checkMediaType({ 'transfer-encoding': 'chunked' }, true), refused);
  checkMediaType({}, true);
  checkMediaType({ 'content-length': '0' }, true);
  checkMediaType({ 'content-type': 'text/plain', 'content-length': '2' }, false);
});

test('a compressed request is refused, wherever it goes', () => {
  for (const encoding of ['gzip', 'br', 'GZIP', 'identity, gzip', 'aes128gcm']) {
    for (const takesBody of [true, false]) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      assert.throws(() => checkMediaType(headers, takesBody), { code: 'unsupported_media_type' });
    }
  }
  checkMediaType({ 'content-type': 'application/json', 'content-encoding': 'Identity' }, true);
});

test('an answer in JSON suits who asks for it, for any, or for nothing', () => {
  const suits = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/problem+json',
    'application/json; charset=utf-8',
  ];
  for (const accept of suits) assert.ok(acceptsJson(accept), accept ?? 'none');
  const not = ['text/html', 'text/*', 'application/xml', 'application/json;q=0', 'image/png, text/plain'];
  for (const accept of not) assert.ok(!acceptsJson(accept), accept);
});

test('no header of 16 KiB takes long to look at', async () => {
  const size = 16 * 1024;
  const filled = (piece: string): string => piece.repeat(Math.floor(size / piece.length));
  const headers = [
    `application/json${' '.repeat(size)}x`,
    `application/json;${' '.repeat(size)}x`,
    `application/json;charset=utf-8${' '.repeat(size)}x`,
    filled('application/json;'),
    filled('a/b,'),
    filled('a/b;q=0.1,'),
    `a/b;${filled('x="y";')}`,
    `a/b;x="${filled('\\"')}`,
    filled(','),
    filled(' ,'),
    filled('"'),
  ];
  for (const header of headers) {
    await assertEffort(30, header.slice(0, 30), () => {
      try {
        typed(header);
      } catch (error) {
        assert.equal((error as { code: string }).code, 'unsupported_media_type');
      }
      acceptsJson(header);
    });
  }
});
