import type { Behavior, Outcome } from '@mailroom/behavior';
import type { Status } from '@mailroom/behavior/message';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import type { Json } from '@mailroom/behavior/values/json';
import type { Mailbox, NewMailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Settlement } from '../ports/messages.ts';
import { callsFor } from './caller-of.ts';
import { type OnError, Runner } from './run.ts';
import type { Run } from './running.ts';
import { compose, guestSubmission } from './submission.ts';

/** A mailbox that may never be created, and a message to it. */
export interface PreviewRequest {
  readonly namespace: string;
  readonly mailbox: NewMailbox;
  readonly body: string;
  /** The caller that it counts for, as of `callerOf`. */
  readonly caller?: string | undefined;
}

/** The result of a preview. */
export interface Previewed {
  /** The mailbox as it would be created. */
  readonly mailbox: Mailbox;
  /** The message with its result, as it would be stored. */
  readonly message: Message;
  readonly status: Extract<Status, 'completed' | 'input_required' | 'rejected' | 'failed'>;
  /** The reply, null when there is none. */
  readonly body: string | null;
  readonly data: Json;
  /** Why there is no reply. */
  readonly detail: string | null;
  readonly took_ms: Millis;
}

export interface PreviewOptions {
  /** Maximum bytes of a message. */
  readonly max_body: number;
  /** Maximum bytes of a reply; as of `Runner`. */
  readonly max_reply?: number;
  /** How long a behavior may take. Default 20 s. */
  readonly run_ms?: Millis;
  /** Called with what a behavior throws. */
  readonly onError?: OnError;
}

/** Creates a mailbox object as the registry would, and stores nothing. */
type Maker = { newMailbox(namespace: Namespace, wanted: NewMailbox): Mailbox };

/** Nothing of a preview is stored, so it has no claim and no use of the service. */
class PreviewRun implements Run {
  readonly signal: AbortSignal;
  readonly again = false;
  readonly slot = undefined;
  readonly progress = undefined;
  readonly context = undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  claim(): Promise<never> {
    return Promise.reject(new Error('A preview is not stored.'));
  }
}

/** Runs a behavior for a person who is still choosing its settings. Nothing is stored. */
export class Preview {
  readonly #maker: Maker;
  readonly #runner: Runner;
  readonly #clock: Clock;
  /** Maximum bytes of a message. */
  readonly max_body: number;
  readonly #run_ms: Millis;

  constructor(
    parts: { readonly registry: Maker; readonly behaviors: readonly Behavior[]; readonly clock: Clock },
    { max_body, max_reply, run_ms = 20 * SECOND, onError = () => {} }: PreviewOptions,
  ) {
    this.#maker = parts.registry;
    this.#runner = new Runner(parts.behaviors, parts.clock, onError, max_reply);
    this.#clock = parts.clock;
    this.max_body = max_body;
    this.#run_ms = run_ms;
  }

  /**
   * The mailbox as it would be created, checked as the registry checks it. AppError `validation_error`, with pointers as
   * of `POST /api/v1/namespaces/{name}/mailboxes`.
   */
  mailbox({ namespace: name, mailbox }: Pick<PreviewRequest, 'namespace' | 'mailbox'>): Mailbox {
    const now = this.#clock();
    const namespace = { id: newId('ns', now), name, display_name: null, created_at: now, deleted_at: null };
    return this.#maker.newMailbox(namespace, mailbox);
  }

  /**
   * Always ends with an outcome, `failed` when the behavior takes too long. AppError as of `mailbox`, and
   * `body_too_large`.
   */
  async run(wanted: PreviewRequest, gone?: AbortSignal): Promise<Previewed> {
    const { body, caller } = wanted;
    if (body.trim() === '') throw invalid('/body', 'Write a message first.');
    const bytes = Buffer.byteLength(body);
    if (bytes > this.max_body) {
      const message = `This has ${bytes} bytes; ${this.max_body} are allowed.`;
      throw new AppError('body_too_large', message, { errors: [{ pointer: '/body', message }] });
    }
    const mailbox = this.mailbox(wanted);
    const message = this.#message(mailbox, body, caller);
    const began = performance.now();
    const outcome = await this.#outcome(message, mailbox, gone);
    const took_ms = performance.now() - began;
    const settled = this.#settlement(outcome, message, mailbox);
    const settled_at = message.created_at + Math.round(took_ms);
    return {
      mailbox,
      message: { ...message, ...settled, settled_at },
      status: settled.status as Previewed['status'],
      body: settled.reply?.body ?? null,
      data: settled.reply?.data == null ? null : (JSON.parse(settled.reply.data) as Json),
      detail: settled.error_message,
      took_ms,
    };
  }

  /** A preview has no later attempt, so a retry counts as a failure. */
  #settlement(outcome: Outcome, message: Message, mailbox: Mailbox): Settlement {
    const settled = this.#runner.settlement(outcome, message, mailbox);
    if (!('kind' in settled)) return settled;
    const detail =
      settled.kind !== 'wait'
        ? settled.detail
        : settled.for === 'answer'
          ? 'Your own program, or you, will answer this. A preview has no answer.'
          : 'You would be asked to approve this first.';
    return this.#runner.settlement({ kind: 'fail', detail }, message, mailbox) as Settlement;
  }

  /** The outcome of the behavior, or a failure at the time limit, whether or not it heeds its signal. */
  async #outcome(message: Message, mailbox: Mailbox, gone?: AbortSignal): Promise<Outcome> {
    const ended = new AbortController();
    const late = Promise.withResolvers<Outcome>();
    const end = (detail: string) => (): void => {
      ended.abort();
      late.resolve({ kind: 'fail', detail });
    };
    const timer = setTimeout(end(`It took longer than ${this.#run_ms / SECOND} s.`), this.#run_ms);
    const hangUp = end('The caller is no longer waiting for it.');
    if (gone?.aborted) hangUp();
    gone?.addEventListener('abort', hangUp, { once: true });
    try {
      return await Promise.race([late.promise, this.#runner.handle(message, mailbox, new PreviewRun(ended.signal))]);
    } finally {
      clearTimeout(timer);
      gone?.removeEventListener('abort', hangUp);
    }
  }

  #message(mailbox: Mailbox, body: string, caller: string | undefined): Message {
    const to = { local: mailbox.local_part, namespace: mailbox.namespace, tag: null };
    const submission = guestSubmission({
      to,
      body,
      thread_id: null,
      channel: 'web',
      idempotency: undefined,
      network: null,
    });
    const message: Message = { ...compose(submission, mailbox, this.#clock(), undefined), status: 'working' };
    if (caller !== undefined) callsFor(message, caller);
    return message;
  }
}
