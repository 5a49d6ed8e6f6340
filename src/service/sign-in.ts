import type { Directory } from '../core/access/directory.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { Store } from '../core/ports/store.ts';
import { AccountSessions } from '../core/sign-in/account-sessions.ts';
import { AgentTokens } from '../core/sign-in/agent-token.ts';
import type { ProtectedResources } from '../core/sign-in/protected-resources.ts';
import type { Clock } from '../core/values/clock.ts';
import type { Authenticator } from '../http/authenticate.ts';
import { SessionCookie } from '../http/session-cookie.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import { AgentSignIn } from '../transports/oidc/agent.ts';
import { Issuers } from '../transports/oidc/issuers.ts';
import type { SignedIn } from '../transports/oidc/issuers-parts.ts';
import type { AccountAccess } from '../transports/web/console/account.ts';
import { frame } from '../transports/web/layout.ts';

export interface SignInParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly keyring: Keyring;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  /** The service's public URL, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  /** The behavior whose addresses sign people in; '' where there is none. */
  readonly issuerBehavior: () => string;
  readonly resources: ProtectedResources;
  /** Reads the documents that services publish about themselves. */
  readonly get: GuardedFetch;
  /** Whether one more document may be read for the client at this address; each call is counted. */
  readonly reads: (ip: string) => boolean | Promise<boolean>;
  /** Called with internal errors, never with the content of a request. */
  readonly onError: (error: unknown) => void;
}

/** The parts by which people and agents sign in. */
export interface SignIn {
  readonly issuerUrl: (namespace: string) => string;
  readonly tokens: AgentTokens;
  readonly issuers: Issuers;
  readonly agentSignIn: AgentSignIn;
  readonly accounts: AccountAccess;
}

/** Creates and connects the parts of sign-in. */
export async function makeSignIn(parts: SignInParts): Promise<SignIn> {
  const { store, directory, keyring, authenticator, clock, baseUrl, mailDomain, resources, get, reads, onError } =
    parts;
  const issuerUrl = (namespace: string): string => `${baseUrl()}/oidc/${namespace}`;
  const tokens = new AgentTokens({
    accounts: store.accounts,
    signer: (namespaceId) => keyring.issuer(namespaceId),
    issuer: issuerUrl,
    clock,
    mailDomain,
  });
  const accounts = {
    sessions: new AccountSessions({ store, clock, mailDomain }),
    cookie: new SessionCookie(await store.secrets.getOrPut('account_session', randomBase62(43)), 'mr_account'),
  };
  const issuers = new Issuers({
    store,
    directory,
    who: authenticator,
    clock,
    keys: (namespace_id, needed) => keyring.issuer(namespace_id, needed),
    tokens,
    baseUrl,
    mailDomain,
    issuerBehavior: parts.issuerBehavior,
    frame,
    resources,
    browser: signedIn(accounts),
    cookie_secret: await store.secrets.getOrPut('oidc_cookies', randomBase62(43)),
    get,
    reads,
    onError,
  });
  return { issuerUrl, tokens, issuers, agentSignIn: new AgentSignIn({ issuers, clock }), accounts };
}

/** The account of a browser, by its cookie. */
function signedIn({ sessions, cookie }: AccountAccess): SignedIn {
  const find = async (cookies: string) => {
    const id = cookie.read(cookies, true) ?? cookie.read(cookies, false);
    return id === undefined ? undefined : sessions.find(id);
  };
  return {
    account: async (cookies) => (await find(cookies))?.account_id,
    async end(cookies) {
      const found = await find(cookies);
      if (found !== undefined) await sessions.end(found.account_id, found.hash);
    },
  };
}
