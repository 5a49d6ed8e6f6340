import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer } from './host.ts';

const signOn = promisify(sign);
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const optionsOf = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' }) as const;

/** A signer whose header has the key's id and the type of the signed text (RFC 7515, sections 4.1.4 and 4.1.9). */
export const signerOf = (key: KeyObject, kid: string, typ: string): Signer => ({
  header: base64url(JSON.stringify({ alg: 'ES256', kid, typ })),
  key,
});

/** A compact JWS (RFC 7515, section 3.1) of the text; made on another thread, as it takes as long as an exchange. */
export async function compactJws({ header, key }: Signer, payload: string): Promise<string> {
  const signed = `${header}.${base64url(payload)}`;
  const signature = await signOn('sha256', Buffer.from(signed), optionsOf(key));
  return `${signed}.${signature.toString('base64url')}`;
}

/** The same synchronously, for callers on another thread already. */
export function compactJwsNow({ header, key }: Signer, payload: string): string {
  const signed = `${header}.${base64url(payload)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), optionsOf(key)).toString('base64url')}`;
}
