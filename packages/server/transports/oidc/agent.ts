import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@mailroom/behavior/values/clock';
import { type AppError, invalid } from '@mailroom/behavior/values/error';
import { parseSetCookie } from 'cookie';
import inject from 'light-my-request';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Interaction } from './interaction.ts';
import type { Issuer, Issuers } from './issuers.ts';

/** The service an agent would sign in to. */
interface Destination {
  readonly issuer: Issuer;
  readonly client_id: string;
  readonly client_name: string;
  /** The origin of the callback URL, which the owner checks. */
  readonly origin: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
}

/** The agent's authentication method, an API key, for which RFC 8176 has no value. */
const AMR = ['api_key'];
const MAX_URL = 8_192;

/** A sign-in of an agent that waits for a decision: finished, or dropped when it is disposed. */
export interface BegunSignIn extends AsyncDisposable {
  readonly requested: Destination;
  /**
   * Signs the agent in and returns the callback URL, unopened. It lives as long as an authorization code: 60 s. AppError
   * `validation_error`.
   */
  finish(): Promise<string>;
}

/**
 * Signs hosted addresses in to services without a browser. The provider begins and resumes an authorization by HTTP
 * alone, so these two requests are made in this process, and it checks them like any other.
 */
export class AgentSignIn {
  readonly #issuers: Issuers;
  readonly #clock: Clock;

  constructor(parts: { readonly issuers: Issuers; readonly clock: Clock }) {
    this.#issuers = parts.issuers;
    this.#clock = parts.clock;
  }

  /** Begins the sign-in of `agent` at `url`. AppError `validation_error` with the provider's objection. */
  async begin(url: string, agent: Pick<Mailbox, 'id' | 'namespace_id'>): Promise<BegunSignIn> {
    const issuer = await this.#issuerOf(url);
    // Documents read for it count for its own namespace, not for all agents together.
    const jar = new Jar(agent.namespace_id);
    const begun = await request(issuer, url, jar);
    const prefix = `${issuer.url}/sign-in/`;
    if (!begun.location.startsWith(prefix)) throw refused(begun);
    const signIn = await issuer.signIn(begun.location.slice(prefix.length));
    let finished = false;
    return {
      requested: destination(issuer, signIn.interaction),
      finish: async () => {
        finished = true;
        const location = await signIn.finish({ account_id: agent.id, amr: AMR, at: this.#clock() });
        const done = await request(issuer, location, jar);
        if (done.location === '') throw refused(done);
        return checkedBack(done.location);
      },
      [Symbol.asyncDispose]: async () => {
        if (!finished) await signIn.drop();
      },
    };
  }

  async #issuerOf(url: string): Promise<Issuer> {
    const base = this.#issuers.urlOf('');
    // The normalized URL, which may differ from the text the agent wrote.
    const href = (url.length > MAX_URL ? null : URL.parse(url))?.href ?? '';
    const [, name] = (href.startsWith(base) && /^([a-z0-9-]+)\/auth\?/.exec(href.slice(base.length))) || [];
    const issuer = name === undefined ? undefined : await this.#issuers.of(name);
    if (issuer !== undefined) return issuer;
    throw invalid(
      '/url',
      `This is not a sign-in URL of this service. Send the authorization URL of a service, which begins with ${base}NAMESPACE/auth?`,
    );
  }
}

const destination = (issuer: Issuer, { client, redirect_uri, scopes }: Interaction): Destination => ({
  issuer,
  client_id: client.id,
  client_name: client.name,
  origin: client.origin,
  redirect_uri,
  scopes,
});

interface AgentResult {
  readonly location: string;
  readonly text: string;
}

/** One request to the provider, in the form a browser sends it. */
async function request(issuer: Issuer, url: string, jar: Jar): Promise<AgentResult> {
  const { pathname, search } = new URL(url);
  const below = pathname.slice(new URL(issuer.url).pathname.length) + search;
  const answer = await inject(
    (incoming, outgoing) => {
      void issuer
        .handle(incoming as IncomingMessage, outgoing as ServerResponse, { below, ip: jar.caller })
        .catch((error: unknown) => outgoing.destroy(error as Error));
    },
    { method: 'GET', url: below, headers: { accept: 'application/json', cookie: jar.of(url) } },
  );
  const written = answer.headers['set-cookie'] ?? [];
  jar.take(Array.isArray(written) ? written : [String(written)], url);
  const { location } = answer.headers;
  return { location: typeof location === 'string' ? new URL(location, issuer.url).href : '', text: answer.payload };
}

/** The provider's error, from the redirect URL or from JSON. */
function refused({ location, text }: AgentResult): AppError {
  const answer = location === '' ? jsonOf(text) : Object.fromEntries(new URL(location).searchParams);
  const { error = 'invalid_request', error_description = 'the request cannot be answered here' } = answer;
  return invalid('/url', `The service's request was refused: ${error_description} (${error}).`);
}

function jsonOf(text: string): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return {};
  }
}

function checkedBack(location: string): string {
  if (new URL(location).searchParams.has('error')) throw refused({ location, text: '' });
  return location;
}

/** The cookies of one sign-in, by path (RFC 6265, section 5.1.4), and the name its requests count for. */
class Jar {
  readonly caller: string;
  #cookies: readonly { readonly name: string; readonly value: string; readonly path: string }[] = [];

  constructor(caller: string) {
    this.caller = caller;
  }

  take(lines: readonly string[], url: string): void {
    for (const line of lines) {
      const { name, value = '', path = new URL(url).pathname } = parseSetCookie(line);
      this.#cookies = [...this.#cookies.filter((one) => one.name !== name || one.path !== path), { name, value, path }];
    }
  }

  of(url: string): string {
    const { pathname } = new URL(url);
    return this.#cookies
      .filter(({ path, value }) => value !== '' && (pathname === path || pathname.startsWith(`${path}/`)))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}
