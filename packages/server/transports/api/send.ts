import type { Address } from '@mailroom/behavior/values/address';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { guestCaller } from '@mailroom/behavior/values/guest';
import { Type } from 'typebox';
import type { AccountCaller } from '../../core/access/caller.ts';
import type { MessageLabels } from '../../core/access/message-labels.ts';
import { draftLocation, draftView, ScheduledDraft } from '../../core/entities/draft.ts';
import type { Key } from '../../core/entities/key.ts';
import { Envelope } from '../../core/entities/message-view.ts';
import { MinimalMessage } from '../../core/entities/minimal-message.ts';
import { addAttachments } from '../../core/files/asked-files.ts';
import type { Upload, Uploads } from '../../core/files/uploads.ts';
import type { Drafts } from '../../core/messages/drafts.ts';
import type { Submitter } from '../../core/messages/submit.ts';
import type { ToMany } from '../../core/messages/to-many.ts';
import { guestSubmission, type ManySubmission, type Submission, type Wait } from '../../core/runs/submission.ts';
import { hasManyFields, readManyFields } from '../../core/submission/many-fields.ts';
import {
  causeOf,
  checkSize,
  dataText,
  readAddress,
  readRecipient,
  type SenderParts,
  senderOf,
} from '../../core/submission/send-fields.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import { LazyWait } from '../../http/lazy-wait.ts';
import type { Limiters, Sizes } from '../../http/limits.ts';
import { type Answer, type Call, operation, type Route } from '../../http/route.ts';
import { countNamespaceSend } from '../../http/sends.ts';
import { sameAs } from './attachments.ts';
import { createdAnswer } from './parts.ts';
import { preferencesOf, sentAnswer } from './sent-answer.ts';
import { Send, Try } from './submission.ts';

const TryEnvelope = Type.Object(
  {
    ...Envelope.properties,
    thread_token: Type.String({
      description: 'Continues the thread here; as a Bearer token it reads, waits for and cancels its messages.',
    }),
  },
  { $id: 'TriedMessage' },
);

const SEND = 'POST /api/v1/mail/send';

/** The problems of every way to send. */
export const SEND_PROBLEMS = [
  'sender_not_allowed',
  'access_denied',
  'mailbox_not_found',
  'message_not_found',
  'mailbox_gone',
  'namespace_gone',
  'idempotency_mismatch',
  'address_suppressed',
  'rate_limited',
  'mailbox_full',
  'storage_full',
] as const;

const PREFER =
  '`wait=N`: how many seconds to wait, 1 to 120, with `sync: true`. `return=minimal`: the answer has only the ids, the status and the reply, and nothing that you sent.';
const WHY_202 = 'Accepted; the reply comes later. Also when the mailbox is paused or the wait is over.';

export interface SendParts extends SenderParts {
  readonly post: Submitter;
  readonly toMany: ToMany;
  readonly drafts: Pick<Drafts, 'create'>;
  readonly uploads: Uploads;
  readonly labels: MessageLabels;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  readonly limiters: Pick<Limiters, 'sends' | 'tries' | 'namespaceSends'>;
  readonly sizes: Pick<Sizes, 'body' | 'data' | 'guestBody'>;
  readonly sync_ms: Millis;
  readonly stop: Pick<StopSignals, 'over'>;
}

