import { type Clock, MINUTE } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch, invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { type Caller, type Rights, rightsOn, searchCaller, writingKey } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { type MessageLabels, mayNotLabel, metadataFor } from '../../core/access/message-labels.ts';
import { boundTo } from '../../core/entities/key.ts';
import { MessageChange, marksIn } from '../../core/entities/label.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import { Envelope, envelopeText, withoutContents } from '../../core/entities/message-view.ts';
import { mayNotRemove, mayRemove, removeMessage } from '../../core/messages/remove-message.ts';
import { resend, resendCopies } from '../../core/messages/resend.ts';
import type { Submitter } from '../../core/messages/submit.ts';
import type { EventBus } from '../../core/notify/event-bus.ts';
import { watch } from '../../core/notify/watch.ts';
import type { MessageQuery } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import { withEmailState } from '../../core/reports/email-states.ts';
import type { OneTimeSecrets } from '../../core/runs/one-time-secrets.ts';
import { isForMany, withCopies } from '../../core/submission/copies.ts';
import { mergePages } from '../../core/values/page.ts';
import type { StreamParts, Streams } from '../../http/connections/streams.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import { wantsStream } from '../../http/media.ts';
import { type Answer, operation, type Route } from '../../http/route.ts';
import { countSend, type SendLimits } from '../../http/sends.ts';
import { SSE_HEADERS, SSE_HEARTBEAT, sseDelta, sseEvent } from '../../http/sse.ts';
import { messageById, messageFor, noMessage } from './message-access.ts';
import { MessagePage, messageQuery, readMessageQuery } from './message-query.ts';
import { listQuery } from './metadata-query.ts';
import {
  created,
  createdAnswer,
  IDEMPOTENCY_REPLAYED,
  IdParam,
  noContent,
  onePage,
  pageAnswer,
  QueryOf,
  readPage,
} from './parts.ts';
import { messagePath } from './sent-answer.ts';

/** `?mailbox=`: by which of a message's two mailboxes it is read. */
const MailboxQuery = Type.Optional(
  Type.String({
    maxLength: 500,
    description: 'The address of the mailbox whose labels are meant, for a message that is in two of yours.',
  }),
);

const MAX_WAIT_S = 60;
/** The longest time one message is streamed. */
const STREAM_MS = 5 * MINUTE;
const messageResponse = { description: 'The message in its current state.', schema: Envelope };

export interface MessageParts extends SendLimits, StreamParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly post: Submitter;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly labels: MessageLabels;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Counts the reads that wait for a message to end. */
  readonly messageWaits: Streams;
}

