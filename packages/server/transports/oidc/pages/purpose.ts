import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { PageCall } from './people.ts';
import type { ServiceView } from './words.ts';

/** The browser's next location after a sign-in or its cancellation. */
export interface Leaving {
  /** A URL, or for the account page a path from the root. */
  readonly location: string;
  readonly set_cookie: readonly string[];
}

/** What a sign-in is for: a service, or the account page. */
export interface Purpose {
  /** Undefined for the account page. */
  readonly service: ServiceView | undefined;
  /** The hosted mailbox that sends the codes. */
  readonly from_mailbox_id: string;
  /** An address to fill in; empty for none. */
  readonly hint: string;
  /** Whether the signed-in account may be used without a new authentication. */
  accepts(session: Pick<AccountSession, 'at'>): boolean;
  finish(session: Pick<AccountSession, 'account_id' | 'amr' | 'at'>): Promise<Leaving>;
  /** Undefined when there is nothing to cancel. */
  readonly deny: (() => Promise<Leaving>) | undefined;
}

/** The pages of a sign-in, below `base`, such as `/account/sign-in`. */
export interface Steps {
  readonly base: string;
  /** Patterns of the parameters in `base`. */
  readonly names?: Readonly<Record<string, string>>;
  /** AppError when this browser has no such sign-in, or it has expired. */
  readonly open: (call: PageCall) => Promise<Purpose>;
}
