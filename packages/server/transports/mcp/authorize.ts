import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, type Code } from '@mailroom/behavior/values/error';
import type { Caller } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { hasScope, isBound, isLive } from '../../core/entities/key.ts';
import type { Store } from '../../core/ports/store.ts';
import type { AccountSessions } from '../../core/sign-in/account-sessions.ts';
import {
  isResourceScope,
  type ProtectedResource,
  type ProtectedResources,
  type ResourceScope,
} from '../../core/sign-in/protected-resources.ts';
import { type Authenticator, networkOf } from '../../http/authenticate.ts';
import type { Credentials } from '../../http/route.ts';

/** An access token, as it was found. */
interface Token {
  readonly namespace_id: string;
  readonly subject: string;
  readonly audience: string;
  readonly scopes: readonly string[];
}

/** What the issuers of the namespaces say. */
export interface SignInIssuers {
  /** The access token of this text; undefined when it is not valid any more, or never was. */
  resourceToken(text: string): Promise<Token | undefined>;
  /** Whether people sign in by this namespace at the moment. */
  signsIn(namespace: string): Promise<boolean>;
}

export interface AuthorizeParts {
  readonly authenticator: Pick<Authenticator, 'caller' | 'threadOf'>;
  readonly resources: ProtectedResources;
  readonly directory: Pick<Directory, 'keyById' | 'namespaceName'>;
  readonly store: Pick<Store, 'accounts' | 'namespaces'>;
  /** The sessions of accounts. */
  readonly people: { readonly sessions: Pick<AccountSessions, 'person'> };
  readonly issuers: SignInIssuers;
  readonly clock: Clock;
}

const OF_KEYS = /^Bearer +m[rt]_/i;
const BEARER = /^Bearer +([\w.~+/-]{20,200}=*) *$/i;

/** Finds the caller of a request to a protected resource: by a key, or by an access token of the resource's issuer. */
export class Authorization {
  readonly #parts: AuthorizeParts;

  constructor(parts: AuthorizeParts) {
    this.#parts = parts;
  }

  /** The caller of a request to the server of `name`. AppError `invalid_key`, `access_denied`. */
  caller({ authorization, ip }: Credentials, name: string | undefined): Caller | Promise<Caller> {
    if (authorization === undefined || OF_KEYS.test(authorization))
      try {
        const found = this.#parts.authenticator.caller(authorization, ip);
        return found instanceof Promise ? found.catch((error: unknown) => this.#again(error, name)) : found;
      } catch (error) {
        return this.#again(error, name);
      }
    return this.#holder(BEARER.exec(authorization)?.[1] ?? '', networkOf(ip), name);
  }

  /** Why a caller without a key or token is refused, with where to get one (RFC 9728, section 5.1). */
  async required(name: string | undefined): Promise<AppError> {
    return this.#refusal('missing_key', 'Sign in, or send an API key: Authorization: Bearer mr_live_….', name, {});
  }

  /** Why a token without this scope is refused, with the scopes that it needs (RFC 6750, section 3.1). */
  async insufficient(caller: Caller, scope: ResourceScope, name: string | undefined): Promise<AppError> {
    const had = scopesOf(caller);
    return this.#refusal('insufficient_scope', `This needs the scope ${scope}.`, name, {
      error: 'insufficient_scope',
      scope: [...had, scope].join(' '),
    });
  }

  async #again(error: unknown, name: string | undefined): Promise<never> {
    if (!(error instanceof AppError) || error.code !== 'invalid_key') throw error;
    throw await this.#refusal('invalid_key', error.message, name, { error: 'invalid_token' });
  }

  async #holder(text: string, network: string, name: string | undefined): Promise<Caller> {
    const { resources, issuers, store, people, directory } = this.#parts;
    const invalid = (detail: string) => this.#refusal('invalid_key', detail, name, { error: 'invalid_token' });
    const token = text === '' ? undefined : await issuers.resourceToken(text);
    if (token === undefined)
      throw await invalid(
        'This is no key, and no access token that is valid here: it may have expired. Sign in again.',
      );
    const resource = await resources.byName(name);
    if (resource?.audience !== token.audience)
      throw await invalid(`This access token is for ${token.audience}. Sign in for this server.`);
    const account_id = await store.accounts.ofSubject(token.namespace_id, token.subject);
    const person = account_id === undefined ? undefined : await people.sessions.person(account_id);
    const namespace = await directory.namespaceName(token.namespace_id);
    if (person === undefined || namespace === undefined) throw await invalid('The account was deleted.');
    const scopes = token.scopes.filter(isResourceScope);
    const owner = await this.#owner(person.account_id, token.namespace_id, resource);
    const key = owner && { ...owner, scopes: scopes.filter((scope) => hasScope(owner, scope)) };
    const { mailbox } = resource;
    if (mailbox !== undefined) {
      const { id: mailbox_id, namespace_id } = mailbox;
      const who = { account_id: person.account_id, address: person.address, network };
      const account = { kind: 'account', ...who, mailbox_id, namespace_id, scopes } as const;
      // Without a mailbox that it is sent as, a message is of the whole namespace.
      const writes = owner !== undefined && hasScope(owner, 'mail:send') && !isBound(owner);
      return { ...account, key: writes ? key : undefined };
    }
    if (key !== undefined) return { kind: 'key', key, network, by_token: true };
    throw new AppError('access_denied', `${person.address} owns no namespace that this server is for.`);
  }

  /** The key by which an account acts that owns what the resource is for; with it all that it may do ends. */
  async #owner(account_id: string, namespace_id: string, resource: ProtectedResource) {
    const { store, clock, directory, resources } = this.#parts;
    const all = await store.accounts.membershipsOf(account_id, clock());
    const here = all.find((one) => one.namespace_id === namespace_id);
    const any = resource.audience === resources.uriOf(undefined);
    if (here === undefined && any && all.length > 1) {
      const names = await Promise.all(all.map((one) => directory.namespaceName(one.namespace_id)));
      throw new AppError(
        'access_denied',
        `This account owns ${names.join(', ')}. Connect to ${resources.uriOf(names[0])}, or as it is called.`,
      );
    }
    const chosen = here ?? (any ? all[0] : undefined);
    const key = chosen && (await directory.keyById(chosen.key_id));
    return key !== undefined && isLive(key, clock()) ? key : undefined;
  }

  async #refusal(code: Code, detail: string, name: string | undefined, more: Readonly<Record<string, string>>) {
    const { resources, issuers } = this.#parts;
    const resource = await resources.byName(name);
    const metadata =
      resource !== undefined && (await issuers.signsIn(resource.namespace))
        ? { resource_metadata: metadataUrl(resource.audience), scope: resource.offered.join(' ') }
        : {};
    const fields = Object.entries({ ...metadata, ...more }).map(([field, value]) => `${field}="${value}"`);
    const challenge = ['Bearer', fields.join(', ')].join(' ').trim();
    return new AppError(code, detail, { challenge });
  }
}

/** Where the metadata of a resource are (RFC 9728, section 3.1). */
const metadataUrl = (resource: string): string => {
  const { origin, pathname } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
};

const scopesOf = (caller: Caller): readonly string[] =>
  caller.kind === 'account' ? caller.scopes : caller.kind === 'key' ? caller.key.scopes : [];

/** Whether a caller came by an access token that lacks this scope; what a key may not do, the API says. */
export const lacksScope = (caller: Caller, scope: ResourceScope): boolean =>
  (caller.kind === 'account' || (caller.kind === 'key' && caller.by_token === true)) &&
  !scopesOf(caller).includes(scope);
