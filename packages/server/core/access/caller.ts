import { addressOf } from '@mailroom/behavior/mailbox';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { boundTo, hasScope, isBound, type Key, reaches, type Scope } from '../entities/key.ts';
import { GONE } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Messages } from '../ports/messages.ts';
import type { SearchCaller, SearchedBy } from '../ports/search.ts';
import type { Directory } from './directory.ts';

/**
 * The caller: a program with a key, a guest, a guest who continues the thread it began, or a client of an account that
 * signed in for one mailbox.
 */
export type Caller = Requester &
  (
    | {
        readonly kind: 'key';
        readonly key: Key;
        /** By an access token of the owner whose key it is, with the scopes of that token. */
        readonly by_token?: true;
        /** The session of the console in which a person acts. */
        readonly session?: string;
      }
    | { readonly kind: 'guest' }
    | { readonly kind: 'thread'; readonly thread_id: string }
    | AccountCaller
  );

/** What is known of the request of any caller. */
interface Requester {
  readonly network: string;
  /** A program on the machine of a service that only this machine reaches. */
  readonly local?: true;
  /** The origin of the agent whose signature of the request was verified (Web Bot Auth); undefined for none. */
  readonly agent?: string | undefined;
}

/**
 * A client that an account signed in to for one mailbox: it writes to that one as the account, and reads what the account
 * wrote there, whatever else the account may do.
 */
export interface AccountCaller extends Requester {
  readonly kind: 'account';
  /** `acc_…` or `mbx_…` */
  readonly account_id: string;
  /** The full address of the account, in lower case, which is proven. */
  readonly address: string;
  readonly mailbox_id: string;
  /** The namespace of the mailbox. */
  readonly namespace_id: string;
  /** By which the account writes as the namespace, as a member who may; undefined for any other, which writes as its address. */
  readonly key: Key | undefined;
  readonly scopes: readonly Scope[];
}

/** The key by which a caller writes, if by one. */
export const writingKey = (caller: Caller): Key | undefined =>
  caller.kind === 'key' || caller.kind === 'account' ? caller.key : undefined;

/** Whether this is one of the namespace's own keys. */
export const isOwn = (caller: Caller, namespaceId: string): boolean =>
  caller.kind === 'key' && caller.key.namespace_id === namespaceId;

/** The key under which searches share a limit: a namespace's keys together, and the guests of one network together. */
export const searchCaller = (caller: Caller, gone: AbortSignal): SearchCaller => ({
  id: namespaceOf(caller) ?? caller.network,
  signal: gone,
});

/** What the keys of a caller read: all of its namespace, or the mailboxes they are bound to. AppError `missing_key`. */
export function searchedBy(caller: Caller): SearchedBy {
  if (caller.kind !== 'key') throw new AppError('missing_key', 'Send an API key.');
  const mailbox_ids = boundTo(caller.key);
  return mailbox_ids === null ? { namespace_id: caller.key.namespace_id } : { mailbox_ids };
}

/** The namespace of the caller's key; null without a key. */
export const namespaceOf = (caller: Caller): string | null => (caller.kind === 'key' ? caller.key.namespace_id : null);

/**
 * Whether the key has `scope` for this mailbox: the mailbox is in its namespace, and is one that the key is bound to, if
 * to any.
 */
export const mayOn = (caller: Caller, scope: Scope, mailbox: Mailbox): boolean =>
  caller.kind === 'key' &&
  caller.key.namespace_id === mailbox.namespace_id &&
  reaches(caller.key, mailbox.id) &&
  hasScope(caller.key, scope);

/** Whether the caller may know that the mailbox exists. */
const maySee = (caller: Caller, mailbox: Mailbox): boolean =>
  mailbox.access === 'public' || isOwn(caller, mailbox.namespace_id);

/** Throws AppError `access_denied` unless the key is of this namespace, `insufficient_scope` unless it has `scope` there. */
export function requireOwn(
  caller: Caller,
  namespace: { readonly id: string; readonly name: string },
  scope: Scope,
): Key {
  if (caller.kind !== 'key' || caller.key.namespace_id !== namespace.id) {
    throw new AppError('access_denied', `This key belongs to another namespace. Use a key of "${namespace.name}".`);
  }
  if (!hasScope(caller.key, scope)) throw missingScope(scope);
  if (isBound(caller.key)) {
    throw new AppError(
      'access_denied',
      `This key is bound to ${caller.key.mailbox}. Use one that is not bound to a mailbox.`,
    );
  }
  return caller.key;
}

const keyIn = (by: Key | Caller): Key | undefined => ('key' in by ? by.key : 'expires_at' in by ? by : undefined);

/** Throws AppError `access_denied` for a key that expires, or an access token, because `what` would outlive it. */
export function requireLasting(by: Key | Caller, what: string): void {
  const expires_at = keyIn(by)?.expires_at ?? null;
  const token = 'by_token' in by && by.by_token === true;
  if (expires_at === null && !token) return;
  const ends = expires_at === null ? 'An access token expires' : `This key expires at ${rfc3339(expires_at)}`;
  throw new AppError('access_denied', `${ends}, and ${what} would outlive it. Use a key that does not expire.`);
}

/**
 * Throws AppError unless the key may set up, or change, what has messages leave, or others act for the namespace:
 * `access_denied` for one that expires, `insufficient_scope` for one without `scope`.
 */
