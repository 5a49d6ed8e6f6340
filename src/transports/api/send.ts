import { Type } from 'typebox';
import { guestCaller } from '../../core/delivery/caller-of.ts';
import type { Sent, Wait } from '../../core/delivery/submission.ts';
import { guestSubmission } from '../../core/delivery/submission.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Message } from '../../core/entities/message.ts';
import { Envelope, envelopeText, isSettled } from '../../core/entities/message.ts';
import { SECOND } from '../../core/values/clock.ts';
import { AppError, invalid } from '../../core/values/error.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Parts } from '../../http/parts.ts';
import type { Answer, Call, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { countNamespaceSend } from '../../http/sends.ts';
import { IDEMPOTENCY_REPLAYED } from './parts.ts';
import { checkSize, dataText, preferredWait, readAddress, Send, senderOf, Try } from './submission.ts';

const TryEnvelope = Type.Object(
  {
    ...Envelope.properties,
    thread_token: Type.String({
      description: 'Continues the thread here; as a Bearer token it reads, waits for and cancels its messages.',
    }),
  },
  { $id: 'TriedMessage' },
);

const WHY_202 = 'Accepted; the reply comes later. Also when the mailbox is paused or the wait is over.';

export function sendRoutes(parts: Parts): readonly Route[] {
  const { post, authenticator: who, directory, clock, limiters, sizes, mailDomain, sync_ms, stop } = parts;

  const wait = (call: Call<unknown, unknown, unknown>, ms: number): Wait => new LazyWait(ms, call, stop.over);

  const answer = (
    { message, replayed }: Sent,
    sync: boolean,
    headers: Record<string, string>,
    more?: { readonly [name: string]: string },
  ): Answer => ({
    status: sync && isSettled(message.status) ? 200 : 202,
    body: envelopeText(message, mailDomain, more),
    headers: { ...headers, ...locationOf(message), ...(replayed ? IDEMPOTENCY_REPLAYED : {}) },
  });

  return [
    route({
      method: 'POST',
      path: '/api/v1/mail/send',
      id: 'sendMessage',
      tag: 'Messages',
      summary: 'Send a message',
      description:
        'With `sync: true` this answer holds the reply. A message that is not settled after 30 s, or after `Prefer: wait=N` seconds (1 to 120), is answered 202 and settles later. A message is on disk before its id is returned.',
      access: 'mail:send',
      limits: [limiters.sends],
      checks_key: true,
      body: Send,
      idempotency: true,
      headers: { Prefer: '`wait=N`: how many seconds to wait, 1 to 120, with `sync: true`.' },
      answers: {
        200: {
          description: 'Settled, whatever its status.',
          schema: Envelope,
          headers: ['Idempotency-Replayed', 'Preference-Applied'],
        },
        202: {
          description: WHY_202,
          schema: Envelope,
          headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied'],
        },
      },
      problems: [
        'sender_not_allowed',
        'mailbox_not_found',
        'message_not_found',
        'mailbox_gone',
        'namespace_gone',
        'idempotency_mismatch',
        'mailbox_full',
        'storage_full',
        'loop_detected',
      ],
      async handle(call) {
        const { body } = call;
        const key = keyOf(call);
        await countNamespaceSend(key.namespace_id, parts);
        const to = readAddress(body.to, '/to', mailDomain);
        checkSize(body.body, '/body', sizes.body);
        const data = dataText(body.data, sizes.data);
        const { sender, from_mailbox_id } = await senderOf(key, body.from, parts);
        const sync = body.sync === true;
        const preferred = sync ? preferredWait(call.headers.prefer) : undefined;
        const submission = {
          to,
          body: body.body,
          subject: body.subject ?? null,
          data,
          sender,
          from_mailbox_id,
          channel: 'api' as const,
          thread_id: body.thread_id ?? null,
          in_reply_to: body.in_reply_to ?? null,
          retry_of: null,
          hops: 0,
          try_out: false,
          payer: null,
          idempotency: idempotencyOf(call, 'POST /api/v1/mail/send', clock),
        };
        const ms = preferred === undefined ? sync_ms : preferred * 1000;
        const asked = clock();
        const sent = await post.send(submission, sync ? wait(call, ms) : undefined);
        // An answer within the first second needs no second check of the key.
        if (clock() - asked > SECOND && !(await directory.works(key))) {
          throw new AppError('invalid_key', 'This key was revoked or has expired; the message was sent before.');
        }
        return answer(sent, sync, preferred === undefined ? {} : { 'preference-applied': `wait=${preferred}` });
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/mail/try',
      id: 'tryMailbox',
      tag: 'Messages',
      summary: 'Try a mailbox, without a key',
      description: 'A sync send for people without a key, to mailboxes with `try_out`, within the limits for guests.',
      access: 'public',
      limits: limiters.tries,
      challenge: true,
      body: Try,
      // JSON may escape each byte as six characters (\\u0041); the other fields are small.
      max_body: 6 * sizes.guestBody + 4096,
      idempotency: true,
      answers: {
        200: { description: 'Settled, whatever its status.', schema: TryEnvelope, headers: ['Idempotency-Replayed'] },
        202: { description: WHY_202, schema: TryEnvelope, headers: ['Location', 'Idempotency-Replayed'] },
      },
      problems: [
        'access_denied',
        'mailbox_not_found',
        'message_not_found',
        'mailbox_gone',
        'namespace_gone',
        'idempotency_mismatch',
        'mailbox_full',
        'storage_full',
      ],
      async handle(call) {
        const { body } = call;
        const to = readAddress(body.to, '/to', mailDomain);
        checkSize(body.body, '/body', sizes.guestBody);
        const thread_id = continuedThread(body.thread_id, body.thread_token);
        const sent = await post.send(
          {
            caller: guestCaller(call.caller.network),
            ...guestSubmission({
              to,
              body: body.body,
              thread_id,
              channel: 'api',
              idempotency: idempotencyOf(call, 'POST /api/v1/mail/try', clock),
              network: call.caller.network,
            }),
          },
          wait(call, sync_ms),
        );
        return answer(sent, true, {}, { thread_token: who.threadToken(sent.message.thread_id) });
      },
    }),
  ];

  /** The thread a guest continues, authorized by its token. */
  function continuedThread(thread_id: string | null | undefined, token: string | null | undefined): string | null {
    if ((thread_id ?? null) === null && (token ?? null) === null) return null;
    if (typeof token !== 'string')
      throw invalid('/thread_token', 'To continue a thread, send the thread_token from its first answer.');
    const own = who.threadOf(token);
    if (own === undefined)
      throw invalid('/thread_token', 'This thread token is not valid. Send the one from the thread’s first answer.');
    if (typeof thread_id === 'string' && thread_id !== own)
      throw invalid('/thread_id', 'The thread token belongs to another thread.');
    return own;
  }
}

const keyOf = (call: Pick<Call, 'caller'>): Key => {
  if (call.caller.kind !== 'key') throw new AppError('missing_key', 'Send an API key.');
  return call.caller.key;
};

export const locationOf = (message: Message): Record<string, string> => ({
  location: `/api/v1/mail/messages/${message.id}`,
});

/** Creates the signal only when the caller waits, because most messages end at once. */
class LazyWait implements Wait {
  readonly ms: number;
  readonly #call: Pick<Call, 'gone'>;
  readonly #over: AbortSignal;

  constructor(ms: number, call: Pick<Call, 'gone'>, over: AbortSignal) {
    this.ms = ms;
    this.#call = call;
    this.#over = over;
  }

  get signal(): AbortSignal {
    return AbortSignal.any([this.#call.gone(), this.#over]);
  }
}
