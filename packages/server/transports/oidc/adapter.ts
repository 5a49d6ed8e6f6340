import { type Clock, DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Adapter, AdapterFactory, AdapterPayload, errors as Errors } from 'oidc-provider';
import type { State, States } from '../../core/ports/states.ts';
import type { Store } from '../../core/ports/store.ts';
import { makerWorks } from '../../core/sign-in/registration-token.ts';
import { GRANT } from '../../core/values/states.ts';
import { ClientAdapter, type ClientsOf } from './clients.ts';
import { OpenClients } from './open-clients.ts';

/** The expiry of rows without one of their own. */
const LONG_MS: Millis = 36_500 * DAY;

/** The rows that result from one consent and end with it. */
const OF_GRANT = ['AccessToken', 'AuthorizationCode', 'RefreshToken'] as const;

const kindOf = (model: string): string => `oidc:${model}`;
/** Maps a session's public id (`uid`) to the row that its cookie names. */
const UIDS = kindOf('SessionUid');

/** Maps an access token for a protected resource to its namespace, as such a token is shown without its issuer. */
const RESOURCE_TOKENS = kindOf('ResourceToken');

const idOf = (namespace_id: string, model: string, id: string): string => sha256(`${namespace_id}:${model}:${id}`);

/** The subject or grant that a row belongs to and is removed with. */
function subjectOf(model: string, payload: AdapterPayload): string | null {
  if (model === 'Session' || model === 'Grant') return payload.accountId ?? null;
  if (model === 'RegistrationAccessToken') return payload.clientId ?? null;
  return payload.grantId ?? null;
}

/**
 * Stores the data of `oidc-provider`, with each row's name hashed, so that the database holds no code, token or cookie.
 * Each code or token is one row, which only one of several concurrent requests can consume.
 */
class ModelAdapter implements Adapter {
  readonly #model: string;
  readonly #of: Kept;

