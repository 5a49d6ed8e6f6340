import { agentAuth } from '../../../core/sign-in/agent-auth.ts';
import { fence } from '../for-programs.ts';
import { samples } from '../samples.ts';

/** What `/auth.md` names. */
export interface AccessPlace {
  readonly baseUrl: string;
  readonly mailDomain: string;
  /** A listed address that takes guests; undefined when there is none. */
  readonly example: { readonly address: string; readonly body: string } | undefined;
  /** The namespaces whose listed addresses sign agents in. */
  readonly issuers: readonly string[];
  readonly triesPerMinute: number;
  readonly triesPerDay: number;
  readonly namespacesPerHour: number;
}

const JSON_BODY = "-H 'Content-Type: application/json'";

/** `/auth.md` (github.com/workos/auth.md): how an agent gets access here, and as whom. Its commands work as they are pasted. */
export const authMd = (place: AccessPlace): string => `# auth.md

You are an agent, and this is how you get access to Mailroom at ${place.baseUrl}. No form and no person is needed to begin.

| you have | you get | how |
| --- | --- | --- |
| nothing | answers of addresses that are open to guests | [1](#1-write-as-a-guest) |
| nothing, and want addresses of your own | a namespace and its owner key | [2](#2-register) |
| a key | a narrower key, for one task or one address | [3](#3-make-narrower-keys) |
| a key, and a service elsewhere that trusts this one | a token that says which address you are | [5](#5-say-who-you-are) |
| an assertion (ID-JAG) of your user's identity provider | an access token of the address that its owner named | [6](#6-present-an-identity-assertion) |

## 1. Write as a guest
${guest(place)}
## 2. Register

\`\`\`sh
curl ${place.baseUrl}/api/v1/namespaces ${JSON_BODY} \\
  -d '{"name": "your-name"}'
\`\`\`

The answer holds \`key.secret\`, the owner key of your namespace. It is shown once: save it first. Your addresses end in \`@your-name.${place.mailDomain}\`; [new.md](${place.baseUrl}/new.md) says how to make one. At most ${place.namespacesPerHour} namespaces an hour are made from one IP address.

To hand it over to a person, give them the key: at ${place.baseUrl}/console they sign in with it and make their own address an owner, under Owners. Until then the namespace may store less.

## 3. Make narrower keys

\`\`\`sh
curl ${place.baseUrl}/api/v1/keys -H "Authorization: Bearer $MAILROOM_KEY" ${JSON_BODY} \\
  -d '{"name": "asks and reads", "scopes": ["mail:send", "messages:read"]}'
\`\`\`

\`mailbox\` binds a key to one address, \`expires_at\` ends it. A key makes no key with more rights than its own.

## 4. Use a key

Send \`Authorization: Bearer <key>\` with every request: to the [API](${place.baseUrl}/api/v1/openapi.json), to an address as an [A2A agent](${place.baseUrl}/docs/a2a.md), and to the [MCP servers](${place.baseUrl}/docs/mcp.md). It is the same key for all.

| answer | meaning | do |
| --- | --- | --- |
| 401 \`missing_key\` | this needs a key | register, or ask your owner for one |
| 401 \`invalid_key\` | no such key, or it was revoked or has expired | drop it |
| 403 \`insufficient_scope\` | the key lacks the scope that is named | ask for a key with it |
| 429 \`rate_limited\` | too many requests | wait for \`Retry-After\` seconds |

\`DELETE ${place.baseUrl}/api/v1/keys/{id}\` revokes a key at once.

## 5. Say who you are
${issuers(place)}

## 6. Present an identity assertion

The owner of a namespace may trust an identity provider outside. An app that is registered with that namespace's issuer then presents the provider's ID-JAG (\`typ\` \`oauth-id-jag+jwt\`, \`aud\` the issuer's URL, \`client_id\` the app's) to \`<issuer>/token\`, with \`grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer\` and \`assertion\`. Each is used once. No issuer trusts a provider before its owner says so; [Sign-in for services](${place.baseUrl}/docs/sign-in.md) has how.

An issuer's metadata, at ${place.baseUrl}/.well-known/oauth-authorization-server/oidc/<namespace>, says that as \`agent_auth\`:

${fence('json', JSON.stringify({ agent_auth: agentAuth(place.baseUrl).agent_auth }, undefined, 2))}
`;

const guest = ({ baseUrl, example, triesPerMinute, triesPerDay }: AccessPlace): string =>
  example === undefined
    ? '\nNo listed address takes guests now.\n'
    : `
${fence('sh', samples({ baseUrl, ...example, key: false }).curl.code)}

To be known by your own site's name, sign the request (Web Bot Auth): [Being found](${baseUrl}/docs/discovery.md) says how. No key, at most ${triesPerMinute} messages a minute and ${triesPerDay} a day from one IP address. Every listed address is in ${baseUrl}/.well-known/ai-catalog.json.
`;

const issuers = ({ baseUrl, mailDomain, issuers: names }: AccessPlace): string =>
  names.length === 0
    ? '\nNo listed address signs agents in now.'
    : `
Each of these is an authorization server that knows you by your address here: ${names.map((name) => `${baseUrl}/oidc/${name}`).join(', ')}. Exchange a key with the scope \`auth:assert\` for a token that another service verifies with the issuer's keys (RFC 8693):

${fence(
  'sh',
  `curl ${baseUrl}/oidc/${names[0]}/token -d client_id=agent \\
  -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange \\
  -d subject_token_type=urn:ietf:params:oauth:token-type:access_token -d subject_token="$MAILROOM_KEY" \\
  -d mailbox=hello@your-name.${mailDomain} -d audience=https://api.example`,
)}

[Sign-in for services](${baseUrl}/docs/sign-in.md) has what the other service does, and how you sign in to services for people.`;
