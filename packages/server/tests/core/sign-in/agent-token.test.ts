import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import type { Audit, AuditEvent } from '../../../core/ports/audit.ts';
import type { Mailboxes } from '../../../core/ports/mailboxes.ts';
import { AgentTokens, audienceOf } from '../../../core/sign-in/agent-token.ts';
import { mailboxOf, namespaceOf, T } from '../../store/made.ts';

const ISSUER = 'https://mail.example/oidc/agents';
/** Services that were signed in to. */
const services: string[] = [];
const LOG = {
  audit: {
    add: async ({ target }: AuditEvent) => void services.push(target.id),
  } as unknown as Audit,
  mailboxes: { byId: async () => undefined } as unknown as Mailboxes,
};

test('an audience is an origin, however it is written, or the issuer itself', () => {
  for (const [given, wanted] of [
    ['https://service.example', 'https://service.example'],
    ['https://service.example/', 'https://service.example'],
    ['HTTPS://Service.Example:443/', 'https://service.example'],
    ['https://service.example:8443', 'https://service.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://app.localhost', 'http://app.localhost'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    [ISSUER, ISSUER],
  ] as const) {
    assert.equal(audienceOf(given, ISSUER), wanted, given);
  }
});

test('no token is for a path, a query, a user, another scheme or the client of a sign-in, and the refusal says why', () => {
  for (const given of [
    '',
    ' ',
    'service.example',
    'cli_0d8m3xk2q5v7w9y1a3c0',
    'agent',
    'http://service.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'ftp://service.example',
    'javascript:alert(1)',
    'data:text/plain,x',
    'https://',
    'https://service.example/client.json',
    'https://service.example/?',
    'https://service.example?a=1',
    'https://service.example#',
    'https://service.example/#x',
    'https://ada@service.example',
    'https://ada:pw@service.example',
    'https://service.example/..',
    'https://service.example\\',
    'https:service.example',
    'https:///service.example',
    ' https://service.example',
    'https://service.example\n',
    'https://serv\tice.example',
    `${ISSUER}/`,
    `${ISSUER}/token`,
    'https://mail.example/oidc/other',
    `https://${'a'.repeat(3000)}.example`,
  ]) {
    assert.throws(
      () => audienceOf(given, ISSUER),
      (error) => error instanceof AppError && error.code === 'validation_error' && /origin/.test(error.message),
      given,
    );
  }
});

test('a token says who it is, to whom, and for five minutes; the subject is asked for once', async () => {
  const namespace = namespaceOf('agents');
  const agent = mailboxOf(namespaceOf('ada'), 'bot', { display_name: 'Bot' });
  const requests: string[] = [];
  const signed: { typ: string; claims: Record<string, unknown> }[] = [];
  const tokens = new AgentTokens({
    store: {
      ...LOG,
      accounts: {
        subject: async (namespaceId, accountId, fresh) => {
          requests.push(`${namespaceId} ${accountId}`);
          return fresh;
        },
      },
    },
    signer: async () => ({
      sign: async (typ, claims) => {
        signed.push({ typ, claims: claims as Record<string, unknown> });
        return 'jws';
      },
    }),
    issuer: (name) => `https://mail.example/oidc/${name}`,
    clock: () => T + 999,
    mailDomain: 'mail.example',
  });
  const audience = 'https://service.example/';
  const first = await tokens.issue({ namespace, agent, audience });
  const second = await tokens.issue({ namespace, agent, audience });
  assert.deepEqual(first, {
    token: 'jws',
    expires_at: T + 300_000,
    issuer: ISSUER,
    audience: 'https://service.example',
  });
  assert.deepEqual(second, first);
  assert.deepEqual(requests, [`${namespace.id} ${agent.id}`]);
  const [one, two] = signed.map(({ claims }) => claims);
  const { sub, jti, ...rest } = one as Record<string, unknown>;
  assert.deepEqual(rest, {
    iss: ISSUER,
    aud: 'https://service.example',
    iat: T / 1000,
    exp: T / 1000 + 300,
    email: 'bot@ada.mail.example',
    email_verified: true,
    name: 'Bot',
  });
  assert.equal(signed[0]?.typ, 'agent-token+jwt');
  assert.equal(two?.sub, sub);
  assert.notEqual(two?.jti, jti);
  assert.equal(String(sub).includes(agent.id), false);
});

test('a token for the issuer names the one service that may redeem it, and no other token names one', async () => {
  const namespace = namespaceOf('agents');
  const agent = mailboxOf(namespace, 'bot');
  const signed: Record<string, unknown>[] = [];
  const tokens = new AgentTokens({
    store: { ...LOG, accounts: { subject: async (_namespaceId, _accountId, fresh) => fresh } },
    signer: async () => ({
      sign: async (_typ, claims) => {
        signed.push(claims as Record<string, unknown>);
        return 'jws';
      },
    }),
    issuer: (name) => `https://mail.example/oidc/${name}`,
    clock: () => T,
    mailDomain: 'mail.example',
  });
  const refused = { code: 'validation_error', message: /client_id/ };
  await assert.rejects(tokens.issue({ namespace, agent, audience: ISSUER }), refused);
  await assert.rejects(
    tokens.issue({ namespace, agent, audience: 'https://service.example', client_id: 'x' }),
    refused,
  );
  for (const client_id of ['', 'agent', 'cli_1', 'http://service.example/client.json', 'https://a b']) {
    await assert.rejects(tokens.issue({ namespace, agent, audience: ISSUER, client_id }), refused, client_id);
  }
  for (const client_id of [newId('cli', T), 'https://service.example/client.json']) {
    await tokens.issue({ namespace, agent, audience: ISSUER, client_id });
    assert.equal(signed.at(-1)?.client_id, client_id);
    assert.equal(signed.at(-1)?.aud, ISSUER);
  }
});
