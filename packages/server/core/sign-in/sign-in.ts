import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { hostedAddress } from '@mailroom/behavior/values/address';
import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { emailAddress } from '../entities/email-address.ts';
import type { Mail } from '../outgoing/service-mail.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';

/** How long a code is valid. */
export const CODE_MS: Millis = 10 * MINUTE;
/** How many times an entered code is compared. */
export const CODE_TRIES = 5;
const CODE_LENGTH = 8;
/** Without look-alikes (0 O Q, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V), and without A, E and U, so that no words appear. */
const ALPHABET = 'CDFHJKMNPRTVWXY34679';
const WELL_FORMED = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`);
const KIND = 'sign_in';

/** A typed code in its canonical form, `ABCD-EFGH`; undefined when it cannot be one. */
export function readCode(text: string): string | undefined {
  const plain = text.toUpperCase().replace(/[\s\u2010-\u2015-]/g, '');
  return WELL_FORMED.test(plain) ? `${plain.slice(0, 4)}-${plain.slice(4)}` : undefined;
}

function newCode(): string {
  let code = '';
  for (let at = 0; at < CODE_LENGTH; at++) code += ALPHABET[randomInt(ALPHABET.length)];
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The content of a code's mail. */
export interface CodeMail {
  readonly address: string;
  /** The origin of the service that is signed in to. */
  readonly origin: string;
  readonly code: string;
  /** Opens a page that shows the code, or enters it in the browser that requested it. */
  readonly link: string;
}

export interface Beginning {
  /** As it was typed. */
  readonly address: string;
  /** A secret that only this browser holds. */
  readonly browser: string;
  /** The hosted mailbox that the mail comes from. */
  readonly from_mailbox_id: string;
  readonly origin: string;
  readonly link: (attempt: string, code: string) => string;
}

/** The state of an attempt, for the browser that began it. */
export interface Attempt {
  readonly address: string;
  /** Remaining tries. */
  readonly left: number;
  readonly expires_at: Millis;
}

export type Verified =
  | { readonly kind: 'signed_in'; readonly account_id: string; readonly address: string }
  /** The input cannot be a code: nothing was compared, and no try is used. */
  | { readonly kind: 'malformed'; readonly left: number }
  | { readonly kind: 'wrong'; readonly left: number }
  /** All five tries were used. */
  | { readonly kind: 'burnt' }
  /** The code expired, was used, or was replaced by a newer one. */
  | { readonly kind: 'expired' }
  /** Another browser began it: nothing was compared, and no try is used. */
  | { readonly kind: 'elsewhere' };

/** What is logged of an attempt to sign in: neither the address nor any part of the code. */
export interface SignInEvent {
  readonly request_id: string;
  readonly by: 'code' | 'passkey';
  /** `asked`: a code was sent if the address exists. `refused`: the passkey was not valid. */
  readonly outcome: 'asked' | 'refused' | Verified['kind'];
  /** The account that is signed in. */
  readonly account_id?: string;
}

interface Kept {
  readonly attempt: string;
  readonly address: string;
  /** SHA-256 keyed with the service's secret, as is everything that is stored of the code and the browser. */
  readonly browser: string;
  readonly code: string;
  readonly tries: number;
  readonly used: boolean;
}

/**
 * Sign-in codes by mail: typing the code in the browser that requested it proves control of the address. A code has 8
 * characters (34 bits), and is valid for 10 minutes, one sign-in and five tries. An address has one code at a time;
 * requesting another ends the previous one. What is stored of a code is useless without the service's secret.
 */
export class SignIns {
  readonly #store: Pick<Store, 'states' | 'accounts' | 'mailboxes'>;
  readonly #clock: Clock;
  readonly #post: (mail: Mail, state: State) => Promise<void>;
  readonly #write: (mail: CodeMail) => Pick<Mail, 'subject' | 'text' | 'html' | 'note'>;
  readonly #secret: string;
  readonly #mailDomain: string;

  constructor(
    parts: {
      readonly store: Pick<Store, 'states' | 'accounts' | 'mailboxes'>;
      readonly clock: Clock;
      /** Stores the mail and sets the state in one write. */
      readonly post: (mail: Mail, state: State) => Promise<void>;
      readonly write: (mail: CodeMail) => Pick<Mail, 'subject' | 'text' | 'html' | 'note'>;
    },
    options: { readonly secret: string; readonly mailDomain: string },
  ) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#post = parts.post;
    this.#write = parts.write;
    this.#secret = options.secret;
    this.#mailDomain = options.mailDomain;
  }

  /** An address that may request codes: hosted or external, it need not exist. AppError `validation_error`. */
  address(text: string): string {
    return emailAddress(text, this.#mailDomain);
  }

  /**
   * Stores a code with the mail that brings it: one state and one mail in one write, whatever the address. `attempt` identifies it for `look`
   * and `verify`, and grants nothing. AppError `validation_error` for an invalid address.
   */
  async begin(beginning: Beginning): Promise<{ readonly attempt: string }> {
    const address = this.address(beginning.address);
    const now = this.#clock();
    const place = this.#hmac('address', address);
    const attempt = `${place}.${randomBytes(16).toString('base64url')}`;
    const code = newCode();
    const kept: Kept = {
      attempt,
      address,
      browser: this.#hmac('browser', beginning.browser),
      code: this.#hmac('code', `${attempt}:${code}`),
      tries: 0,
      used: false,
    };
    const expires_at = now + CODE_MS;
    // Replaces the previous code of this address.
    const state: State = { kind: KIND, id: place, subject: null, value: JSON.stringify(kept), expires_at };
    const written = this.#write({ address, origin: beginning.origin, code, link: beginning.link(attempt, code) });
    const mail = {
      id: newId('mail', now),
      to: address,
      ...written,
      expires_at,
      from_mailbox_id: beginning.from_mailbox_id,
    };
    await this.#post(mail, state);
    return { attempt };
  }

  /** The state of an attempt; undefined when it is over, or another browser began it. */
  async look({
    attempt,
    browser,
  }: {
    readonly attempt: string;
    readonly browser: string;
  }): Promise<Attempt | undefined> {
    const found = await this.#find(attempt);
    if (found === undefined || found.kept.used || !this.#isBrowser(found.kept, browser)) return undefined;
    const { address, tries } = found.kept;
    return { address, left: CODE_TRIES - tries, expires_at: found.state.expires_at };
  }

  /**
   * Whether the code is right. A try is stored as used before anything is compared, so concurrent requests never compare
   * more than five; of concurrent right ones exactly one is `signed_in`.
   */
  async verify({
    attempt,
    browser,
    code,
  }: {
    readonly attempt: string;
    readonly browser: string;
    readonly code: string;
  }): Promise<Verified> {
    const typed = readCode(code);
    for (;;) {
      const found = await this.#find(attempt);
      if (found === undefined || found.kept.used) return { kind: 'expired' };
      const { kept, state } = found;
      if (!this.#isBrowser(kept, browser)) return { kind: 'elsewhere' };
      if (kept.tries >= CODE_TRIES) return { kind: 'burnt' };
      if (typed === undefined) return { kind: 'malformed', left: CODE_TRIES - kept.tries };
      const tried: Kept = { ...kept, tries: kept.tries + 1 };
      // A concurrent request used a try; there are five, so this loop ends.
      if (!(await this.#swap(state, tried))) continue;
      if (!same(this.#hmac('code', `${attempt}:${typed}`), kept.code)) {
        const left = CODE_TRIES - tried.tries;
        return left === 0 ? { kind: 'burnt' } : { kind: 'wrong', left };
      }
      return (await this.#use(attempt)) ? this.#signedIn(kept.address) : { kind: 'expired' };
    }
  }

  /** True for exactly one caller. */
  async #use(attempt: string): Promise<boolean> {
    for (;;) {
      const found = await this.#find(attempt);
      if (found === undefined || found.kept.used) return false;
      if (await this.#swap(found.state, { ...found.kept, used: true })) return true;
    }
  }

  /** The account of an address; created when an external address signs in for the first time. */
  async #signedIn(address: string): Promise<Verified> {
    const hosted = hostedAddress(address, this.#mailDomain);
    if (hosted === 'outside') {
      const now = this.#clock();
      const account = await this.#store.accounts.getOrPut({ id: newId('acc', now), address, created_at: now });
      return { kind: 'signed_in', account_id: account.id, address };
    }
    const mailbox = hosted && (await this.#store.mailboxes.byAddress(hosted.local, hosted.namespace));
    // The mailbox was deleted after the code was sent to it.
    if (mailbox === undefined || mailbox.deleted_at !== null) return { kind: 'expired' };
    return { kind: 'signed_in', account_id: mailbox.id, address };
  }

  async #find(attempt: string): Promise<{ readonly state: State; readonly kept: Kept } | undefined> {
    const [place = ''] = attempt.split('.');
    if (place.length !== 43) return undefined;
    const state = await this.#store.states.get(KIND, place, this.#clock());
    if (state === undefined) return undefined;
    const kept = JSON.parse(state.value) as Kept;
    return kept.attempt === attempt ? { state, kept } : undefined;
  }

  #swap({ id, value }: State, to: Kept): Promise<boolean> {
    return this.#store.states.swap(KIND, id, value, JSON.stringify(to), this.#clock());
  }

  #isBrowser(kept: Kept, browser: string): boolean {
    return same(this.#hmac('browser', browser), kept.browser);
  }

  #hmac(use: 'address' | 'browser' | 'code', text: string): string {
    return createHmac('sha256', this.#secret).update(`${use}:${text}`).digest('base64url');
  }
}

/** Both are 32 bytes. */
const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));
