import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { MAX_PASSKEYS, type Passkey } from '../../core/entities/account.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Person } from '../../core/sign-in/account-sessions.ts';

/** How long a page's challenge is valid; an older page must be reloaded. */
const CHALLENGE_MS: Millis = 30 * MINUTE;
const KIND = 'passkey_challenge';
const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAX_RESPONSE = 16 * 1024;
/** Characters of a passkey's name. */
export const MAX_PASSKEY_NAME = 60;

type Use = 'get' | 'create';

/** Loaded on first use, because it has some 300 modules. */
const webauthn = () => import('@simplewebauthn/server');

/**
 * Passkeys (WebAuthn Level 3): discoverable credentials with user verification, so that no credential list reveals
 * whether an address has one. A challenge is signed for one browser and one use, is stored only when it comes back, and
 * is accepted once.
 */
export class Passkeys {
  readonly #store: Pick<Store, 'accounts' | 'states'>;
  readonly #clock: Clock;
  readonly #secret: string;
  readonly #baseUrl: () => string;

  constructor(
    parts: { readonly store: Pick<Store, 'accounts' | 'states'>; readonly clock: Clock },
    options: { readonly secret: string; readonly baseUrl: () => string },
  ) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#secret = options.secret;
    this.#baseUrl = options.baseUrl;
  }

  /** Whether passkeys are available; a passkey belongs to a host name, never to an IP address. */
  get possible(): boolean {
    return isIP(this.#rpId.replace(/^\[|\]$/g, '')) === 0;
  }

  /** Options for `navigator.credentials.get`, as JSON. */
  async getOptions(browser: string): Promise<string> {
    const options = await (await webauthn()).generateAuthenticationOptions({
      rpID: this.#rpId,
      challenge: this.#challenge('get', browser),
      timeout: CHALLENGE_MS,
      userVerification: 'required',
    });
    return JSON.stringify(options);
  }

  /** Options for `navigator.credentials.create`, as JSON. */
  async createOptions(browser: string, person: Person): Promise<string> {
    const passkeys = await this.#store.accounts.passkeys(person.account_id);
    const options = await (await webauthn()).generateRegistrationOptions({
      rpName: new URL(this.#baseUrl()).host,
      rpID: this.#rpId,
      userName: person.address,
      userDisplayName: person.name ?? person.address,
      userID: new TextEncoder().encode(person.account_id),
      challenge: this.#challenge('create', `${browser}:${person.account_id}`),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: passkeys.map(({ id, transports }) => ({
        id,
        transports: JSON.parse(transports) as string[],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return JSON.stringify(options);
  }

  /**
   * The account whose passkey answered the challenge, and the methods (RFC 8176). AppError `validation_error` says what
   * to do when the passkey is unknown or the page too old.
   */
  async signIn(
    browser: string,
    response: string,
  ): Promise<{ readonly account_id: string; readonly amr: readonly string[] }> {
    const given = readResponse<AuthenticationResponseJSON>(response);
    const passkey = typeof given.id === 'string' ? await this.#store.accounts.passkey(given.id) : undefined;
    if (passkey === undefined) {
      throw invalid('/response', 'This passkey was removed here, or belongs to another service. Sign in with a code.');
    }
    const { userHandle } = given.response ?? {};
    if (userHandle !== Buffer.from(passkey.account_id).toString('base64url')) throw refused();
    const verified = await (await webauthn())
      .verifyAuthenticationResponse({
        response: given,
        expectedChallenge: (challenge) => this.#spend('get', browser, challenge),
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: Buffer.from(passkey.public_key, 'base64url'),
          counter: passkey.counter,
          transports: JSON.parse(passkey.transports) as string[],
        },
      })
      .catch(refuse);
    if (!verified.verified) throw refused();
    const { newCounter, credentialBackedUp } = verified.authenticationInfo;
    const used = await this.#store.accounts.usedPasskey(passkey.id, newCounter, credentialBackedUp, this.#clock());
    if (!used) throw refused();
    // The key of a synced passkey is not bound to hardware; it still is two factors, the device and its unlocking.
    return { account_id: passkey.account_id, amr: ['pop', credentialBackedUp ? 'swk' : 'hwk', 'user', 'mfa'] };
  }

  /** Adds the passkey created on this page. AppError `validation_error` says what is wrong. */
  async add(browser: string, person: Person, response: string, name: string): Promise<Passkey> {
    const verified = await (await webauthn())
      .verifyRegistrationResponse({
        response: readResponse<RegistrationResponseJSON>(response),
        expectedChallenge: (challenge) => this.#spend('create', `${browser}:${person.account_id}`, challenge),
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
      })
      .catch(refuse);
    if (!verified.verified) throw refused();
    const { credential, credentialBackedUp } = verified.registrationInfo;
    const now = this.#clock();
    const passkey: Passkey = {
      id: credential.id,
      account_id: person.account_id,
      name: passkeyName(name),
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify((credential.transports ?? []).slice(0, 10)),
      backed_up: credentialBackedUp,
      created_at: now,
      used_at: null,
    };
    const added = await this.#store.accounts.addPasskey(passkey);
    if (added === 'added') return passkey;
    if (added === 'gone') throw invalid('/response', 'This address was deleted.');
    throw added === 'full'
      ? invalid('/response', `An address has up to ${MAX_PASSKEYS} passkeys. Remove one first.`)
      : invalid('/response', 'This passkey is already added.');
  }

  get #rpId(): string {
    return new URL(this.#baseUrl()).hostname;
  }

  get #origin(): string {
    return new URL(this.#baseUrl()).origin;
  }

  /** Random bytes, the expiry, and a signature for this use in this browser. */
  #challenge(use: Use, browser: string): Uint8Array<ArrayBuffer> {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(this.#clock() + CHALLENGE_MS, 0, TIME_BYTES);
    const head = Buffer.concat([randomBytes(NONCE_BYTES), time]);
    return new Uint8Array(Buffer.concat([head, this.#sign(use, browser, head)]));
  }

  /** True once for a challenge of this use and browser that has not expired. */
  async #spend(use: Use, browser: string, challenge: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
    const signature = bytes.subarray(head.length);
    const right = this.#sign(use, browser, head);
    if (signature.length !== right.length || !timingSafeEqual(signature, right)) return false;
    const expires_at = head.readUIntBE(NONCE_BYTES, TIME_BYTES);
    const now = this.#clock();
    if (expires_at <= now) throw tooOld();
    const id = head.toString('base64url');
    return this.#store.states.put({ kind: KIND, id, subject: null, value: '', expires_at }, now);
  }

  #sign(use: Use, browser: string, head: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(`${use}:${browser}:`).update(head).digest();
  }
}

/** A passkey's name in its stored form. AppError `validation_error` at `/name`. */
export function passkeyName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_PASSKEY_NAME || /\p{Cc}/u.test(name)) {
    throw invalid('/name', `Give it a name of up to ${MAX_PASSKEY_NAME} characters, such as “Phone”.`);
  }
  return name;
}

const refused = (cause?: unknown): AppError =>
  new AppError(
    'validation_error',
    'This passkey did not work. Reload the page and try again, or sign in with a code.',
    {
      errors: [{ pointer: '/response', message: 'The passkey was not accepted.' }],
      cause,
    },
  );

const tooOld = (): AppError => invalid('/response', 'This page was open for too long. Try again now.');

/** An error of the library means an invalid answer; AppErrors are more specific and kept. */
function refuse(error: unknown): never {
  throw error instanceof AppError ? error : refused(error);
}

function readResponse<T>(text: string): T {
  if (text.length > 0 && text.length <= MAX_RESPONSE) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as T;
    } catch {
      // The error is thrown below.
    }
  }
  throw refused();
}
