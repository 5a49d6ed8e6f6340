import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { Type } from 'typebox';

/** What a key may do. `owner` implies every other. */
export const SCOPES = [
  'mail:send',
  'mail:answer',
  'messages:read',
  'mail:review',
  'mailboxes:write',
  'webhooks:write',
  'keys:write',
  'auth:assert',
  'owner',
] as const;
export type Scope = (typeof SCOPES)[number];

/** A stored key: only the SHA-256 of its secret. `mailbox` is the address it is bound to, without the mail domain. */
export interface Key {
  readonly id: string;
  readonly namespace_id: string;
  /** The name of its namespace. */
  readonly namespace: string;
  readonly name: string | null;
  /** `mr_live_` and the 8 characters that identify the key; not secret. */
  readonly prefix: string;
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  /** The mailbox it is bound to, or the first of several. */
  readonly mailbox_id: string | null;
  readonly mailbox: string | null;
  /** The ids of the other mailboxes it is bound to. */
  readonly also: readonly string[];
  /** The member that acts by it, or in whose session it was made; null for neither. */
  readonly account_id: string | null;
  readonly created_at: Millis;
  readonly last_used_at: Millis | null;
  readonly expires_at: Millis | null;
  readonly revoked_at: Millis | null;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` characters of base 62, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte; larger values would favor the first characters.
    for (const byte of randomBytes(length * 2)) if (byte < 248 && text.length < length) text += BASE62[byte % 62];
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = BASE62[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

const SECRET = /^mr_live_[0-9A-Za-z]{46}$/;

/** A new secret with 238 random bits: `mr_live_<8 id><32 random><6 CRC-32>` in base 62. */
export function newSecret(): { readonly secret: string; readonly prefix: string; readonly sha256: string } {
  const text = `mr_live_${randomBase62(40)}`;
  const secret = text + checksum(text);
  return { secret, prefix: text.slice(0, 16), sha256: sha256(secret) };
}

/** Whether the checksum is right; a secret that fails here is refused without a look-up. */
export const looksLikeSecret = (text: string): boolean =>
  SECRET.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);

export const hasScope = (key: Pick<Key, 'scopes'>, scope: Scope): boolean =>
  key.scopes.includes('owner') || key.scopes.includes(scope);

/** Whether a key may still do what an earlier state of it could. */
export const covers = (now: Key, then: Key): boolean =>
  then.scopes.every((scope) => hasScope(now, scope)) &&
  (!isBound(now) || boundTo(then)?.every((id) => reaches(now, id)) === true);

/** Whether the key is bound to mailboxes of its namespace. */
export const isBound = (key: Pick<Key, 'mailbox_id'>): boolean => key.mailbox_id !== null;

/** The ids of the mailboxes that the key is bound to; null where it is bound to none. */
export const boundTo = ({ mailbox_id, also }: Pick<Key, 'mailbox_id' | 'also'>): readonly string[] | null =>
  mailbox_id === null ? null : [mailbox_id, ...also];

/** Whether the key reaches this mailbox of its namespace, or with null the namespace as a whole. */
export const reaches = (key: Pick<Key, 'mailbox_id' | 'also'>, mailbox_id: string | null): boolean =>
  boundTo(key)?.some((id) => id === mailbox_id) ?? true;

/**
 * Whether what this key set up may have messages of the mailbox leave, or of any one with null. It stays so when the key is
 * revoked, so that keys can be replaced.
 */
export const mayDisclose = (key: Key | undefined, mailbox_id: string | null): boolean =>
  key !== undefined && key.expires_at === null && reaches(key, mailbox_id) && hasScope(key, 'messages:read');

/** Whether a key works at this moment. */
export const isLive = (key: Key, now: Millis): boolean =>
  key.revoked_at === null && (key.expires_at === null || key.expires_at > now);

const ScopeSchema = Type.Enum([...SCOPES], { description: '`owner` implies every other scope.' });

export const KeyView = Type.Object(
  {
    id: Type.String({ examples: ['key_0d8m3xk2q5v7w9y1a3c0'] }),
    name: Type.Union([Type.String(), Type.Null()]),
    prefix: Type.String({
      description: 'The beginning of the secret, which identifies the key.',
      examples: ['mr_live_4Fq9ZtB1'],
    }),
    namespace: Type.String(),
    scopes: Type.Array(ScopeSchema),
    mailbox: Type.Union([Type.String(), Type.Null()], { description: 'The address it is bound to, if to one.' }),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'To the minute.' }),
    expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    revoked_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  },
  { $id: 'Key', description: 'An API key, without its secret.' },
);

export const KeyWithSecret = Type.Object(
  {
    ...KeyView.properties,
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'The key itself, shown only in this answer. Null in a repeated answer once the key was used.',
    }),
  },
  { $id: 'KeyWithSecret' },
);

export const NewKey = Type.Object(
  {
    scopes: Type.Array(ScopeSchema, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })),
    mailbox: Type.Optional(
      Type.String({ description: 'Bind it to this mailbox of the namespace: it sends as and reads that one only.' }),
    ),
    expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339, in the future.' })),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'In place of `expires_at`: how many days it works. A repeated request is then the same one.',
      }),
    ),
  },
  { $id: 'NewKey', additionalProperties: false },
);
export type KeyView = Type.Static<typeof KeyView>;
export type KeyWithSecret = Type.Static<typeof KeyWithSecret>;
export type NewKey = Type.Static<typeof NewKey>;

const time = (at: Millis | null): string | null => (at === null ? null : rfc3339(at));

export function keyView(key: Key, mailDomain: string): KeyView {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    namespace: key.namespace,
    scopes: [...key.scopes],
    mailbox: key.mailbox === null ? null : `${key.mailbox}.${mailDomain}`,
    created_at: rfc3339(key.created_at),
    last_used_at: time(key.last_used_at),
    expires_at: time(key.expires_at),
    revoked_at: time(key.revoked_at),
  };
}
