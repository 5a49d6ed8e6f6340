import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Incoming } from '@mailroom/behavior';
import { newId, threadOf } from '@mailroom/behavior/values/ids';
import type { Json } from '@mailroom/behavior/values/json';
import type { Message } from '@mailroom/server/core/entities/message';
import { Taint } from '../model/taint.ts';

const T = Date.UTC(2026, 10, 20, 8);
const first = newId('msg', T);
const KEY = { kind: 'key' } as const;
const message = (body: string, fields: Partial<Incoming> = {}): Incoming => ({
  id: first,
  thread_id: threadOf(first),
  in_reply_to: null,
  retry_of: null,
  subject: null,
  body,
  data: null,
  tag: null,
  created_at: T,
  channel: 'api',
  hops: 0,
  ...fields,
});
const later = (body: string): Incoming => message(body, { id: newId('msg', T + 1) });
const earlierMessage = (body: string, data: Json, fields: Partial<Message> = {}): Message =>
  ({
    id: first,
    subject: null,
    body,
    data: null,
    reply: { body: 'Done.', data: data === null ? null : JSON.stringify(data) },
    ...fields,
  }) as Message;
const receipt = (task: string, effects: string, result: Json, model?: Json): Json => ({
  kind: 'receipt',
  steps: [{ task, effects, output: { result }, error: null }],
  ...(model === undefined ? {} : { model }),
});

test('the sender’s own words are no taint, nor is what is calculated from them', () => {
  const taint = new Taint(message('Add 2 and 3, say hello, and send it'), KEY, []);
  assert.equal(taint.tainted, false);
  taint.shown({ name: 'calculate', effects: 'none' }, { output: { result: '5 whatever' }, error: null });
  taint.shown({ name: 'text', effects: 'none' }, { output: { result: 'HELLO 5' }, error: null });
  taint.shown(
    { name: 'encode', effects: 'none' },
    { output: { result: '2cf24dba5fb0a30e26e83b2ac5b9e29e' }, error: null },
  );
  assert.equal(taint.tainted, false);
});

test('what a task unpacks or reads is, in its output, in names and in its error', () => {
  for (const [name, effects, output, error] of [
    ['encode', 'none', { result: 'obey mallory' }, null],
    ['json', 'none', { result: { obey: 1 } }, null],
    ['json', 'none', { result: [[{ deep: ['obey'] }]] }, null],
    ['run', 'none', null, 'Error: obey mallory'],
    ['fetch', 'reads', { result: '1' }, null],
    ['fetch', 'reads', null, 'It answered 500.'],
    ['send', 'writes', { result: '' }, null],
    ['text', 'none', { result: '服从' }, null],
  ] as const) {
    const taint = new Taint(message('Do it'), KEY, []);
    taint.shown({ name, effects }, { output: output as Json, error });
    assert.equal(taint.tainted, true, `${name} ${JSON.stringify(output)} ${error}`);
  }
});

test('a thread is what its messages and replies are', () => {
  const isTainted = (thread: readonly Message[], body = 'And now?'): boolean =>
    new Taint(later(body), KEY, thread).tainted;
  assert.equal(isTainted([earlierMessage('Hello', null)]), false);
  assert.equal(isTainted([earlierMessage('Add 1', receipt('calculate', 'none', '2'))]), false);
  assert.equal(isTainted([earlierMessage('Hm', { question: {}, plan: [] })]), false);
  assert.equal(isTainted([earlierMessage('plan: add', { dry_run: true, plan: [] })]), false);
  assert.equal(isTainted([earlierMessage('Read', receipt('fetch', 'reads', 'x'))]), true);
  assert.equal(
    isTainted([earlierMessage('Unpack b2JleQ==', receipt('encode', 'none', 'obey'))]),
    true,
    'decoded without a model',
  );
  assert.equal(isTainted([earlierMessage('Add', receipt('calculate', 'none', '2', { tainted: true }))]), true);
  assert.equal(isTainted([earlierMessage('Look:\n> obey', null)]), true);
  assert.equal(isTainted([earlierMessage('Who?', { '@type': 'Person' })]), true, 'of another behavior');
  assert.equal(isTainted([earlierMessage('x', null, { data: '{"page":"obey"}' })]), true);
  assert.equal(
    isTainted([earlierMessage('x', null, { id: newId('msg', T + 5) })]),
    true,
    'its beginning is not there any more',
  );
  assert.equal(isTainted([]), true);
});

test('mailboxes and e-mails are received from their first word', () => {
  for (const kind of ['mailbox', 'email'] as const) {
    const taint = new Taint(message('Fetch https://a.example'), { kind }, []);
    assert.equal(taint.tainted, true);
    assert.equal(taint.owns('https://a.example'), false);
  }
});

test('an address is the sender’s as they wrote it, and no other', () => {
  const taint = new Taint(message('Compare https://a.example/x with b.example.\n> see https://c.example'), KEY, []);
  for (const url of ['https://a.example/x', 'HTTPS://A.EXAMPLE/x', 'b.example', 'https://b.example/']) {
    assert.equal(taint.owns(url), true, url);
  }
  for (const url of [
    'https://a.example/',
    'https://a.example/x?',
    'https://a.example/x#y',
    'https://c.example',
    'https://x.b.example',
    7,
    null,
  ]) {
    assert.equal(taint.owns(url), false, String(url));
  }
});
