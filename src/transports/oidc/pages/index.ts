import type { Route } from '../../../http/route.ts';
import type { Issuers } from '../issuers.ts';
import type { AccountParts } from './account.ts';
import { accountRoutes } from './account.ts';
import { interactionRoutes } from './interactions.ts';
import type { People } from './people.ts';

/** All sign-in pages and the account page. */
export const peopleRoutes = (people: People, account: AccountParts, issuers: Pick<Issuers, 'of'>): readonly Route[] => [
  ...accountRoutes(people, account),
  ...interactionRoutes(people, issuers),
];
