import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newAuth, newService } from '../../../../../tests/harness/auth.ts';
import { newCertificate } from '../../../../../tests/harness/certificate.ts';
import { HELLO, type Home, unique } from '../../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../../tests/harness/console.ts';
import { startInside } from '../../../../../tests/harness/inside.ts';
import { mailText, type SmtpClient, smtpClient } from '../../../../../tests/harness/mail.ts';
import { newFolder, removeFolder } from '../../../../../tests/harness/service.ts';
import type { Mailbox } from '../../../../../tests/harness/wire.ts';
import { SCOPES } from './rights-world.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const { cert, key: certKey } = newCertificate(folder, ['localhost']);
const inside = await startInside({
  env: { SMTP_TLS_CERT: cert, SMTP_TLS_KEY: certKey, SUBMISSION_LISTEN: '127.0.0.1:0' },
});
const { client } = inside;
const { api, newKey, newMailbox, newNamespace, tryOut } = client;
const hour = 3_600_000;
const [home, other] = [await newNamespace(), await newNamespace()];
const [front, back] = [await newMailbox(home), await newMailbox(home)];
const theirs = await newMailbox(other);
const auth = await newAuth(client, home);
const guest = (await tryOut({ to: front.address, body: 'Hi' })).body;
const shop = await newService(client, home, auth);
const registration = await api<{ token: string }>('POST', `/mailboxes/${auth.address}/registration-tokens`, {
  key: home.key,
  body: {},
});
const hook = await api<{ secret: string }>('POST', '/webhooks', {
  key: home.key,
  body: { url: 'https://hooks.invalid/', types: ['webhook.disabled'] },
});
const visitor = visitorOf(inside.url);
await visitor.signIn(home.key);
const revoked = await newKey(home, { scopes: ['owner'] });
assert.equal((await api('DELETE', `/keys/${revoked.id}`, { key: home.key })).status, 204);

interface Secret {
  readonly name: string;
  readonly secret: string;
  /** The mailboxes as which it may write. */
  readonly writes: readonly Mailbox[];
}
const keyOf = async (
  of: Home,
  fields: Readonly<Record<string, unknown>>,
  writes: readonly Mailbox[] = [],
): Promise<Secret> => ({
  name: JSON.stringify(fields),
  secret: (await newKey(of, fields)).secret,
  writes,
});
const expires_at = new Date(inside.now() + hour).toISOString();
const expiring = await keyOf(home, { scopes: ['mail:send'], expires_at }, [front, back]);
const SECRETS: readonly Secret[] = [
  { name: 'the owner', secret: home.key, writes: [front, back] },
  { name: 'another owner', secret: other.key, writes: [theirs] },
  ...(await Promise.all(
    SCOPES.map((scope) => keyOf(home, { scopes: [scope] }, scope === 'mail:send' ? [front, back] : [])),
  )),
  await keyOf(home, { scopes: SCOPES.filter((scope) => scope !== 'mail:send') }),
  await keyOf(home, { scopes: SCOPES, mailbox: front.address }, [front]),
  await keyOf(other, { scopes: SCOPES, mailbox: theirs.address }, [theirs]),
  expiring,
  { name: 'a revoked key', secret: revoked.secret, writes: [] },
  { name: 'the token of a thread', secret: guest.thread_token, writes: [] },
  { name: 'the secret of a client', secret: shop.client_secret ?? '', writes: [] },
  { name: 'a registration token', secret: registration.body.token, writes: [] },
  { name: 'the secret of a webhook', secret: hook.body.secret, writes: [] },
  { name: 'a session of the console', secret: visitor.cookie.split('=').at(-1) ?? '', writes: [] },
  { name: 'nothing', secret: '', writes: [] },
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');
async function secured(): Promise<SmtpClient> {
  const smtp = await smtpClient(inside.submission[0]?.port ?? 0);
  await smtp.say('EHLO client.example');
  await smtp.secure(cert);
  await smtp.say('EHLO client.example');
  return smtp;
}
const login = (smtp: SmtpClient, user: string, secret: string): Promise<string> =>
  smtp.say(`AUTH PLAIN ${base64(`\0${user}\0${secret}`)}`);

test('a mail program logs in with a key that may send as the address, and with no other secret', async () => {
  for (const { name, secret, writes } of SECRETS) {
    assert.ok(secret !== '' || name === 'nothing', name);
    for (const mailbox of [front, back, theirs]) {
      await using smtp = await secured();
      const reply = await login(smtp, mailbox.address, secret);
      assert.match(reply, writes.includes(mailbox) ? /^235 / : /^535 5\.7\.8 /, `${name} as ${mailbox.address}`);
    }
  }
});

test('a key that expired sends nothing more, on a connection that logged in before either', async () => {
  await using idle = await secured();
  await using within = await secured();
  for (const smtp of [idle, within]) assert.match(await login(smtp, front.address, expiring.secret), /^235 /);
  await within.all(`MAIL FROM:<${front.address}>`, `RCPT TO:<${back.address}>`, 'DATA');
  inside.pass(2 * hour);
  const text = mailText({ From: front.address, To: back.address, 'Message-ID': `<${unique()}@x>` }, 'Too late\n');
  assert.match(await within.say(`${text}\r\n.`), /^535 5\.7\.8 /);
  assert.match(await idle.say(`MAIL FROM:<${front.address}>`), /^535 5\.7\.8 /);
  await using again = await secured();
  assert.match(await login(again, front.address, expiring.secret), /^535 5\.7\.8 /);
});

test('an export holds nothing of another namespace, and no secret', async () => {
  const [mine, foreign] = [unique('canary'), unique('canary')];
  const send = async (key: string, body: object): Promise<void> => {
    const sent = await api('POST', '/mail/send', { key, body });
    assert.ok(sent.status < 300, sent.text);
  };
  await send(home.key, { to: front.address, body: mine, sync: true });
  await send(other.key, { to: theirs.address, body: foreign, subject: foreign, sync: true });
  await api('POST', '/mail/drafts', { key: other.key, body: { to: front.address, body: foreign } });
  await api('PATCH', `/mailboxes/${theirs.address}`, {
    key: other.key,
    body: { behavior: { name: 'hello', settings: { ...HELLO.settings, introduction: foreign } } },
  });
  // What one namespace sent to the other is of both.
  await send(other.key, { to: front.address, body: `${mine} from there`, sync: true });
  const { status, text } = await api('GET', `/namespaces/${home.name}/export`, { key: home.key });
  assert.equal(status, 200);
  assert.ok(text.includes(mine) && text.includes(`${mine} from there`));
  assert.ok(!text.includes(foreign));
  for (const { name, secret } of SECRETS)
    if (secret !== '') assert.ok(!text.includes(secret.slice(-20)), `${name} is in the export`);
  assert.ok(!/PRIVATE KEY|"d":"|"secret"|_hash"|[0-9a-f]{64}/.test(text));
});
