import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type Provider from 'oidc-provider';
import type { Interaction as Asked, InteractionResults } from 'oidc-provider';
import type { Store } from '../../core/ports/store.ts';
import { isResourceScope } from '../../core/sign-in/protected-resources.ts';
import type { RawExchange } from '../../http/route.ts';
import { SCOPES, subjectOf } from './claims.ts';
import type { Served } from './clients.ts';

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

interface InteractionsParts {
  readonly store: Store;
  readonly provider: Provider;
  readonly served: Served;
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

  /**
   * The sign-in that the browser of this request began. The provider's cookie is signed and names one sign-in, so that a
   * link to another's page opens nothing. AppError `not_found`.
   */
  async begunBy(exchange: RawExchange, uid: string): Promise<PendingSignIn> {
    try {
      const asked = await this.#parts.provider.interactionDetails(exchange.request, exchange.response);
      if (asked.uid === uid) return await this.#pending(asked, exchange);
    } catch (error) {
      if ((error as { name?: unknown }).name !== 'SessionNotFound') throw error;
    }
    throw ended();
  }

  /** A sign-in that this process began itself. AppError `not_found`. */
  async of(uid: string): Promise<PendingSignIn> {
    const asked = await this.#parts.provider.Interaction.find(uid);
    if (asked === undefined) throw ended();
    return this.#pending(asked);
  }

  async #pending(request: Asked, exchange?: RawExchange): Promise<PendingSignIn> {
    const { client_id, redirect_uri, login_hint } = paramsOf(request);
    const client = await this.#parts.provider.Client.find(client_id);
    if (client === undefined) throw ended();
    const { clientId, clientName, logoUri } = client;
    const interaction: Interaction = {
      uid: request.uid,
      client: {
        id: clientId,
        name: clientName ?? new URL(redirect_uri).host,
        origin: originOf(redirect_uri),
        ...(clientId.startsWith('https://') ? { metadata_url: clientId } : {}),
        ...(logoUri?.startsWith('https://') === true ? { logo: logoUri } : {}),
      },
      redirect_uri,
      scopes: scopesOf(request),
      login_hint,
      prompt: request.prompt.name === 'consent' ? 'consent' : 'login',
      reauthenticate: request.prompt.reasons.some((reason) => NEW_LOGIN_REASONS.has(reason)),
      began_at: (request.prompt.details as Details).began_at ?? request.iat * SECOND,
      session_subject: request.session?.accountId,
    };
    return new PendingSignIn(interaction, { asked: request, exchange }, this.#parts);
  }
}

/** A sign-in that waits for its person or agent. Each way to end it returns the URL to go to next. */
export class PendingSignIn {
  readonly interaction: Interaction;
  readonly #asked: Asked;
  /** Undefined without a browser. */
  readonly #exchange: RawExchange | undefined;
  readonly #parts: InteractionsParts;

  constructor(
    interaction: Interaction,
    { asked: request, exchange }: { readonly asked: Asked; readonly exchange: RawExchange | undefined },
    parts: InteractionsParts,
  ) {
    this.interaction = interaction;
    this.#asked = request;
    this.#exchange = exchange;
    this.#parts = parts;
  }

  /** Signs the account in and consents to the requested scopes. */
  async finish({ account_id, amr, at: time }: Login): Promise<string> {
    const { store, served } = this.#parts;
    const sub = await subjectOf(store, served.namespace.id, account_id);
    const location = await this.#submit({
      // Answers the account selection when the service requested it.
      select_account: {},
      login: { accountId: sub, amr: [...amr], ts: Math.floor(time / SECOND), remember: true },
      consent: { grantId: await this.#grant(sub) },
    });
    await this.#signOutOthers(sub);
    return location;
  }

  /** Continues as the account already signed in; AppError `not_found` without such an account. */
  async consent(): Promise<string> {
    const sub = this.#asked.session?.accountId;
    if (sub === undefined || this.#asked.prompt.name !== 'consent') throw ended();
    return this.#submit({ consent: { grantId: await this.#grant(sub) } });
  }

  /** Cancels it; the service receives `access_denied`. */
  deny(): Promise<string> {
    return this.#submit({ error: 'access_denied', error_description: 'the sign-in was refused' });
  }

  /** Removes it; the service is not told. */
  async drop(): Promise<void> {
    await this.#asked.destroy();
  }

  async #submit(result: InteractionResults): Promise<string> {
    this.#asked.result = result;
    await this.#asked.persist();
    return this.#asked.returnTo;
  }

  /** A consent to exactly the requested scopes, added to those given to this service before. */
  async #grant(sub: string): Promise<string> {
    const { Grant } = this.#parts.provider;
    const { client_id } = paramsOf(this.#asked);
    const { grantId } = this.#asked;
    const before = grantId === undefined ? undefined : await Grant.find(grantId);
    const known = before?.accountId === sub && before.clientId === client_id ? before : undefined;
    const grant = known ?? new Grant({ accountId: sub, clientId: client_id });
    grant.addOIDCScope(this.interaction.scopes.filter((scope) => SCOPES.includes(scope)).join(' '));
    const rights = this.interaction.scopes.filter(isResourceScope).join(' ');
    for (const resource of resourcesOf(this.#asked)) grant.addResourceScope(resource, rights);
    return grant.save();
  }

  /** Ends the session of another account in this browser; the provider would ask about it on its own page. */
  async #signOutOthers(sub: string): Promise<void> {
    const began = this.#asked.session?.accountId;
    if (this.#exchange === undefined || began === undefined || began === sub) return;
    const { provider } = this.#parts;
    // By the cookie: the store holds only a hash of the id under which a session is saved.
    const session = await provider.Session.get(provider.createContext(this.#exchange.request, this.#exchange.response));
    if (session.accountId === undefined || session.accountId === sub) return;
    delete session.accountId;
    delete session.authorizations;
    await session.persist();
  }
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
  readonly resource?: string | readonly string[];
}

const paramsOf = ({ params }: Asked): Params => params as unknown as Params;

const scopesOf = (request: Asked): readonly string[] =>
  (paramsOf(request).scope ?? '')
    .split(' ')
    .filter((scope) => SCOPES.includes(scope) || (isResourceScope(scope) && resourcesOf(request).length > 0));

/** The resource indicators of a request (RFC 8707, section 2.1). */
const resourcesOf = (asked: Asked): readonly string[] => [paramsOf(asked).resource ?? []].flat();

function originOf(redirect_uri: string): string {
  const { origin, protocol } = new URL(redirect_uri);
  return origin === 'null' ? protocol : origin;
}

const ended = (): AppError =>
  new AppError(
    'not_found',
    'This sign-in has ended, or began in another browser. Go back to the service and sign in again.',
  );