export function requireDisclosing(by: Key | Caller, what: string, scope: Scope = 'messages:read'): void {
  requireLasting(by, what);
  const key = keyIn(by);
  if (key !== undefined && hasScope(key, scope)) return;
  const why = scope === 'owner' ? `${what} say who may act for the namespace` : `messages leave by ${what}`;
  throw new AppError(
    'insufficient_scope',
    `This requires a key with the scope ${scope} too, because ${why}. Create one with POST /api/v1/keys.`,
  );
}

export const missingScope = (scope: Scope): AppError =>
  new AppError('insufficient_scope', `This requires a key with the scope ${scope}. Create one with POST /api/v1/keys.`);

/** What a caller may do with a message. */
export interface Rights {
  /** The caller sent it: the same key, mailbox or guest thread, or a key that reads its namespace's messages. */
  readonly sender: boolean;
  readonly reader: boolean;
  /** Whether the caller may read what is for the recipient alone, such as sign-in codes, which let their reader sign in. */
  readonly recipientSigns: boolean;
  readonly recipient: boolean;
  /** Whether the caller manages the mailbox that the message was sent as. */
  readonly runsSender: boolean;
}

/** Whether its time in the trash of this view is over. */
const isGoneFrom = ({ labels }: Message, view: string | null): boolean =>
  labels?.some((one) => one.mailbox_id === view && one.label === GONE) === true;

const NONE: Rights = {
  sender: false,
  reader: false,
  recipientSigns: false,
  recipient: false,
  runsSender: false,
};

/** What `caller` may do with `message`; a message that the caller may not see is answered as one that does not exist. */
export async function rightsOn(message: Message, caller: Caller, directory: Directory): Promise<Rights> {
  if (caller.kind === 'guest') return NONE;
  if (caller.kind === 'thread') {
    const own = message.sender_kind === 'guest' && message.thread_id === caller.thread_id;
    return { ...NONE, sender: own, reader: own };
  }
  if (caller.kind === 'account') {
    const { key, address, mailbox_id } = caller;
    const sent =
      (key !== undefined && message.key_id === key.id) ||
      (message.sender_kind === 'email' && message.sender_id === address);
    const own = sent && message.mailbox_id === mailbox_id;
    return { ...NONE, sender: own, reader: own };
  }
  const { key } = caller;
  // A message that the recipient resent does not carry the recipient's key but stays its own.
  const sentView = message.sender_kind === 'mailbox' ? message.sender_id : message.sender_namespace_id;
  const isSentGone = isGoneFrom(message, sentView);
  const sent =
    !isSentGone && (message.key_id === key.id || (message.sender_kind === 'key' && message.sender_id === key.id));
  const asItsMailbox = !isBound(key) || (message.sender_kind === 'mailbox' && reaches(key, message.sender_id));
  const senderReads =
    !isSentGone && message.sender_namespace_id === key.namespace_id && asItsMailbox && hasScope(key, 'messages:read');
  const mailbox = await directory.mailboxById(message.mailbox_id);
  const { sender_kind, sender_id } = message;
  const sender = sender_kind === 'mailbox' && sender_id !== null ? await directory.mailboxById(sender_id) : undefined;
  const receives = mailbox !== undefined && mayOn(caller, 'messages:read', mailbox) && !isGoneFrom(message, mailbox.id);
  const wrote = message.kind === 'reply' && sender?.deleted_at === null && mayOn(caller, 'messages:read', sender);
  return {
    sender: sent,
    reader: sent || senderReads || receives || wrote,
    // A sign-in code opens a session of 30 days that can create a passkey, so a key that expires must not read it.
    recipientSigns: receives && key.expires_at === null && mayOn(caller, 'auth:assert', mailbox),
    recipient: mailbox !== undefined && mayOn(caller, 'mailboxes:write', mailbox),
    runsSender: sender !== undefined && sender.deleted_at === null && mayOn(caller, 'mailboxes:write', sender),
  };
}

/** As `rightsOn`; what a caller may do with a message it may also do with the replies to it. */
export async function rightsTo(
  message: Message,
  caller: Caller,
  directory: Directory,
  messages: Pick<Messages, 'byId'>,
): Promise<Rights> {
  const rights = await rightsOn(message, caller, directory);
  const answered =
    message.kind === 'reply' && message.in_reply_to !== null ? await messages.byId(message.in_reply_to) : undefined;
  if (answered === undefined) return rights;
  const more = await rightsOn(answered, caller, directory);
  return {
    sender: rights.sender || more.sender,
    reader: rights.reader || more.reader,
    recipientSigns: rights.recipientSigns || more.recipientSigns,
    recipient: rights.recipient || more.recipient,
    runsSender: rights.runsSender || more.runsSender,
  };
}

/** The mailbox, where the caller may see it; else AppError `mailbox_not_found` or `mailbox_gone`. */
export function visible(caller: Caller, address: string, mailbox: Mailbox | undefined): Mailbox {
  if (mailbox === undefined || !maySee(caller, mailbox)) {
    throw new AppError('mailbox_not_found', `There is no mailbox ${address.slice(0, 200)} here. Check the spelling.`);
  }
  if (mailbox.deleted_at !== null)
    throw new AppError('mailbox_gone', `${addressOf(mailbox)} was deleted by its owner.`);
  return mailbox;
}
