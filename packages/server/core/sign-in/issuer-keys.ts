/** A public key (RFC 7517; RFC 7518, sections 6.2 and 6.3), as it stands in the JWKS. */
export type PublicJwk = { readonly kid: string; readonly use: 'sig' } & (
  | { readonly kty: 'EC'; readonly alg: 'ES256'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly alg: 'RS256'; readonly n: string; readonly e: string }
);

/** A key that currently signs; only its keyring holds the private half. */
export interface SigningKey {
  readonly jwk: PublicJwk;
  /** The signature over the bytes in the form of JWS (RFC 7518, section 3.4: the two numbers of ECDSA in sequence). */
  sign(data: Uint8Array): Promise<Buffer>;
}

/** The keys with which a namespace signs as an OpenID Connect issuer. */
export interface IssuerKeys {
  /** One key of ES256, and one of RS256 when it was requested or exists anyway. */
  readonly signing: readonly [SigningKey, ...SigningKey[]];
  /** The keys that sign, that will sign soon, and that signed in the last 30 days. */
  readonly jwks: { readonly keys: readonly PublicJwk[] };
  /** Changes when other keys are published or sign. */
  readonly version: string;
  /** A compact JWS over the claims with that `typ`, by ES256. */
  sign(typ: string, claims: object): Promise<string>;
}

/** Whether there is a key for every offered algorithm. */
export const isWhole = ({ signing }: IssuerKeys): boolean => signing.some(({ jwk }) => jwk.alg === 'RS256');
