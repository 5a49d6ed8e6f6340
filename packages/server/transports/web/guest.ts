import { parseAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import { guestCaller } from '@mailroom/behavior/values/guest';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isId } from '@mailroom/behavior/values/ids';
import type { Caller } from '../../core/access/caller.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import type { StoredAttachment } from '../../core/ports/blobs.ts';
import type { Store } from '../../core/ports/store.ts';
import { guestSubmission, type Submission } from '../../core/runs/submission.ts';
import type { Page } from '../../core/values/page.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import { html } from '../../http/html.ts';
import { idempotencyFor } from '../../http/idempotency.ts';
import { count, type Limiters, type Sizes } from '../../http/limits.ts';
import { type GuestLimits, guestAccess } from './guest-access.ts';
import { counted, fullOf, shortOf } from './pieces.ts';
import { type SendProblem, tooLong } from './talk.ts';

type Ids = ReadonlySet<string>;

/** What a guest's form of a conversation requests. */
export type TryRequest =
  | { readonly kind: 'write'; readonly text: string; readonly thread_id: string | null }
  /** Retries a failed message of the thread. */
  | { readonly kind: 'again'; readonly id: string; readonly thread_id: string }
  /** Shows the end of the thread, or the messages before one of them. */
  | { readonly kind: 'look'; readonly thread_id: string; readonly before: string | null }
  /** Shows what was answered meanwhile: further replies but for those shown, and answers to what waits. */
  | { readonly kind: 'later'; readonly thread_id: string; readonly shown: Ids; readonly waits: Ids }
  | { readonly kind: 'cancel'; readonly id: string; readonly thread_id: string }
  /** Downloads a file of the thread. */
  | { readonly kind: 'file'; readonly id: string; readonly thread_id: string };

/** Ids of turns that a page may name as shown. */
const MAX_SHOWN = 200;

const idsOf = (form: URLSearchParams, name: string): Ids => new Set(form.get(name)?.split(',', MAX_SHOWN));

/** Reads the form. AppError `validation_error` for a thread token that this service did not issue. */
export function readAsked(form: URLSearchParams, who: Pick<Authenticator, 'threadOf'>): TryRequest {
  const token = form.get('thread_token') || null;
  const thread_id = token === null ? null : (who.threadOf(token) ?? null);
  if (token !== null && thread_id === null) {
    throw new AppError(
      'validation_error',
      'This conversation cannot be continued. Reload the page to begin a new one.',
    );
  }
  if (thread_id !== null) {
    const cancel = form.get('cancel');
    if (cancel !== null) return { kind: 'cancel', id: cancel, thread_id };
    const file = form.get('file');
    if (file !== null) return { kind: 'file', id: file, thread_id };
    const again = form.get('again');
    if (again !== null) return { kind: 'again', id: again, thread_id };
    const before = form.get('before') ?? '';
    if (isId('msg', before)) return { kind: 'look', thread_id, before };
    if (form.has('later'))
      return { kind: 'later', thread_id, shown: idsOf(form, 'later'), waits: idsOf(form, 'waits') };
    if (form.has('look')) return { kind: 'look', thread_id, before: null };
  }
  return { kind: 'write', text: form.get('example') ?? form.get('body') ?? '', thread_id };
}

