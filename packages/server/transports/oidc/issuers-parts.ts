import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Directory } from '../../core/access/directory.ts';
import type { Store } from '../../core/ports/store.ts';
import type { AgentTokens } from '../../core/sign-in/agent-token.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import type { ProtectedResources } from '../../core/sign-in/protected-resources.ts';
import type { Authenticator } from '../../http/authenticate.ts';
import type { Frame } from '../../http/page.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';

/** The account a browser is signed in to; `cookies` is a request's `Cookie` header. */
export interface SignedIn {
  account(cookies: string): Promise<string | undefined>;
  end(cookies: string): Promise<void>;
}

export interface IssuersParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly who: Authenticator;
  readonly clock: Clock;
  /** The signing keys of a namespace; an RS256 key takes a second or more and is created when needed. */
  readonly keys: (namespace_id: string, needed: 'ES256' | 'RS256') => Promise<IssuerKeys>;
  /** Agents' own tokens; without it the token endpoint issues and accepts none. */
  readonly tokens?: Pick<AgentTokens, 'issue'>;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  /** The behavior whose addresses sign people in; '' where there is none. */
  readonly issuerBehavior: () => string;
  readonly frame: Frame;
  /** What access tokens may be for, besides the identity of the account. */
  readonly resources: ProtectedResources;
  /** The browser's own session here, which bounds the sessions of services. */
  readonly browser?: SignedIn;
  /** Signs the cookies of sign-ins, on every node. */
  readonly cookie_secret: string;
  /** Reads the documents that services publish. */
  readonly get: GuardedFetch;
  /** Whether one more document may be read for the client at this address; each call is counted. */
  readonly reads?: (ip: string) => boolean | Promise<boolean>;
  /** Counts a registration without a token by the client at this address; the time to wait where it is one too many. */
  readonly registers?: (ip: string) => Promise<Millis | undefined>;
  /** Called with internal errors, never with the content of a request. */
  readonly onError: (error: unknown) => void;
}
