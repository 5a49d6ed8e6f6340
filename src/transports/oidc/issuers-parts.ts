import type { Directory } from '../../core/access/directory.ts';
import type { Store } from '../../core/ports/store.ts';
import type { AgentTokens } from '../../core/sign-in/agent-token.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import type { Clock } from '../../core/values/clock.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { Frame } from '../../http/page.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';

/** Whom a browser is signed in as; `cookies` is a request's `Cookie` header. */
export interface SignedIn {
  account(cookies: string): Promise<string | undefined>;
  end(cookies: string): Promise<void>;
}

export interface IssuersParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly who: Authenticator;
  readonly clock: Clock;
  /** What a namespace signs with; a key of RS256 takes a second or more, and is made when it is needed. */
  readonly keys: (namespace_id: string, needed: 'ES256' | 'RS256') => Promise<IssuerKeys>;
  /** Agents' own tokens; without it the token endpoint makes and takes none. */
  readonly tokens?: Pick<AgentTokens, 'issue'>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly frame: Frame;
  /** The account that a browser is signed in to here: its services' sessions last no longer than that. */
  readonly browser?: SignedIn;
  /** Signs the cookies of sign-ins, on every node. */
  readonly cookie_secret: string;
  /** Reads what services publish of themselves. */
  readonly get: GuardedFetch;
  /** Whether one more document is read for whoever asks from this address; each time is counted. */
  readonly reads?: (ip: string) => boolean | Promise<boolean>;
  /** Is told what broke; never what a request held. */
  readonly onError: (error: unknown) => void;
}
