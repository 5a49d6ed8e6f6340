import { createHash, randomBytes } from 'node:crypto';
import { sha256 } from '@mailroom/behavior/values/hash';
import { newId } from '@mailroom/behavior/values/ids';
import type { Home } from './client.ts';
import type { ConsoleService } from './console.ts';
import type { Mailbox } from './wire.ts';

/** An agent: a mailbox, and a key that sends as it and may assert its identity. */
export interface Agent {
  readonly home: Home;
  readonly mailbox: Mailbox;
  readonly key: string;
  readonly keyId: string;
}

export async function newAgent({ client }: ConsoleService, scopes = ['mail:send', 'auth:assert']): Promise<Agent> {
  const home = await client.newNamespace();
  const mailbox = await client.newMailbox(home, { display_name: 'Ada’s agent' });
  const { secret, id } = await client.newKey(home, { scopes, mailbox: mailbox.address });
  return { home, mailbox, key: secret, keyId: id };
}

/** A service that is registered with an issuer's address. */
export interface Registered {
  readonly id: string;
  readonly secret: string;
  readonly origin: string;
  readonly redirect_uri: string;
}

export async function newService(
  { store }: ConsoleService,
  auth: Mailbox,
  origin = 'https://service.example',
): Promise<Registered> {
  const id = newId('cli', Date.now());
  const secret = randomBytes(32).toString('base64url');
  const redirect_uri = `${origin}/callback`;
  const mailbox = await store.mailboxes.byId(auth.id);
  const now = Date.now();
  await store.clients.create({
    id,
    namespace_id: mailbox?.namespace_id ?? '',
    mailbox_id: auth.id,
    source: 'owner',
    name: 'Example',
    metadata: JSON.stringify({
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    }),
    secret: sha256(secret),
    created_at: now,
    updated_at: now,
  });
  return { id, secret, origin, redirect_uri };
}

/** The authorization URL to which a service sends a person or an agent, with the values to check the answer against. */
export function authorizationUrl(issuer: string, service: Registered, more: Readonly<Record<string, string>> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const nonce = randomBytes(16).toString('base64url');
  const query = new URLSearchParams({
    client_id: service.id,
    redirect_uri: service.redirect_uri,
    response_type: 'code',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return { url: `${issuer}/auth?${query}`, verifier, state, nonce };
}
