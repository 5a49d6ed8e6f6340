import { Type } from 'typebox';
import {
  fullAddress,
  isLocalPart,
  LOCAL_PART,
  lowerCase,
  RESERVED_LOCAL_PARTS,
  shortAddress,
} from '../values/address.ts';
import type { Millis } from '../values/clock.ts';
import { rfc3339 } from '../values/clock.ts';
import { invalid } from '../values/error.ts';
import type { Json } from '../values/json.ts';
import { DisplayName } from './namespace.ts';

/** A stored mailbox. `namespace` is the name; times are milliseconds. */
export interface Mailbox {
  readonly id: string;
  readonly namespace_id: string;
  readonly namespace: string;
  readonly local_part: string;
  readonly display_name: string | null;
  readonly description: string;
  readonly behavior: string;
  readonly settings: { readonly [name: string]: Json };
  readonly status: 'online' | 'paused' | 'offline';
  readonly visibility: 'listed' | 'unlisted';
  readonly access: 'public' | 'key';
  readonly try_out: boolean;
  readonly created_at: Millis;
  readonly updated_at: Millis;
  readonly deleted_at: Millis | null;
}

/** A mailbox in a list, without its settings, which may be long. */
export type MailboxSummary = Omit<Mailbox, 'settings'>;

const Description = Type.String({
  maxLength: 300,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'What it does, in one line of up to 300 characters.',
});
const BehaviorName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A name from `GET /api/v1/behaviors`.',
  examples: ['proofread'],
});
const Settings = Type.Record(Type.String(), Type.Unknown(), {
  description: "As the behavior's `settings_schema` says.",
});
const Visibility = Type.Enum(['listed', 'unlisted'], {
  description: '`listed`: in the directory. `unlisted`: found by its address alone.',
});
const Access = Type.Enum(['public', 'key'], {
  description:
    '`public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false.',
});
const TryOut = Type.Boolean({ description: 'Whether people without a key may try it.' });

export const MailboxView = Type.Object(
  {
    id: Type.String({ examples: ['mbx_0d8m3xk2q5v7w9y1a3c0'] }),
    address: Type.String({ examples: ['proofread@agents.mailroom.localhost'] }),
    local_part: Type.String({ pattern: LOCAL_PART }),
    namespace: Type.String(),
    display_name: Type.Union([DisplayName, Type.Null()]),
    description: Description,
    behavior: Type.Object(
      {
        name: BehaviorName,
        settings: Type.Optional(Settings),
      },
      {
        description:
          '`settings` are there where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone.',
      },
    ),
    status: Type.Enum(['online', 'paused', 'offline']),
    visibility: Visibility,
    access: Access,
    try_out: TryOut,
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Mailbox', description: 'An address that is served by an automated agent.' },
);

const NewBehavior = Type.Object(
  { name: BehaviorName, settings: Type.Optional(Settings) },
  { additionalProperties: false },
);

export const NewMailbox = Type.Object(
  {
    local_part: Type.String({
      minLength: 1,
      maxLength: 64,
      description: '1 to 64 of a-z, 0-9, . _ and -, a letter or digit at both ends, no two dots in a row.',
      examples: ['proofread'],
    }),
    display_name: Type.Optional(Type.Union([DisplayName, Type.Null()])),
    description: Type.Optional(Description),
    behavior: NewBehavior,
    visibility: Type.Optional(Visibility),
    access: Type.Optional(Access),
    try_out: Type.Optional(TryOut),
  },
  { $id: 'NewMailbox', additionalProperties: false },
);
export type NewMailbox = Type.Static<typeof NewMailbox>;

export const MailboxChange = Type.Object(
  {
    display_name: Type.Optional(Type.Union([DisplayName, Type.Null()])),
    description: Type.Optional(Description),
    behavior: Type.Optional(
      Type.Object(
        { name: Type.Optional(BehaviorName), settings: Type.Optional(Settings) },
        { additionalProperties: false, minProperties: 1 },
      ),
    ),
    status: Type.Optional(Type.Enum(['online', 'paused'])),
    visibility: Type.Optional(Visibility),
    access: Type.Optional(Access),
    try_out: Type.Optional(TryOut),
  },
  { $id: 'MailboxChange', additionalProperties: false, minProperties: 1 },
);
export type MailboxChange = Type.Static<typeof MailboxChange>;

/** `local@namespace` of a mailbox. */
export const addressOf = (mailbox: Pick<Mailbox, 'local_part' | 'namespace'>): string =>
  shortAddress(mailbox.local_part, mailbox.namespace);

/** The mailbox as callers see it; `settings` only for callers who may change them, and never in a list. */
export function mailboxView(
  mailbox: MailboxSummary,
  mailDomain: string,
  settings?: Mailbox['settings'],
): Type.Static<typeof MailboxView> {
  return {
    id: mailbox.id,
    address: fullAddress(addressOf(mailbox), mailDomain),
    local_part: mailbox.local_part,
    namespace: mailbox.namespace,
    display_name: mailbox.display_name,
    description: mailbox.description,
    behavior: settings === undefined ? { name: mailbox.behavior } : { name: mailbox.behavior, settings },
    status: mailbox.status,
    visibility: mailbox.visibility,
    access: mailbox.access,
    try_out: mailbox.try_out,
    created_at: rfc3339(mailbox.created_at),
    updated_at: rfc3339(mailbox.updated_at),
  };
}

/** The local part in lower case, as it is stored; AppError `validation_error` when it is invalid. */
export function localPart(text: string): string {
  const local = lowerCase(text);
  if (!isLocalPart(local)) {
    throw invalid(
      '/local_part',
      'A local part is 1 to 64 characters of a-z, 0-9, . _ and -, starts and ends with a letter or digit, and has no two dots in a row.',
    );
  }
  if (RESERVED_LOCAL_PARTS.has(local))
    throw invalid('/local_part', `"${local}" is reserved. Choose another local part.`);
  return local;
}

/** Throws AppError `validation_error` for a try-out on a mailbox that accepts keys only. */
export function checkAccess(access: Mailbox['access'], tryOut: boolean): void {
  if (access === 'key' && tryOut) {
    throw invalid(
      '/try_out',
      'A mailbox with access "key" cannot have a try-out. Leave try_out out, or set access to "public".',
    );
  }
}
