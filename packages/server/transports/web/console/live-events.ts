import { hasScope, type Key, type Scope } from '../../../core/entities/key.ts';
import { sseEvent } from '../../../http/sse.ts';

/** The events of the console's stream, each with the scope that it is for; null for all who are signed in. */
const LIVE_EVENTS = {
  time: null,
  row: 'messages:read',
  review: 'mail:review',
  writing: 'messages:read',
  figures: null,
  // Each call has a scope of its own.
  call: null,
  out: null,
} as const satisfies Readonly<Record<string, Scope | null>>;
export type LiveEvent = keyof typeof LIVE_EVENTS;

/** An event as this key gets it: without the scope, its position in the feed alone. */
export function liveEvent(key: Pick<Key, 'scopes'>, event: LiveEvent, data: object | string, id?: string): string {
  const scope = LIVE_EVENTS[event];
  if (scope !== null && !hasScope(key, scope)) return id === undefined ? '' : `id: ${id}\n\n`;
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return sseEvent({ event, data: text, ...(id !== undefined && { id }) });
}

/** What ends a stream whose session is over. */
export const OUT = sseEvent({ event: 'out' satisfies LiveEvent, data: '{}' });
