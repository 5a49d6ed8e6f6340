import type { Route } from '../../../http/route.ts';
import type { Issuers } from '../issuers.ts';
import { type AccountParts, accountRoutes } from './account.ts';
import { interactionRoutes } from './interactions.ts';
import type { People } from './people.ts';

type Session = 'sessions' | 'cookie';

interface PeopleParts extends Omit<People, Session | 'store'>, AccountParts {
  /** The sessions of accounts, and the cookie that holds their ids. */
  readonly people: Pick<People, Session>;
  readonly issuers: Pick<Issuers, 'of' | 'forget'>;
}

/** All sign-in pages and the account page. */
export function peopleRoutes(parts: PeopleParts): readonly Route[] {
  const people: People = { ...parts, ...parts.people };
  return [...accountRoutes(people, parts), ...interactionRoutes(people, parts.issuers)];
}
