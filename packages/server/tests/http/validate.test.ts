import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppError, FieldError } from '@mailroom/behavior/values/error';
import fc from 'fast-check';
import { Type } from 'typebox';
import { amount } from '../../../../tests/soak/length.ts';
import { NewKey } from '../../core/entities/key.ts';
import { MailboxChange, NewMailbox } from '../../core/entities/mailbox.ts';
import { NewNamespace } from '../../core/entities/namespace.ts';
import { compileCheck } from '../../http/validate.ts';
import { Send } from '../../transports/api/submission.ts';

/** The errors of a check; empty when it passes. */
function errors(check: (value: unknown) => void, value: unknown): readonly FieldError[] {
  try {
    check(value);
  } catch (error) {
    assert.equal((error as AppError).code, 'validation_error', String(error));
    assert.ok((error as AppError).message.length > 0);
    return (error as AppError).errors;
  }
  return [];
}
const pointers = (check: (value: unknown) => void, value: unknown): string[] =>
  errors(check, value).map(({ pointer }) => pointer);

const send = compileCheck(Send);
const submission = { to: 'a@b.c', body: 'x' };

test('what fits passes', () => {
  for (const value of [
    submission,
    { ...submission, sync: true, subject: null, thread_id: null, data: null },
    { ...submission, data: { any: [1, { thing: null }] }, from: 'x@y.z', in_reply_to: 'msg_x', subject: '' },
  ]) {
    send(value);
  }
});

test('what is missing, unknown or of a wrong type is told with its pointer, each once', () => {
  assert.deepEqual(pointers(send, {}), ['/body', '/to']);
  assert.deepEqual(pointers(send, { ...submission, too: 1, 'a/b~c': 2 }), ['/too', '/a~1b~0c']);
  assert.deepEqual(pointers(send, { ...submission, sync: 'true' }), ['/sync']);
  assert.deepEqual(pointers(send, { ...submission, sync: null }), ['/sync']);
  assert.deepEqual(pointers(send, { ...submission, subject: 1 }), ['/subject']);
  assert.deepEqual(pointers(send, { to: 1, body: ['x'] }), ['/to', '/body']);
  assert.deepEqual(pointers(send, { ...submission, body: '' }), ['/body']);
  for (const value of [null, [], 'text', 1, true]) assert.deepEqual(pointers(send, value), ['']);
});

test('a value that may be text or null says so', () => {
  assert.match(errors(send, { ...submission, subject: 1 })[0]?.message ?? '', /a string or null/);
});

test('what is wrong within a value is told alone, and not that it might have been of another type', () => {
  const either = compileCheck(
    Type.Object({
      to: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }))]),
      headers: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
    }),
  );
  assert.deepEqual(pointers(either, { to: ['x', ''] }), ['/to/1']);
  assert.deepEqual(pointers(either, { to: ['x', 5, null] }), ['/to/1', '/to/2']);
  assert.deepEqual(pointers(either, { to: 5 }), ['/to']);
  assert.deepEqual(pointers(either, { to: 'x', headers: { a: 5 } }), ['/headers/a']);
});

test('a value of another form is answered with an example, where the schema has one', () => {
  const claim = Type.String({ pattern: '^clm_[0-9]{2}$', examples: ['clm_07'] });
  const check = compileCheck(Type.Object({ claim, list: Type.Array(Type.Union([claim, Type.Null()])) }));
  const message = 'This does not have the form that is wanted here, such as clm_07.';
  assert.deepEqual(errors(check, { claim: 'x', list: [null, 'y'] }), [
    { pointer: '/claim', message },
    { pointer: '/list/1', message },
  ]);
  const [without] = errors(compileCheck(Type.String({ pattern: '^a$' })), 'b');
  assert.equal(without?.message, 'This does not have the form that is wanted here.');
});

