import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Client } from '../entities/client.ts';
import { jwksError, redirectError, webError } from './uri.ts';

/** How a service authenticates at the token endpoint (OpenID Connect Core 1.0, section 9). */
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];
const APPLICATION_TYPES = ['web', 'native'] as const;

/** Whether a service with this method has a secret. */
export const hasSecret = (method: AuthMethod): boolean => method.startsWith('client_secret_');

/**
 * The metadata of a service that can be set here, by the names of RFC 7591, section 2. A service that registered itself
 * may have more.
 */
export interface ClientMetadata {
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly token_endpoint_auth_method: AuthMethod;
  readonly application_type: (typeof APPLICATION_TYPES)[number];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly jwks?: { readonly keys: readonly object[] };
  readonly jwks_uri?: string;
}

export const MAX_URI = 1000;
export const MAX_URIS = 20;
export const MAX_NAME = 100;
const Uri = Type.String({ minLength: 1, maxLength: MAX_URI });
const RedirectUris = Type.Array(Uri, {
  minItems: 1,
  maxItems: MAX_URIS,
  uniqueItems: true,
  description:
    'Where people are sent back to: compared exactly, without wildcards or fragments. `https`, or `http` on localhost, 127.0.0.1 or [::1]; of a native app also a scheme of its own, such as `com.example.app:/callback` or `app://host/callback`. Any port of the machine itself is accepted (RFC 8252, section 7.3).',
  examples: [['https://app.example.com/callback']],
});
const PostLogoutUris = Type.Array(Uri, {
  maxItems: MAX_URIS,
  uniqueItems: true,
  description: 'Where people may be sent after signing out; the same rules apply.',
});
/** Control characters, and what reverses the text around it, by which one name looks like another. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069';
export const IN_NO_NAME = new RegExp(`[${CONTROLS}]`);
const Name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME,
  pattern: `^(?=.*\\S)[^${CONTROLS}]*$`,
  description: 'The name shown to people who sign in, one line of up to 100 characters.',
  examples: ['Example App'],
});
const Method = Type.Enum([...AUTH_METHODS], {
  description:
    'How it shows who it is at the token endpoint. `client_secret_basic` (the default) and `client_secret_post`: by its secret. `private_key_jwt`: by a key of its own, whose public half is in `jwks` or at `jwks_uri`. `none`: it cannot keep a secret.',
});
const ApplicationType = Type.Enum([...APPLICATION_TYPES], {
  description:
    "`web`, the default, or `native` for what runs on a person's own device: it may have a scheme of its own.",
});
const ClientUri = Type.String({ minLength: 1, maxLength: MAX_URI, description: 'Its home page, `https`.' });
const LogoUri = Type.String({ minLength: 1, maxLength: MAX_URI, description: 'Its picture, `https`.' });
const Jwks = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { minItems: 1, maxItems: 10 }) },
  { additionalProperties: false, description: 'Its public keys (RFC 7517, section 5), for `private_key_jwt`.' },
);
const JwksUri = Type.String({
  minLength: 1,
  maxLength: MAX_URI,
  description: 'Where its public keys are, `https`, for `private_key_jwt`.',
});
/** A field that may be null. */
export const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const NewClient = Type.Object(
  {
    name: Name,
    redirect_uris: RedirectUris,
    post_logout_redirect_uris: Type.Optional(PostLogoutUris),
    token_endpoint_auth_method: Type.Optional(Method),
    application_type: Type.Optional(ApplicationType),
    client_uri: Type.Optional(ClientUri),
    logo_uri: Type.Optional(LogoUri),
    jwks: Type.Optional(Jwks),
    jwks_uri: Type.Optional(JwksUri),
  },
  { $id: 'NewClient', additionalProperties: false },
);
export type NewClient = Type.Static<typeof NewClient>;

export const ClientChange = Type.Object(
  {
    name: Type.Optional(Name),
    redirect_uris: Type.Optional(RedirectUris),
    post_logout_redirect_uris: Type.Optional(PostLogoutUris),
    token_endpoint_auth_method: Type.Optional(Method),
    application_type: Type.Optional(ApplicationType),
    client_uri: Type.Optional(orNull(ClientUri)),
    logo_uri: Type.Optional(orNull(LogoUri)),
    jwks: Type.Optional(orNull(Jwks)),
    jwks_uri: Type.Optional(orNull(JwksUri)),
  },
  { $id: 'ClientChange', additionalProperties: false, minProperties: 1 },
);
export type ClientChange = Type.Static<typeof ClientChange>;

const DEFAULTS = {
  redirect_uris: [],
  token_endpoint_auth_method: 'client_secret_basic',
  application_type: 'web',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
} as const;

/** A service's metadata, including defaults (RFC 7591, section 2). */
export const metadataOf = ({ name, metadata }: Pick<Client, 'name' | 'metadata'>): ClientMetadata => ({
  client_name: name,
  ...DEFAULTS,
  ...(JSON.parse(metadata) as Partial<ClientMetadata>),
});

/** The metadata of a new service. AppError `validation_error` with each wrong field. */
export const newMetadata = (wanted: NewClient): ClientMetadata =>
  changedMetadata({ client_name: wanted.name, ...DEFAULTS }, wanted);

/** Changed metadata; null removes a field. AppError `validation_error` with each wrong field. */
export function changedMetadata(before: ClientMetadata, change: ClientChange): ClientMetadata {
  const { name, ...fields } = change;
  const all = { ...before, ...(name === undefined ? {} : { client_name: name }), ...fields };
  const after = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== null && value !== undefined),
  ) as unknown as ClientMetadata;
  const errors = metadataErrors(after);
  const [first] = errors;
  if (first !== undefined) throw new AppError('validation_error', `${first.pointer}: ${first.message}`, { errors });
  return after;
}

/** The errors in redirect addresses and keys, field by field. */
export function metadataErrors(metadata: ClientMetadata): readonly FieldError[] {
  const { token_endpoint_auth_method: method, application_type, jwks, jwks_uri } = metadata;
  const errors: FieldError[] = [];
  const add = (pointer: string, message: string | undefined): void => {
    if (message !== undefined) errors.push({ pointer, message });
  };
  for (const field of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    metadata[field]?.forEach((uri, at) => {
      add(`/${field}/${at}`, redirectError(uri, application_type));
    });
  }
  for (const field of ['client_uri', 'logo_uri', 'jwks_uri'] as const) {
    const uri = metadata[field];
    if (uri !== undefined) add(`/${field}`, webError(uri));
  }
  if (jwks !== undefined) add('/jwks', jwksError(jwks.keys));
  if (method === 'private_key_jwt') {
    if ((jwks === undefined) === (jwks_uri === undefined))
      add('/jwks', 'With private_key_jwt, give its public keys: either jwks or jwks_uri.');
  } else if (jwks !== undefined || jwks_uri !== undefined) {
    add('/token_endpoint_auth_method', 'Keys are for private_key_jwt. Choose that, or leave jwks and jwks_uri out.');
  }
  return errors;
}
