import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import { deliveryOf, returnPath } from '../../../mail/writing/return-path.ts';

const SECRET = Buffer.alloc(32, 7);
const DOMAIN = 'mail.test';

test('a return path leads back to its delivery, also when a server changed its case', () => {
  for (let i = 0; i < 500; i++) {
    const id = newId('dlv', Date.now());
    const path = returnPath(id, DOMAIN, SECRET);
    assert.match(path, /^bounces\+[a-z0-9_.]+@mail\.test$/);
    assert.ok(path.indexOf('@') <= 64);
    assert.equal(returnPath(id, DOMAIN, SECRET), path);
    // At the domain of an owner too.
    for (const correction of [
      path,
      path.toUpperCase(),
      path.replace('bounces', 'Bounces'),
      path.replace(DOMAIN, 'mail.ada.example'),
    ]) {
      assert.equal(deliveryOf(correction, SECRET), id);
    }
  }
});

test('no other address does: not one of another secret or delivery, and none that was changed', () => {
  const path = returnPath('dlv_0d8m3xk2q5v7w9y1a3c0', DOMAIN, SECRET);
  const index = path.indexOf('@');
  const wrong = [
    returnPath('dlv_0d8m3xk2q5v7w9y1a3c0', DOMAIN, 'another secret'),
    path.replace('c0.', 'c1.'),
    path.replace('@', '0@'),
    path.replace(/.@/, '@'),
    path.slice(0, index),
    `${path}@${DOMAIN}`,
    path.replace('bounces+', 'bounces'),
    `x${path}`,
    'bounces@mail.test',
    'bounces+@mail.test',
    'bounces+.@mail.test',
    '',
    '@',
    `bounces+${'a'.repeat(100_000)}.0123456789abcdef@mail.test`,
    ...Array.from({ length: index }, (_, i) => path.slice(0, i) + (path[i] === 'z' ? 'y' : 'z') + path.slice(i + 1)),
  ];
  for (const address of wrong) assert.equal(deliveryOf(address, SECRET), undefined, address.slice(0, 80));
});

test('an id that would not fit into the local part is an error', () => {
  for (const id of ['', 'a b', 'DLV_1', 'a@b', 'x'.repeat(39), 'a\r\n']) {
    assert.throws(() => returnPath(id, DOMAIN, SECRET), RangeError, id);
  }
});