test('nothing is changed on the way: no default, no other type, no field dropped', () => {
  const value = { ...submission, data: { a: '1' } };
  const before = structuredClone(value);
  send(value);
  assert.deepEqual(value, before);
  assert.throws(() => send({ ...submission, sync: 'false' }));
  assert.throws(() => send({ ...submission, sync: 0 }));
});

test('names that objects have anyway are unknown fields like others', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const value = JSON.parse(`{"to":"a@b.c","body":"x","${name}":{}}`) as unknown;
    assert.deepEqual(pointers(send, value), [`/${name}`]);
  }
  // Inherited fields do not replace required ones either.
  const inherited = JSON.parse('{"__proto__":{"to":"a@b.c","body":"x"}}') as unknown;
  assert.ok(pointers(send, inherited).includes('/to'));
});

test('lengths are in characters, not in UTF-16 units', () => {
  const check = compileCheck(Type.String({ minLength: 2, maxLength: 3 }));
  for (const text of ['ab', '😀😀', '😀😀😀', 'e\u0301e']) check(text);
  for (const text of ['a', '😀', '😀😀😀😀', `e${'\u0301'.repeat(3)}`]) assert.deepEqual(pointers(check, text), ['']);
});

test('a pointer begins where the value stands in the request', () => {
  const check = compileCheck(
    Type.Object({ name: Type.String() }, { additionalProperties: false }),
    '/behavior/settings',
  );
  assert.deepEqual(pointers(check, { nam: 1 }).sort(), ['/behavior/settings/nam', '/behavior/settings/name']);
  assert.deepEqual(pointers(check, 1), ['/behavior/settings']);
});

test('however much is wrong, at most 20 places are told', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]));
  assert.equal(errors(send, { ...submission, ...many }).length, 20);
});

test('each fault of a key, a mailbox and a namespace says how to mend it', () => {
  const errorsOf = (schema: Parameters<typeof compileCheck>[0], value: unknown) =>
    Object.fromEntries(errors(compileCheck(schema), value).map(({ pointer, message }) => [pointer, message]));
  assert.deepEqual(errorsOf(NewKey, { scopes: ['mail:send', 'everything'], name: '', expires_at: 'soon' }), {
    '/scopes/1':
      'This must be one of mail:send, mail:answer, messages:read, mail:review, mailboxes:write, webhooks:write, keys:write, auth:assert, owner.',
    '/name': 'This must not be empty.',
    '/expires_at': 'This must be a date-time, such as 2026-11-20T08:00:00.000Z.',
  });
  assert.deepEqual(Object.keys(errorsOf(NewKey, { scopes: [] })), ['/scopes']);
  assert.deepEqual(Object.keys(errorsOf(NewKey, { scopes: ['owner', 'owner'] })), ['/scopes']);
  assert.deepEqual(errorsOf(NewMailbox, { local_part: 'x'.repeat(65), behavior: {}, try_out: 'yes' }), {
    '/local_part': 'This may have at most 64 characters.',
    '/behavior/name': 'This is needed.',
    '/try_out': 'This must be a boolean.',
  });
  assert.deepEqual(errorsOf(MailboxChange, {}), { '': 'Give at least one field.' });
  assert.deepEqual(Object.keys(errorsOf(MailboxChange, { status: 'offline' })), ['/status']);
  assert.deepEqual(Object.keys(errorsOf(NewNamespace, { name: 'ada', display_name: 'two\nlines' })), ['/display_name']);
  assert.deepEqual(Object.keys(errorsOf(NewNamespace, { name: 'ada', display_name: ' ' })), ['/display_name']);
});

test('no value breaks a check', () => {
  const checks = [Send, NewKey, NewMailbox, MailboxChange, NewNamespace].map((schema) => compileCheck(schema));
  const names = fc.constantFrom(
    'to',
    'body',
    'sync',
    'data',
    'scopes',
    'behavior',
    'name',
    'settings',
    'status',
    '__proto__',
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue())), (value) => {
      for (const check of checks) errors(check, value);
    }),
    { numRuns: amount(300, 2_000) },
  );
});
