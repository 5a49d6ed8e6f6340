import { createHmac, timingSafeEqual } from 'node:crypto';

const LOCAL = 'bounces';
/** 80 bits: a guess is one SMTP command, and a right one only tells that a known delivery failed. */
const MAC_LENGTH = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The delivery's id, a dot, and the code. */
const TOKEN = /^([a-z0-9_]{1,38})\.([0-9a-z]{16})$/;

function macOf(id: string, secret: Uint8Array | string): string {
  const bytes = createHmac('sha256', secret).update(`return-path:${id}`).digest();
  return [...bytes.subarray(0, MAC_LENGTH)].map((byte) => ALPHABET[byte % 32]).join('');
}

/**
 * The return path of one delivery, `bounces+ID.CODE@domain` with at most 64 octets before the `@` (RFC 5321, section
 * 4.5.3.1.1). The code keeps others from making up notices of failures. Throws RangeError for an id that does not fit.
 */
export function returnPath(deliveryId: string, domain: string, secret: Uint8Array | string): string {
  const token = `${deliveryId}.${macOf(deliveryId, secret)}`;
  if (!TOKEN.test(token)) throw new RangeError(`${deliveryId} is no id of a delivery.`);
  return `${LOCAL}+${token}@${domain}`;
}

/**
 * The id of the delivery whose return path it is, at whatever domain, since the code tells that it is ours; undefined for
 * any other address. Ignores case, which servers may change, and takes the same time for every wrong code.
 */
export function deliveryOf(address: string, secret: Uint8Array | string): string | undefined {
  const [local = '', host, ...more] = address.toLowerCase().split('@');
  if (host === undefined || more.length > 0 || !local.startsWith(`${LOCAL}+`)) return undefined;
  const [, id, mac] = TOKEN.exec(local.slice(LOCAL.length + 1)) ?? [];
  if (id === undefined || mac === undefined) return undefined;
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(id, secret))) ? id : undefined;
}
