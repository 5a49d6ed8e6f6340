import type { KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPairSync, hash, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock, Millis } from '../core/clock.ts';
import { DAY, HOUR } from '../core/clock.ts';
import type { States } from '../core/store.ts';

/** What a key signs; each use has keys of its own. */
export type Use = 'receipt';

/** A public key (RFC 7517, RFC 7518 section 6.2), as it stands in the JWKS. */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'ES256';
}

/** A key signs for so long; then the next one does. */
const PERIOD_MS: Millis = 90 * DAY;
/** The next one is published so long before it signs, so that who caches the JWKS knows it by then. */
const AHEAD_MS: Millis = DAY;
/** What was signed can be checked for so long. */
const PUBLISHED_MS: Millis = 5 * 365 * DAY;
/** How often this process looks whether another key signs now. */
const LOOK_MS: Millis = HOUR;

const PRIVATE = 'signing_key';
const PUBLIC = 'public_key';

interface Signer {
  readonly header: string;
  readonly key: KeyObject;
}

const signOn = promisify(sign);
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** The key's thumbprint (RFC 7638), which names it. */
const thumbprint = ({ crv, kty, x, y }: Pick<PublicJwk, 'crv' | 'kty' | 'x' | 'y'>): string =>
  hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');

/**
 * The keys that the service signs with: ES256, one a use and a quarter of a year, the same on every node. The private half is
 * deleted when it signs no more, the public half is published for five years.
 */
export class Keyring {
  readonly #states: States;
  readonly #clock: Clock;
  readonly #signers = new Map<Use, Signer>();

  private constructor(states: States, clock: Clock) {
    this.#states = states;
    this.#clock = clock;
  }

  /** With a key for each use, made if there was none. */
  static async open(states: States, clock: Clock, uses: readonly Use[]): Promise<Keyring> {
    const keyring = new Keyring(states, clock);
    await keyring.#rotate(uses);
    return keyring;
  }

  /** Looks from time to time whether the next key signs. */
  watch(onError: (error: unknown) => void): Disposable {
    const timer = setInterval(() => void this.#rotate([...this.#signers.keys()]).catch(onError), LOOK_MS);
    timer.unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** A compact JWS (RFC 7515, section 3.1) over the text; made on another thread, as it takes as long as an exchange. */
  async sign(use: Use, payload: string): Promise<string> {
    const signer = this.#signers.get(use);
    if (signer === undefined) throw new Error(`There is no key to sign a ${use}.`);
    const signed = `${signer.header}.${base64url(payload)}`;
    const signature = await signOn('sha256', Buffer.from(signed), { key: signer.key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  /** The public halves of all that signed in the last five years, or soon will. */
  async jwks(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    const found = await this.#states.of(PUBLIC, 'all', this.#clock());
    return { keys: found.map(({ value }) => JSON.parse(value) as PublicJwk) };
  }

  async #rotate(uses: readonly Use[]): Promise<void> {
    const period = Math.floor(this.#clock() / PERIOD_MS);
    for (const use of uses) {
      const { key, kid } = await this.#keyOf(use, period);
      const header = base64url(JSON.stringify({ alg: 'ES256', kid, typ: `mailroom-${use}+json` }));
      this.#signers.set(use, { header, key });
      const ends = (period + 1) * PERIOD_MS;
      if (ends - this.#clock() < AHEAD_MS) await this.#keyOf(use, period + 1);
    }
  }

  /** The key of a period: of many nodes that make it at once, one does. */
  async #keyOf(use: Use, period: number): Promise<{ readonly key: KeyObject; readonly kid: string }> {
    const now = this.#clock();
    const id = `${use}:${period}`;
    let found = await this.#states.get(PRIVATE, id, now);
    if (found === undefined) {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const value = JSON.stringify(privateKey.export({ format: 'jwk' }));
      const expires_at = (period + 1) * PERIOD_MS + AHEAD_MS;
      await this.#states.put({ kind: PRIVATE, id, subject: null, value, expires_at }, now);
      found = await this.#states.get(PRIVATE, id, now);
    }
    if (found === undefined) throw new Error('The key that was made is not there.');
    const { x, y, d } = JSON.parse(found.value) as { x: string; y: string; d: string };
    const half = { kty: 'EC', crv: 'P-256', x, y } as const;
    const kid = thumbprint(half);
    const jwk: PublicJwk = { ...half, kid, use: 'sig', alg: 'ES256' };
    // Of a crash between the two writes the second is made up for here.
    const published = { kind: PUBLIC, id: kid, subject: 'all', value: JSON.stringify(jwk) };
    await this.#states.put({ ...published, expires_at: (period + 1) * PERIOD_MS + PUBLISHED_MS }, now);
    return { key: createPrivateKey({ key: { ...half, d }, format: 'jwk' }), kid };
  }
}