export function messageRoutes(parts: MessageParts): readonly Route[] {
  const { store, directory, post, sealed, labels, clock, mailDomain, stop } = parts;

  /** A message with the caller's rights to it; AppError `message_not_found` for one it may not read. */
  async function readable(caller: Caller, id: string): Promise<{ message: Message; rights: Rights }> {
    const found = await messageFor(id, caller, parts);
    if (!found.rights.reader) throw noMessage(id);
    return found;
  }

  /** Like `readable`, for the sender and for keys that manage the mailbox. */
  async function controllable(caller: Caller, id: string): Promise<{ message: Message; rights: Rights }> {
    // The scope mailboxes:write of the recipient suffices, without messages:read.
    const { message, rights } = await messageFor(id, caller, parts);
    if (rights.sender || rights.recipient) return { message, rights };
    if (!rights.reader) throw noMessage(id);
    throw new AppError(
      'insufficient_scope',
      'Only the sending key and keys of the recipient with mailboxes:write may do this.',
    );
  }

  /** The answer to a caller that acted on a message, without what it may not read. */
  const acted = async (message: Message, { reader }: Rights, caller: Caller) =>
    reader
      ? envelopeText(message, mailDomain, await labels.of(message, caller))
      : envelopeText(withoutContents(message), mailDomain);

  /**
   * The message with its one-time secret opened for this caller; a HEAD request opens none, as its answer has no body.
   */
  async function opened(message: Message, { sender, recipientSigns }: Rights, method: string): Promise<Message> {
    if (method === 'HEAD') return message;
    const whole = await withEmailState(message, parts);
    const read = recipientSigns ? await sealed.open(whole, 'recipient') : whole;
    return sender ? sealed.open(read, 'sender') : read;
  }

  /** Whether the caller's key still works after a wait. */
  const works = async (caller: Caller): Promise<boolean> => {
    const key = writingKey(caller);
    return key === undefined || directory.works(key);
  };

  /** Streams a message: its changes, the reply being written, and its end. */
  async function* follow(
    message: Message,
    caller: Caller,
    mailbox: Mailbox | undefined,
    gone: AbortSignal,
  ): AsyncGenerator<string> {
    const over = AbortSignal.any([gone, stop.begun, AbortSignal.timeout(STREAM_MS)]);
    const messageEvent = (update: Message): string =>
      sseEvent({
        event: 'message',
        data: envelopeText(update, mailDomain, mailbox && marksIn(update, mailbox.id)).text,
      });
    if (isForMany(message)) {
      yield messageEvent((await post.settled(message.id, undefined)) ?? message);
      await post.settled(message.id, { ms: STREAM_MS, signal: over });
    }
    const own = mailbox?.id === message.mailbox_id;
    let draftText = '';
    let eventText = '';
    for await (const now of isForMany(message) ? [] : watch(message, parts, over, parts.heartbeat_ms, { own })) {
      const { draft = draftText } = now;
      if (!(await works(caller))) return;
      // While the reply grows, nothing else in the message changes.
      const whole = draft === draftText ? messageEvent(now) : eventText;
      yield (whole === eventText ? '' : whole) + sseDelta(draftText, draft) || SSE_HEARTBEAT;
      draftText = draft;
      eventText = whole;
    }
    const last = gone.aborted ? undefined : await post.settled(message.id, undefined);
    if (last !== undefined && (await works(caller))) yield messageEvent(last);
  }

  return [
    operation('GET', '/api/v1/mail/messages', 'listSentMessages', {
      tag: 'Messages',
      summary: "What the namespace's keys sent",
      description:
        'With `direction=all` also what its mailboxes received; by a key of one mailbox, what that one received and sent. `metadata.KEY=VALUE` finds what was sent with that pair of `metadata`.',
      access: 'messages:read',
      accounts: 'messages:read',
      query: listQuery({
        ...messageQuery,
        direction: Type.Optional(Type.Enum(['sent', 'all'], { description: '`sent`, the default, or `all`.' })),
      }),
      answers: onePage('A page of messages, newest first.', MessagePage),
      problems: [],
      async handle({ caller, query, gone }) {
        const { after, size } = readPage(query);
        const filter = readMessageQuery(query, mailDomain, caller);
        const by = searchCaller(caller, gone());
        const lists = query.direction === 'all' ? allOf(caller) : sentBy(caller);
        const pages = lists.map((of) => store.messages.page({ ...of, ...filter }, after, size, by));
        const found = mergePages(await Promise.all(pages), size);
        const page = { ...found, items: await withCopies(found.items, store) };
        const own = await labels.ofEach(page.items, caller);
        const text = (message: Message) => envelopeText(message, mailDomain, own(message));
        return pageAnswer(page, text, '/api/v1/mail/messages', query);
      },
    }),
    operation('GET', '/api/v1/mail/messages/{id}', 'getMessage', {
      tag: 'Messages',
      summary: 'Get a message with its reply, or wait for it',
      description:
        'For the key that sent it, keys with `messages:read` of its sender or its recipient, and the token of its thread. A one-time secret in a reply is shown here to the key that sent the message, the first time it asks; afterwards `reply.data.sealed` is set. A sign-in code sent to a mailbox is shown to its keys that also have `auth:assert` and do not expire. With `Accept: text/event-stream` the answer is a stream of server-sent events: `message` with the message whenever it changes, `delta` with `{at, text}` while the reply is written (`text` replaces everything from character `at`), and a last `message` once it is settled, or after 5 minutes.',
      access: 'key_or_thread',
      accounts: 'messages:read',
      params: IdParam,
      query: QueryOf({
        wait: Type.Optional(
          Type.String({
            pattern: '^[0-9]{1,3}$',
            description: `Seconds to wait until it is settled, up to ${MAX_WAIT_S}.`,
          }),
        ),
        mailbox: MailboxQuery,
      }),
      answers: { 200: { ...messageResponse, streams: true } },
      problems: ['message_not_found', 'mailbox_not_found', 'rate_limited'],
      async handle({ caller, method, params, query, headers, left: leaves }): Promise<Answer> {
        const seconds = Number(query.wait ?? 0);
        if (seconds > MAX_WAIT_S)
          throw invalid('/wait', `wait must be a whole number of seconds from 0 to ${MAX_WAIT_S}.`);
        const { message, rights } = await readable(caller, params.id);
        const mailbox = rights.reader
          ? await labels.mailboxFor(message, caller, 'messages:read', query.mailbox)
          : undefined;
        const labelsFor = (one: Message) => ({
          ...(mailbox && marksIn(one, mailbox.id)),
          ...metadataFor(one, caller),
        });
        if (wantsStream(headers.accept)) {
          const over = parts.streams.open(caller, leaves());
          return {
            status: 200,
            headers: { ...SSE_HEADERS, vary: 'accept' },
            body: follow(message, caller, mailbox, over),
          };
        }
        if (seconds === 0 || (isSettled(message.status) && !isForMany(message))) {
          return {
            status: 200,
            body: envelopeText(await opened(message, rights, method), mailDomain, labelsFor(message)),
          };
        }
        const over = parts.messageWaits.open(caller, leaves());
        const settled = await post.settled(message.id, {
          ms: seconds * 1000,
          signal: AbortSignal.any([over, stop.begun]),
        });
        if (settled === undefined) throw noMessage(params.id);
        if (!(await works(caller))) throw new AppError('invalid_key', 'This key was revoked or has expired.');
        const read = over.aborted ? settled : await opened(settled, rights, method);
        // Its labels may have changed while it was handled.
        const now = mailbox && (await store.messages.byId(message.id));
        return { status: 200, body: envelopeText(read, mailDomain, now && labelsFor(now)) };
      },
    }),
    operation('PATCH', '/api/v1/mail/messages/{id}', 'updateMessage', {
      tag: 'Messages',
      summary: 'Label a message',
      description:
        'Labels belong to a mailbox: that of the recipient, else that of the sender, or the one that `mailbox` names. A message has at most 20 there. `unread` is there from its arrival until you remove it, or its owner opens the message in the console. `done` takes a conversation out of the console’s inbox, until the next message of it arrives. The changes of a request are made together or not at all. For a key that may do this but not read the message, `body` is empty and other content is null.',
      access: 'mail:answer',
      params: IdParam,
      query: QueryOf({ mailbox: MailboxQuery }),
      body: MessageChange,
      answers: { 200: { description: 'The message with its labels.', schema: Envelope } },
      problems: ['message_not_found', 'mailbox_not_found', 'access_denied'],
      async handle({ caller, params, query, body }) {
        const { message, rights } = await messageFor(params.id, caller, parts);
        const mailbox = await labels.mailboxFor(message, caller, 'mail:answer');
        if (mailbox === undefined) throw rights.reader ? mayNotLabel() : noMessage(params.id);
        const chosen = await labels.mailboxFor(message, caller, 'mail:answer', query.mailbox);
        const changed = await labels.change(message, chosen ?? mailbox, body);
        const shown = rights.reader ? message : withoutContents(message);
        return { status: 200, body: envelopeText(shown, mailDomain, changed) };
      },
    }),
    operation('DELETE', '/api/v1/mail/messages/{id}', 'deleteMessage', {
      tag: 'Messages',
      summary: 'Delete a message',
      description:
        'For keys with `mailboxes:write` of the mailbox that received it. A message is gone for its sender too, with its files, labels and deliveries; one that is not settled is canceled first. Its replies go with it, but for those that the sender’s mailbox received, which stay there until they are deleted from it. Of a reply, the mailbox that wrote it keeps what it wrote. It cannot be undone; repeated, this answers 404 `message_not_found`.',
      access: 'mailboxes:write',
      params: IdParam,
      answers: { 204: noContent },
      problems: ['message_not_found', 'access_denied'],
      async handle({ caller, params }) {
        const message = await messageById(params.id, parts);
        const rights = message && (await rightsOn(message, caller, directory));
        if (message === undefined || rights === undefined) throw noMessage(params.id);
        if (!mayRemove(message, rights)) throw rights.reader ? mayNotRemove() : noMessage(params.id);
        if (!(await removeMessage(message, parts))) throw noMessage(params.id);
        return { status: 204 };
      },
    }),
    operation('POST', '/api/v1/mail/messages/{id}/cancel', 'cancelMessage', {
      tag: 'Messages',
      summary: 'Cancel a message',
      description:
        'Stops a message that has not settled, and of one with several recipients each copy that has not; a settled one is returned unchanged. A key that may do this but not read the message gets its id and status: `body` is empty and other content is null.',
      access: 'key_or_thread',
      params: IdParam,
      idempotency: true,
      answers: { 200: { ...messageResponse, headers: ['Idempotency-Replayed'] } },
      problems: ['message_not_found', 'idempotency_mismatch'],
      async handle(call) {
        const { message, rights } = await controllable(call.caller, call.params.id);
        const idempotency = idempotencyOf(call, `POST /api/v1/mail/messages/${message.id}/cancel`, clock);
        const record = idempotency && (await store.idempotency(idempotency.scope, idempotency.key, clock()));
        if (record !== undefined && record.hash !== idempotency?.hash) throw idempotencyMismatch();
        // A repeated cancel changes nothing; its answer differs in one header only.
        const body = await acted(await post.cancel(message), rights, call.caller);
        if (record !== undefined) return { status: 200, body, headers: IDEMPOTENCY_REPLAYED };
        if (idempotency !== undefined) await store.remember(idempotency, message.id, clock());
        return { status: 200, body };
      },
    }),
    operation('POST', '/api/v1/mail/messages/{id}/retry', 'retryMessage', {
      tag: 'Messages',
      summary: 'Send a failed message again',
      description:
        'As a new message with `retry_of`, from the sender of the failed one; of one with several recipients each copy that failed. A key of the recipient with `mailboxes:write` may do it while the sender could still send it (403 `sender_not_allowed` once its key or mailbox is gone). The message is then sent without the sender’s key, so steps that need the rights of a key, such as a sign-in, do not run. For a key that may do this but not read the message, `body` is empty and other content is null.',
      access: 'key_or_thread',
      params: IdParam,
      idempotency: true,
      answers: created('The new message.', Envelope, 202),
      problems: [
        'message_not_found',
        'mailbox_gone',
        'namespace_gone',
        'mailbox_full',
        'storage_full',
        'idempotency_mismatch',
        'mailbox_not_found',
        'sender_not_allowed',
        'rate_limited',
        'access_denied',
      ],
      async handle(call) {
        const { message: failed, rights } = await controllable(call.caller, call.params.id);
        const idempotency = idempotencyOf(call, `POST /api/v1/mail/messages/${failed.id}/retry`, clock);
        await countSend(call.caller, parts);
        const again = isForMany(failed) ? resendCopies : resend;
        const { message, replayed } = await again(failed, { caller: call.caller, rights }, idempotency, parts);
        const body = await acted(message, rights, call.caller);
        return createdAnswer(messagePath(message), body, replayed, 202);
      },
    }),
  ];
}

/** What a caller sent, whom a list of that is of: lists that are one together. AppError `missing_key`. */
function sentBy(caller: Caller): readonly MessageQuery[] {
  if (caller.kind === 'account') {
    const { mailbox_id, address, key } = caller;
    return [{ mailbox_id, author: { address, key_id: key?.id ?? null } }];
  }
  if (caller.kind !== 'key') throw new AppError('missing_key', 'Send an API key.');
  const sender = { sender_namespace_id: caller.key.namespace_id };
  return boundTo(caller.key)?.map((sender_mailbox_id) => ({ ...sender, sender_mailbox_id })) ?? [sender];
}

/** What a caller's mailboxes received besides; an account sees no more than it wrote. */
function allOf(caller: Caller): readonly MessageQuery[] {
  if (caller.kind !== 'key') return sentBy(caller);
  const { namespace_id } = caller.key;
  return boundTo(caller.key)?.map((mailbox_id) => ({ mailbox_id, direction: 'all' })) ?? [{ namespace_id }];
}
