import type { Context, Outcome } from '@mailroom/behavior';
import type { HostIssuer, SignInRequested } from '@mailroom/behavior/host';
import type { BehaviorMailbox } from '@mailroom/behavior/mailbox';
import { type Clock, rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { JsonObject } from '@mailroom/behavior/values/json';

/** Lifetime of an authorization code, after which its callback URL is no longer kept. */
const CALLBACK_MS = 60 * SECOND;

interface SignInRequest {
  readonly url: string;
  readonly service: string | undefined;
  readonly agent: BehaviorMailbox;
  readonly agentAddress: string;
  readonly issuer: string;
}

/**
 * Signs in where the agent's owner allowed that service; otherwise asks the owner to approve the whole request. After
 * approval exactly that request is made, and none if the URL meanwhile means something else.
 */
export async function signIn(
  wanted: SignInRequest,
  context: Context<unknown>,
  issuers: Pick<HostIssuer, 'allows' | 'begin'>,
): Promise<Outcome> {
  const { url, service, agent, issuer } = wanted;
  const strange = strangeUrl(url, issuer);
  if (strange !== undefined) return reject(strange);
  try {
    await using begun = await issuers.begin(url, agent);
    const { requested } = begun;
    if (service !== undefined && originOf(service) !== requested.origin) {
      return reject(
        `This URL signs in to ${requested.origin}, not to ${service.slice(0, 200)}. It may be an attempt to act under your name: do not use it.`,
      );
    }
    const plan = planOf(wanted, requested);
    const approved = context.again ? await context.services.approved() : undefined;
    if (approved === undefined) {
      const { id } = agent;
      const allowed = await issuers.allows(id, context.mailbox.namespace_id, requested.client_id);
      if (!allowed) return { kind: 'wait', for: 'approval', plan, by: 'sender' };
    } else if (JSON.stringify(approved) !== JSON.stringify(plan)) {
      return reject('What this URL asks for has changed since it was approved. Begin again at the service.');
    }
    return outcomeOf(await begun.finish(), requested, context.clock);
  } catch (error) {
    // A temporary error is tried again.
    if (error instanceof AppError && error.code !== 'unavailable') return reject(error.message);
    throw error;
  }
}

const reject = (detail: string): Outcome => ({ kind: 'reject', detail });

/** The plan that the owner is shown and that runs after approval. */
const planOf = (
  { url, agentAddress, issuer }: SignInRequest,
  { client_id, client_name, origin, redirect_uri, scopes }: SignInRequested,
): JsonObject => ({
  op: 'sign_in',
  mailbox: agentAddress,
  service: origin,
  client: { id: client_id, name: client_name },
  redirect_uri,
  scopes,
  issuer,
  url,
});

function outcomeOf(
  callback: string,
  { client_id, client_name, origin, redirect_uri }: SignInRequested,
  clock: Clock,
): Outcome {
  const until = clock() + CALLBACK_MS;
  const about = { op: 'sign_in', service: origin, client: { id: client_id, name: client_name }, redirect_uri };
  return {
    kind: 'reply',
    body: `Signed in to ${origin}. The callback URL is shown once, to the key that asked, until ${rfc3339(until)}; it is not stored here. If you missed it, ask again.`,
    data: { ...about, expires_at: rfc3339(until) },
    sealed: {
      body: `Signed in to ${origin}. Open this within 60 seconds, in the session in which you began there, and share it with no one:

${callback}`,
      data: { ...about, callback_url: callback, expires_at: rfc3339(until) },
      until,
    },
  };
}

/** The reason that a URL does not belong to this issuer. */
function strangeUrl(url: string, issuer: string): string | undefined {
  const parsed = URL.parse(url);
  const base = new URL(issuer);
  const here =
    parsed !== null &&
    parsed.origin === base.origin &&
    parsed.pathname.startsWith(`${base.pathname}/`) &&
    parsed.username === '' &&
    parsed.password === '';
  if (here) return undefined;
  return `I only accept authorization URLs of ${issuer}, and this is not one. Use the one that the service sent you to.`;
}

const originOf = (service: string): string | undefined => {
  const url = URL.parse(service);
  return url === null || url.origin === 'null' ? undefined : url.origin;
};
