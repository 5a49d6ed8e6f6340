import type { Behavior } from '@mailroom/behavior';
import { type Clock, DAY, HOUR, type Millis, rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import type { Disclosure } from '../access/disclosure.ts';
import type { Delivery } from '../entities/delivery.ts';
import { messageIds } from '../entities/event.ts';
import { marksIn } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { envelopeText, threadItems } from '../entities/message-view.ts';
import { addAttachments } from '../files/asked-files.ts';
import type { Uploads } from '../files/uploads.ts';
import { ownedDestination } from '../outgoing/delivery-slots.ts';
import type { PushDisabled } from '../outgoing/owner-notices.ts';
import { UNREADABLE } from '../outgoing/webhook-kind.ts';
import type { AgentWebhook } from '../ports/agent-webhooks.ts';
import type { AnswerClaim } from '../ports/answers.ts';
import type { DeliveryKind, DeliveryResult } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import type { WebhookClient, WebhookResponse } from '../ports/webhook-client.ts';
import type { Answer } from './answer.ts';
import { type AnswerFields, answerOf } from './answer-fields.ts';
import type { AnswerQueue } from './answer-queue.ts';
import type { Answering } from './answering.ts';

export interface PushParts {
  readonly store: Pick<Store, 'agentWebhooks' | 'answers' | 'mailboxes' | 'messages'>;
  readonly answering: Pick<Answering, 'answer' | 'earlier'>;
  readonly queue: Pick<AnswerQueue, 'announce'>;
  readonly uploads: Pick<Uploads, 'begin'>;
  readonly directory: Pick<Directory, 'changed'>;
  readonly disclosure: Pick<Disclosure, 'isLimitedMailbox'>;
  readonly behaviors: readonly Behavior[];
  readonly webhookClient: Pick<WebhookClient, 'post'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Where the API is reached from outside. */
  readonly baseUrl: () => string;
  /** The fields in JSON text. AppError `malformed_json`, `validation_error`. */
  readonly readAnswer: (text: string) => AnswerFields;
  /** Maximum bytes of a response, attachments included, and of `data`. */
  readonly max_answer: number;
  readonly max_data: number;
  /** Called when a webhook refused a message, with the beginning of its response. */
  readonly onRefused: (message: Message, status: number, text: string) => void;
  /** Called once when a webhook was switched off. */
  readonly onDisabled: (disabled: PushDisabled) => void;
}

/** Maximum number of pushes in progress on a node. */
const MAX_PUSHES = 256;
/** Longer than an attempt of the webhook client, which says more about what failed. */
const ATTEMPT_MS: Millis = 20 * SECOND;
/** While it is pushed, no claim gets the message. */
const CLAIM_MS: Millis = ATTEMPT_MS + 5 * SECOND;
/** A webhook that failed this long is switched off. */
const MAX_FAILING_MS: Millis = 5 * DAY;
/** A sender waits for the answer, so a webhook that asks for a longer pause is tried again after this time. */
const MAX_RETRY_AFTER_MS: Millis = HOUR;
/** Maximum characters of the earlier messages that are sent along; the oldest are left out first. */
const MAX_THREAD = 512 * 1024;
const MAX_THREAD_ITEMS = 20;
/** How much of the text of a refusal is logged. */
const MAX_LOGGED = 500;

const REFUSED = 'The program behind this address refused the message.';
const TEXTS: ReadonlySet<string> = new Set(['text/plain', 'text/markdown']);
/** The message was answered or canceled meanwhile, or is gone. */
const OVER: ReadonlySet<string> = new Set(['claim_lost', 'not_waiting', 'message_not_found', 'mailbox_gone']);
const SENT: DeliveryResult = { kind: 'sent' };
/** Nothing was sent, and nothing is to be. */
const DROPPED: DeliveryResult = { kind: 'dropped' };

/** How a webhook's response is to be taken. */
type Reading =
  | { readonly kind: 'answer'; readonly fields: AnswerFields }
  | { readonly kind: 'later' }
  | { readonly kind: 'gone'; readonly reason: string }
  /** `text` is for the log only. */
  | { readonly kind: 'refused'; readonly status: number; readonly text: string }
  | Failed;

interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
  readonly retry_after_ms?: Millis | undefined;
}

/** A message that is pushed, and what is needed for it. */
interface Push {
  readonly message: Message;
  readonly mailbox: Mailbox;
  readonly url: string;
  readonly webhook: AgentWebhook;
  readonly claim: AnswerClaim;
}

/**
 * Pushes messages to the webhooks of their mailboxes. Each attempt claims its message, so that no program that asks for
 * messages works on it too; the response answers it as any answer under a claim.
 */
export class AgentPush implements DeliveryKind {
  readonly name = 'agent';
  readonly max = MAX_PUSHES;
  readonly attempt_ms = ATTEMPT_MS;
  readonly keeps = false;
  readonly #parts: PushParts;
  readonly #behaviors: ReadonlyMap<string, Behavior>;

