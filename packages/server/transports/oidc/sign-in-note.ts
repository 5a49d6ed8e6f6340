import { noteSignIn } from '../../core/sign-in/service-sign-ins.ts';
import type { Served } from './clients.ts';
import type { IssuersParts } from './issuers-parts.ts';

interface SignedInSubject {
  readonly subject: string;
  readonly client: { readonly clientId: string; readonly clientName?: string | undefined } | undefined;
  /** Separated by spaces. */
  readonly scope: string | undefined;
}

/** Writes into the audit log that a subject of an issuer signed in to a service. */
export async function noteSubject(
  { store, served, url }: Pick<IssuersParts, 'store'> & { readonly served: Served; readonly url: string },
  { subject, client, scope = '' }: SignedInSubject,
): Promise<void> {
  const namespace_id = served.namespace.id;
  const account_id = await store.accounts.ofSubject(namespace_id, subject);
  if (account_id === undefined || client === undefined) return;
  await noteSignIn(store, {
    action: 'service.signed_in',
    namespace_id,
    account_id,
    service: { id: client.clientId, name: client.clientName ?? null },
    issuer: url,
    scopes: scope.split(' ').filter((one) => one !== ''),
  });
}
