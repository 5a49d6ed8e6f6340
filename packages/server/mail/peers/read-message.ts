import { AppError } from '@mailroom/behavior/values/error';
import type { PeerRequest } from '../../core/entities/peer-message.ts';
import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import type { DomainKeys } from './domain-keys.ts';
import { authorDomain, receivedMessage } from './peer-message.ts';
import { signatureOf } from './request-signature.ts';

/**
 * Reads a message that a key of its author's domain signed. AppError `access_denied`, `malformed_request`,
 * `unavailable` (a name server does not answer).
 */
export async function readMessage(
  request: PeerRequest & { readonly authority: string },
  keys: DomainKeys,
): Promise<ReceivedEmail> {
  const signature = signatureOf({ ...request, method: 'POST' }, request.headers);
  const { message } = request;
  const [author, { selector, domain }] = [authorDomain(message), signature];
  const [{ aligned, policy }, key] = await Promise.all([keys.alignment(author, domain), keys.key(selector, domain)]);
  if (!aligned)
    throw new AppError(
      'access_denied',
      `A key of ${domain} does not sign for ${author} (DMARC, RFC 9989). Sign with a key of the domain in from.`,
    );
  if (key === undefined)
    throw new AppError(
      'access_denied',
      `${selector}._domainkey.${domain} has no DKIM record with a key for mail (RFC 6376, section 3.6.1). Publish it.`,
    );
  if (!signature.isBy(key))
    throw new AppError(
      'access_denied',
      `The signature is not one by ${selector}._domainkey.${domain} over this request to ${request.authority}.`,
    );
  const results = { spf: 'none', dkim: 'pass', dmarc: policy ? 'pass' : 'none', arc: 'none' } as const;
  const authentication = { ...results, verified: true, verified_by: policy ? 'dmarc' : 'dkim' } as const;
  return receivedMessage(message, { authentication, signed_at: signature.signed_at });
}
