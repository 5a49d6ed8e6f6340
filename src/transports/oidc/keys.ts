import { createPublicKey, type KeyObject } from 'node:crypto';
import { ExternalSigningKey } from 'oidc-provider';
import type { IssuerKeys, PublicJwk, SigningKey } from '../../core/sign-in/issuer-keys.ts';
import { isWhole } from '../../core/sign-in/issuer-keys.ts';

/** A key as `oidc-provider` takes it without its private half: it signs elsewhere, or is there to check with alone. */
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
    if (this.#signs === undefined) throw new Error(`The key ${this.#jwk.kid} signs no more, or not yet.`);
    return this.#signs.sign(data);
  }
}

/** No key: nobody has its private half. */
const NONE = createPublicKey({
  key: { kty: 'RSA', n: Buffer.alloc(384, 0xff).toString('base64url'), e: 'AQAB' },
  format: 'jwk',
});

/** Stands for the key of RS256 where there is none yet, so that it can be offered. It neither signs nor is shown. */
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

/** Those that sign first, as the provider takes the first that fits. */
export function outsideKeys(keys: IssuerKeys): readonly ExternalSigningKey[] {
  const { jwks, signing } = keys;
  const known = jwks.keys.map(
    (jwk) =>
      new OutsideKey(
        jwk,
        signing.find((key) => key.jwk.kid === jwk.kid),
      ),
  );
  return isWhole(keys) ? known : [new LaterKey(), ...known];
}
