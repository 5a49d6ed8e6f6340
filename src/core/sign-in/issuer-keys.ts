/** A public key (RFC 7517; RFC 7518, sections 6.2 and 6.3), as it stands in the JWKS. */
export type PublicJwk = { readonly kid: string; readonly use: 'sig' } & (
  | { readonly kty: 'EC'; readonly alg: 'ES256'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly alg: 'RS256'; readonly n: string; readonly e: string }
);

/** A key that signs now; its private half stays where it is. */
export interface SigningKey {
  readonly jwk: PublicJwk;
  /** The signature over the bytes, as JWS has it (RFC 7518, section 3.4: both numbers of ECDSA one after the other). */
  sign(data: Uint8Array): Promise<Buffer>;
}

/** What a namespace signs with as an issuer of OpenID Connect. */
export interface IssuerKeys {
  /** One of ES256; one of RS256 when it was asked for, or is there anyway. */
  readonly signing: readonly [SigningKey, ...SigningKey[]];
  /** Those that sign, the ones that soon will, and the ones that did in the last 30 days. */
  readonly jwks: { readonly keys: readonly PublicJwk[] };
  /** Another one when other keys are published or sign. */
  readonly version: string;
  /** A compact JWS over the claims, by ES256, with that `typ`. */
  sign(typ: string, claims: object): Promise<string>;
}

/** Whether there is a key for everything that is offered. */
export const isWhole = ({ signing }: IssuerKeys): boolean => signing.some(({ jwk }) => jwk.alg === 'RS256');