  constructor(parts: PushParts) {
    this.#parts = parts;
    this.#behaviors = new Map(parts.behaviors.map((behavior) => [behavior.name, behavior]));
  }

  logged(mailboxId: string): string {
    return mailboxId;
  }

  async deliver({ id }: Delivery, signal: AbortSignal): Promise<DeliveryResult> {
    const { store, clock } = this.#parts;
    const message = await store.messages.byId(id);
    if (message === undefined || isSettled(message.status)) return DROPPED;
    const mailbox = await store.mailboxes.byId(message.mailbox_id);
    // What is held or not pushed now is queued again when that changes.
    if (mailbox?.webhook !== 'on' || mailbox.status === 'paused' || mailbox.deleted_at !== null) return DROPPED;
    const url = this.#behaviors.get(mailbox.behavior)?.answered?.webhook(mailbox.settings as never);
    const webhook = await store.agentWebhooks.find(mailbox.id);
    if (url === undefined || webhook === undefined) return DROPPED;
    const now = clock();
    const claim: AnswerClaim = { message_id: id, claim: claimOf(id) };
    if (!(await store.answers.take(claim, now, now + CLAIM_MS))) {
      const holder = await store.answers.holder(id);
      // It waits for a person, or does not wait any more.
      if (holder === undefined || holder.answerable_at === null) return DROPPED;
      return { kind: 'later', at: Math.max(holder.answerable_at, now + SECOND) };
    }
    return this.#push({ message, mailbox, url, webhook, claim }, signal);
  }

