import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '@mailroom/behavior';
import { cutText, limitedReply, MAX_REPLY, sentBytes } from '@mailroom/behavior/reply-limit';
import { indentedJson, indentedLength } from '@mailroom/behavior/values/indented-json';
import { JsonText } from '@mailroom/behavior/values/json';
import { home, openHouse, settledOf, submission } from './house.ts';

const long = (sign: string, units: number): string => sign.repeat(Math.ceil(units / sign.length));
const bytesOf = (body: string | null, data: string | null): number =>
  (body === null ? 0 : sentBytes(body)) + (data === null ? 0 : Buffer.byteLength(data));

test('a reply is never longer than the limit as sent, and is unchanged when it fits', () => {
  const max = 8 * 1024;
  for (const sign of ['a', '\n', '"', 'ü', '🦄', '\u0001', '\u000b', '€', 'a🦄']) {
    for (const units of [0, 10, 1_000, 1_300, 4_000, 8_190, 8_192, 20_000]) {
      for (const data of [null, '{}', JSON.stringify(long('x', 7_000)), JSON.stringify(long('ü', 9_000))]) {
        const body = long(sign, units);
        const fits = bytesOf(body, data) <= max;
        const cut = limitedReply(body, data, max);
        assert.ok(bytesOf(cut.body, cut.data) <= max, `${JSON.stringify(sign)} ${units}`);
        assert.ok(cut.body.isWellFormed());
        if (fits) assert.deepEqual(cut, { body, data });
        else assert.match(cut.body, /\[Cut: it has \d+ bytes|\[The data of this answer is left out/);
        if (cut.data !== data) assert.equal(JSON.parse(cut.data ?? '').cut, true);
      }
    }
  }
});

test('data that fits is kept whole, byte for byte, whatever the body', () => {
  const data = JSON.stringify({ kind: 'receipt', text: long('x', 1_000_000) });
  const cut = limitedReply(long('b', 1_000_000), data, MAX_REPLY);
  assert.equal(cut.data, data);
  assert.match(cut.body, /^b+\n\n\[Cut: it has 1000002 bytes/);
});

test('a cut text parts no character', () => {
  const cut = cutText('🦄'.repeat(1_000), 1_001);
  assert.match(cut, /^🦄+\n\n\[Cut/u);
});

test('no behavior answers with more than 1 MiB, however it ends', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const huge = long('long text ', 3 * MAX_REPLY);
  const done = { body: huge, data: new JsonText(JSON.stringify([huge])) };
  const outcomes: Outcome[] = [
    { kind: 'reply', body: huge, data: [huge] },
    { kind: 'reply', body: '', data: done.data },
    { kind: 'input_required', body: huge, data: { huge } },
    { kind: 'reject', detail: huge },
    { kind: 'fail', detail: huge },
    { kind: 'fail', detail: huge, ...done },
    { kind: 'wait', for: 'approval', plan: huge, done },
    { kind: 'reply', body: 'a note', sealed: { body: huge, until: house.clock.now + 60_000 } },
  ];
  for (const outcome of outcomes) {
    house.handle = () => outcome;
    const { message } = await house.post.send(submission(alice, alice), {
      ms: 5_000,
      signal: AbortSignal.timeout(5_000),
    });
    const { reply, error_message } = message;
    const bytes = bytesOf(reply?.body ?? null, reply?.data ?? null);
    assert.ok(bytes <= MAX_REPLY, `${outcome.kind}: ${bytes}`);
    assert.ok((error_message ?? '').length <= 8 * 1024, outcome.kind);
    assert.notEqual((await settledOf(house, message.id)).status, 'working');
  }
});

test('JSON is shown indented where that is not long, and its length is known before', () => {
  for (const value of [1, 'a "b" \\ c', [], {}, [[], {}], { a: [1, { b: 'x,{[]}:"' }], c: '\\"' }, [{}, [[]]]]) {
    for (const indent of [0, 2, 4]) {
      const wanted = JSON.stringify(value, null, indent).length;
      assert.equal(indentedLength(JSON.stringify(value), indent), wanted, JSON.stringify(value));
    }
    assert.equal(indentedJson(value), JSON.stringify(value, null, 2));
  }
  let deep: unknown = Array(31_000).fill(1);
  for (let at = 0; at < 110; at++) deep = [deep];
  assert.equal(indentedJson(deep), JSON.stringify(deep));
});
