import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Client } from '../entities/client.ts';
import { metadataOf, orNull } from './client-metadata.ts';

export const ClientView = Type.Object(
  {
    id: Type.String({ description: 'Its `client_id`.', examples: ['cli_0d8m3xk2q5v7w9y1a3c0'] }),
    issuer: Type.String({ description: 'What its OpenID Connect library is given beside `client_id` and secret.' }),
    source: Type.Enum(['owner', 'registration'], {
      description: '`owner`: you registered it. `registration`: it registered itself with a token that you made.',
    }),
    name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    post_logout_redirect_uris: Type.Array(Type.String()),
    token_endpoint_auth_method: Type.String(),
    application_type: Type.String(),
    client_uri: orNull(Type.String()),
    logo_uri: orNull(Type.String()),
    jwks: orNull(Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) })),
    jwks_uri: orNull(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Client', description: 'A service that lets people and agents sign in, without its secret.' },
);

export const ClientWithSecret = Type.Object(
  {
    ...ClientView.properties,
    client_secret: orNull(
      Type.String({
        description:
          'Its secret, shown only in this answer. Null for a service without one, and in a repeated answer; create another one then.',
      }),
    ),
  },
  { $id: 'ClientWithSecret' },
);

/** The service as its owner sees it. */
export function clientView(client: Client, issuer: string): Type.Static<typeof ClientView> {
  const metadata = metadataOf(client);
  return {
    id: client.id,
    issuer,
    source: client.source,
    name: client.name,
    redirect_uris: [...metadata.redirect_uris],
    post_logout_redirect_uris: [...(metadata.post_logout_redirect_uris ?? [])],
    token_endpoint_auth_method: metadata.token_endpoint_auth_method,
    application_type: metadata.application_type,
    client_uri: metadata.client_uri ?? null,
    logo_uri: metadata.logo_uri ?? null,
    jwks: metadata.jwks === undefined ? null : { keys: metadata.jwks.keys.map((key) => ({ ...key })) },
    jwks_uri: metadata.jwks_uri ?? null,
    created_at: rfc3339(client.created_at),
    updated_at: rfc3339(client.updated_at),
  };
}