  async #push(push: Push, signal: AbortSignal): Promise<DeliveryResult> {
    const { webhookClient, clock, max_answer } = this.#parts;
    const { message, url, webhook } = push;
    try {
      const body = await this.#body(push);
      const { secret, old_secret, old_until } = webhook;
      if (secret === '') return await this.#settle(push, { kind: 'failed', reason: UNREADABLE });
      const secrets = old_secret !== null && (old_until ?? 0) > clock() ? [secret, old_secret] : [secret];
      const request = { url, id: message.id, body, secrets, max_bytes: max_answer };
      const reading = this.#read(await webhookClient.post(request, signal));
      return await this.#settle(push, reading);
    } catch (error) {
      await this.#release(push).catch(() => {});
      if (signal.aborted) return { kind: 'failed', permanent: false, reason: 'aborted' };
      throw error;
    }
  }

  /** The body of the request, as Standard Webhooks recommends it. */
  async #body({ message, mailbox, claim }: Push): Promise<string> {
    const { answering, disclosure, mailDomain, baseUrl, clock } = this.#parts;
    const head = JSON.stringify({ type: 'message.received', timestamp: rfc3339(clock()) }).slice(0, -1);
    const answer_url = `${baseUrl()}/api/v1/mail/messages/${message.id}/answer`;
    const rest = JSON.stringify({ answer_url, claim: claim.claim }).slice(1);
    if (await disclosure.isLimitedMailbox(mailbox))
      return `${head},"data":{"message":${JSON.stringify(messageIds(message))},"thread":[],${rest}}`;
    const items = (await answering.earlier(message)).flatMap((one) => threadItems(one, mailDomain));
    const thread: string[] = [];
    let size = 0;
    for (const { text } of items.slice(-MAX_THREAD_ITEMS).reverse()) {
      size += text.text.length;
      if (size > MAX_THREAD) break;
      thread.unshift(text.text);
    }
    const { text } = envelopeText(message, mailDomain, marksIn(message, mailbox.id));
    return `${head},"data":{"message":${text},"thread":[${thread.join(',')}],${rest}}`;
  }

  #read(response: WebhookResponse): Reading {
    if (response.kind === 'failed') return response;
    const { status, media_type, text, cut, retry_after_ms } = response;
    if (status === 202 || status === 204 || (status === 200 && text.trim() === '')) return { kind: 'later' };
    if (status === 410) return { kind: 'gone', reason: 'It answered with status 410, which switches it off.' };
    if (status >= 400 && status < 500 && status !== 408 && status !== 429)
      return { kind: 'refused', status, text: text.slice(0, MAX_LOGGED) };
    const failed = (reason: string): Reading => ({ kind: 'failed', reason, retry_after_ms });
    if (status >= 300 && status < 400)
      return failed(`It redirects with status ${status}, which is not followed. Set webhook_url to where it leads.`);
    if (status < 200 || status >= 300) return failed(`It answered with status ${status}.`);
    if (cut) return failed(`Its answer is longer than ${this.#parts.max_answer} bytes.`);
    if (TEXTS.has(media_type)) return { kind: 'answer', fields: { body: text } };
    if (media_type !== 'application/json' && !media_type.endsWith('+json')) {
      const type = media_type === '' ? 'without a media type' : `as ${media_type.slice(0, 60)}`;
      return failed(`It answered ${type}; an answer is application/json, text/plain or text/markdown.`);
    }
    try {
      return { kind: 'answer', fields: this.#parts.readAnswer(text) };
    } catch (error) {
      return failed(notAnAnswer(error));
    }
  }

  async #settle(push: Push, reading: Reading): Promise<DeliveryResult> {
    const { store, onRefused } = this.#parts;
    const { message, claim } = push;
    switch (reading.kind) {
      case 'answer': {
        const wrong = await this.#answer(push, reading.fields);
        if (wrong !== undefined) return this.#failed(push, { kind: 'failed', reason: wrong });
        await this.#worked(push);
        return SENT;
      }
      case 'later':
        // The program has it until the message is due; by then it has answered, or the message fails.
        await store.answers.renew(claim, this.#deadline(push));
        await this.#worked(push);
        return SENT;
      case 'refused': {
        onRefused(message, reading.status, reading.text);
        await this.#answer(push, { status: 'failed', error: REFUSED });
        await this.#note(push, `It refused a message with status ${reading.status}.`);
        return SENT;
      }
      case 'gone':
        await this.#disable(push, 'gone', reading.reason);
        await this.#release(push);
        return DROPPED;
      case 'failed':
        return this.#failed(push, reading);
    }
  }
  /** Answers the message; returns what is wrong with the answer, if that could be fixed. */
  async #answer({ message, mailbox, claim }: Push, fields: AnswerFields): Promise<string | undefined> {
    const { answering, uploads, max_data } = this.#parts;
    const { attachments = [] } = fields;
    try {
      const given: Answer = { ...answerOf(fields, max_data, attachments.length > 0), claim: claim.claim };
      if (attachments.length === 0) {
        await answering.answer(message, mailbox, given);
        return undefined;
      }
      await using upload = uploads.begin(mailbox.namespace_id);
      await addAttachments(upload, attachments);
      await answering.answer(message, mailbox, given, upload);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      return OVER.has(error.code) ? undefined : notAnAnswer(error);
    }
  }

  /** When the message is due, by the settings as they are now. */
  #deadline({ message, mailbox }: Push): Millis {
    const { answered } = this.#behaviors.get(mailbox.behavior) ?? {};
    return answered?.by(mailbox.settings as never, message.created_at) ?? message.created_at;
  }

  async #failed(push: Push, { reason, retry_after_ms }: Failed): Promise<DeliveryResult> {
    await this.#note(push, reason);
    await this.#release(push);
    const pause = retry_after_ms === undefined ? undefined : Math.min(retry_after_ms, MAX_RETRY_AFTER_MS);
    return { kind: 'failed', permanent: false, reason, retry_after_ms: pause };
  }

  /** Keeps what went wrong for the owner, and switches a webhook off that failed too long. */
  async #note(push: Push, reason: string): Promise<void> {
    const { mailbox, webhook } = push;
    const { store, clock } = this.#parts;
    const now = clock();
    const { failing_since } = webhook;
    if (failing_since !== null && now - failing_since >= MAX_FAILING_MS) await this.#disable(push, 'failing', reason);
    else await store.agentWebhooks.failed(mailbox.id, reason, now);
  }

  async #worked({ mailbox, webhook }: Push): Promise<void> {
    if (webhook.failing_since !== null) await this.#parts.store.agentWebhooks.worked(mailbox.id);
  }

  async #disable({ mailbox, url }: Push, why: PushDisabled['why'], reason: string): Promise<void> {
    const { store, directory, clock, onDisabled } = this.#parts;
    const { answered } = this.#behaviors.get(mailbox.behavior) ?? {};
    const stays_online = answered?.alwaysOnline(mailbox.settings as never) ?? true;
    if (!(await store.agentWebhooks.disable(mailbox.id, reason, { now: clock(), stays_online }))) return;
    directory.changed();
    onDisabled({ mailbox, url, why, reason });
  }

  /** Gives the message back, to the next attempt or to a program that asks for messages. */
  async #release({ claim, mailbox }: Push): Promise<void> {
    const { store, queue, clock } = this.#parts;
    if (await store.answers.release(claim, clock())) queue.announce(mailbox.id);
  }
}

/** The slots of a namespace's mailboxes have a limit together. The database writes the same. */
export const pushOf = ({ id, namespace_id }: Pick<Mailbox, 'id' | 'namespace_id'>) =>
  ({ kind: 'agent', destination: ownedDestination(namespace_id, id) }) as const;

/** The claim under which a message is pushed, the same for each attempt: after a crash the next one need not wait for it. */
const claimOf = (messageId: string): string => `clm_${messageId.slice(4)}`;

const notAnAnswer = (error: unknown): string =>
  `Its answer cannot be used: ${error instanceof AppError ? error.message : 'it is not JSON.'}`;
