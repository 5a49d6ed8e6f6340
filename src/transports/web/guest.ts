import type { Caller } from '../../core/access/caller.ts';
import { guestCaller } from '../../core/delivery/caller-of.ts';
import type { Submission } from '../../core/delivery/submission.ts';
import { guestSubmission } from '../../core/delivery/submission.ts';
import { sha256 } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { parseAddress } from '../../core/values/address.ts';
import { AppError, problems } from '../../core/values/error.ts';
import { isId } from '../../core/values/ids.ts';
import type { Page } from '../../core/values/page.ts';
import { html } from '../../http/html.ts';
import { idempotencyFor } from '../../http/idempotency.ts';
import { count } from '../../http/limits.ts';
import type { Parts } from '../../http/parts.ts';
import { guestAccess } from './guest-access.ts';
import { counted, fullOf } from './pieces.ts';
import type { SendProblem } from './talk.ts';

/** What a guest asks for with the form of a conversation. */
export type TryRequest =
  | { readonly kind: 'write'; readonly text: string; readonly thread_id: string | null }
  /** A failed message of its thread once more. */
  | { readonly kind: 'again'; readonly id: string; readonly thread_id: string }
  /** How its thread stands, or what is before one of its messages. */
  | { readonly kind: 'look'; readonly thread_id: string; readonly before: string | null }
  | { readonly kind: 'cancel'; readonly id: string; readonly thread_id: string };

/** Reads the form. AppError `validation_error` for a thread that this service did not begin. */
export function readAsked(form: URLSearchParams, { authenticator: who }: Parts): TryRequest {
  const token = form.get('thread_token') || null;
  const thread_id = token === null ? null : (who.threadOf(token) ?? null);
  if (token !== null && thread_id === null) {
    throw new AppError(
      'validation_error',
      'This conversation cannot be gone on with. Open the page again to begin a new one.',
    );
  }
  if (thread_id !== null) {
    const cancel = form.get('cancel');
    if (cancel !== null) return { kind: 'cancel', id: cancel, thread_id };
    const again = form.get('again');
    if (again !== null) return { kind: 'again', id: again, thread_id };
    const before = form.get('before') ?? '';
    if (isId('msg', before)) return { kind: 'look', thread_id, before };
    if (form.has('look')) return { kind: 'look', thread_id, before: null };
  }
  return { kind: 'write', text: form.get('example') ?? form.get('body') ?? '', thread_id };
}

/** The letter a guest's form comes to. AppError for a text that is none, or too long. */
export function submissionOf(
  mailbox: Mailbox,
  text: string,
  thread_id: string | null,
  form: URLSearchParams,
  caller: Caller,
  { sizes, clock, mailDomain }: Parts,
): Submission {
  if (text.trim() === '') throw new AppError('validation_error', 'Write something first.');
  if (Buffer.byteLength(text) > sizes.guestBody) {
    throw new AppError(
      'body_too_large',
      `That is longer than guests may send (${Math.floor(sizes.guestBody / 1024)} KB). Send it in parts, or with a key.`,
    );
  }
  const address = fullOf(mailbox, mailDomain);
  const to = parseAddress(address, mailDomain);
  if (to === undefined) throw new AppError('mailbox_not_found', `There is no mailbox ${address}.`);
  // A page that was gone back to has the same key and may send another text: that is another message.
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

/** AppError `rate_limited` for who looks too often: a look writes nothing, so it counts as a page. */
export async function countLook({ network }: Caller, { rateLimits, limiters }: Parts): Promise<void> {
  const { refused } = rateLimits ? await count([limiters.pages], network) : {};
  if (refused !== undefined) throw refused;
}

/** What keeps a guest from writing now, counting this message; undefined when nothing does, or a challenge was solved. */
export async function hindered(caller: Caller, form: URLSearchParams, parts: Parts): Promise<SendProblem | undefined> {
  const { refused } = await guestAccess(parts.limiters.tries, caller, form, parts);
  return refused && waitOf(refused, parts);
}

const MINUTE_MS = 60_000;

/** A limit as a wait, in the words of the limit that was met. */
function waitOf(refused: AppError, { limiters }: Parts): SendProblem {
  const ms = refused.retry_after_ms ?? MINUTE_MS;
  const day = limiters.tries.find(({ policy }) => policy.kind === 'day')?.policy;
  const minute = limiters.tries.find(({ policy }) => policy.kind === 'bucket')?.policy;
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

/** An AppError that the form itself can tell; others are pages of their own. */
export const isFieldError = (error: unknown): error is AppError =>
  error instanceof AppError && [413, 422, 507].includes(problems[error.code].status);

/** A message of a guest's own thread. AppError `message_not_found`. */
export async function ownMessage(id: string, thread_id: string, { store }: Parts): Promise<Message> {
  const message = isId('msg', id) ? await store.messages.byId(id) : undefined;
  if (message?.thread_id !== thread_id || message.sender_kind !== 'guest') {
    throw new AppError('message_not_found', 'There is no such message in this conversation.');
  }
  return message;
}

/** Messages of a conversation that a page shows. */
const MAX_TURNS = 20;

/** The end of a guest's thread, or of what is before a message of it, oldest first; `next` is the `before` of the part before. */
export async function threadOf(
  thread_id: string,
  mailbox: Mailbox,
  { store }: Parts,
  before: string | null = null,
): Promise<Page<Message>> {
  const { items, next } = await store.messages.threadEnd(thread_id, before, MAX_TURNS);
  return { items: items.filter((one) => one.sender_kind === 'guest' && one.mailbox_id === mailbox.id), next };
}
