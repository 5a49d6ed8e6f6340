/** A receipt as in `reply.data` of a message to a `do` mailbox. */
export type Receipt = { readonly jws: string } & { readonly [name: string]: unknown };

/** A public key as in `/.well-known/jwks.json` (RFC 7517). */
export type Key = { readonly kid: string; readonly x: string; readonly y: string; readonly alg?: string };

interface Keys {
  readonly keys: readonly Key[];
}

/** A review as the API answers with it: what was to leave, and the receipt of the decision that it may. */
export type Review = { readonly id: string; readonly message: unknown; readonly receipt: string | null };

/**
 * Verifies a receipt and returns the signed text, parsed. Throws an Error that says why: the signature is not by one of
 * `keys`, or the receipt differs from the signed text. It uses neither the service nor a package, only the Web Crypto
 * API of Node 20 or newer and of every browser (RFC 7515, ES256 of RFC 7518, section 3.4).
 */
export async function verifyReceipt(receipt: Receipt, keys: Keys): Promise<Record<string, unknown>> {
  const { jws, ...rest } = receipt;
  const proven = await signedBy(jws, keys);
  if (ordered(proven) !== ordered(rest)) throw new Error('The receipt is not what was signed.');
  return proven;
}

/**
 * Verifies the receipt of a review, as `GET /api/v1/mail/reviews/{id}` answers with it, and returns what was decided. Throws
 * an Error as of `verifyReceipt`, and where it is of another message than that of the review.
 */
export async function verifyReview(review: Review, keys: Keys): Promise<Record<string, unknown>> {
  if (review.receipt === null) throw new Error(`${review.id} has no receipt: it was not approved.`);
  const proven = await signedBy(review.receipt, keys);
  const text = new TextEncoder().encode(ordered(review.message));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (proven.review !== review.id || proven.hash !== hash) throw new Error('The receipt is of another message.');
  return proven;
}

/** The text that a compact JWS signs, parsed. */
async function signedBy(jws: string, { keys }: Keys): Promise<Record<string, unknown>> {
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
  return JSON.parse(new TextDecoder().decode(bytes(payload))) as Record<string, unknown>;
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
