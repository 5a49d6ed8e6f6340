import type { KeyObject } from 'node:crypto';
import { createPrivateKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { States } from '../core/ports/store.ts';
import type { IssuerKeys, PublicJwk, SigningKey } from '../core/sign-in/issuer-keys.ts';
import type { Clock, Millis } from '../core/values/clock.ts';
import { DAY, HOUR } from '../core/values/clock.ts';
import type { Alg } from './jwk.ts';
import { newKey, publicHalf } from './jwk.ts';
import type { Signer } from './jws.ts';
import { compactJws, signerOf } from './jws.ts';

/** What a key signs; each use has keys of its own. */
export type Use = 'receipt';

/** A key signs for so long; then the next one does. */
const PERIOD_MS: Millis = 90 * DAY;
/** The next one is published so long before it signs, so that who caches the JWKS knows it by then. */
const AHEAD_MS: Millis = DAY;
/** What was signed can be checked for so long: a receipt is kept, */
const RECEIPTS_MS: Millis = 5 * 365 * DAY;
/** an issuer's tokens live minutes, and are shown again at a sign-out. */
const TOKENS_MS: Millis = 30 * DAY;
/** How often this process looks whether another key signs now. */
const LOOK_MS: Millis = HOUR;
/** Issuers whose keys are at hand; those of others are read again. */
const MAX_ISSUERS = 256;

const PRIVATE = 'signing_key';
const PUBLIC = 'public_key';

/** Whose keys: `name` tells them apart, `subject` is the set they are published in. */
interface Ring {
  readonly name: string;
  readonly subject: string;
  readonly alg: Alg;
  readonly published_ms: Millis;
}

interface Key {
  readonly key: KeyObject;
  readonly jwk: PublicJwk;
}

interface CachedKeys {
  readonly keys: Promise<IssuerKeys>;
  /** Whether it was made sure that there is one of RS256. */
  readonly rsa: boolean;
  readonly until: Millis;
}

const signOn = promisify(sign);

const receiptRing = (use: Use): Ring => ({ name: use, subject: 'all', alg: 'ES256', published_ms: RECEIPTS_MS });
const issuerRing = (namespace_id: string, alg: Alg): Ring => ({
  name: `issuer:${namespace_id}:${alg}`,
  subject: `issuer:${namespace_id}`,
  alg,
  published_ms: TOKENS_MS,
});

/**
 * The keys that the service signs with, one a use, or a namespace that is an issuer, and a quarter of a year; the same on
 * every node. The private half is deleted when it signs no more, the public half is published for as long as something that
 * it signed is to be checked.
 */
export class Keyring {
  readonly #states: States;
  readonly #clock: Clock;
  readonly #signers = new Map<Use, Signer>();
  /** In the order in which they were asked for last. */
  readonly #issuers = new Map<string, CachedKeys>();

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
    return compactJws(this.signer(use), payload);
  }

  /** What signs now, for a thread that signs itself: to be asked for each time, as it changes. */
  signer(use: Use): Signer {
    const signer = this.#signers.get(use);
    if (signer === undefined) throw new Error(`There is no key to sign a ${use}.`);
    return signer;
  }

  /** The public halves of all that signed receipts in the last five years, or soon will. */
  async jwks(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    return { keys: await this.#published('all') };
  }

  /**
   * The keys of a namespace as an issuer: made on first use, at hand for up to an hour. One of RS256 is made when `RS256` is
   * needed for the first time, as that takes a second or more.
   */
  async issuer(namespace_id: string, needed: Alg = 'ES256'): Promise<IssuerKeys> {
    const now = this.#clock();
    const known = this.#issuers.get(namespace_id);
    const rsa = needed === 'RS256';
    this.#issuers.delete(namespace_id);
    if (known !== undefined && now < known.until && (known.rsa || !rsa)) {
      this.#issuers.set(namespace_id, known);
      return known.keys;
    }
    const ends = (periodAt(now) + 1) * PERIOD_MS;
    const until = Math.min(now + LOOK_MS, now < ends - AHEAD_MS ? ends - AHEAD_MS : ends);
    const keys = this.#issuerKeys(namespace_id, rsa);
    const mine = { keys, rsa, until };
    this.#issuers.set(namespace_id, mine);
    for (const [oldest] of this.#issuers) {
      if (this.#issuers.size <= MAX_ISSUERS) break;
      this.#issuers.delete(oldest);
    }
    try {
      return await keys;
    } catch (error) {
      if (this.#issuers.get(namespace_id) === mine) this.#issuers.delete(namespace_id);
      throw error;
    }
  }

  /** How many issuers' keys are at hand. */
  get issuers(): number {
    return this.#issuers.size;
  }

  async #issuerKeys(namespace_id: string, rsa: boolean): Promise<IssuerKeys> {
    const ring = issuerRing(namespace_id, 'RS256');
    const [es256, rs256] = await Promise.all([
      this.#current(issuerRing(namespace_id, 'ES256')),
      rsa || (await this.#has(ring)) ? this.#current(ring) : undefined,
    ]);
    const published = await this.#published(`issuer:${namespace_id}`);
    const signing: [SigningKey, ...SigningKey[]] = [
      { jwk: es256.jwk, sign: (data) => signOn('sha256', data, { key: es256.key, dsaEncoding: 'ieee-p1363' }) },
    ];
    if (rs256 !== undefined) signing.push({ jwk: rs256.jwk, sign: (data) => signOn('sha256', data, rs256.key) });
    const signs = new Set(signing.map(({ jwk }) => jwk.kid));
    // Those that sign first: who looks for a key of a kind takes the first.
    const keys = [...signing.map(({ jwk }) => jwk), ...published.filter(({ kid }) => !signs.has(kid))];
    return {
      signing,
      jwks: { keys },
      version: keys.map(({ kid }) => kid).join('.'),
      sign: (typ, claims) => compactJws(signerOf(es256.key, es256.jwk.kid, typ), JSON.stringify(claims)),
    };
  }

  async #published(subject: string): Promise<readonly PublicJwk[]> {
    const found = await this.#states.of(PUBLIC, subject, this.#clock());
    return found.map(({ value }) => JSON.parse(value) as PublicJwk);
  }

  async #rotate(uses: readonly Use[]): Promise<void> {
    for (const use of uses) {
      const { key, jwk } = await this.#current(receiptRing(use));
      const known = this.#signers.get(use);
      const signer = signerOf(key, jwk.kid, `mailroom-${use}+json`);
      if (known?.header !== signer.header) this.#signers.set(use, signer);
    }
  }

  async #has({ name }: Ring): Promise<boolean> {
    const now = this.#clock();
    return (await this.#states.get(PRIVATE, `${name}:${periodAt(now)}`, now)) !== undefined;
  }

  /** The key that signs now; the next one is made when its time is near. */
  async #current(ring: Ring): Promise<Key> {
    const now = this.#clock();
    const period = periodAt(now);
    const current = await this.#keyOf(ring, period);
    if ((period + 1) * PERIOD_MS - now <= AHEAD_MS) await this.#keyOf(ring, period + 1);
    return current;
  }

  /** The key of a period: of many nodes that make it at once, one does. */
  async #keyOf({ name, subject, alg, published_ms }: Ring, period: number): Promise<Key> {
    const now = this.#clock();
    const id = `${name}:${period}`;
    let found = await this.#states.get(PRIVATE, id, now);
    if (found === undefined) {
      const value = await newKey(alg);
      const expires_at = (period + 1) * PERIOD_MS + AHEAD_MS;
      await this.#states.put({ kind: PRIVATE, id, subject: null, value, expires_at }, now);
      found = await this.#states.get(PRIVATE, id, now);
    }
    if (found === undefined) throw new Error('The key that was made is not there.');
    const jwk = publicHalf(alg, found.value);
    // Of a crash between the two writes the second is made up for here.
    const published = { kind: PUBLIC, id: jwk.kid, subject, value: JSON.stringify(jwk) };
    await this.#states.put({ ...published, expires_at: (period + 1) * PERIOD_MS + published_ms }, now);
    return { key: createPrivateKey({ key: JSON.parse(found.value) as never, format: 'jwk' }), jwk };
  }
}

const periodAt = (now: Millis): number => Math.floor(now / PERIOD_MS);
