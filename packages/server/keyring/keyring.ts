import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from '@mailroom/behavior/host';
import { compactJws, signerOf } from '@mailroom/behavior/jws';
import { type Clock, DAY, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { SigningKeys, StoredSigningKey } from '../core/ports/signing-keys.ts';
import type { IssuerKeys, PublicJwk, SigningKey } from '../core/sign-in/issuer-keys.ts';
import { type Alg, newKey, publicHalf } from './jwk.ts';

/** What a key signs; each use has keys of its own. */
export type Use = 'receipt';

/** How long a key signs before the next one replaces it. */
const PERIOD_MS: Millis = 90 * DAY;
/** How long before its use the next key is published, so that cached copies of the JWKS contain it. */
const AHEAD_MS: Millis = DAY;
/** How long receipts can be verified. */
const RECEIPTS_MS: Millis = 5 * 365 * DAY;
/** How long an issuer's tokens can be verified: they are valid for minutes, but are shown again at sign-out. */
const TOKENS_MS: Millis = 30 * DAY;
/** How often this process checks whether another key signs now. */
const LOOK_MS: Millis = HOUR;
/** Maximum number of issuers with cached keys; others are read again. */
const MAX_ISSUERS = 256;

/** A series of keys: `name` identifies it, `subject` is the set in which its keys are published. */
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
  /** Whether an RS256 key is known to exist. */
  readonly rsa: boolean;
  readonly until: Millis;
}

const signOn = promisify(sign);

/** The type of the text that keys of a use sign (RFC 7515, section 4.1.9). */
const typeOf = (use: Use): string => `mailroom-${use}+json`;

/** The fields of the header of a JWS; none where it has no JSON. */
function headerOf(header: string): { readonly alg?: unknown; readonly kid?: unknown; readonly typ?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(header, 'base64url').toString()));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The set of the keys of receipts; no namespace's id looks like it. */
const RECEIPTS = 'receipts';

const receiptRing = (use: Use): Ring => ({ name: use, subject: RECEIPTS, alg: 'ES256', published_ms: RECEIPTS_MS });
const issuerRing = (namespace_id: string, alg: Alg): Ring => ({
  name: `issuer:${namespace_id}:${alg}`,
  subject: namespace_id,
  alg,
  published_ms: TOKENS_MS,
});

/**
 * The keys with which the service signs, one per use, or per namespace that is an issuer, and per quarter of a year; the
 * same on every node. The private half is deleted when it no longer signs, the public half is published as long as
 * signatures may be verified.
 */
export class Keyring {
  readonly #keys: SigningKeys;
  readonly #clock: Clock;
  readonly #signers = new Map<Use, Signer>();
  /** Public keys of receipts by their ids: four a year. */
  readonly #verifiers = new Map<string, KeyObject>();
  /** In the order of last use. */
  readonly #issuers = new Map<string, CachedKeys>();

