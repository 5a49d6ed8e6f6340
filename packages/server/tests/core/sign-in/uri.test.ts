import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentError, redirectError, webError } from '../../../core/sign-in/uri.ts';

const SEGMENTS = fc.array(fc.constantFrom('a', 'cb', 'v1..2', '...', '.well-known', 'a.b', 'one%2Ftwo', '%2e.x'), {
  maxLength: 3,
});
const LAYERS = fc.array(fc.nat(3), { minLength: 3, maxLength: 12 });
/** The text with each of its signs percent-encoded as often as `layers` says. */
const hidden = (text: string, layers: readonly number[]): string =>
  text
    .split('')
    .map((sign, at) => {
      const hex = sign.charCodeAt(0).toString(16);
      const count = layers[at % layers.length] ?? 0;
      return count === 0 ? sign : `%${'25'.repeat(count - 1)}${at % 2 === 0 ? hex : hex.toUpperCase()}`;
    })
    .join('');
/** What each kind of registered URL says of one. */
const errorsOf = (url: string) => [
  redirectError(url, 'web'),
  redirectError(url.replace('https:/', 'com.example.app:'), 'native'),
  webError(url),
  documentError(url),
];

test('a path that leads up once it is decoded is no URL to register, however often it is encoded', () => {
  fc.assert(
    fc.property(SEGMENTS, fc.constantFrom('/', '\\'), fc.constantFrom('..', '.'), SEGMENTS, LAYERS, (...parts) => {
      const [above, slash, dots, below, layers] = parts;
      const url = `https://a.example/${above.map((one) => `${one}/`).join('')}x${hidden(slash + dots + slash, layers)}${below.join('/')}`;
      for (const error of errorsOf(url)) assert.notEqual(error, undefined, url);
    }),
  );
});

test('a path with dots that lead nowhere is taken', () => {
  fc.assert(
    fc.property(SEGMENTS, SEGMENTS, (path, query) => {
      const url = `https://a.example/x/${path.join('/')}?q=/..%2f${query.join('/')}`;
      assert.deepEqual(errorsOf(url), [undefined, undefined, undefined, undefined], url);
    }),
  );
});
