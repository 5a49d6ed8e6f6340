import { type Clock, rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import { type Json, JsonText } from '@mailroom/behavior/values/json';
import type { Type } from 'typebox';
import { type Caller, mayOn, rightsOn } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { MessageLabels } from '../../core/access/message-labels.ts';
import type { Presence } from '../../core/access/presence.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { Answered } from '../../core/answers/answer.ts';
import { answerOf } from '../../core/answers/answer-fields.ts';
import type { Answering } from '../../core/answers/answering.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { Envelope, envelopeText, threadItems, withoutContents } from '../../core/entities/message-view.ts';
import type { Upload, Uploads } from '../../core/files/uploads.ts';
import type { AnswerAll } from '../../core/messages/answer-all.ts';
import type { Store } from '../../core/ports/store.ts';
import { hasManyFields } from '../../core/submission/many-fields.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import type { Streams } from '../../http/connections/streams.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Sizes } from '../../http/limits.ts';
import { type Call, operation, type Route } from '../../http/route.ts';
import {
  AnsweredEnvelope,
  AnswerRequest,
  AnswerResults,
  AnswersRequest,
  Claimed,
  ClaimRequest,
  Lease,
  ProgressRequest,
  ReleaseRequest,
} from './answer-schemas.ts';
import { sameAs, withUpload } from './attachments.ts';
import { messageById } from './message-access.ts';
import { AddressParam, IDEMPOTENCY_REPLAYED, IdParam } from './parts.ts';
import { keyOf } from './send.ts';

/** For a caller who reads the message; its key has the scope, but not for the mailbox that received it. */
const notYours = ({ id, kind, in_reply_to, to }: Message): AppError =>
  new AppError(
    'insufficient_scope',
    kind === 'reply'
      ? `${id} is a reply to ${in_reply_to}. Answer that message; who got the reply continues its thread with a new message.`
      : `${id} is answered by who received it: this requires a key of ${to?.split('@').at(-1)} with the scope mail:answer.`,
  );

type BatchOfAnswers = Type.Static<typeof AnswersRequest>['answers'];

const notHere = (id: string): AppError =>
  new AppError('message_not_found', `There is no message ${id.slice(0, 40)} that this key may answer.`);

export interface AnswerParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly registry: Registry;
  readonly answering: Answering;
  readonly answerAll: AnswerAll;
  readonly presence: Presence;
  readonly uploads: Uploads;
  readonly labels: MessageLabels;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Bytes of `data`. */
  readonly sizes: Pick<Sizes, 'data'>;
  /** Counts the claims that wait. */
  readonly claimWaits: Streams;
  readonly stop: Pick<StopSignals, 'begun'>;
}

