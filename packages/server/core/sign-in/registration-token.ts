import { addressOf } from '@mailroom/behavior/mailbox';
import { type Clock, DAY, type Millis, parseRfc3339, rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { Type } from 'typebox';
import { type Caller, requireLasting } from '../access/caller.ts';
import { isLive, randomBase62 } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import type { ClientRegistry } from './client-registry.ts';

const MODEL = 'InitialAccessToken';
const KIND = `oidc:${MODEL}`;
/** The default lifetime of a token. */
const LIFE_MS: Millis = DAY;
/** The maximum lifetime of a token. */
const MAX_LIFE_MS: Millis = 90 * DAY;
/** Maximum number of tokens of one address. */
const MAX_TOKENS = 50;

/** A token with which services register themselves with an `auth` address (RFC 7591, section 3: an initial access token). */
export interface RegistrationToken {
  /** Identifies the token but cannot be used to register. */
  readonly id: string;
  readonly name: string | null;
  readonly created_at: Millis;
  readonly expires_at: Millis;
}

/** The model of `oidc-provider` without the token itself (`jti`), with the fields that are listed. */
interface Payload {
  readonly iat: number;
  readonly exp: number;
  readonly kind: typeof MODEL;
  readonly mailbox_id: string;
  /** The key that created it, with which the token ends. */
  readonly key_id: string | undefined;
  readonly name: string | null;
}

export const NewRegistrationToken = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
        description: 'A name by which you recognize the token.',
      }),
    ),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'RFC 3339, in the future, at most 90 days ahead. A day from now unless said.',
      }),
    ),
  },
  { $id: 'NewRegistrationToken', additionalProperties: false },
);
export type NewRegistrationToken = Type.Static<typeof NewRegistrationToken>;

export const RegistrationTokenView = Type.Object(
  {
    id: Type.String({ description: 'Identifies the token; it is not secret.' }),
    name: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it stops working.' }),
  },
  {
    $id: 'RegistrationToken',
    description: 'A registration token, with which services register themselves, without its secret.',
  },
);

export const RegistrationTokenWithSecret = Type.Object(
  {
    ...RegistrationTokenView.properties,
    token: Type.String({
      description:
        'Shown only in this answer. Its holder can register any number of services until it expires or is removed, or the key that created it is revoked.',
    }),
    registration_endpoint: Type.String({ description: 'Where to send it, as `Authorization: Bearer`.' }),
  },
  { $id: 'RegistrationTokenWithSecret' },
);

export const registrationTokenView = (token: RegistrationToken): Type.Static<typeof RegistrationTokenView> => ({
  id: token.id,
  name: token.name,
  created_at: rfc3339(token.created_at),
  expires_at: rfc3339(token.expires_at),
});

/** Creates, lists and removes registration tokens, for callers who manage the address. */
export class RegistrationTokens {
  readonly #store: Store;
  readonly #clients: ClientRegistry;
  readonly #clock: Clock;

  constructor(parts: { readonly store: Store; readonly clients: ClientRegistry; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clients = parts.clients;
    this.#clock = parts.clock;
  }

  /** Creates a token of 256 random bits, which is stored as a hash. AppError `access_denied`, `validation_error`. */
  async create(
    caller: Caller,
    address: string,
    wanted: NewRegistrationToken,
  ): Promise<{ readonly token: RegistrationToken; readonly secret: string }> {
    const mailbox = await this.#clients.issuer(caller, address);
    requireLasting(caller, 'what registers by the token');
    const now = this.#clock();
    const expires_at = expiryOf(wanted.expires_at, now);
    if ((await this.#of(mailbox)).length >= MAX_TOKENS) {
      throw invalid('', `${addressOf(mailbox)} has ${MAX_TOKENS} of them, which is the most. Remove one first.`);
    }
    const secret = `mr_register_${randomBase62(43)}`;
    const payload: Payload = {
      iat: Math.floor(now / SECOND),
      exp: Math.floor(expires_at / SECOND),
      kind: MODEL,
      mailbox_id: mailbox.id,
      key_id: caller.kind === 'key' ? caller.key.id : undefined,
      name: wanted.name ?? null,
    };
    const id = sha256(`${mailbox.namespace_id}:${MODEL}:${secret}`);
    const state: State = { kind: KIND, id, subject: mailbox.id, value: JSON.stringify(payload), expires_at };
    await this.#store.states.put(state, now);
    return { token: tokenFrom(state), secret };
  }

  /** The tokens that work, newest first. */
  async list(caller: Caller, address: string): Promise<readonly RegistrationToken[]> {
    return this.#of(await this.#clients.issuer(caller, address));
  }

  /** Removes a token; services registered with it remain. AppError `not_found`. */
  async remove(caller: Caller, address: string, id: string): Promise<void> {
    const own = (await this.list(caller, address)).some((token) => token.id === id);
    if (own && (await this.#store.states.remove(KIND, id))) return;
    throw new AppError(
      'not_found',
      `This address has no registration token ${id.slice(0, 64)}, or it has expired. GET …/registration-tokens lists them.`,
    );
  }

  async #of(mailbox: Mailbox): Promise<readonly RegistrationToken[]> {
    const now = this.#clock();
    const states = await this.#store.states.of(KIND, mailbox.id, now);
    const work = await Promise.all(states.map(({ value }) => makerWorks(JSON.parse(value), this.#store, now)));
    return states
      .filter((_, at) => work[at])
      .map(tokenFrom)
      .sort((a, b) => b.created_at - a.created_at);
  }
}

/** Whether the key that created a token still works; older tokens without a stored key work on their own. */
export async function makerWorks(
  { key_id }: { readonly key_id?: unknown },
  { keys }: Pick<Store, 'keys'>,
  now: Millis,
): Promise<boolean> {
  if (typeof key_id !== 'string') return true;
  const key = await keys.byId(key_id);
  return key !== undefined && isLive(key, now);
}

const tokenFrom = ({ id, value, expires_at }: State): RegistrationToken => {
  const { iat, name } = JSON.parse(value) as Payload;
  return { id, name, created_at: iat * SECOND, expires_at };
};

function expiryOf(text: string | undefined, now: Millis): Millis {
  if (text === undefined) return now + LIFE_MS;
  const at = parseRfc3339(text);
  if (at !== undefined && at > now && at <= now + MAX_LIFE_MS) return at;
  throw invalid(
    '/expires_at',
    `This must be a time in the next 90 days (RFC 3339), such as ${rfc3339(now + LIFE_MS)}.`,
  );
}
