import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';

/** A key that signs the mail of one domain (RFC 6376; RFC 8463 for Ed25519). */
export interface DkimKey {
  /** The label under `_domainkey` of the domain. */
  readonly selector: string;
  readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
  /** PKCS #8 in PEM. */
  readonly private_key: string;
}

/** A mail could not be signed; the message names the selector and the reason. */
class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

/** RFC 8301, section 3.2; a longer key does not fit into one string of a TXT record. */
const RSA_BITS = 2048;
const SIGNED = [
  'From',
  'To',
  'Cc',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'Auto-Submitted',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'MIME-Version',
  'Content-Type',
];
/** Octets that are hashed without a pause. */
const CHUNK = 64 * 1024;
/** Named once more than they occur, so that none can be added (RFC 6376, section 8.15). */
const OVERSIGNED = ['From', 'To', 'Subject', 'Date', 'Cc', 'Reply-To', 'Content-Type'];

const pairOf = promisify(generateKeyPair);

/** Makes a key: RSA with 2,048 bits, which every verifier reads, or Ed25519. */
export async function newDkimKey(algorithm: DkimKey['algorithm'], selector: string): Promise<DkimKey> {
  const { privateKey } =
    algorithm === 'rsa-sha256' ? await pairOf('rsa', { modulusLength: RSA_BITS }) : await pairOf('ed25519');
  return { selector, algorithm, private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** The TXT record with which the key is published (RFC 6376, section 3.6.1), below the domain. */
export function dkimRecord({ selector, algorithm, private_key }: DkimKey): {
  readonly name: string;
  readonly value: string;
} {
  const der = createPublicKey(createPrivateKey(private_key)).export({ type: 'spki', format: 'der' });
  // Of an Ed25519 key the record has the 32 octets alone (RFC 8463, section 4.2).
  const [type, key] = algorithm === 'rsa-sha256' ? ['rsa', der] : ['ed25519', der.subarray(-32)];
  return { name: `${selector}._domainkey`, value: `v=DKIM1; k=${type}; p=${key.toString('base64')}` };
}

interface HeaderLine {
  readonly key: string;
  casedKey: string;
}
interface Signer extends Writable {
  readonly signatureHeaders: readonly string[];
  readonly errors: readonly { readonly selector?: string; readonly err?: Error }[];
  messageHeaders(headers: { readonly parsed: HeaderLine[] }): Promise<void>;
}
interface SignerOptions {
  readonly headerList: readonly string[];
  readonly canonicalization: string;
  readonly strict: boolean;
  readonly signTime: Date;
  readonly signatureData: object[];
}

type SignerClass = new (options: SignerOptions) => Signer;
let signer: SignerClass | undefined;

/** mailauth's signer names each header as often as it occurs. */
function oversigning(): SignerClass {
  const { DkimSigner } = createRequire(import.meta.url)('mailauth/lib/dkim/dkim-signer.js') as {
    DkimSigner: SignerClass;
  };
  return class extends DkimSigner {
    override messageHeaders(headers: { readonly parsed: HeaderLine[] }): Promise<void> {
      for (const line of headers.parsed) {
        // A name without a header adds nothing to what is hashed, so it goes into the list of names beside another one.
        if (line.key === 'from') line.casedKey = [line.casedKey, ...OVERSIGNED].join(': ');
      }
      return super.messageHeaders(headers);
    }
  };
}

/** For which domain a mail is signed, with which keys, and when (now by default). */
export interface SignOptions {
  readonly domain: string;
  readonly keys: readonly DkimKey[];
  readonly now?: Date;
}

/**
 * Signs a complete mail with every key, for a domain that is that of `From` or a parent of it (RFC 6376, relaxed
 * canonicalization). Returns it with the signatures in front. Rejects with NotSigned.
 */
export async function signMail(message: Buffer, { domain, keys, now = new Date() }: SignOptions): Promise<Buffer> {
  signer ??= oversigning();
  const signing = new signer({
    headerList: SIGNED,
    canonicalization: 'relaxed/relaxed',
    strict: true,
    signTime: now,
    signatureData: keys.map(({ selector, algorithm, private_key }) => ({
      signingDomain: domain,
      selector,
      algorithm,
      privateKey: private_key,
    })),
  });
  const signed = finished(signing);
  // Awaited below, after the last chunk.
  signed.catch(() => {});
  for (let offset = 0; offset < message.length && signing.writable; offset += CHUNK) {
    // Hashing a large mail at once would delay everything else by seconds.
    if (offset > 0) await yieldToEventLoop();
    signing.write(message.subarray(offset, offset + CHUNK));
  }
  signing.end();
  await signed;
  const [wrong] = signing.errors;
  if (wrong !== undefined || signing.signatureHeaders.length !== keys.length) {
    throw new NotSigned(
      `The key ${wrong?.selector ?? ''} of ${domain} did not sign: ${wrong?.err?.message ?? 'no reason'}`,
    );
  }
  return Buffer.concat([...signing.signatureHeaders.map((line) => Buffer.from(`${line}\r\n`)), message]);
}
