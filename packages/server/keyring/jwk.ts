import { generateKeyPair, hash, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { PublicJwk } from '../core/sign-in/issuer-keys.ts';

/**
 * A signature algorithm (RFC 7518, section 3.1): ECDSA on P-256, or RSASSA-PKCS1-v1_5 with 3072 bits; both have 128 bits
 * of security (NIST SP 800-57, part 1, table 2).
 */
export type Alg = 'ES256' | 'RS256';

type Members = Readonly<Record<string, string>>;

const generate = promisify(generateKeyPair);

/** RSA keys are created one at a time, in the order of the requests. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A new private key as JWK text, created on another thread because an RSA key takes a second or more. RSA keys are
 * created one at a time: anyone may cause one per namespace, and the threads also make every signature.
 */
export async function newKey(alg: Alg): Promise<string> {
  if (alg === 'ES256') return textOf(await generate('ec', { namedCurve: 'P-256' }));
  const made = last.then(() => generate('rsa', { modulusLength: 3072, publicExponent: 0x10001 }));
  last = made.catch(() => undefined);
  return textOf(await made);
}

const textOf = ({ privateKey }: { readonly privateKey: KeyObject }): string =>
  JSON.stringify(privateKey.export({ format: 'jwk' }));

/** The public half of a private key, with its thumbprint as id (RFC 7638). */
export function publicHalf(alg: Alg, text: string): PublicJwk {
  const { x = '', y = '', n = '', e = '' } = JSON.parse(text) as Members;
  if (alg === 'ES256') {
    const half = { crv: 'P-256', kty: 'EC', x, y } as const;
    return { ...half, kid: thumbprint(half), use: 'sig', alg };
  }
  const half = { e, kty: 'RSA', n } as const;
  return { ...half, kid: thumbprint(half), use: 'sig', alg };
}

/** RFC 7638 fixes the members and their order. */
const thumbprint = (members: Members): string => hash('sha256', JSON.stringify(members), 'base64url');
