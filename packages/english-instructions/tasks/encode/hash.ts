import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TaskError } from '../task.ts';
import { wellFormed } from './codecs.ts';

/** Digests in hex; md5 and sha1 are for comparisons and not for security. */
export const HASHES = ['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha3-256', 'crc32'] as const;
export type Hash = (typeof HASHES)[number];

/** The digest of a text's UTF-8. */
export function digest(text: string, hash: Hash): string {
  const bytes = Buffer.from(wellFormed(text));
  return hash === 'crc32' ? crc32(bytes).toString(16).padStart(8, '0') : createHash(hash).update(bytes).digest('hex');
}

/** HMAC (RFC 2104) of a text with a key, both as UTF-8. Throws TaskError for crc32, which is no cryptographic hash. */
export function mac(text: string, key: string, hash: Hash): string {
  if (hash === 'crc32') throw new TaskError('HMAC needs a hash such as sha256; crc32 is none.');
  return createHmac(hash, wellFormed(key)).update(wellFormed(text)).digest('hex');
}
