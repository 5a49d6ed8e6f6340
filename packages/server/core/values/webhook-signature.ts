import { createHmac, randomBytes } from 'node:crypto';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';

/** Standard Webhooks wants 24 to 64 bytes. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** A new secret with which webhooks are signed: `whsec_` and base64, as in Standard Webhooks 1.0. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** What a webhook says, and what identifies it. */
export interface SignedContent {
  /** The same for every attempt, so that a receiver can drop a repetition. */
  readonly id: string;
  /** The body, byte for byte as it is sent. */
  readonly body: string;
  /** When this attempt is made. */
  readonly at: Millis;
}

/**
 * The headers by which a receiver knows who sent a webhook and when (Standard Webhooks 1.0): a signature by each secret,
 * so that one can be replaced while the other is still in use.
 */
export function signatureHeaders({ id, body, at }: SignedContent, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at / SECOND));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
