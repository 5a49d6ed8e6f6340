import { isId } from '@mailroom/behavior/values/ids';
import type { Store } from '../ports/store.ts';

/** A sign-in of an account to a service, or its end. */
interface ServiceSignIn {
  readonly action: 'service.signed_in' | 'service.consent_ended';
  /** The namespace of the issuer. */
  readonly namespace_id: string;
  readonly account_id: string;
  /** Its `client_id`, or the origin that a token is for. */
  readonly service: { readonly id: string; readonly name: string | null };
  readonly issuer: string;
  /** What the service may do and read. */
  readonly scopes?: readonly string[];
}

/**
 * Writes it into the audit log of the issuer's namespace and, of a hosted address, into that of its own. To be called
 * before the service is answered: what is not in the log has not happened.
 */
export async function noteSignIn(
  { audit, mailboxes }: Pick<Store, 'audit' | 'mailboxes'>,
  { action, namespace_id, account_id, service, issuer, scopes }: ServiceSignIn,
): Promise<void> {
  const mailbox = isId('mbx', account_id) ? await mailboxes.byId(account_id) : undefined;
  const target = { kind: 'service', ...service };
  const after = { issuer, ...(scopes !== undefined && { scopes }) };
  for (const log of new Set([namespace_id, mailbox?.namespace_id ?? namespace_id]))
    await audit.add({ namespace_id: log, action, account_id, target, after });
}
