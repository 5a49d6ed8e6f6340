import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'sealed:';
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts tokens that owners write into settings, and what else is sent to others (AES-256-GCM), so that what is stored,
 * shown, exported and logged has none. A sealed token is bound to `of`, and worth nothing for anything else.
 */
export class TokenSeal {
  readonly #key: Uint8Array;

  /** `secret`: a random secret that all nodes share. */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'outside tokens', 32));
  }

  /** Whether a text is meant as a sealed token. */
  isSealed(text: string): boolean {
    return text.startsWith(PREFIX);
  }

  seal(token: string, of: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv).setAAD(Buffer.from(of));
    const sealed = Buffer.concat([iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}${sealed.toString('base64url')}`;
  }

  /** The token; undefined for a text that was not sealed here, or for something else. */
  open(sealed: string, of: string): string | undefined {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
    if (!this.isSealed(sealed) || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const end = bytes.length - TAG_BYTES;
    const cipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(of)).setAuthTag(bytes.subarray(end));
    try {
      return cipher.update(bytes.subarray(IV_BYTES, end), undefined, 'utf8') + cipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