  private constructor(keys: SigningKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Opens the keyring; creates missing keys for each use, and deletes private halves that sign no more. */
  static async open(keys: SigningKeys, clock: Clock, uses: readonly Use[]): Promise<Keyring> {
    const keyring = new Keyring(keys, clock);
    await keyring.#rotate(uses);
    return keyring;
  }

  /** Checks regularly whether the next key signs now, and deletes private halves that sign no more. */
  watch(onError: (error: unknown) => void): Disposable {
    const timer = setInterval(() => void this.#rotate([...this.#signers.keys()]).catch(onError), LOOK_MS);
    timer.unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** A compact JWS (RFC 7515, section 3.1) of the text; made on another thread, as it takes as long as an exchange. */
  async sign(use: Use, payload: string): Promise<string> {
    return compactJws(this.signer(use), payload);
  }

  /**
   * The text that a compact JWS signs: one that a key of this use signed, on any node and in the last five years. Undefined
   * for any other.
   */
  async verified(use: Use, jws: string): Promise<string | undefined> {
    const [header = '', payload = '', signature = '', ...more] = jws.split('.');
    const { alg, kid, typ } = headerOf(header);
    if (alg !== 'ES256' || typ !== typeOf(use) || more.length > 0) return undefined;
    const key = await this.#verifier(String(kid));
    if (key === undefined) return undefined;
    const signed = Buffer.from(`${header}.${payload}`);
    const isSigned = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    return isSigned ? Buffer.from(payload, 'base64url').toString() : undefined;
  }

  /** The public key of receipts with this id. */
  async #verifier(kid: string): Promise<KeyObject | undefined> {
    const known = this.#verifiers.get(kid);
    if (known !== undefined) return known;
    const jwk = (await this.#published(RECEIPTS)).find((one) => one.kid === kid);
    if (jwk === undefined) return undefined;
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    this.#verifiers.set(kid, key);
    return key;
  }

  /** The current signer, for a thread that signs itself; request it for each signature, as it changes. */
  signer(use: Use): Signer {
    const signer = this.#signers.get(use);
    if (signer === undefined) throw new Error(`There is no key to sign a ${use}.`);
    return signer;
  }

  /** The public halves of all keys that signed receipts in the last five years or will soon. */
  async jwks(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    return { keys: await this.#published(RECEIPTS) };
  }

  /**
   * The keys of a namespace as an issuer: created on first use, cached for up to an hour. An RS256 key is created when
   * `RS256` is first needed, as that takes a second or more. AppError `not_found` when the namespace was deleted.
   */
  async issuer(namespace_id: string, needed: Alg = 'ES256'): Promise<IssuerKeys> {
    const now = this.#clock();
    const cached = this.#issuers.get(namespace_id);
    const rsa = needed === 'RS256';
    this.#issuers.delete(namespace_id);
    if (cached !== undefined && now < cached.until && (cached.rsa || !rsa)) {
      this.#issuers.set(namespace_id, cached);
      return cached.keys;
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

  /** The number of issuers with cached keys. */
  get issuers(): number {
    return this.#issuers.size;
  }

  async #issuerKeys(namespace_id: string, rsa: boolean): Promise<IssuerKeys> {
    const ring = issuerRing(namespace_id, 'RS256');
    const [es256, rs256] = await Promise.all([
      this.#current(issuerRing(namespace_id, 'ES256')),
      rsa || (await this.#has(ring)) ? this.#current(ring) : undefined,
    ]);
    const published = await this.#published(namespace_id);
    const signing: [SigningKey, ...SigningKey[]] = [
      { jwk: es256.jwk, sign: (data) => signOn('sha256', data, { key: es256.key, dsaEncoding: 'ieee-p1363' }) },
    ];
    if (rs256 !== undefined) signing.push({ jwk: rs256.jwk, sign: (data) => signOn('sha256', data, rs256.key) });
    const signs = new Set(signing.map(({ jwk }) => jwk.kid));
    // The signing keys come first, because clients take the first key of a kind.
    const keys = [...signing.map(({ jwk }) => jwk), ...published.filter(({ kid }) => !signs.has(kid))];
    return {
      signing,
      jwks: { keys },
      version: keys.map(({ kid }) => kid).join('.'),
      sign: (typ, claims) => compactJws(signerOf(es256.key, es256.jwk.kid, typ), JSON.stringify(claims)),
    };
  }

  async #published(subject: string): Promise<readonly PublicJwk[]> {
    const found = await this.#keys.published(subject, this.#clock());
    return found.map((text) => JSON.parse(text) as PublicJwk);
  }

  async #rotate(uses: readonly Use[]): Promise<void> {
    for (const use of uses) {
      const { key, jwk } = await this.#current(receiptRing(use));
      const known = this.#signers.get(use);
      const signer = signerOf(key, jwk.kid, typeOf(use));
      if (known?.header !== signer.header) this.#signers.set(use, signer);
    }
    await this.#keys.sweep(this.#clock());
  }

  async #has({ name }: Ring): Promise<boolean> {
    const now = this.#clock();
    return (await this.#keys.get(`${name}:${periodAt(now)}`, now)) !== undefined;
  }

  /** The key that signs now; creates the next one when its time is near. */
  async #current(ring: Ring): Promise<Key> {
    const now = this.#clock();
    const period = periodAt(now);
    const current = await this.#keyOf(ring, period);
    if ((period + 1) * PERIOD_MS - now <= AHEAD_MS) await this.#keyOf(ring, period + 1);
    return current;
  }

  /** The key of a period: of nodes that create it at once, one succeeds. */
  async #keyOf({ name, subject, alg, published_ms }: Ring, period: number): Promise<Key> {
    const now = this.#clock();
    const id = `${name}:${period}`;
    const found = (await this.#keys.get(id, now)) ?? (await this.#keys.getOrPut(await fresh(), now));
    if (found === undefined) throw new AppError('not_found', 'This namespace was deleted.');
    if (found.private_jwk === null) throw new Error('The key of this period signs no more.');
    const key = createPrivateKey({ key: JSON.parse(found.private_jwk) as never, format: 'jwk' });
    return { key, jwk: JSON.parse(found.public_jwk) as PublicJwk };

    async function fresh(): Promise<StoredSigningKey> {
      const private_jwk = await newKey(alg);
      const jwk = publicHalf(alg, private_jwk);
      const ends = (period + 1) * PERIOD_MS;
      return {
        id,
        subject,
        kid: jwk.kid,
        public_jwk: JSON.stringify(jwk),
        private_jwk,
        signs_until: ends + AHEAD_MS,
        published_until: ends + published_ms,
      };
    }
  }
}

const periodAt = (now: Millis): number => Math.floor(now / PERIOD_MS);
