import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@mailroom/behavior/values/error';
import { isRefusal, storeError } from '../../store/postgres/errors.ts';

test('what ends a connection or follows from that is unavailable, and what a statement did wrong is an error', () => {
  for (const code of ['57P01', '57014', '25P02', '25P03', '26000', '53300', '40001', 'EPIPE', undefined]) {
    const error = storeError(Object.assign(new Error('x'), { code }));
    assert.ok(error instanceof AppError && error.code === 'unavailable', String(code));
    assert.equal(isRefusal({ code }), false, String(code));
  }
  for (const code of ['23505', '42P01', '22021']) assert.ok(!(storeError({ code }) instanceof AppError), code);
});
