import assert from 'node:assert/strict';
import type { Client, Home } from './client.ts';
import type { Mailbox } from './wire.ts';

/** A service as the API shows it. */
export interface Service {
  id: string;
  issuer: string;
  source: 'owner' | 'registration';
  name: string;
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  token_endpoint_auth_method: string;
  application_type: string;
  client_uri: string | null;
  logo_uri: string | null;
  jwks: { keys: object[] } | null;
  jwks_uri: string | null;
  created_at: string;
  updated_at: string;
}
export interface ServiceWithSecret extends Service {
  client_secret: string | null;
}
export interface AllowedService {
  id: string;
  issuer: string;
  client_id: string;
  name: string;
  created_at: string;
}

export const AUTH = { name: 'auth' };
export const APP = { name: 'Example App', redirect_uris: ['https://app.example.com/callback'] };

/** The address of the issuer's mailbox. */
export const newAuth = (client: Client, home: Home, fields: object = {}): Promise<Mailbox> =>
  client.newMailbox(home, { local_part: 'auth', behavior: AUTH, ...fields });

/** Registers a service with that address; returns it with its secret. */
export async function newService(
  client: Client,
  home: Home,
  auth: Mailbox,
  fields: object = {},
): Promise<ServiceWithSecret> {
  const answer = await client.api<ServiceWithSecret>('POST', `/mailboxes/${auth.address}/clients`, {
    key: home.key,
    body: { ...APP, ...fields },
  });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}
