import { AccountSessions } from '../core/sign-in/account-sessions.ts';
import { AgentTokens } from '../core/sign-in/agent-token.ts';
import { SessionCookie } from '../http/session-cookie.ts';
import { AgentSignIn } from '../transports/oidc/agent.ts';
import { Issuers } from '../transports/oidc/issuers.ts';
import type { IssuersParts } from '../transports/oidc/issuers-parts.ts';
import { signedIn } from '../transports/oidc/signed-in.ts';
import type { Base } from './base.ts';

/** The parts by which people and agents sign in. */
export type SignIn = Awaited<ReturnType<typeof makeSignIn>>;

type SignInParts = Omit<
  IssuersParts,
  'who' | 'keys' | 'tokens' | 'browser' | 'cookie_secret' | 'get' | 'reads' | 'registers'
> &
  Pick<Base, 'authenticator' | 'keyring' | 'mayReadDocument' | 'mayRegister' | 'readDocument' | 'secretOf'>;

/** Creates and connects the parts of sign-in. */
export async function makeSignIn(parts: SignInParts) {
  const { store, keyring, authenticator, clock, baseUrl, mailDomain, secretOf } = parts;
  const issuerUrl = (namespace: string): string => `${baseUrl()}/oidc/${namespace}`;
  const tokens = new AgentTokens({
    store,
    signer: (namespaceId) => keyring.issuer(namespaceId),
    issuer: issuerUrl,
    clock,
    mailDomain,
  });
  const people = {
    sessions: new AccountSessions({ store, clock, mailDomain }),
    cookie: new SessionCookie(await secretOf('account_session'), 'mr_account'),
  };
  const issuers = new Issuers({
    ...parts,
    who: authenticator,
    keys: (namespace_id, needed) => keyring.issuer(namespace_id, needed),
    tokens,
    browser: signedIn(people),
    cookie_secret: await secretOf('oidc_cookies'),
    get: parts.readDocument,
    reads: parts.mayReadDocument,
    registers: parts.mayRegister,
  });
  return {
    issuerUrl,
    tokens,
    issuers,
    agentSignIn: new AgentSignIn({ issuers, clock }),
    /** The sessions of accounts, and the cookie that holds their ids. */
    people,
  };
}
