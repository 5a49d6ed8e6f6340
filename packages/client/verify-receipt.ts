/** A receipt as in `reply.data` of a message to a `do` mailbox. */
export type Receipt = { readonly jws: string } & { readonly [name: string]: unknown };

/** A public key as in `/.well-known/jwks.json` (RFC 7517). */
export type Key = { readonly kid: string; readonly x: string; readonly y: string; readonly alg?: string };

/**
 * Verifies a receipt and returns the signed text, parsed. Throws an Error that says why: the signature is not by one of
 * `keys`, or the receipt differs from the signed text. It uses neither the service nor a package, only the Web Crypto
 * API of Node 20 or newer and of every browser (RFC 7515, ES256 of RFC 7518, section 3.4).
 */
export async function verifyReceipt(
  receipt: Receipt,
  { keys }: { readonly keys: readonly Key[] },
): Promise<Record<string, unknown>> {
  const { jws, ...rest } = receipt;
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  const { alg, kid } = JSON.parse(new TextDecoder().decode(bytes(header))) as { alg?: string; kid?: string };
  const jwk = keys.find((key) => key.kid === kid);
  if (alg !== 'ES256' || more.length > 0) throw new Error('This is no receipt: it is not signed with ES256.');
  if (jwk === undefined)
    throw new Error(`No key "${kid}" is known. Fetch /.well-known/jwks.json of the service again.`);
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y }, curve, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const hash = { name: 'ECDSA', hash: 'SHA-256' };
  if (!(await crypto.subtle.verify(hash, key, bytes(signature), signed))) throw new Error('The signature is wrong.');
  const proven = JSON.parse(new TextDecoder().decode(bytes(payload))) as Record<string, unknown>;
  if (ordered(proven) !== ordered(rest)) throw new Error('The receipt is not what was signed.');
  return proven;
}

const bytes = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

/** JSON with sorted names, because a store or a program on the way may have reordered them. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
