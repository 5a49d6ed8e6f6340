/** One event of a stream (WHATWG HTML, section 9.2.6). */
export interface SseEvent {
  /** What a client that lost the connection names as `Last-Event-ID`. */
  readonly id?: string;
  /** Its type; `message` when left out. */
  readonly event?: string;
  /** Any text, line breaks included. */
  readonly data: string;
}

/** An event as it goes over the wire. */
export function sseEvent({ id, event, data }: SseEvent): string {
  const lines = data.split(/\r\n?|\n/).map((line) => `data: ${line}`);
  if (event !== undefined) lines.unshift(`event: ${event}`);
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join('\n')}\n\n`;
}

/** Nothing, said now and then so that no proxy takes the connection for dead. */
export const SSE_HEARTBEAT = ':\n\n';

/** A stream is told as it happens: neither kept, nor compressed, nor collected by a proxy (nginx, X-Accel-Buffering). */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/**
 * What is new of a text that is being written, as an event `delta` of `{at, text}`: from character `at` on it is `text`. One
 * that is begun anew takes the other's place. Nothing when nothing is new.
 */
export function sseDelta(shown: string, draft: string): string {
  if (draft === shown) return '';
  const at = draft.startsWith(shown) ? shown.length : 0;
  return sseEvent({ event: 'delta', data: JSON.stringify({ at, text: draft.slice(at) }) });
}
