/** One event of a stream (WHATWG HTML, section 9.2.6). */
export interface SseEvent {
  /** The `Last-Event-ID` that a client sends after it lost the connection. */
  readonly id?: string;
  /** The event's type; `message` by default. */
  readonly event?: string;
  /** Any text, line breaks included. */
  readonly data: string;
}

/** An event in its wire format. */
export function sseEvent({ id, event, data }: SseEvent): string {
  const lines = data.split(/\r\n?|\n/).map((line) => `data: ${line}`);
  if (event !== undefined) lines.unshift(`event: ${event}`);
  if (id !== undefined) lines.unshift(`id: ${id}`);
  return `${lines.join('\n')}\n\n`;
}

/** An empty comment sent periodically, so that no proxy closes the connection as idle. */
export const SSE_HEARTBEAT = ':\n\n';

/** Prevents caching, compression and buffering by a proxy (nginx, X-Accel-Buffering). */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/**
 * The new part of a text being written, as an event `delta` of `{at, text}`: `text` replaces everything from character
 * `at`. Empty when nothing is new.
 */
export function sseDelta(shown: string, draft: string): string {
  if (draft === shown) return '';
  const at = draft.startsWith(shown) ? shown.length : 0;
  return sseEvent({ event: 'delta', data: JSON.stringify({ at, text: draft.slice(at) }) });
}
