import { MailroomError } from './error.js';
const SETTLED = new Set(['completed', 'input_required', 'failed', 'canceled', 'rejected']);
/** Whether the message has its final status; a question (`input_required`) is one. */
export const isSettled = ({ status }) => SETTLED.has(status);
/**
 * The reply of a settled message; null where it was filed and is not handled (`not_answered`), MailroomError with the
 * message's own code where it has none for another reason.
 */
export function replyOf(message) {
    const { status, reply, error, not_answered: notAnswered } = message;
    if (reply === null && notAnswered !== undefined && notAnswered !== null)
        return null;
    if (reply !== null && (status === 'completed' || status === 'input_required'))
        return reply;
    throw new MailroomError(error?.message ?? reply?.body ?? `The message ${message.id} is ${status}.`, {
        code: error?.code ?? status,
        envelope: message,
    });
}
/**
 * A message on its way: `await` it for the stored message, or `.reply()` for the answer. It is sent in either case, once.
 */
export class Sending {
    #sender;
    #sent;
    constructor(sender) {
        this.#sender = sender;
        // Later than a `reply()` in the same expression, which sends and waits in one exchange.
        queueMicrotask(() => void this.#start());
    }
    #start(sync) {
        this.#sent ??= this.#sender.send(sync);
        return this.#sent;
    }
    /** The reply, however long it takes; a question (`input_required`) is one. MailroomError when there will be none. */
    async reply(options = {}) {
        return replyOf(await this.settled(options));
    }
    /** The message once it is settled, whatever its status. */
    async settled(options = {}) {
        const began = Date.now();
        const message = await this.#start(options);
        if (isSettled(message))
            return message;
        const { timeoutMs } = options;
        const left = timeoutMs === undefined ? undefined : Math.max(0, timeoutMs - (Date.now() - began));
        return this.#sender.waitFor(message.id, { ...options, timeoutMs: left });
    }
    then(done, failed) {
        return this.#start().then(done, failed);
    }
    catch(failed) {
        return this.#start().catch(failed);
    }
}
