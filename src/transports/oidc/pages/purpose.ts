import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { PageCall } from './people.ts';
import type { ServiceView } from './words.ts';

/** Where somebody goes who is signed in, or does not want to be. */
export interface Leaving {
  /** A URL; of one's own account: a path from the root. */
  readonly location: string;
  readonly set_cookie: readonly string[];
}

/** What a sign-in is for: a service, or the page of one's own account. */
export interface Purpose {
  /** Undefined: one's own account. */
  readonly service: ServiceView | undefined;
  /** The hosted mailbox that codes come from. */
  readonly from_mailbox_id: string;
  /** An address to begin with; empty for none. */
  readonly hint: string;
  /** Whether whoever is signed in here may go on as that; else they have to show anew who they are. */
  goes_on(session: Pick<AccountSession, 'at'>): boolean;
  finish(session: Pick<AccountSession, 'account_id' | 'amr' | 'at'>): Promise<Leaving>;
  /** Undefined: there is nothing to cancel. */
  readonly deny: (() => Promise<Leaving>) | undefined;
}

/** The pages of a sign-in, below `base`, such as `/account/sign-in`. */
export interface Steps {
  readonly base: string;
  /** Patterns of the parameters in `base`. */
  readonly names?: Readonly<Record<string, string>>;
  /** AppError when there is no such sign-in in this browser, or it has expired. */
  readonly open: (call: PageCall) => Promise<Purpose>;
}