/** Answering messages with a program of one's own, or by hand. */
export function answerRoutes(parts: AnswerParts): readonly Route[] {
  const { store, directory, registry, answering, answerAll, presence, uploads, labels, clock, mailDomain } = parts;

  /** The message, as it is now or is `known`, and its mailbox, for a caller who may answer it. */
  async function answerable(
    caller: Caller,
    id: string,
    known?: Message,
  ): Promise<{ message: Message; mailbox: Mailbox }> {
    const message = known ?? (await messageById(id, { store }));
    const mailbox = message && (await directory.mailboxById(message.mailbox_id));
    if (message?.kind === 'message' && mailbox !== undefined && mayOn(caller, 'mail:answer', mailbox)) {
      return { message, mailbox };
    }
    if (message !== undefined && (await rightsOn(message, caller, directory)).reader) throw notYours(message);
    throw notHere(id);
  }

  async function answer(call: Call<{ id: string }, unknown, AnswerRequest>, upload?: Upload) {
    const known = answering.recent(call.params.id);
    const { message, mailbox } = await answerable(call.caller, call.params.id, known);
    const { claim = null, to, cc, bcc, reply_all, ...fields } = call.body;
    const read = answerOf(fields, parts.sizes.data, upload !== undefined);
    const scope = `POST /api/v1/mail/messages/${message.id}/answer`;
    const idempotency = idempotencyOf(call, scope, clock, sameAs(call.body, upload));
    const person = call.channel === 'web';
    const given = { ...read, claim, idempotency, key: keyOf(call), person };
    const more = { to, cc, bcc, reply_all };
    const answered =
      hasManyFields(more) || typeof to === 'string'
        ? await answerAll.answer(message, mailbox, { ...given, fields: more }, upload)
        : await answering.answer(message, mailbox, given, upload);
    return shown(call.caller, answered);
  }

  /** What becomes of one answer among several; throws what is no fault of it. */
  async function answerOneOf(call: Call<unknown, unknown, unknown>, mailboxId: string, one: BatchOfAnswers[number]) {
    const { message_id, claim, ...fields } = one;
    try {
      const { message, mailbox } = await answerable(call.caller, message_id, answering.recent(message_id));
      if (mailbox.id !== mailboxId) throw notHere(message_id);
      const given = { ...answerOf(fields, parts.sizes.data, false), claim, key: keyOf(call) };
      const { reply_id: id, settles } = await answering.answer(message, mailbox, given);
      return { message_id, answer: { id, settles } };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      const { code, message: detail } = error;
      const { status, title } = problems[code];
      return { message_id, problem: { status, code, title, detail } };
    }
  }

  async function shown(caller: Caller, { message, reply_id, settles, replayed }: Answered) {
    const body = await visible(message, caller, { answer: { id: reply_id, settles } });
    const status = message.waiting_for === 'review' ? 202 : 200;
    return { status, body, ...(replayed && { headers: IDEMPOTENCY_REPLAYED }) };
  }

  /** The message for a caller who acted on it, without what its key may not read. */
  async function visible(message: Message, caller: Caller, more: { readonly [name: string]: Json } = {}) {
    const { reader } = await rightsOn(message, caller, directory);
    if (!reader) return envelopeText(withoutContents(message), mailDomain, more);
    return envelopeText(message, mailDomain, { ...(await labels.of(message, caller)), ...more });
  }

  return [
    operation('POST', '/api/v1/mailboxes/{address}/claim', 'claimMessages', {
      tag: 'Answers',
      summary: 'Claim messages to answer',
      description:
        'For an address with the behavior `agent`. Answers as soon as there is a message, or with an empty list after `wait` seconds. Each message is leased to this call: no other gets it until the lease ends or it is released. While such a call is open, and for 60 seconds after, the mailbox is `online`.',
      access: 'mail:answer',
      limits: [],
      params: AddressParam,
      body: ClaimRequest,
      body_optional: true,
      answers: { 200: { description: 'The claimed messages, those that waited longest first.', schema: Claimed } },
      problems: ['mailbox_not_found', 'mailbox_gone', 'access_denied', 'not_waiting', 'rate_limited'],
      async handle({ caller, params, body, left: leaves }) {
        const mailbox = await registry.mailboxFor(caller, params.address, 'mail:answer');
        if (!presence.isAnswered(mailbox))
          throw new AppError(
            'not_waiting',
            `Messages to this address are answered by the behavior ${mailbox.behavior}. Change it to agent to answer them yourself.`,
          );
        const { max = 1, wait = 30, lease_seconds = 60 } = body;
        const left = wait > 0 ? parts.claimWaits.open(caller, leaves()) : leaves();
        const signal = AbortSignal.any([left, parts.stop.begun]);
        const request = { max, wait_ms: wait * SECOND, lease_ms: lease_seconds * SECOND, signal };
        const claimed = await presence.during(mailbox, () => answering.claim(mailbox, request));
        // A key that was revoked while the call waited gets nothing. Other nodes give notice of a revocation, which ends
        // the cached look-up; a lost notice is made up for within a second.
        if (caller.kind === 'key' && !(await directory.works(caller.key, false))) {
          for (const { message, claim } of claimed) await answering.release(message, claim, 0);
          throw new AppError('invalid_key', 'This key was revoked or has expired.');
        }
        // A mailbox that was deleted while the call waited is gone.
        if (claimed.length === 0 && wait > 0) await registry.mailboxFor(caller, params.address, 'mail:answer');
        const items: string[] = [];
        for (const { message, claim, lease_expires_at, thread } of claimed) {
          const envelope = envelopeText(message, mailDomain, await labels.of(message, caller)).text;
          const before = thread.flatMap((one) => threadItems(one, mailDomain)).slice(-20);
          const earlier = `[${before.map(({ text }) => text.text).join(',')}]`;
          const lease = JSON.stringify({ claim, lease_expires_at: rfc3339(lease_expires_at) }).slice(1);
          items.push(`{"message":${envelope},"thread":${earlier},${lease}`);
        }
        return { status: 200, body: new JsonText(`{"items":[${items.join(',')}]}`) };
      },
    }),
    operation('POST', '/api/v1/mail/messages/{id}/answer', 'answerMessage', {
      tag: 'Answers',
      summary: 'Answer a message',
      description:
        'Under a claim, or by hand without one. For a key without `messages:read`, `body` is empty and other content is null in the answer. The first answer settles the message; a later one adds a reply to the thread (`answer.settles` is false), but not under a claim after an answer by hand (`claim_lost`). A claim whose lease ended still counts while no other claim has the message. Files are sent as `attachments`, or as `multipart/form-data` with this JSON in a part `message`.',
      access: 'mail:answer',
      limits: [],
      checks_key: true,
      params: IdParam,
      body: AnswerRequest,
      upload: (caller) => uploads.begin(keyOf({ caller }).namespace_id),
      idempotency: true,
      answers: {
        200: {
          description: 'The message with its reply.',
          schema: AnsweredEnvelope,
          headers: ['Idempotency-Replayed'],
        },
        202: { description: 'The answer waits until an owner has seen it.', schema: AnsweredEnvelope },
      },
      problems: [
        'message_not_found',
        'claim_lost',
        'not_waiting',
        'idempotency_mismatch',
        'storage_full',
        'recipient_not_allowed',
      ],
      handle: (call) => withUpload(call, uploads, keyOf(call), (upload) => answer(call, upload)),
    }),
    operation('POST', '/api/v1/mailboxes/{address}/answers', 'answerMessages', {
      tag: 'Answers',
      summary: 'Answer several messages',
      description:
        'As an answer to each message under its claim, without files, in one request. A message that cannot be answered has its `problem`, and the others are answered. Sent again, an answer that was given adds nothing.',
      access: 'mail:answer',
      limits: [],
      checks_key: true,
      params: AddressParam,
      body: AnswersRequest,
      answers: { 200: { description: 'What became of each answer.', schema: AnswerResults } },
      problems: ['mailbox_not_found', 'mailbox_gone', 'access_denied'],
      async handle(call) {
        const { answers } = call.body;
        const { id } = await registry.mailboxFor(call.caller, call.params.address, 'mail:answer');
        return { status: 200, body: { items: await Promise.all(answers.map((one) => answerOneOf(call, id, one))) } };
      },
    }),
    operation('POST', '/api/v1/mail/messages/{id}/progress', 'reportProgress', {
      tag: 'Answers',
      summary: 'Show progress and extend the lease',
      description:
        '`text` is shown to those who wait for the message, and kept with it; `draft` is the whole reply as written so far, shown to those who follow the message on this node. With the claim alone it only extends the lease.',
      access: 'mail:answer',
      limits: [],
      params: IdParam,
      body: ProgressRequest,
      answers: { 200: { description: 'The lease.', schema: Lease } },
      problems: ['message_not_found', 'claim_lost', 'not_waiting'],
      async handle({ caller, params, body }) {
        const { message } = await answerable(caller, params.id);
        const { claim, lease_seconds = 60, text, draft } = body;
        const shown = { ...(text !== undefined && { text }), ...(draft !== undefined && { draft }) };
        const until = await answering.progress(message, claim, { lease_ms: lease_seconds * SECOND, ...shown });
        return { status: 200, body: { claim, lease_expires_at: rfc3339(until) } };
      },
    }),
    operation('POST', '/api/v1/mail/messages/{id}/release', 'releaseMessage', {
      tag: 'Answers',
      summary: 'Give a claimed message back',
      description: 'The next claim gets it, after `after_seconds` if given.',
      access: 'mail:answer',
      limits: [],
      params: IdParam,
      body: ReleaseRequest,
      answers: { 200: { description: 'The message in its current state.', schema: Envelope } },
      problems: ['message_not_found', 'claim_lost', 'not_waiting'],
      async handle({ caller, params, body: { claim, after_seconds = 0 } }) {
        const { message } = await answerable(caller, params.id);
        await answering.release(message, claim, after_seconds * SECOND);
        const now = (await store.messages.byId(message.id)) ?? message;
        return { status: 200, body: await visible(now, caller) };
      },
    }),
  ];
}