  constructor(model: string, of: Kept) {
    this.#model = model;
    this.#of = of;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { states, clock } = this.#of;
    const subject = subjectOf(this.#model, payload);
    const expires_at = clock() + (expiresIn === undefined ? LONG_MS : expiresIn * SECOND);
    const row = { kind: this.#kind, id: this.#id(id), subject, value: written(this.#model, payload), expires_at };
    if (this.#model === 'ReplayDetection') {
      if (!(await states.put(row, clock()))) throw new this.#of.errors.InvalidRequest('this was used before');
      return;
    }
    await states.set(row);
    if (this.#model === 'Grant' && payload.clientId !== undefined)
      await new OpenClients(states, clock, this.#of.namespace_id).use(payload.clientId);
    if (this.#model === 'Session' && payload.uid !== undefined) {
      const uid = idOf(this.#of.namespace_id, 'SessionUid', payload.uid);
      await states.set({ kind: UIDS, id: uid, subject, value: row.id, expires_at });
    }
    if (this.#model === 'AccessToken' && payload.aud !== undefined)
      await states.set({ kind: RESOURCE_TOKENS, id: sha256(id), subject, value: this.#of.namespace_id, expires_at });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#get(this.#id(id));
    if (found === undefined) return undefined;
    const payload = read(found);
    const { store, clock } = this.#of;
    if (this.#model === 'InitialAccessToken' && !(await makerWorks({ key_id: payload.key_id }, store, clock())))
      return undefined;
    return (await this.#consented(payload)) ? { ...payload, jti: id } : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const { states, clock, namespace_id } = this.#of;
    const at = await states.get(UIDS, idOf(namespace_id, 'SessionUid', uid), clock());
    const found = at && (await this.#get(at.value));
    return found && read(found);
  }

  /** This service has no device flow, so no user codes. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /**
   * A second use of a code or token ends everything that resulted from the first (RFC 9700, section 4.5.3; RFC 6749,
   * section 10.5).
   */
  async consume(id: string): Promise<void> {
    const { states, clock, errors } = this.#of;
    const key = this.#id(id);
    const found = await this.#get(key);
    const payload = found && read(found);
    if (found !== undefined && payload !== undefined && payload.consumed === undefined) {
      const consumed = JSON.stringify({ ...payload, consumed: Math.floor(clock() / SECOND) });
      if (await states.swap(this.#kind, key, found.value, consumed, clock())) return;
    }
    if (this.#model === 'PushedAuthorizationRequest') throw new errors.InvalidRequestUri('it was used before');
    if (payload?.grantId !== undefined) await endGrant(states, this.#of.namespace_id, payload.grantId);
    throw new errors.InvalidGrant('it was used before');
  }

  async destroy(id: string): Promise<void> {
    const { states, namespace_id } = this.#of;
    const key = this.#id(id);
    if (this.#model === 'Session') {
      const uid = (await this.#get(key).then((found) => found && read(found)))?.uid;
      if (uid !== undefined) await states.remove(UIDS, idOf(namespace_id, 'SessionUid', uid));
    }
    if (this.#model === 'AccessToken') await states.remove(RESOURCE_TOKENS, sha256(id));
    await states.remove(this.#kind, key);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#of.states.removeOf(this.#kind, grantId);
  }

  /** Whether the consent that a code or token results from still stands. */
  async #consented({ grantId }: AdapterPayload): Promise<boolean> {
    const { states, clock, namespace_id } = this.#of;
    const results = OF_GRANT.some((model) => model === this.#model);
    return !results || grantId === undefined || (await stands(states, namespace_id, grantId, clock()));
  }

  get #kind(): string {
    return kindOf(this.#model);
  }

  #id(id: string): string {
    return idOf(this.#of.namespace_id, this.#model, id);
  }

  #get(key: string): Promise<State | undefined> {
    return this.#of.states.get(this.#kind, key, this.#of.clock());
  }
}

/**
 * The payload without the secret of a token or session. A grant's id is kept, since its tokens are found by it and it
 * proves nothing.
 */
function written(model: string, payload: AdapterPayload): string {
  const { jti, session, ...rest } = payload;
  const { cookie: _, ...storedSession } = session ?? {};
  return JSON.stringify({
    ...rest,
    ...(session === undefined ? {} : { session: storedSession }),
    ...(model === 'Grant' ? { jti } : {}),
  });
}

const read = ({ value }: State): AdapterPayload => JSON.parse(value) as AdapterPayload;

interface Kept {
  readonly store: Pick<Store, 'keys'>;
  readonly states: States;
  readonly clock: Clock;
  readonly namespace_id: string;
  readonly errors: typeof Errors;
}

/** The adapters of one issuer's provider. */
export const adapterOf = (parts: ClientsOf, errors: typeof Errors): AdapterFactory => {
  const { store, clock, served } = parts;
  const kept: Kept = { store, states: store.states, clock, namespace_id: served.namespace.id, errors };
  return (model) => (model === 'Client' ? new ClientAdapter(parts, errors) : new ModelAdapter(model, kept));
};

/** A code or token can be stored after its consent has ended, as it was being made then; it does not work. */
const stands = async (states: States, namespace_id: string, grantId: string, now: Millis): Promise<boolean> =>
  (await states.get(GRANT, idOf(namespace_id, 'Grant', grantId), now)) !== undefined;

async function endGrant(states: States, namespace_id: string, grantId: string): Promise<void> {
  for (const model of OF_GRANT) await states.removeOf(kindOf(model), grantId);
  await states.removeOf(RESOURCE_TOKENS, grantId);
  await states.remove(GRANT, idOf(namespace_id, 'Grant', grantId));
}

/** An access token for a protected resource. */
export interface ResourceToken {
  readonly namespace_id: string;
  /** By which the namespace's services know the account. */
  readonly subject: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly client_id: string;
}

/** The access token of this text; undefined when there is none, it has expired, or its consent has ended. */
export async function resourceToken(states: States, token: string, clock: Clock): Promise<ResourceToken | undefined> {
  const namespace_id = (await states.get(RESOURCE_TOKENS, sha256(token), clock()))?.value;
  if (namespace_id === undefined) return undefined;
  const found = await states.get(kindOf('AccessToken'), idOf(namespace_id, 'AccessToken', token), clock());
  const { accountId, aud, scope, clientId, grantId } = (found === undefined ? {} : read(found)) as AdapterPayload;
  if (accountId === undefined || typeof aud !== 'string' || clientId === undefined) return undefined;
  if (grantId !== undefined && !(await stands(states, namespace_id, grantId, clock()))) return undefined;
  return { namespace_id, subject: accountId, audience: aud, scopes: scope?.split(' ') ?? [], client_id: clientId };
}

/** Ends the sessions of a subject of an issuer in every browser. */
export async function endSessions(states: States, subject: string): Promise<void> {
  await states.removeOf(UIDS, subject);
  await states.removeOf(kindOf('Session'), subject);
}

/** Ends every session, consent and token of a subject of an issuer. */
export async function endSubject(states: States, namespace_id: string, subject: string, clock: Clock): Promise<void> {
  await endSessions(states, subject);
  for (;;) {
    const grants = await states.of(GRANT, subject, clock());
    for (const grant of grants) {
      const { jti } = read(grant);
      if (jti !== undefined) await endGrant(states, namespace_id, jti);
      await states.remove(GRANT, grant.id);
    }
    if (grants.length === 0) return;
  }
}

/** A consent as its owner sees it. */
export interface Consent {
  /** Identifies the consent when it is ended. */
  readonly id: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly at: Millis;
}

/** Up to 200 active consents of a subject, the latest first. */
export async function consentsOf(states: States, subject: string, clock: Clock): Promise<readonly Consent[]> {
  const grants = (await states.of(GRANT, subject, clock())).map(read) as readonly GrantPayload[];
  return grants
    .map(({ jti, clientId, openid, resources, iat }) => ({
      id: jti,
      client_id: clientId,
      scopes: [openid?.scope, ...Object.values(resources ?? {})].flatMap((scope) => scope?.split(' ') ?? []),
      at: iat * SECOND,
    }))
    .sort((a, b) => b.at - a.at);
}

interface GrantPayload {
  readonly jti: string;
  readonly clientId: string;
  readonly iat: number;
  readonly openid?: { readonly scope?: string };
  /** Scopes by protected resource. */
  readonly resources?: Readonly<Record<string, string>>;
}

/** Ends one consent of a subject and its tokens; false when there was none. */
export async function endConsent(
  states: States,
  { namespace_id, subject, id }: { readonly namespace_id: string; readonly subject: string; readonly id: string },
  clock: Clock,
): Promise<boolean> {
  if (!(await consentsOf(states, subject, clock)).some((consent) => consent.id === id)) return false;
  await endGrant(states, namespace_id, id);
  return true;
}
