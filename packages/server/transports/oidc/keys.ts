import { createPublicKey, type KeyObject } from 'node:crypto';
import { ExternalSigningKey } from 'oidc-provider';
import { type IssuerKeys, isWhole, type PublicJwk, type SigningKey } from '../../core/sign-in/issuer-keys.ts';

/** A key without its private half for `oidc-provider`: another component signs with it, or it only verifies. */
class OutsideKey extends ExternalSigningKey {
  readonly #jwk: PublicJwk;
  readonly #public: KeyObject;
  readonly #signs: SigningKey | undefined;

  constructor(jwk: PublicJwk, signs: SigningKey | undefined) {
    super();
    this.#jwk = jwk;
    this.#public = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    this.#signs = signs;
  }

  override get kid(): string {
    return this.#jwk.kid;
  }

  override get alg(): string {
    return this.#jwk.alg;
  }

  override keyObject(): KeyObject {
    return this.#public;
  }

  override async sign(data: Uint8Array): Promise<Uint8Array> {
    if (this.#signs === undefined) throw new Error(`The key ${this.#jwk.kid} no longer signs, or does not sign yet.`);
    return this.#signs.sign(data);
  }
}

/** A public key whose private half does not exist. */
const NONE = createPublicKey({
  key: { kty: 'RSA', n: Buffer.alloc(384, 0xff).toString('base64url'), e: 'AQAB' },
  format: 'jwk',
});

/**
 * A placeholder for an RS256 key that does not exist yet, so that the algorithm can be offered; it never signs and is
 * not published.
 */
class LaterKey extends ExternalSigningKey {
  override get kid(): string {
    return 'later';
  }

  override get alg(): string {
    return 'RS256';
  }

  override keyObject(): KeyObject {
    return NONE;
  }
}

/** Signing keys come first, because the provider takes the first that fits. */
export function outsideKeys(keys: IssuerKeys): readonly ExternalSigningKey[] {
  const { jwks, signing } = keys;
  const outsideKeys = jwks.keys.map(
    (jwk) =>
      new OutsideKey(
        jwk,
        signing.find((key) => key.jwk.kid === jwk.kid),
      ),
  );
  return isWhole(keys) ? outsideKeys : [new LaterKey(), ...outsideKeys];
}
