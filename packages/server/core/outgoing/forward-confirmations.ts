import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress, isOutside } from '@mailroom/behavior/values/address';
import { type Clock, DAY, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { type ForwardTargets, forwardingKey } from '../access/rule-settings.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { type ForwardState, forwardTargets } from '../entities/rules.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';

/** The kind of the states of requests to confirm: their id is the hash of the secret in the link, their subject the mailbox. */
const REQUEST = 'forward-request';
/** An address that confirmed, and when. */
interface Confirmation {
  readonly address: string;
  readonly at: Millis;
}

/** The kind of the states of addresses that have confirmed; their subject is the mailbox. */
const CONFIRMED = 'forward-confirmed';
/** For how long a link works. */
const REQUEST_MS = 7 * DAY;
/** After how long an address is asked again as rules are saved. */
const AGAIN_MS = HOUR;
/** For how long a confirmation holds after it was given or used last. */
const CONFIRMED_MS = 400 * DAY;

interface Request {
  readonly address: string;
  readonly asked_at: number;
}

/** A request to confirm, as its link shows it. */
export interface ForwardRequest {
  /** The address outside that would get the messages. */
  readonly address: string;
  readonly mailbox: Mailbox;
}

interface Parts {
  readonly store: Pick<Store, 'keys' | 'mailboxes' | 'states'>;
  /** May a namespace write to this address; counts a mail of the day. AppError. */
  readonly mayWrite: (namespaceId: string, address: string) => Promise<void>;
  readonly count: (namespaceId: string) => Promise<void>;
  /** Sends a mail of the service to an address, and writes the state with it. */
  readonly send: (to: string, mail: { readonly subject: string; readonly text: string }, state: State) => Promise<void>;
  readonly newToken: () => string;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly baseUrl: () => string;
}

/**
 * The consent of addresses outside to get what rules forward to them: each confirms once for a mailbox, by a link that is
 * mailed to it, so that nothing is forwarded to who does not want it, or to an address that was mistyped.
 */
export class ForwardConfirmations implements ForwardTargets {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  check(namespaceId: string, target: string): Promise<void> {
    return this.#parts.mayWrite(namespaceId, target);
  }

  /** What is known of the forwards of a mailbox. */
  async state(mailbox: Mailbox): Promise<ForwardState> {
    const { store, clock } = this.#parts;
    const [states, key] = await Promise.all([
      store.states.of(CONFIRMED, mailbox.id, clock()),
      forwardingKey(mailbox, store, clock()),
    ]);
    return { confirmed: new Set(states.map(({ value }) => confirmationOf(value).address)), stopped: key === undefined };
  }

  /**
   * Whether a message that arrived at `arrived_at` may be forwarded to this address, which confirmed before; a use prolongs
   * the confirmation.
   */
  async use(mailboxId: string, address: string, arrived_at: Millis): Promise<boolean> {
    const { store, clock } = this.#parts;
    const now = clock();
    const id = idOf(mailboxId, address);
    const state = await store.states.get(CONFIRMED, id, now);
    if (state === undefined || confirmationOf(state.value).at > arrived_at) return false;
    return await store.states.prolong(CONFIRMED, id, now + CONFIRMED_MS, now);
  }

  /** As of `ForwardTargets`. Of a mailbox without rules all is forgotten. AppError `rate_limited`, `unavailable`. */
  async update(mailbox: Mailbox): Promise<void> {
    const { store, clock } = this.#parts;
    const { id } = mailbox;
    const targets = new Set(forwardTargets(mailbox.rules?.items ?? []).filter(isOutside));
    const now = clock();
    const [confirmed, requests] = await Promise.all([
      store.states.of(CONFIRMED, id, now),
      store.states.of(REQUEST, id, now),
    ]);
    const unwanted = [
      ...confirmed.filter(({ value }) => !targets.has(confirmationOf(value).address)),
      ...requests.filter(({ value }) => !targets.has(requestOf(value).address)),
    ];
    for (const state of unwanted) await store.states.remove(state.kind, state.id);
    const requested = new Set(
      requests
        .map(({ value }) => requestOf(value))
        .filter(({ asked_at }) => asked_at > now - AGAIN_MS)
        .map(({ address }) => address),
    );
    const known = new Set([...confirmed.map(({ value }) => confirmationOf(value).address), ...requested]);
    for (const target of targets) if (!known.has(target)) await this.#ask(mailbox, target);
  }

  /** What the link with this secret asks; undefined where it is used up, has expired, or its mailbox is gone. */
  async request(token: string): Promise<ForwardRequest | undefined> {
    const { store, clock } = this.#parts;
    const state = await store.states.get(REQUEST, sha256(token), clock());
    return state && this.#requested(state);
  }

  /** Confirms by the link with this secret, once; undefined as of `request`. */
  async confirm(token: string): Promise<ForwardRequest | undefined> {
    const { store, clock } = this.#parts;
    const now = clock();
    const state = await store.states.take(REQUEST, sha256(token), now);
    const request = state && (await this.#requested(state));
    if (request === undefined) return undefined;
    const { address, mailbox } = request;
    await store.states.set({
      kind: CONFIRMED,
      id: idOf(mailbox.id, address),
      subject: mailbox.id,
      value: JSON.stringify({ address, at: now } satisfies Confirmation),
      expires_at: now + CONFIRMED_MS,
    });
    return request;
  }

  /** A request of a rule that the mailbox still has. */
  async #requested({ subject, value }: State): Promise<ForwardRequest | undefined> {
    const { address } = requestOf(value);
    const mailbox = await this.#parts.store.mailboxes.byId(subject ?? '');
    const wanted = mailbox?.deleted_at === null && forwardTargets(mailbox.rules?.items ?? []).includes(address);
    return wanted ? { address, mailbox } : undefined;
  }

  /** Mails the link. It counts as a mail that the namespace writes, so that no one is asked without end. */
  async #ask(mailbox: Mailbox, address: string): Promise<void> {
    const { count, send, newToken, clock, mailDomain, baseUrl } = this.#parts;
    await count(mailbox.namespace_id);
    const now = clock();
    const token = newToken();
    const request: Request = { address, asked_at: now };
    const mail = confirmationMail(fullAddress(addressOf(mailbox), mailDomain), `${baseUrl()}/forwarding/${token}`);
    await send(address, mail, {
      kind: REQUEST,
      id: sha256(token),
      subject: mailbox.id,
      value: JSON.stringify(request),
      expires_at: now + REQUEST_MS,
    });
  }
}

const idOf = (mailboxId: string, address: string): string => `${mailboxId} ${address}`;
const confirmationOf = (value: string): Confirmation => JSON.parse(value) as Confirmation;
const requestOf = (value: string): Request => JSON.parse(value) as Request;

const confirmationMail = (mailbox: string, link: string): { readonly subject: string; readonly text: string } => ({
  subject: `Confirm that ${mailbox} forwards messages to you`,
  text: `The owner of ${mailbox} wants to forward messages that arrive there to this address.

Open this page and confirm, if you want to get them:
${link}

It works for seven days. If you do nothing, nothing is forwarded to you.
`,
});

/** AppError where a token is none of ours. */
export const unknownRequest = (): AppError =>
  new AppError(
    'not_found',
    'This link was used, has expired, or its owner took the rule away. Ask them to save it again.',
  );
