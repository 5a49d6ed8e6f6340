import { MailroomError } from './error.js';
import { path } from './http.js';
/** Seconds of one request, less than proxies let pass without an answer. */
const REQUEST_S = 55;
const TIMEOUT_MS = 60_000;
/** Waits for a message that an address receives, in as many requests as it takes. MailroomError `timeout`. */
export async function waitForMessage(http, address, options) {
    const { signal, timeoutMs = TIMEOUT_MS, after, ...filter } = options;
    const until = Date.now() + timeoutMs;
    let from = after instanceof Date ? after.toISOString() : after;
    for (;;) {
        const wait = Math.min(REQUEST_S, Math.max(0, Math.ceil((until - Date.now()) / 1000)));
        const body = { ...filter, wait, ...(from !== undefined && { after: from }) };
        const exchange = { signal, timeoutMs: (wait + TIMEOUT_MS / 1000) * 1000 };
        const response = await http.raw('POST', path `mailboxes/${address}/wait`, { body }, exchange);
        const { message, ...found } = (await response.json());
        if (message !== null)
            return { message: message, ...found };
        if (Date.now() >= until)
            throw new MailroomError(`${address} received no such message within ${timeoutMs / 1000} s.`, { code: 'timeout' });
        // The service's own time, in whole seconds, at which it had found none.
        from ??= new Date(response.headers.get('date') ?? Date.now()).toISOString();
    }
}
