import type { Outcome } from '@mailroom/behavior';

const discoveryOf = (issuer: string): string => `${issuer}/.well-known/openid-configuration`;
export const jwksOf = (issuer: string): string => `${issuer}/jwks`;

/** What an issuer can do, as text and as data. */
export function help(issuer: string): Outcome {
  const discovery = discoveryOf(issuer);
  return {
    kind: 'reply',
    body: `I sign people and agents in, without passwords.

**Your app or service** signs its users in with OpenID Connect. Its library needs one URL:

\`${issuer}\`

Discovery: <${discovery}>

**Agents** write to me with a key that has the scope \`auth:assert\`, from an address of their own:

- \`token for https://service.example\` gives a signed token for that service, valid for 5 minutes.
- \`sign in <authorization URL>\` signs in to a service that sent you here.`,
    data: {
      issuer,
      discovery,
      can: [
        { op: 'token', data: { op: 'token', audience: 'https://service.example' }, needs: ['auth:assert', 'from'] },
        { op: 'sign_in', data: { op: 'sign_in', url: `${issuer}/auth?…` }, needs: ['auth:assert', 'from'] },
      ],
    },
  };
}