/** What making a guest's submission needs. */
export interface SubmissionParts {
  readonly sizes: Pick<Sizes, 'guestBody'>;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The submission that a guest's form stands for. AppError for an empty text, or one that is too long. */
export function submissionOf(
  mailbox: Mailbox,
  text: string,
  thread_id: string | null,
  form: URLSearchParams,
  caller: Caller,
  { sizes, clock, mailDomain }: SubmissionParts,
): Submission {
  if (text.trim() === '') throw new AppError('validation_error', 'Write something first.');
  if (Buffer.byteLength(text) > sizes.guestBody) throw new AppError('body_too_large', tooLong(sizes.guestBody));
  const address = fullOf(mailbox, mailDomain);
  const to = parseAddress(address, mailDomain);
  if (to === undefined) throw new AppError('mailbox_not_found', `No mailbox has the address ${address}.`);
  // After a step back the page has the same key but may send another text, which is another message.
  const key = (form.get('once') ?? '').slice(0, 64);
  const asked = { address, text, thread_id };
  const idempotency =
    key === '' ? undefined : idempotencyFor(`${key}${sha256(text)}`, asked, caller, 'try on the web', clock);
  const { network } = caller;
  return {
    ...guestSubmission({ to, body: text, thread_id, channel: 'web', idempotency, network }),
    caller: guestCaller(network),
  };
}

/** AppError `rate_limited` for a client that reloads too often: reading writes nothing, so it counts as a page view. */
export async function countLook(
  { network }: Caller,
  { rateLimits, limiters }: Pick<GuestLimits, 'rateLimits'> & { readonly limiters: Pick<Limiters, 'pages'> },
): Promise<void> {
  const { refused } = rateLimits ? await count([limiters.pages], network) : {};
  if (refused !== undefined) throw refused;
}

/** What counting a guest's messages needs. */
export interface TryLimits extends GuestLimits {
  readonly limiters: Pick<Limiters, 'tries'>;
}

/** Why a guest may not write now, counting this message; undefined where they may, or solved a challenge. */
export async function sendRefusal(
  caller: Caller,
  form: URLSearchParams,
  parts: TryLimits,
): Promise<SendProblem | undefined> {
  const { refused } = await guestAccess(parts.limiters.tries, caller, form, parts);
  return refused && waitOf(refused, parts.limiters.tries);
}

const MINUTE_MS = 60_000;

/** A refusal as a wait, naming the limit that was reached. */
function waitOf(refused: AppError, tries: Limiters['tries']): SendProblem {
  const ms = refused.retry_after_ms ?? MINUTE_MS;
  const day = tries.find(({ policy }) => policy.kind === 'day')?.policy;
  const minute = tries.find(({ policy }) => policy.kind === 'bucket')?.policy;
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (ms > MINUTE_MS && day !== undefined) {
    const sentence = html`Write again at 00:00 UTC, or <a href="new">make an address</a> and use its key.`;
    return { kind: 'wait', seconds, fact: `That was ${counted(day.quota, 'message')} today.`, sentence };
  }
  return {
    kind: 'wait',
    seconds,
    sentence: html`Guests may send ${minute?.quota ?? 0} a minute. Your text stays here.`,
  };
}

/** Whether the form itself can show the error; others get a page of their own. */
export const isFieldError = (error: unknown): error is AppError =>
  error instanceof AppError && [413, 422, 507].includes(problems[error.code].status);

/** A message of a guest's own thread. AppError `message_not_found`. */
export async function ownMessage(
  id: string,
  thread_id: string,
  { store }: { readonly store: Pick<Store, 'messages'> },
): Promise<Message> {
  const message = isId('msg', id) ? await store.messages.byId(id) : undefined;
  if (message?.thread_id !== thread_id || message.sender_kind !== 'guest') {
    throw new AppError('message_not_found', 'This conversation has no such message.');
  }
  return message;
}

/** Messages of a conversation that a page shows. */
const MAX_TURNS = 20;

/** Whether the mailbox answered the guest once more with it. */
export const isFurtherReply = ({ kind, from }: Message, mailbox: Mailbox): boolean =>
  kind === 'reply' && from === shortOf(mailbox);

/**
 * The last messages of a guest's thread and further replies to them, or the last before one of them, oldest first;
 * `next` is the `before` of the earlier part.
 */
export async function threadOf(
  thread_id: string,
  mailbox: Mailbox,
  { store }: { readonly store: Pick<Store, 'messages'> },
  before: string | null = null,
): Promise<Page<Message>> {
  const { items, next } = await store.messages.threadEnd(thread_id, before, MAX_TURNS);
  const isShown = (one: Message): boolean =>
    (one.sender_kind === 'guest' && one.mailbox_id === mailbox.id) || isFurtherReply(one, mailbox);
  return { items: items.filter(isShown), next };
}

/** A file of a guest's own thread. AppError `not_found`. */
export async function ownFile(
  id: string,
  thread_id: string,
  { store }: { readonly store: Pick<Store, 'attachments' | 'messages'> },
): Promise<StoredAttachment> {
  const file = isId('att', id) ? await store.attachments.byId(id) : undefined;
  const owner = file !== undefined && isId('msg', file.owner_id) ? await store.messages.byId(file.owner_id) : undefined;
  if (file === undefined || owner?.thread_id !== thread_id)
    throw new AppError('not_found', 'This conversation has no such file.');
  return file;
}
