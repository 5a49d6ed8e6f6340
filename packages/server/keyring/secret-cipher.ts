import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'sealed:';
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that are stored (AES-256-GCM), so that what is shown, exported and logged of their rows has none. A
 * sealed secret is bound to `binding`, what it belongs to, and worth nothing for anything else.
 */
export class SecretCipher {
  readonly #key: Uint8Array;

  /** `secret`: a random secret that all nodes share. `purpose`: what is sealed for one purpose opens for no other. */
  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  }

  /** Whether a text is meant as a sealed secret. */
  isSealed(text: string): boolean {
    return text.startsWith(PREFIX);
  }

  seal(secret: string, binding: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv).setAAD(Buffer.from(binding));
    const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}${sealed.toString('base64url')}`;
  }

  /** The secret; undefined for a text that was not sealed here, or for something else. */
  open(sealed: string, binding: string): string | undefined {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    if (!this.isSealed(sealed) || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const end = bytes.length - TAG_BYTES;
    const cipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(end));
    try {
      return cipher.update(bytes.subarray(IV_BYTES, end), undefined, 'utf8') + cipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
