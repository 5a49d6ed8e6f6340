import { MailroomError } from './error.ts';
import type { Message, Reply } from './types.generated.ts';

/** How to wait for a message. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until a `MailroomError` `timeout` is thrown; without it the wait has no end. */
  readonly timeoutMs?: number | undefined;
}

const SETTLED: ReadonlySet<string> = new Set(['completed', 'input_required', 'failed', 'canceled', 'rejected']);

/** Whether the message has its final status; a question (`input_required`) is one. */
export const isSettled = ({ status }: Pick<Message, 'status'>): boolean => SETTLED.has(status);

/**
 * The reply of a settled message; null where it was filed and is not handled (`not_answered`), MailroomError with the
 * message's own code where it has none for another reason.
 */
export function replyOf(message: Message): Reply | null {
  const { status, reply, error, not_answered: notAnswered } = message;
  if (reply === null && notAnswered !== undefined && notAnswered !== null) return null;
  if (reply !== null && (status === 'completed' || status === 'input_required')) return reply;
  throw new MailroomError(error?.message ?? reply?.body ?? `The message ${message.id} is ${status}.`, {
    code: error?.code ?? status,
    envelope: message,
  });
}

/** What a `Sending` needs of the client. */
interface Sender {
  /** Sends it; with `sync` it waits for the reply within the exchange, so long. */
  send(sync?: WaitOptions): Promise<Message>;
  waitFor(id: string, options: WaitOptions): Promise<Message>;
}

/**
 * A message on its way: `await` it for the stored message, or `.reply()` for the answer. It is sent in either case, once.
 */
export class Sending implements PromiseLike<Message> {
  readonly #sender: Sender;
  #sent: Promise<Message> | undefined;

  constructor(sender: Sender) {
    this.#sender = sender;
    // Later than a `reply()` in the same expression, which sends and waits in one exchange.
    queueMicrotask(() => void this.#start());
  }

  #start(sync?: WaitOptions): Promise<Message> {
    this.#sent ??= this.#sender.send(sync);
    return this.#sent;
  }

  /** The reply, however long it takes; a question (`input_required`) is one. MailroomError when there will be none. */
  async reply(options: WaitOptions = {}): Promise<Reply | null> {
    return replyOf(await this.settled(options));
  }

  /** The message once it is settled, whatever its status. */
  async settled(options: WaitOptions = {}): Promise<Message> {
    const began = Date.now();
    const message = await this.#start(options);
    if (isSettled(message)) return message;
    const { timeoutMs } = options;
    const left = timeoutMs === undefined ? undefined : Math.max(0, timeoutMs - (Date.now() - began));
    return this.#sender.waitFor(message.id, { ...options, timeoutMs: left });
  }

  then<A = Message, B = never>(
    done?: ((message: Message) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#start().then(done, failed);
  }

  catch<B = never>(failed: (error: unknown) => B | PromiseLike<B>): Promise<Message | B> {
    return this.#start().catch(failed);
  }
}
