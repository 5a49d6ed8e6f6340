/** The time of what the examples show. */
export const AT = '2026-11-20T08:00:00.000Z';

/**
 * Examples of what connects a namespace with other services: domains, webhooks, and programs that sign people in, by the
 * names of their schemas.
 */
export const connectionSamples = (mailDomain: string, message_id: string): Readonly<Record<string, unknown>> => {
  const issuer = `https://${mailDomain}/oidc/ada`;
  const client = {
    id: 'cli_0d8m4pq7s9t1v3w5x7y0',
    issuer,
    source: 'owner',
    name: 'Example App',
    redirect_uris: ['https://app.example.com/callback'],
    post_logout_redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
    application_type: 'web',
    client_uri: null,
    logo_uri: null,
    jwks: null,
    jwks_uri: null,
    created_at: AT,
    updated_at: AT,
  };
  const registration = {
    id: '5f0c2b7a9d3e4f618a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081',
    name: 'staging',
    created_at: AT,
    expires_at: '2026-11-21T08:00:00.000Z',
  };
  const webhook = {
    id: 'whk_0d8m3xk2q5v7w9y1a3c0',
    url: 'https://hooks.example.com/mailroom',
    types: ['message.*'],
    batch: 1,
    mailbox: null,
    status: 'enabled',
    disabled_reason: null,
    disabled_at: null,
    failing_since: null,
    error: null,
    key_id: 'key_0d8m3xk2q5v7w9y1a3c0',
    limited_since: null,
    previous_secret_until: null,
    previous_secrets_until: [],
    created_at: AT,
    updated_at: AT,
  };
  const domain = {
    id: 'dom_0d8m3xk2q5v7w9y1a3c0',
    domain: 'mail.example.com',
    namespace: 'ada',
    status: 'pending',
    error: null,
    records: [
      {
        about: 'verification',
        name: '_mailroom.mail.example.com',
        type: 'TXT',
        value: 'mailroom-verification=4Fq9ZtB1kV7sXw2LmN8pQr3TyU6hJd5C',
        purpose: 'It proves that the domain is yours. Leave it: it is looked up each day.',
        status: 'pending',
        error: null,
        found: [],
      },
      {
        about: 'mx',
        name: 'mail.example.com',
        type: 'MX',
        value: `10 ${mailDomain}`,
        purpose: 'Mail to the addresses comes to this machine.',
        status: 'pending',
        error: null,
        found: [],
      },
    ],
    keys: [
      { selector: 'mailroom-rsa', algorithm: 'rsa-sha256', status: 'signing' },
      { selector: 'mailroom-ed25519', algorithm: 'ed25519-sha256', status: 'signing' },
    ],
    checked_at: null,
    next_check_at: '2026-11-20T08:01:00.000Z',
    failing_since: null,
    verified_at: null,
    created_at: AT,
  };
  return {
    Domain: domain,
    Client: client,
    ClientWithSecret: { ...client, client_secret: 'mr_client_7Kd2…' },
    RegistrationToken: registration,
    RegistrationTokenWithSecret: {
      ...registration,
      token: 'mr_register_9Xw4…',
      registration_endpoint: `${issuer}/reg`,
    },
    AllowedService: {
      id: '0b6f9a2c4e8d17350b6f9a2c4e8d1735',
      issuer,
      client_id: client.id,
      name: client.name,
      created_at: AT,
    },
    Webhook: webhook,
    WebhookWithSecret: { ...webhook, secret: 'whsec_MfKQ9r8G…' },
    WebhookDelivery: {
      id: 'dlv_0d8m4xk2q5v7w9y1a3c0',
      event_id: 'evt_000000000000000001a7',
      type: 'message.completed',
      message_id,
      status: 'sent',
      attempts: 1,
      error: null,
      created_at: AT,
      updated_at: AT,
      next_attempt_at: null,
    },
    Challenge: {
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        cost: 5000,
        data: { for: 'Zr3vYt8Wq1Lk5Nc0Xb7Ge2', step: 0 },
        expiresAt: 1795162200,
        keyLength: 32,
        keyPrefix: '6f0a4be1c28d93577e10b4d2a95f3c86',
        keySignature: '1c9e…',
        nonce: '8f14e45fceea167a5a36dedd4bea2543',
        salt: 'c9f0f895fb98ab9159f51fd0297e236d',
      },
      signature: '45c4…',
    },
    NewClient: { name: 'Example App', redirect_uris: ['https://app.example.com/callback'] },
    ClientChange: { redirect_uris: ['https://app.example.com/callback', 'http://localhost:3000/callback'] },
    NewRegistrationToken: { name: 'staging' },
    NewAllowedService: { issuer: 'ada', client_id: client.id },
    NewWebhook: { url: webhook.url, types: ['message.*'], batch: 100 },
    WebhookChange: { types: ['message.completed', 'message.failed'] },
    WebhookReplay: { since: AT },
  };
};
