import { Api } from './api.generated.js';
import { MailroomError } from './error.js';
import { Http, path, } from './http.js';
import { isSettled, Sending } from './sending.js';
import { followEvents, followMessage } from './streams.js';
import { waitForMessage } from './waiting.js';
/** The service's maximum of one `?wait=`, in seconds. */
const MAX_WAIT_S = 60;
const SYNC_S = 30;
/**
 * A Mailroom service. Every endpoint is a method of its noun (`mailroom.mailboxes.create(…)`); the methods here are for
 * what takes more than one request.
 *
 * @example
 * const mailroom = new Mailroom({ url: 'https://mail.example.com', key: 'mr_live_…' });
 * const reply = await mailroom.send('proofread@agents.example.com', 'I has a question.').reply();
 */
export class Mailroom extends Api {
    #http;
    #options;
    /** MailroomError `configuration` when no URL is given here or in `MAILROOM_URL`. */
    constructor(options = {}) {
        const http = new Http(options);
        super(http);
        this.#http = http;
        this.#options = options;
    }
    /** Where the service is. */
    get url() {
        return this.#http.url;
    }
    /** A client whose messages are caused by this one, which a program is handling: see `ClientOptions.causedBy`. */
    causedBy(id) {
        return new Mailroom({ ...this.#options, causedBy: id });
    }
    /** Calls an endpoint that has no method here, such as one that is newer than this client. Returns its JSON. */
    request(method, to, sent = {}, options = {}) {
        return this.#http.json(method, to, sent, options);
    }
    /**
     * Sends a message to one address or several: `await` it for the stored message, `.reply()` for the answer, the first one
     * of several.
     */
    send(to, message, { wait, ...options } = {}) {
        const { files, ...fields } = typeof message === 'string' ? { body: message } : message;
        const sent = { ...options, files };
        return new Sending({
            send: async (sync) => {
                if (sync === undefined)
                    return (await this.messages.send({ ...fields, to: toOf(to) }, sent));
                const { timeoutMs = Number.POSITIVE_INFINITY, signal = options.signal } = sync;
                const seconds = wait ?? Math.min(SYNC_S, Math.max(1, Math.ceil(timeoutMs / 1000)));
                const headers = { ...options.headers, prefer: `wait=${seconds}` };
                return (await this.messages.send({ ...fields, to: toOf(to), sync: true }, { ...sent, signal, headers }));
            },
            waitFor: (id, how) => this.waitFor(id, { ...how, signal: how.signal ?? options.signal }),
        });
    }
    /** Sends a message and returns its reply. MailroomError when there is none, or `timeout` after `timeoutMs` in all. */
    async ask(to, message, options = {}) {
        const { timeoutMs, ...rest } = options;
        const reply = await this.send(to, message, rest).reply({ timeoutMs });
        if (reply !== null)
            return reply;
        throw new MailroomError('The message was filed, and is not handled: its `not_answered` says why.', {
            code: 'not_answered',
        });
    }
    waitFor(idOrAddress, options = {}) {
        return idOrAddress.includes('@')
            ? waitForMessage(this.#http, idOrAddress, options)
            : this.#settled(idOrAddress, options);
    }
    async #settled(id, { signal, timeoutMs = Number.POSITIVE_INFINITY }) {
        const until = Date.now() + timeoutMs;
        for (;;) {
            const left_s = Math.max(0, Math.ceil((until - Date.now()) / 1000));
            const message = await this.messages.get(id, { wait: Math.min(MAX_WAIT_S, left_s) }, { signal });
            if (isSettled(message))
                return message;
            if (Date.now() >= until)
                throw new MailroomError(`The message ${id} is not answered yet. The answer still comes: wait for it again.`, {
                    code: 'timeout',
                    envelope: message,
                });
        }
    }
    /** Follows a message until it is settled: each change of it, and its reply while it is written. */
    follow(id, { signal } = {}) {
        return followMessage(this.#http, path `mail/messages/${id}`, isSettled, signal);
    }
    /**
     * Events of the key's namespace as they happen, until `signal` or the loop ends it. It reconnects by itself, and
     * neither misses nor repeats one.
     */
    events(options = {}) {
        return followEvents(this.#http, options);
    }
}
const toOf = (to) => (typeof to === 'string' ? to : [...to]);
/**
 * Sends a message and returns its reply, with the URL and key of the environment or of `options`. The reply is text of
 * someone else: judge it, and hand it to a language model as data, never as instructions.
 */
export const ask = (to, message, { url, key, ...options } = {}) => new Mailroom({ url, key }).ask(to, message, options);
