import type { Behavior, Context, Incoming, Outcome } from '@mailroom/behavior';
import type { Host } from '@mailroom/behavior/host';
import { addressOf, type BehaviorMailbox } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Json } from '@mailroom/behavior/values/json';
import { type Agent, agentOf, isStranger } from './agent.ts';
import { help, jwksOf } from './help.ts';
import { looks } from './looks.ts';
import { readRequest } from './read.ts';
import { signIn } from './sign-in.ts';

type AuthHost = Pick<Host, 'issuer' | 'mailDomain'>;

const EXAMPLE_ISSUER = 'https://mailroom.example/oidc/agents';

/** The behavior `auth`: signs agents in to services. It makes its namespace an issuer, on whose pages people sign in. */
export default function makeAuth({ issuer: service, mailDomain }: AuthHost): Behavior {
  async function forAgent(
    request: Exclude<ReturnType<typeof readRequest>, { op: 'help' | 'unclear' }>,
    message: Incoming,
    context: Context<unknown>,
    issuer: string,
  ): Promise<Outcome> {
    const found = await agentOf(message, context.sender, service);
    if (typeof found === 'string') return { kind: 'reject', detail: found };
    if (request.op === 'token') return token(found, request, context.mailbox);
    const { mailbox: agent } = found;
    const { url, service: named } = request;
    const agentAddress = fullAddress(addressOf(agent), mailDomain);
    return signIn({ url, service: named, agent, agentAddress, issuer }, context, service);
  }

  async function token(
    { mailbox: agent, key_expires_at }: Agent,
    { audience, client_id }: { readonly audience: string; readonly client_id?: string },
    mailbox: BehaviorMailbox,
  ): Promise<Outcome> {
    const namespace = { id: mailbox.namespace_id, name: mailbox.namespace };
    try {
      const issued = await service.issue({ namespace, agent, audience, client_id, key_expires_at });
      const expires_at = rfc3339(issued.expires_at);
      const about = { op: 'token', audience: issued.audience, issuer: issued.issuer, expires_at };
      return {
        kind: 'reply',
        body: `A token for ${issued.audience} is shown once, to the key that asked, until ${expires_at}; it is not stored here. If you missed it, ask again.`,
        data: about,
        sealed: {
          body: `A token for ${issued.audience}, valid until ${expires_at}:\n\n\`\`\`\n${issued.token}\n\`\`\``,
          data: { ...about, token: issued.token, token_type: 'Bearer', jwks_uri: jwksOf(issued.issuer) },
          until: issued.expires_at,
        },
      };
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_error') {
        return { kind: 'reject', detail: error.message };
      }
      throw error;
    }
  }

  return {
    name: 'auth',
    title: 'Sign-in',
    description: 'Signs people and agents in to other services, without passwords.',
    looks,
    issuer: true,
    settings: service.trust.settings,
    settingsErrors: (settings) => service.trust.errors(settings),
    // Who they say may sign in acts as an address here, and an owner's address as an owner.
    sensitive: (settings) => {
      const { trusted_issuers = [] } = settings as { readonly trusted_issuers?: readonly unknown[] };
      if (trusted_issuers.length === 0) return undefined;
      return { scope: 'owner', what: 'trusted_issuers', part: settings as Json };
    },
    example: {
      body: 'How do I sign people in?',
      reply: (help(EXAMPLE_ISSUER) as Extract<Outcome, { kind: 'reply' }>).body,
    },
    handle(message, context) {
      const issuer = service.urlOf(context.mailbox.namespace);
      const request = readRequest(message);
      if (request.op === 'help' || isStranger(context.sender)) return help(issuer);
      if (request.op === 'unclear') return { kind: 'reject', detail: request.why };
      return forAgent(request, message, context, issuer);
    },
  };
}
