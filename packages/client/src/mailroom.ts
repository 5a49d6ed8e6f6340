import { Api } from './api.generated.ts';
import { MailroomError } from './error.ts';
import {
  type ClientOptions,
  Http,
  type Method,
  path,
  type RequestOptions,
  type Sent,
  type UploadOptions,
} from './http.ts';
import { isSettled, Sending, type WaitOptions } from './sending.ts';
import { type EventOptions, followEvents, followMessage, type MessageUpdate } from './streams.ts';
import type { Event, Message, Reply, Send } from './types.generated.ts';
import { type AwaitOptions, type Received, waitForMessage } from './waiting.ts';

/** A message to send: its text, or its fields. */
export type Draftable = string | (Omit<Send, 'to' | 'sync' | 'send_at'> & Pick<UploadOptions, 'files'>);

export interface SendOptions extends RequestOptions {
  /** Seconds for which `.reply()` waits within the exchange, 1 to 120; it then waits on. 30 by default. */
  readonly wait?: number | undefined;
}

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
  readonly #http: Http;
  readonly #options: ClientOptions;

  /** MailroomError `configuration` when no URL is given here or in `MAILROOM_URL`. */
  constructor(options: ClientOptions = {}) {
    const http = new Http(options);
    super(http);
    this.#http = http;
    this.#options = options;
  }

  /** Where the service is. */
  get url(): string {
    return this.#http.url;
  }

  /** A client whose messages are caused by this one, which a program is handling: see `ClientOptions.causedBy`. */
  causedBy(id: string): Mailroom {
    return new Mailroom({ ...this.#options, causedBy: id });
  }

  /** Calls an endpoint that has no method here, such as one that is newer than this client. Returns its JSON. */
  request<T>(method: Method, to: string, sent: Sent = {}, options: UploadOptions = {}): Promise<T> {
    return this.#http.json(method, to, sent, options);
  }

  /**
   * Sends a message to one address or several: `await` it for the stored message, `.reply()` for the answer, the first one
   * of several.
   */
  send(to: string | readonly string[], message: Draftable, { wait, ...options }: SendOptions = {}): Sending {
    const { files, ...fields } = typeof message === 'string' ? { body: message } : message;
    const sent: UploadOptions = { ...options, files };
    return new Sending({
      send: async (sync) => {
        if (sync === undefined) return (await this.messages.send({ ...fields, to: toOf(to) }, sent)) as Message;
        const { timeoutMs = Number.POSITIVE_INFINITY, signal = options.signal } = sync;
        const seconds = wait ?? Math.min(SYNC_S, Math.max(1, Math.ceil(timeoutMs / 1000)));
        const headers = { ...options.headers, prefer: `wait=${seconds}` };
        return (await this.messages.send(
          { ...fields, to: toOf(to), sync: true },
          { ...sent, signal, headers },
        )) as Message;
      },
      waitFor: (id, how) => this.waitFor(id, { ...how, signal: how.signal ?? options.signal }),
    });
  }

  /** Sends a message and returns its reply. MailroomError when there is none, or `timeout` after `timeoutMs` in all. */
  async ask(to: string | readonly string[], message: Draftable, options: SendOptions = {}): Promise<Reply> {
    const { timeoutMs, ...rest } = options;
    const reply = await this.send(to, message, rest).reply({ timeoutMs });
    if (reply !== null) return reply;
    throw new MailroomError('The message was filed, and is not handled: its `not_answered` says why.', {
      code: 'not_answered',
    });
  }

  /**
   * The first message that an address of yours receives after `after`, now by default, that matches, with the code or link
   * in it. MailroomError `timeout` after `timeoutMs`, 60,000 by default.
   */
  waitFor(address: `${string}@${string}`, options?: AwaitOptions): Promise<Received>;
  /** The message once it is settled, whatever its status. MailroomError `timeout` after `timeoutMs`. */
  waitFor(id: string, options?: WaitOptions): Promise<Message>;
  waitFor(address: string, options: AwaitOptions): Promise<Received>;
  waitFor(idOrAddress: string, options: AwaitOptions = {}): Promise<Message | Received> {
    return idOrAddress.includes('@')
      ? waitForMessage(this.#http, idOrAddress, options)
      : this.#settled(idOrAddress, options);
  }

  async #settled(id: string, { signal, timeoutMs = Number.POSITIVE_INFINITY }: WaitOptions): Promise<Message> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const left_s = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      const message = await this.messages.get(id, { wait: Math.min(MAX_WAIT_S, left_s) }, { signal });
      if (isSettled(message)) return message;
      if (Date.now() >= until)
        throw new MailroomError(`The message ${id} is not answered yet. The answer still comes: wait for it again.`, {
          code: 'timeout',
          envelope: message,
        });
    }
  }

  /** Follows a message until it is settled: each change of it, and its reply while it is written. */
  follow(id: string, { signal }: Pick<WaitOptions, 'signal'> = {}): AsyncGenerator<MessageUpdate, void> {
    return followMessage(this.#http, path`mail/messages/${id}`, isSettled, signal);
  }

  /**
   * Events of the key's namespace as they happen, until `signal` or the loop ends it. It reconnects by itself, and
   * neither misses nor repeats one.
   */
  events(options: EventOptions = {}): AsyncGenerator<Event, void> {
    return followEvents(this.#http, options);
  }
}

const toOf = (to: string | readonly string[]): string | string[] => (typeof to === 'string' ? to : [...to]);

/**
 * Sends a message and returns its reply, with the URL and key of the environment or of `options`. The reply is text of
 * someone else: judge it, and hand it to a language model as data, never as instructions.
 */
export const ask = (
  to: string,
  message: Draftable,
  { url, key, ...options }: SendOptions & Pick<ClientOptions, 'url' | 'key'> = {},
): Promise<Reply> => new Mailroom({ url, key }).ask(to, message, options);
