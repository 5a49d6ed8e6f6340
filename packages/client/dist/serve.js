import { AnswerBatcher } from './answer-batch.js';
import { MailroomError } from './error.js';
import { pauseMs } from './http.js';
import { Mailroom } from './mailroom.js';
import { areRepeatable } from './multipart.js';
import { sleep } from './sleep.js';
/** Calls that are open at a time, so that a message finds one while another brings messages. */
const CALLS = 2;
/** The pause before the next call of a program that handles several messages at a time. */
const GATHER_MS = 1;
/** Compressing texts this short takes longer than sending them. Browsers leave the header out. */
const PLAIN = { 'accept-encoding': 'identity' };
const WAIT_S = 30;
/** A claim that took longer was lost on the way. */
const CLAIM_MS = (WAIT_S + 15) * 1000;
/** At a stop the open claim has this long, because messages that are on their way would wait for their lease to end. */
const STOP_CLAIM_MS = 250;
const HANDLER_MS = 15 * 60_000;
const STOP_MS = 30_000;
/** Times that a message is tried by this program before it is answered as failed. */
const MAX_TRIES = 3;
/** Seconds until a message that failed is handed out again; four times as long after each failure. */
const RETRY_S = 5;
/** The text of a reply that is being written is sent at this interval. */
const DRAFT_MS = 300;
/** Characters of a progress. */
const MAX_PROGRESS = 200;
/** An empty answer that came sooner was no wait, and must not become a busy loop. */
const MIN_CLAIM_MS = 1_000;
/**
 * Answers the messages of an address with a function, until it is stopped: claims them, keeps the claims alive while the
 * handler works, reconnects, and at the end finishes what it holds. MailroomError when the address cannot be served.
 *
 * @example
 * await serve('echo@ada.mailroom.localhost', async (message) => `You wrote: ${message.body}`);
 */
export async function serve(address, handler, options = {}) {
    const stop = new AbortController();
    const forget = onSignals(() => stop.abort(), options);
    try {
        await new Agent(address, handler, options, stop.signal).run();
    }
    finally {
        forget();
    }
}
/** Calls `stop` for the end of the process or of the caller's signal; returns what undoes it. */
function onSignals(stop, { signal, handleSignals = true }) {
    const { process } = globalThis;
    const names = handleSignals && process?.off !== undefined ? ['SIGINT', 'SIGTERM'] : [];
    const forget = () => {
        for (const name of names)
            process?.off?.(name, end);
        signal?.removeEventListener('abort', end);
    };
    const end = () => {
        // A second signal then ends the process as usual.
        forget();
        stop();
    };
    for (const name of names)
        process?.on?.(name, end);
    if (signal?.aborted === true)
        end();
    else
        signal?.addEventListener('abort', end);
    return forget;
}
/** Whether repeating a call may help: the network, or a service that is busy or stopping. */
const isPassing = (error) => error instanceof MailroomError &&
    (error.code === 'network_error' || error.code === 'timeout' || error.status === 429 || (error.status ?? 0) >= 500);
