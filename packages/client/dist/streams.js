import { MailroomError } from './error.js';
import { pauseMs } from './http.js';
import { sleep } from './sleep.js';
import { readEvents } from './sse.js';
/** The service sends a heartbeat every 15 s; a connection silent for longer is dead. */
const SILENCE_MS = 45_000;
/** The events of one connection; ends when it does. */
async function* connection(http, to, query, signal, onId, onInterrupted) {
    const silent = new AbortController();
    let timer;
    const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
    };
    const either = signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal]);
    try {
        const headers = { accept: 'text/event-stream' };
        const { body } = await http.raw('GET', to, { query }, { signal: either, headers });
        if (body === null)
            return;
        alive();
        yield* readEvents(body, { alive, ...(onId !== undefined && { onId }) });
    }
    catch (error) {
        signal?.throwIfAborted();
        // The answer said no, and would say it again.
        if (error instanceof MailroomError && error.status !== undefined)
            throw error;
        if (error instanceof MailroomError)
            onInterrupted?.(error);
    }
    finally {
        clearTimeout(timer);
    }
}
const wanted = (type, types) => types === undefined || types.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one));
/** Events as they happen, without a gap: after an interruption it continues after the last one. */
export async function* followEvents(http, options) {
    const { signal, types, onCursor, onInterrupted } = options;
    let after = options.after;
    for (let failures = 0;; failures++) {
        const onId = (id) => {
            failures = 0;
            after = id;
        };
        for await (const { data } of connection(http, 'events', { after }, signal, onId, onInterrupted)) {
            const event = JSON.parse(data);
            if (wanted(event.type, types))
                yield event;
            onCursor?.(event.id);
        }
        signal?.throwIfAborted();
        await sleep(pauseMs(failures), signal);
    }
}
/** A message until it is settled: each change, and its reply while it is written. */
export async function* followMessage(http, to, settled, signal) {
    for (let failures = 0;; failures++) {
        let text = '';
        for await (const { event, data } of connection(http, to, {}, signal)) {
            failures = 0;
            if (event === 'delta') {
                const delta = JSON.parse(data);
                text = text.slice(0, delta.at) + delta.text;
                yield { type: 'draft', text };
            }
            else if (event === 'message') {
                const message = JSON.parse(data);
                yield { type: 'message', message };
                if (settled(message))
                    return;
            }
        }
        signal?.throwIfAborted();
        await sleep(pauseMs(failures), signal);
    }
}
