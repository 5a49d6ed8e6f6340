import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;

/** Events that are handed over before other work of this process gets its turn. */
const EVENTS_A_TURN = 16;
/** Pieces of a body that an event may come in. */
const PIECES_AN_EVENT = 10;
/** Values of JSON, likewise. */
const VALUES_A_TURN = 1_000;
/** Pieces of a body, likewise. */
const PIECES_A_TURN = 250;
/** Values of one document or event. Libraries validate all at once, at some 20 µs for one that is wrong. */
const MAX_VALUES = 10_000;

/** What was sent more of than is read. */
export class TooMany extends Error {}

/**
 * An answer of JSON, or a stream of events of JSON, as it is given to a library that reads all that it gets in one turn:
 * a little at a time, at most `max_events` events, ten pieces of a body for each of those, of which a server may send a byte
 * in each, and 10,000 values in a document or event. Rejects with `TooMany`.
 */
export async function* inTurns(
  bytes: AsyncIterable<Uint8Array>,
  { max_events }: { readonly max_events: number },
): AsyncGenerator<Uint8Array> {
  let [events, values, fresh] = [0, 0, 0];
  let [lines, quoted, escaped] = [0, false, false];
  let last = 0;
  let pieces = 0;
  const max_pieces = PIECES_AN_EVENT * max_events;
  for await (const chunk of bytes) {
    pieces += 1;
    if (pieces > max_pieces) throw new TooMany(`${max_pieces.toLocaleString('en-US')} pieces`);
    if (pieces % PIECES_A_TURN === 0) await yieldToEventLoop();
    let from = 0;
    for (let offset = 0; offset < chunk.length; offset++) {
      const byte = chunk[offset] as number;
      const isEnd = byte === CR || (byte === LF && last !== CR);
      const isBlank = isEnd && lines > 0;
      if (isEnd) lines += 1;
      else if (byte !== LF) lines = 0;
      last = byte;
      if (isEnd || byte === LF) {
        // No text of JSON has a line end in it.
        quoted = false;
        escaped = false;
      } else if (escaped) escaped = false;
      else if (quoted) {
        escaped = byte === BACKSLASH;
        quoted = byte !== QUOTE;
      } else if (byte === QUOTE) quoted = true;
      else if (byte === COMMA || byte === COLON || byte === OPEN_LIST || byte === OPEN_OBJECT) {
        values += 1;
        fresh += 1;
        if (values > MAX_VALUES) throw new TooMany(`${MAX_VALUES.toLocaleString('en-US')} values`);
      }
      if (isBlank) {
        events += 1;
        values = 0;
        if (events > max_events) throw new TooMany(`${max_events.toLocaleString('en-US')} events`);
      }
      if (!(isBlank && (events % EVENTS_A_TURN === 0 || fresh > VALUES_A_TURN))) continue;
      yield chunk.subarray(from, offset + 1);
      from = offset + 1;
      fresh = 0;
      await yieldToEventLoop();
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}
