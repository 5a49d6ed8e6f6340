import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@mailroom/behavior/values/ids';
import fc from 'fast-check';
import { readCursor, writeCursor } from '../../core/values/page.ts';
import { T } from '../store/made.ts';

test('a cursor leads back to its id and does not show it', () => {
  for (const prefix of ['msg', 'mbx', 'key', 'ns'] as const) {
    const id = newId(prefix, T);
    assert.equal(readCursor(writeCursor(id)), id);
    assert.ok(!writeCursor(id).includes(id));
  }
});

test('what this service did not write as a cursor is refused', () => {
  const cursor = writeCursor(newId('msg', T));
  for (const text of [
    '',
    'x',
    `${cursor}=`,
    ` ${cursor}`,
    cursor.slice(1),
    `${cursor}AAAA`,
    writeCursor("msg_' or 1"),
  ]) {
    assert.throws(() => readCursor(text), { code: 'validation_error' }, text);
  }
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      assert.throws(() => readCursor(text), { code: 'validation_error' });
    }),
  );
});
