import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type Provider from 'oidc-provider';
import type { Interaction as Asked } from 'oidc-provider';
import type { Store } from '../../core/ports/store.ts';
import type { Millis } from '../../core/values/clock.ts';
import { SECOND } from '../../core/values/clock.ts';
import { AppError } from '../../core/values/error.ts';
import { SCOPES, subjectOf } from './claims.ts';
import type { Served } from './clients.ts';
import { endpointUrl } from './endpoint-url.ts';

/** A service's request, as the sign-in page shows it. */
export interface Interaction {
  readonly uid: string;
  readonly client: {
    readonly id: string;
    readonly name: string;
    /**
     * The origin that receives the answer, shown to people. For an app on a device it is the scheme with its colon,
     * since the bare scheme could be taken for a domain.
     */
    readonly origin: string;
    /** The URL of the document by which a service identifies itself. */
    readonly metadata_url?: string;
    readonly logo?: string;
  };
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  /** The address the service expects. */
  readonly login_hint: string | undefined;
  /** `login`: the person must authenticate. `consent`: the person is signed in, and the service is new to them. */
  readonly prompt: 'login' | 'consent';
  /** The service requires a new authentication even of a signed-in person. */
  readonly reauthenticate: boolean;
  /** When the sign-in began. */
  readonly began_at: Millis;
  /** The subject this browser is signed in as with this issuer. */
  readonly session_subject: string | undefined;
}

export interface Login {
  readonly account_id: string;
  /** Authentication methods (RFC 8176). */
  readonly amr: readonly string[];
  readonly at: Millis;
}

/** The browser's next location and the cookies to set. */
export interface Finished {
  readonly location: string;
  readonly set_cookie: readonly string[];
}

interface InteractionsParts {
  readonly store: Store;
  readonly provider: Provider;
  readonly served: Served;
  readonly url: string;
}

/**
 * Reasons of the provider that require a new authentication (OpenID Connect Core 1.0, section 3.1.2.1: `prompt`,
 * `max_age`).
 */
const NEW_LOGIN_REASONS: ReadonlySet<string> = new Set(['login_prompt', 'max_age']);

/** The pending sign-ins of one issuer. */
export class Interactions {
  readonly #parts: InteractionsParts;

  constructor(parts: InteractionsParts) {
    this.#parts = parts;
  }

  async of(cookies: string | undefined, uid: string): Promise<Interaction> {
    const { asked } = await this.#begun(cookies, uid);
    const { client_id, redirect_uri, login_hint } = paramsOf(asked);
    const client = await this.#parts.provider.Client.find(client_id);
    if (client === undefined) throw ended();
    const { clientId, clientName, logoUri } = client;
    return {
      uid,
      client: {
        id: clientId,
        name: clientName ?? new URL(redirect_uri).host,
        origin: originOf(redirect_uri),
        ...(clientId.startsWith('https://') ? { metadata_url: clientId } : {}),
        ...(logoUri?.startsWith('https://') === true ? { logo: logoUri } : {}),
      },
      redirect_uri,
      scopes: scopesOf(asked),
      login_hint,
      prompt: asked.prompt.name === 'consent' ? 'consent' : 'login',
      reauthenticate: asked.prompt.reasons.some((reason) => NEW_LOGIN_REASONS.has(reason)),
      began_at: (asked.prompt.details as Details).began_at ?? asked.iat * SECOND,
      session_subject: asked.session?.accountId,
    };
  }

  async finish(cookies: string | undefined, uid: string, { account_id, amr, at }: Login): Promise<Finished> {
    const begun = await this.#begun(cookies, uid);
    const { store, served } = this.#parts;
    const sub = await subjectOf(store, served.namespace.id, account_id);
    const grantId = await this.#grant(begun.asked, sub);
    const finished = await this.#submit(begun, {
      // Answers the account selection when the service requested it.
      select_account: {},
      login: { accountId: sub, amr: [...amr], ts: Math.floor(at / SECOND), remember: true },
      consent: { grantId },
    });
    // Runs last, because the provider rejects an answer of a session that has changed.
    await this.#signOutOthers(begun, sub);
    return finished;
  }

  async consent(cookies: string | undefined, uid: string): Promise<Finished> {
    const begun = await this.#begun(cookies, uid);
    const sub = begun.asked.session?.accountId;
    if (sub === undefined || begun.asked.prompt.name !== 'consent') throw ended();
    return this.#submit(begun, { consent: { grantId: await this.#grant(begun.asked, sub) } });
  }

  async deny(cookies: string | undefined, uid: string): Promise<Finished> {
    const begun = await this.#begun(cookies, uid);
    return this.#submit(begun, { error: 'access_denied', error_description: 'the sign-in was refused' });
  }

  /** The cookie is signed and names one sign-in, so that a link to another's page opens nothing. */
  async #begun(cookies: string | undefined, uid: string): Promise<Begun> {
    const request = new IncomingMessage(new Socket());
    request.url = '/';
    endpointUrl(request, this.#parts.url, '');
    if (cookies !== undefined) request.headers.cookie = cookies;
    const response = new ServerResponse(request);
    try {
      const asked = await this.#parts.provider.interactionDetails(request, response);
      if (asked.uid === uid) return { asked, request, response };
    } catch (error) {
      if ((error as { name?: unknown }).name !== 'SessionNotFound') throw error;
    }
    throw ended();
  }

  /** Ends the session of another account in this browser; the provider would ask about it on its own page. */
  async #signOutOthers({ asked, request, response }: Begun, sub: string): Promise<void> {
    if (asked.session?.accountId === undefined || asked.session.accountId === sub) return;
    const { provider } = this.#parts;
    const session = await provider.Session.get(provider.createContext(request, response));
    if (session.accountId === undefined || session.accountId === sub) return;
    delete session.accountId;
    delete session.authorizations;
    await session.persist();
  }

  /** A consent to exactly the requested scopes, added to those given to this service before. */
  async #grant(asked: Asked, sub: string): Promise<string> {
    const { Grant } = this.#parts.provider;
    const { client_id } = paramsOf(asked);
    const before = asked.grantId === undefined ? undefined : await Grant.find(asked.grantId);
    const known = before?.accountId === sub && before.clientId === client_id ? before : undefined;
    const grant = known ?? new Grant({ accountId: sub, clientId: client_id });
    grant.addOIDCScope(scopesOf(asked).join(' '));
    return grant.save();
  }

  async #submit({ request, response }: Begun, result: Parameters<Provider['interactionResult']>[2]): Promise<Finished> {
    const location = await this.#parts.provider.interactionResult(request, response, result, {
      mergeWithLastSubmission: false,
    });
    const written = response.getHeader('set-cookie') ?? [];
    return { location, set_cookie: Array.isArray(written) ? written : [String(written)] };
  }
}

interface Begun {
  readonly asked: Asked;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Details that the policy adds to a login prompt. */
interface Details {
  readonly began_at?: Millis;
}

interface Params {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scope?: string;
  readonly login_hint?: string;
}

const paramsOf = ({ params }: Asked): Params => params as unknown as Params;

const scopesOf = (asked: Asked): readonly string[] =>
  (paramsOf(asked).scope ?? '').split(' ').filter((scope) => SCOPES.includes(scope));

function originOf(redirect_uri: string): string {
  const { origin, protocol } = new URL(redirect_uri);
  return origin === 'null' ? protocol : origin;
}

const ended = (): AppError =>
  new AppError(
    'not_found',
    'This sign-in has ended, or began in another browser. Go back to the service and sign in again.',
  );