/** Whether the claim is over: it was taken, or the message is settled or gone. */
const isLost = (error) => error instanceof MailroomError && [404, 409, 410].includes(error.status ?? 0);
class Agent {
    #address;
    #handler;
    #options;
    #mailroom;
    #stop;
    #lease_s;
    #concurrency;
    #together;
    #running = new Map();
    /** Messages that open calls may bring. */
    #asked = 0;
    /** Called when a message is done. */
    #ends = new Set();
    /** How often each message failed here. */
    #failures = new Map();
    constructor(address, handler, options, stop) {
        this.#address = address;
        this.#handler = handler;
        this.#options = options;
        this.#mailroom = options.mailroom ?? new Mailroom(options);
        this.#stop = stop;
        this.#lease_s = options.leaseSeconds ?? 60;
        this.#concurrency = options.concurrency ?? 1;
        this.#together = new AnswerBatcher(this.#mailroom, address, PLAIN);
    }
    async run() {
        const late = new AbortController();
        const stopping = () => void setTimeout(() => late.abort(), STOP_CLAIM_MS);
        if (this.#stop.aborted)
            return;
        this.#stop.addEventListener('abort', stopping, { once: true });
        // What ends one call for good ends the others.
        const calls = Array.from({ length: Math.min(CALLS, this.#concurrency) }, (_, at) => this.#claim(late.signal, at === 0 ? this.#options.onReady : undefined).catch((error) => {
            late.abort();
            throw error;
        }));
        const ended = await Promise.allSettled(calls);
        this.#stop.removeEventListener('abort', stopping);
        await this.#finish();
        for (const one of ended)
            if (one.status === 'rejected')
                throw one.reason;
    }
    /** Asks for messages until it is stopped, one call after the other, each for its share of what can be handled. */
    async #claim(late, onReady) {
        // A first claim that waits for nothing shows that the address is online.
        let ready = onReady;
        const share = Math.min(64, Math.ceil(this.#concurrency / CALLS));
        for (let failures = 0; !this.#stop.aborted && !late.aborted;) {
            const max = Math.min(share, this.#concurrency - this.#running.size - this.#asked);
            if (max <= 0) {
                await this.#oneEnds();
                continue;
            }
            this.#asked += max;
            try {
                const began = Date.now();
                const wanted = { max, wait: ready === undefined ? WAIT_S : 0, lease_seconds: this.#lease_s };
                const options = { signal: late, timeoutMs: CLAIM_MS, headers: PLAIN };
                const { items } = await this.#mailroom.answers.claim(this.#address, wanted, options);
                for (const item of items)
                    this.#start(item);
                failures = 0;
                if (ready !== undefined) {
                    ready();
                    ready = undefined;
                }
                else if (items.length === 0 && Date.now() - began < MIN_CLAIM_MS)
                    await sleep(MIN_CLAIM_MS, this.#stop);
            }
            catch (error) {
                if (this.#stop.aborted || late.aborted)
                    break;
                if (!isPassing(error))
                    throw error;
                this.#failed(error);
                await sleep(Math.max(pauseMs(failures++), (error.retry_after ?? 0) * 1000), this.#stop).catch(() => { });
            }
            finally {
                this.#asked -= max;
            }
            // Answers go first, and what they make room for is asked for together.
            if (this.#concurrency > 1)
                await sleep(GATHER_MS);
        }
    }
    /** Resolves when a message is done, or at the stop. */
    #oneEnds() {
        return new Promise((resolve) => {
            const end = () => {
                this.#stop.removeEventListener('abort', end);
                this.#ends.delete(end);
                resolve();
            };
            this.#ends.add(end);
            this.#stop.addEventListener('abort', end);
            if (this.#stop.aborted)
                end();
        });
    }
    /** Waits for what is held; what takes too long is given back. */
    async #finish() {
        const { stopMs = STOP_MS } = this.#options;
        const late = setTimeout(() => {
            for (const over of this.#running.values())
                over.abort(new Error('The program stops.'));
        }, stopMs);
        await Promise.all(this.#running.keys());
        clearTimeout(late);
    }
    #failed(error, message) {
        const { onError = report } = this.#options;
        onError(error, message);
    }
    #start(item) {
        const over = new AbortController();
        const run = this.#handle(item, over).catch((error) => this.#failed(error, item.message));
        const ended = run.finally(() => {
            this.#running.delete(ended);
            for (const end of this.#ends)
                end();
        });
        this.#running.set(ended, over);
    }
    /** Handles one message from its claim to its answer. */
    async #handle(item, over) {
        const { handlerMs = HANDLER_MS } = this.#options;
        const late = setTimeout(() => over.abort(new Error(`The handler took longer than ${handlerMs / 1000} s.`)), handlerMs);
        const lost = new AbortController();
        const heartbeat = this.#keepLease(item, lost);
        lost.signal.addEventListener('abort', () => over.abort(lost.signal.reason), { once: true });
        let answering = false;
        try {
            const reply = await this.#reply(item, over.signal);
            clearTimeout(late);
            answering = true;
            await this.#answer(item, reply, lost.signal);
            this.#failures.delete(item.message.id);
        }
        catch (error) {
            this.#failed(error, item.message);
            // Before, such an error is about what the handler asked for.
            if (!lost.signal.aborted && !(answering && isLost(error)))
                await this.#release(item);
        }
        finally {
            clearTimeout(late);
            clearInterval(heartbeat);
        }
    }
    /** Renews the lease three times in its length; aborts `lost` when it is gone. */
    #keepLease(item, lost) {
        return setInterval(() => {
            this.#report(item, {}, lost.signal).catch((error) => {
                if (isLost(error))
                    lost.abort(error);
                else if (!lost.signal.aborted)
                    this.#failed(error, item.message);
            });
        }, (this.#lease_s * 1000) / 3);
    }
    async #report({ message, claim }, progress, signal) {
        const lease = { claim, lease_seconds: this.#lease_s };
        await this.#mailroom.answers.progress(message.id, { ...lease, ...progress }, { signal });
    }
    /** What the handler returns, as a reply. Throws what it throws, and when `signal` is aborted before. */
    async #reply(item, signal) {
        let caused;
        const mailroom = () => (caused ??= this.#mailroom.causedBy(item.message.id));
        const context = {
            thread: item.thread,
            signal,
            get mailroom() {
                return mailroom();
            },
            progress: (text) => this.#report(item, text === '' ? {} : { text: begin(text, MAX_PROGRESS) }, signal),
            draft: (text) => this.#report(item, { draft: begin(text) }, signal),
            ask: (to, message, options) => mailroom().ask(to, message, { signal, ...options }),
        };
        const aborted = new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        const handled = (async () => {
            const result = await this.#handler(item.message, context);
            return isText(result) ? await this.#written(result, context) : result;
        })();
        const result = await Promise.race([handled, aborted]);
        const reply = typeof result === 'string' ? { body: result } : result;
        if (typeof reply?.body === 'string' && reply.body !== '')
            return reply;
        const { status, error } = reply ?? {};
        if (status !== 'failed' && status !== 'rejected')
            throw new TypeError('The handler must return a text that is not empty, or an object with such a text as `body`.');
        // Whether an error says enough is for the service to decide.
        if (error === undefined || error === '')
            throw new TypeError(`A reply with the status "${status}" needs an \`error\` that says why, or a \`body\`.`);
        return reply;
    }
    /** A text that comes in pieces; the sender sees it grow. */
    async #written(pieces, context) {
        let text = '';
        let draftTime = Date.now();
        const reading = pieces[Symbol.asyncIterator]();
        try {
            for (;;) {
                const { done, value } = await reading.next();
                if (done === true)
                    return { ...value, body: text };
                context.signal.throwIfAborted();
                if (typeof value !== 'string')
                    throw new TypeError('The pieces of a reply must be texts.');
                text += value;
                if (Date.now() - draftTime < DRAFT_MS)
                    continue;
                draftTime = Date.now();
                // A draft that is not shown is no reason to lose the reply.
                await context.draft(text).catch((error) => this.#failed(error));
            }
        }
        catch (error) {
            // It ends what it had begun, as a loop that is left does.
            await reading.return?.().catch(() => { });
            throw error;
        }
    }
    /** Answers, as often as it takes while the claim is held. */
    async #answer(item, reply, lost) {
        const { files, ...fields } = reply;
        // An answer that is repeated under its claim adds nothing, so only files need a key that says that they are the same.
        const idempotencyKey = files === undefined ? null : crypto.randomUUID();
        const options = { files, idempotencyKey, signal: lost, headers: PLAIN };
        for (let failures = 0;; failures++) {
            try {
                if (files === undefined && (await this.#answerTogether(item, fields)))
                    return;
                const answered = await this.#mailroom.answers.answer(item.message.id, { ...fields, claim: item.claim }, options);
                this.#options.onAnswer?.(answered);
                return;
            }
            catch (error) {
                // A stream was read and cannot be sent again, so the message is handled again.
                if (!isPassing(error) || this.#stop.aborted || !areRepeatable(files ?? []))
                    throw error;
                this.#failed(error, item.message);
                await sleep(pauseMs(failures), lost);
            }
        }
    }
    /** Answers it with others that are ready now; false when it has to be answered alone. */
    async #answerTogether({ message: { id }, claim }, fields) {
        // The answer to a request of its own has the message that `onAnswer` is called with.
        const alone = this.#running.size === 1 || this.#options.onAnswer !== undefined || !AnswerBatcher.takes(fields);
        return !alone && (await this.#together.send({ message_id: id, claim, ...fields }));
    }
    /** Gives a failed message back; one that failed too often is answered as failed. */
    async #release(item) {
        const { id } = item.message;
        // At the stop it is no failure of the message.
        const tries = this.#stop.aborted ? 0 : (this.#failures.get(id) ?? 0) + 1;
        if (tries > 0)
            this.#failures.set(id, tries);
        if (tries < MAX_TRIES) {
            const after_seconds = tries === 0 ? 0 : RETRY_S * 4 ** (tries - 1);
            await this.#mailroom.answers.release(id, { claim: item.claim, after_seconds });
            return;
        }
        this.#failures.delete(id);
        // Its own words may hold what is not for the sender.
        const text = 'The program behind this address failed.';
        await this.#mailroom.answers.answer(id, { claim: item.claim, status: 'failed', error: text });
    }
}
/** The text up to `max` UTF-16 units, without the half of a character at its end. */
const begin = (text, max) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
const isText = (result) => typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
/** What the service says is for people; what a handler throws has its place in the program. */
const report = (error) => console.error(error instanceof MailroomError ? error.message : error);
