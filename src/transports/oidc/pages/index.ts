import type { Parts } from '../../../http/parts.ts';
import type { Route } from '../../../http/route.ts';
import type { Issuers } from '../issuers.ts';
import { Passkeys } from '../passkeys.ts';
import { UsedServices } from '../used-services.ts';
import { accountRoutes } from './account.ts';
import { interactionRoutes } from './interactions.ts';
import type { People } from './people.ts';

/** All sign-in pages and the account page. */
export function peopleRoutes(
  parts: Parts,
  { secret, issuers }: { readonly secret: string; readonly issuers: Pick<Issuers, 'of' | 'forget'> },
): readonly Route[] {
  const { store, clock, baseUrl } = parts;
  const people: People = { parts, passkeys: new Passkeys({ store, clock }, { secret, baseUrl }) };
  return [
    ...accountRoutes(people, new UsedServices({ store, clock }), (account_id) => issuers.forget(account_id)),
    ...interactionRoutes(people, issuers),
  ];
}
