import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRfc3339, rfc3339 } from '@mailroom/behavior/values/clock';
import fc from 'fast-check';

test('a time that was written is read as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') }), (at) => {
      assert.match(rfc3339(at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(parseRfc3339(rfc3339(at)), at);
    }),
  );
});

test('a time of RFC 3339 is read with its offset, in either case, to the millisecond', () => {
  const times = {
    '1985-04-12T23:20:50.52Z': '1985-04-12T23:20:50.520Z',
    '1996-12-19T16:39:57-08:00': '1996-12-20T00:39:57.000Z',
    '2024-02-29T00:00:00+23:59': '2024-02-28T00:01:00.000Z',
    '2026-01-01t00:00:00z': '2026-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00.123456789-00:00': '2026-01-01T00:00:00.123Z',
  };
  for (const [text, same] of Object.entries(times)) assert.equal(rfc3339(parseRfc3339(text) ?? NaN), same);
});

test('a day that its month does not have, and an hour that a day does not, are no time', () => {
  const texts = [
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+10:60',
  ];
  for (const text of texts) assert.equal(parseRfc3339(text), undefined, text);
});

test('what is no time of RFC 3339 is none', () => {
  const texts = [
    '',
    'tomorrow',
    '2026-01-01',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '20260101T000000Z',
    '2026-01-01T00:00:00.Z',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
  ];
  for (const text of texts) assert.equal(parseRfc3339(text), undefined, text);
  fc.assert(fc.property(fc.string(), (text) => parseRfc3339(text) === undefined));
});
