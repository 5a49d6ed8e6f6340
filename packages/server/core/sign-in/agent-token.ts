import { randomBytes } from 'node:crypto';
import { addressOf, type BehaviorMailbox } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import type { Namespace } from '../entities/namespace.ts';
import type { Store } from '../ports/store.ts';
import { noteSignIn } from './service-sign-ins.ts';

/** The `typ` of these tokens, which distinguishes them from others that the issuer signs (RFC 8725, section 3.11). */
export const AGENT_TOKEN_TYPE = 'agent-token+jwt';
/** How long a token is valid. */
const AGENT_TOKEN_MS = 5 * MINUTE;

const MAX_AUDIENCE = 2048;
/** Maximum number of cached subjects; they never change and are never reused. */
const MAX_SUBJECTS = 20_000;
const SUBJECT_BYTES = 20;

/** A token with which an agent identifies itself to a service. */
export interface AgentToken {
  /** A JWT (RFC 7519), signed with ES256 by a key of the issuer's JWKS. */
  readonly token: string;
  readonly expires_at: Millis;
  readonly issuer: string;
  /** The `aud` of the token. */
  readonly audience: string;
}

/** Signs claims with an issuer's key: a compact JWS (RFC 7515). */
interface IssuerSigner {
  sign(typ: string, claims: object): Promise<string>;
}

interface Parts {
  readonly store: Pick<Store, 'audit' | 'mailboxes'> & { readonly accounts: Pick<Store['accounts'], 'subject'> };
  /** The keys of a namespace's issuer. */
  readonly signer: (namespaceId: string) => Promise<IssuerSigner>;
  /** The URL of a namespace's issuer. */
  readonly issuer: (namespace: string) => string;
  readonly clock: Clock;
  readonly mailDomain: string;
}

interface TokenRequest {
  /** The namespace of the issuer. */
  readonly namespace: Pick<Namespace, 'id' | 'name'>;
  readonly agent: BehaviorMailbox;
  /** The recipient of the token: an origin, or the issuer itself. */
  readonly audience: string;
  /** For a token to the issuer: the only service that may redeem it there (RFC 7523). */
  readonly client_id?: string | undefined;
  /** When the requesting key expires; the token ends with it. */
  readonly key_expires_at?: Millis | null;
}

/** Issues the tokens that agents show to services. */
export class AgentTokens {
  readonly #parts: Parts;
  #subjects = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Issues a token. AppError `validation_error` with an explanation for an audience that gets no token. */
  async issue({ namespace, agent, audience, client_id, key_expires_at = null }: TokenRequest): Promise<AgentToken> {
    const { signer, clock, mailDomain, store } = this.#parts;
    const issuer = this.#parts.issuer(namespace.name);
    const aud = audienceOf(audience, issuer);
    const redeemer = redeemerOf(client_id, aud === issuer);
    const iat = Math.floor(clock() / SECOND);
    const life = iat + AGENT_TOKEN_MS / SECOND;
    const exp = key_expires_at === null ? life : Math.min(life, Math.floor(key_expires_at / SECOND));
    const token = await (await signer(namespace.id)).sign(AGENT_TOKEN_TYPE, {
      iss: issuer,
      sub: await this.#subject(namespace.id, agent.id),
      aud,
      ...(redeemer === undefined ? {} : { client_id: redeemer }),
      iat,
      exp,
      jti: randomBytes(16).toString('base64url'),
      email: fullAddress(addressOf(agent), mailDomain),
      email_verified: true,
      ...(agent.display_name === null ? {} : { name: agent.display_name }),
    });
    // One for the issuer is redeemed there, which is the sign-in.
    if (redeemer === undefined)
      await noteSignIn(store, {
        action: 'service.signed_in',
        namespace_id: namespace.id,
        account_id: agent.id,
        service: { id: aud, name: null },
        issuer,
      });
    return { token, expires_at: exp * SECOND, issuer, audience: aud };
  }

  async #subject(namespaceId: string, accountId: string): Promise<string> {
    const slot = `${namespaceId}\n${accountId}`;
    const known = this.#subjects.get(slot);
    if (known !== undefined) return known;
    const fresh = randomBytes(SUBJECT_BYTES).toString('base64url');
    const subject = await this.#parts.store.accounts.subject(namespaceId, accountId, fresh);
    if (this.#subjects.size >= MAX_SUBJECTS) this.#subjects = new Map();
    this.#subjects.set(slot, subject);
    return subject;
  }
}

const bad = (why: string): AppError =>
  new AppError('validation_error', `${why} Name the service by its origin, such as https://service.example.`);

/** A token for the issuer names the one service that may redeem it, so that no other holder can. */
function redeemerOf(client_id: string | undefined, forIssuer: boolean): string | undefined {
  if (!forIssuer) {
    if (client_id === undefined) return undefined;
    throw new AppError('validation_error', 'A client_id is for a token whose audience is the issuer; leave it out.');
  }
  if (client_id === undefined) {
    throw new AppError(
      'validation_error',
      'A token for the issuer is redeemed there by one service: name it by its client_id, which it tells you.',
    );
  }
  if (isId('cli', client_id) || (client_id.length <= MAX_AUDIENCE && /^https:\/\/[^\s]+$/.test(client_id)))
    return client_id;
  throw new AppError(
    'validation_error',
    'The client_id of a service is "cli_…", or the https URL that it names itself by.',
  );
}

/**
 * The `aud` of a token for this audience: the issuer's own URL, or an origin without slash. An origin stands for a whole
 * service and is never a client's id: those are `cli_…`, or URLs with a path. AppError `validation_error` for anything
 * else.
 */
export function audienceOf(audience: string, issuer: string): string {
  if (audience === issuer) return issuer;
  if (audience.length > MAX_AUDIENCE) throw bad('The audience is too long.');
  const url = URL.parse(audience);
  if (url === null) throw bad(`"${audience.slice(0, 100)}" is not the URL of a service.`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url.hostname))) {
    throw bad('The audience must use https; http is allowed for localhost only.');
  }
  if (url.username !== '' || url.password !== '') throw bad('An audience must not contain a user name or password.');
  // Checked in the text, because parsing drops a lone `?` or `#`.
  if (/[?#]/.test(audience)) throw bad('An audience must not contain a query or fragment.');
  if (url.pathname !== '/') throw bad('An audience must not contain a path.');
  if (!/^https?:\/\/[^/\\\s]+\/?$/i.test(audience)) throw bad('The audience is not a valid origin.');
  return url.origin;
}

const isLocal = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]';
