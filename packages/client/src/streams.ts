import { MailroomError } from './error.ts';
import { type Http, pauseMs } from './http.ts';
import { sleep } from './sleep.ts';
import { readEvents, type ServerEvent } from './sse.ts';
import type { Event, Message } from './types.generated.ts';

export interface EventOptions {
  /** The id of the last event you have; without it the stream starts now. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Types to yield, such as `message.received`, or `message.*`; all by default. */
  readonly types?: readonly string[] | undefined;
  /** Called with each place in the log, to store it and to continue there after a restart. */
  readonly onCursor?: ((id: string) => void) | undefined;
  /** Called when the service cannot be reached; the connection is opened again after a pause. */
  readonly onInterrupted?: ((error: MailroomError) => void) | undefined;
}

/** A message as it changes, or the reply as it is written so far. */
export type MessageUpdate =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'draft'; readonly text: string };

/** The service sends a heartbeat every 15 s; a connection silent for longer is dead. */
const SILENCE_MS = 45_000;

/** The events of one connection; ends when it does. */
async function* connection(
  http: Http,
  to: string,
  query: { readonly after?: string | undefined },
  signal: AbortSignal | undefined,
  onId?: (id: string) => void,
  onInterrupted?: (error: MailroomError) => void,
): AsyncGenerator<ServerEvent, void> {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silent.abort(), SILENCE_MS);
  };
  const either = signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal]);
  try {
    const headers = { accept: 'text/event-stream' };
    const { body } = await http.raw('GET', to, { query }, { signal: either, headers });
    if (body === null) return;
    alive();
    yield* readEvents(body as ReadableStream<Uint8Array<ArrayBuffer>>, { alive, ...(onId !== undefined && { onId }) });
  } catch (error) {
    signal?.throwIfAborted();
    // The answer said no, and would say it again.
    if (error instanceof MailroomError && error.status !== undefined) throw error;
    if (error instanceof MailroomError) onInterrupted?.(error);
  } finally {
    clearTimeout(timer);
  }
}

const wanted = (type: string, types: readonly string[] | undefined): boolean =>
  types === undefined || types.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one));

/** Events as they happen, without a gap: after an interruption it continues after the last one. */
export async function* followEvents(http: Http, options: EventOptions): AsyncGenerator<Event, void> {
  const { signal, types, onCursor, onInterrupted } = options;
  let after = options.after;
  for (let failures = 0; ; failures++) {
    const onId = (id: string): void => {
      failures = 0;
      after = id;
    };
    for await (const { data } of connection(http, 'events', { after }, signal, onId, onInterrupted)) {
      const event = JSON.parse(data) as Event;
      if (wanted(event.type, types)) yield event;
      onCursor?.(event.id);
    }
    signal?.throwIfAborted();
    await sleep(pauseMs(failures), signal);
  }
}

/** A message until it is settled: each change, and its reply while it is written. */
export async function* followMessage(
  http: Http,
  to: string,
  settled: (message: Message) => boolean,
  signal?: AbortSignal,
): AsyncGenerator<MessageUpdate, void> {
  for (let failures = 0; ; failures++) {
    let text = '';
    for await (const { event, data } of connection(http, to, {}, signal)) {
      failures = 0;
      if (event === 'delta') {
        const delta = JSON.parse(data) as { readonly at: number; readonly text: string };
        text = text.slice(0, delta.at) + delta.text;
        yield { type: 'draft', text };
      } else if (event === 'message') {
        const message = JSON.parse(data) as Message;
        yield { type: 'message', message };
        if (settled(message)) return;
      }
    }
    signal?.throwIfAborted();
    await sleep(pauseMs(failures), signal);
  }
}