/** Sending a message: with a key, or as a guest. */
export function sendRoutes(parts: SendParts): readonly Route[] {
  const {
    post,
    toMany,
    drafts,
    uploads,
    labels,
    authenticator: who,
    directory,
    clock,
    limiters,
    rateLimits,
    sizes,
    mailDomain,
    sync_ms,
    stop,
  } = parts;

  const wait = (call: Call<unknown, unknown, unknown>, ms: number): Wait => new LazyWait(ms, call, { directory, stop });

  /** A send with `send_at` is a draft until then. */
  async function scheduled(call: Call<unknown, unknown, Send>, key: Key, upload?: Upload): Promise<Answer> {
    if (upload !== undefined) await addAttachments(upload, call.body.attachments ?? []);
    const idempotency = idempotencyOf(call, SEND, clock, sameAs(call.body, upload));
    const { draft, replayed } = await drafts.create(key, call.body, idempotency, upload);
    return createdAnswer(draftLocation(draft), { draft_id: draft.id, ...draftView(draft) }, replayed, 202);
  }

  async function sendWithFiles(call: Call<unknown, unknown, Send>): Promise<Answer> {
    await using upload = call.upload ?? uploads.begin(keyOf(call).namespace_id);
    return await sendOne(call, upload);
  }

  async function sendOne(call: Call<unknown, unknown, Send>, upload?: Upload): Promise<Answer> {
    const { body } = call;
    const key = keyOf(call);
    if (body.send_at !== undefined && body.send_at !== null) return scheduled(call, key, upload);
    if (rateLimits) await countNamespaceSend(key.namespace_id, parts);
    checkSize(body.body, '/body', sizes.body);
    const data = dataText(body.data, sizes.data);
    const from = senderOf(key, body.from, parts);
    const { sender, from_mailbox_id, from_domain = null } = from instanceof Promise ? await from : from;
    const many = hasManyFields(body) ? await readManyFields(body, key, sender.from, parts) : undefined;
    const only = many === undefined ? readOne(body.to) : undefined;
    const to = only instanceof Promise ? await only : only;
    const caused = causeOf(key, body.caused_by, parts);
    const cause = caused instanceof Promise ? await caused : caused;
    if (upload !== undefined) await addAttachments(upload, body.attachments ?? []);
    const sync = body.sync === true;
    const preferences = preferencesOf(call.headers.prefer, { wait: sync });
    const submission: ManySubmission = {
      body: body.body,
      subject: body.subject ?? null,
      data,
      sender,
      agent: call.caller.agent,
      from_mailbox_id,
      from_domain,
      channel: call.channel ?? 'api',
      thread_id: body.thread_id ?? null,
      in_reply_to: body.in_reply_to ?? null,
      retry_of: null,
      try_out: false,
      payer: null,
      idempotency: idempotencyOf(call, SEND, clock, sameAs(body, upload)),
      upload,
      ...cause,
    };
    const startTime = clock();
    const waits = sync ? wait(call, preferences.wait_ms ?? sync_ms) : undefined;
    const sent =
      many === undefined
        ? await post.send(Object.assign(submission, { to: to as Address }), waits)
        : await toMany.sendTo(submission, many, waits);
    // An answer within the first second needs no second check of the key.
    if (clock() - startTime > SECOND && !(await directory.works(key))) {
      throw new AppError('invalid_key', 'This key was revoked or has expired; the message was sent before.');
    }
    const shown = labels.of(sent.message, call.caller);
    const own = shown instanceof Promise ? await shown : shown;
    return sentAnswer(sent, sync, mailDomain, preferences, own);
  }

  function readOne(to: Send['to']): Address | Promise<Address> {
    if (typeof to !== 'string') throw invalid('/to', 'Name at least one address in `to`.');
    return readRecipient(to, '/to', parts);
  }

  /**
   * What an account that signed in writes to the mailbox that it signed in for: as the key by which it owns the namespace,
   * else as its address, and then the mailbox keeps it, as a mail.
   */
  async function sendAsAccount(call: Call<unknown, unknown, Send>, caller: AccountCaller): Promise<Answer> {
    const { to, body, subject, data, thread_id, sync, ...more } = call.body;
    const [other] = Object.keys(more);
    if (other !== undefined) throw invalid(`/${other}`, 'Only keys may send this.');
    if (typeof to !== 'string') throw invalid('/to', 'Name the address that you signed in for.');
    const address = await readAddress(to, '/to', parts);
    const mailbox = await directory.mailbox(address.local, address.namespace);
    if (mailbox?.id !== caller.mailbox_id)
      throw new AppError(
        'access_denied',
        'This sign-in is for another address. Write to the one that you signed in for.',
      );
    const { key } = caller;
    const startTime = clock();
    if (rateLimits && key !== undefined) await countNamespaceSend(key.namespace_id, parts);
    checkSize(body, '/body', sizes.body);
    const preferences = preferencesOf(call.headers.prefer, { wait: sync === true });
    const sent = await post.send(
      {
        to: address,
        body,
        subject: subject ?? null,
        data: dataText(data, sizes.data),
        ...senderOfAccount(caller),
        from_mailbox_id: null,
        channel: call.channel ?? 'api',
        thread_id: thread_id ?? null,
        in_reply_to: null,
        retry_of: null,
        hops: 0,
        try_out: false,
        idempotency: idempotencyOf(call, SEND, clock),
      },
      sync === true ? wait(call, preferences.wait_ms ?? sync_ms) : undefined,
    );
    if (key !== undefined && clock() - startTime > SECOND && !(await directory.works(key)))
      throw new AppError('invalid_key', 'Your ownership has ended; the message was sent before.');
    return sentAnswer(sent, sync === true, mailDomain, preferences);
  }

  return [
    operation('POST', '/api/v1/mail/send', 'sendMessage', {
      tag: 'Messages',
      summary: 'Send a message',
      description:
        'With `sync: true` this answer holds the reply. A message that is not settled after 30 s, or after `Prefer: wait=N` seconds (1 to 120), is answered 202 and settles later. A message is on disk before its id is returned. Files are sent as `attachments`, or as `multipart/form-data` with this JSON in a part `message`. A program that sends because of a message names it in `caused_by`, so that programs that answer each other end at 8 hops (`loop_detected`). With `send_at` the answer is 202 with a draft (`draft_id`), which becomes a message at that time, once. `to` may be an address outside, too: the message then leaves from the mailbox that sends it as e-mail, or to its server at once where that takes it (`FEDERATION`); the answer is 202, or 200 with a reply that comes in the same exchange, and its `deliveries` say how far it is.',
      access: 'mail:send',
      accounts: 'mail:send',
      limits: [limiters.sends],
      checks_key: true,
      body: Send,
      idempotency: true,
      signed: true,
      headers: { Prefer: PREFER },
      answers: {
        200: {
          description: 'Settled, whatever its status.',
          schema: Type.Union([Envelope, MinimalMessage]),
          headers: ['Idempotency-Replayed', 'Preference-Applied'],
        },
        202: {
          description: `${WHY_202} With \`send_at\`: the draft that is sent then.`,
          schema: Type.Union([Envelope, MinimalMessage, ScheduledDraft]),
          headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied'],
        },
      },
      problems: [...SEND_PROBLEMS, 'loop_detected'],
      upload: (caller) => uploads.begin(keyOf({ caller }).namespace_id),
      handle: (call) =>
        call.caller.kind === 'account'
          ? sendAsAccount(call, call.caller)
          : call.upload === undefined && call.body.attachments === undefined
            ? sendOne(call)
            : sendWithFiles(call),
    }),
    operation('POST', '/api/v1/mail/try', 'tryMailbox', {
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
      signed: true,
      headers: { Prefer: '`wait=N`: how many seconds to wait, 1 to 120.' },
      answers: {
        200: {
          description: 'Settled, whatever its status.',
          schema: TryEnvelope,
          headers: ['Idempotency-Replayed', 'Preference-Applied'],
        },
        202: {
          description: WHY_202,
          schema: TryEnvelope,
          headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied'],
        },
      },
      problems: SEND_PROBLEMS,
      async handle(call) {
        const { body } = call;
        const to = await readAddress(body.to, '/to', parts);
        checkSize(body.body, '/body', sizes.guestBody);
        const thread_id = continuedThread(body.thread_id, body.thread_token);
        const preferences = preferencesOf(call.headers.prefer, { minimal: false });
        const sent = await post.send(
          {
            caller: guestCaller(call.caller.network),
            ...guestSubmission({
              to,
              body: body.body,
              thread_id,
              channel: call.channel ?? 'api',
              idempotency: idempotencyOf(call, 'POST /api/v1/mail/try', clock),
              network: call.caller.network,
              agent: call.caller.agent,
            }),
          },
          wait(call, preferences.wait_ms ?? sync_ms),
        );
        const more = { thread_token: who.threadToken(sent.message.thread_id) };
        return sentAnswer(sent, true, mailDomain, preferences, more);
      },
    }),
  ];

  /** The thread a guest continues, authorized by its token. */
  function continuedThread(thread_id: string | null | undefined, token: string | null | undefined): string | null {
    if ((thread_id ?? null) === null && (token ?? null) === null) return null;
    if (typeof token !== 'string')
      throw invalid('/thread_token', 'To continue a thread, send the thread_token from its first answer.');
    const tokenThread = who.threadOf(token);
    if (tokenThread === undefined)
      throw invalid('/thread_token', 'This thread token is not valid. Send the one from the thread’s first answer.');
    if (typeof thread_id === 'string' && thread_id !== tokenThread)
      throw invalid('/thread_id', 'The thread token belongs to another thread.');
    return tokenThread;
  }
}

/** The key of a caller on a route that needs one. */
export const keyOf = (call: Pick<Call, 'caller'>): Key => {
  if (call.caller.kind !== 'key') throw new AppError('missing_key', 'Send an API key.');
  return call.caller.key;
};

/** Whose a message of an account is, and who pays for it. */
function senderOfAccount({
  key,
  address,
  namespace_id,
}: AccountCaller): Pick<Submission, 'sender' | 'payer' | 'caller'> {
  if (key !== undefined)
    return { sender: { kind: 'key', id: key.id, namespace_id, key_id: key.id, from: null }, payer: null };
  const sender = { kind: 'email', id: address, namespace_id: null, key_id: null, from: null } as const;
  return { sender, payer: { kind: 'namespace', id: namespace_id }, caller: `email:${address}` };
}
