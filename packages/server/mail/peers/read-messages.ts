import { AppError } from '@mailroom/behavior/values/error';
import type { PeerMessage, PeerRequest } from '../../core/entities/peer-message.ts';
import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import type { DomainKeys } from './domain-keys.ts';
import { authorDomain, receivedMessage } from './peer-message.ts';
import { signatureOf } from './request-signature.ts';

/**
 * Reads the messages of a signed request; in place of one that the key may not sign, or whose author is none, what refuses it.
 * AppError `access_denied`, `unavailable` (a name server does not answer) where all are refused.
 */
export async function readMessages(
  request: PeerRequest & { readonly authority: string },
  keys: DomainKeys,
): Promise<readonly (ReceivedEmail | AppError)[]> {
  const signature = signatureOf({ ...request, method: 'POST' }, request.headers);
  const { selector, domain, signed_at } = signature;
  const [key, ...aligned] = await Promise.all([
    keys.key(selector, domain),
    ...request.messages.map((message) => alignmentOf(message, domain, keys)),
  ]);
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
  return request.messages.map((message, index) => {
    const policy = aligned[index];
    if (policy === undefined || policy instanceof AppError) return policy ?? notAligned(message, domain);
    const results = { spf: 'none', dkim: 'pass', dmarc: policy ? 'pass' : 'none', arc: 'none' } as const;
    const authentication = { ...results, verified: true, verified_by: policy ? 'dmarc' : 'dkim' } as const;
    try {
      return receivedMessage(message, { authentication, signed_at });
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

/** Whether the author's domain has a policy; undefined where the key does not sign for it. */
async function alignmentOf(
  message: PeerMessage,
  domain: string,
  keys: DomainKeys,
): Promise<boolean | AppError | undefined> {
  try {
    const { aligned, policy } = await keys.alignment(authorDomain(message), domain);
    return aligned ? policy : undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const notAligned = (message: PeerMessage, domain: string): AppError =>
  new AppError(
    'access_denied',
    `A key of ${domain} does not sign for ${authorDomain(message)} (DMARC, RFC 9989). Sign with a key of the domain in from.`,
  );
