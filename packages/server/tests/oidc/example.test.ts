// Other programs: Chromium.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser } from '../../../../tests/harness/browser.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { freePort } from '../../../../tests/harness/postgres.ts';
import { run, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';

const EXAMPLE = join(import.meta.dirname, '../../../../examples/sign-in/main.ts');
const browser = await openBrowser();

test('a person signs in to the example service by a code from the outbox, sees the claims, and signs out', async () => {
  await using service = await startService();
  const MAILROOM_URL = `http://localhost:${service.port}`;
  const example = run(process.execPath, [EXAMPLE], { env: { MAILROOM_URL, OWNER_KEY: service.ownerKey } });
  const [, home = ''] = await example.says(/(http:\/\/localhost:\d+\/)/);
  const { page, wrongs } = await browser.open(home, { scripts: false });
  await page.click('text="Sign in"');
  await page.fill('[name=address]', 'Ada@outside.example');
  await page.click('button[value=code]');
  await page.waitForSelector('[name=code]');
  // The page names the outbox, because there is no mail server.
  assert.match((await page.textContent('main')) ?? '', /outbox/);

  // The page does not wait for the mail, nor the mail for the terminal.
  const { code, mail } = await new Outbox(service.outbox).code('ada@outside.example');
  assert.ok(mail.text?.includes(new URL(home).origin), mail.text ?? 'there is no text');
  await until(
    5_000,
    async () => service.stdout(),
    (said) => said.includes(code),
  );
  await page.fill('[name=code]', code);
  await page.click('button[value=verify]');

  await page.waitForURL(home);
  const claims = JSON.parse((await page.textContent('pre')) ?? '') as Record<string, unknown>;
  assert.equal(claims.iss, `${MAILROOM_URL}/oidc/agents`);
  assert.deepEqual([claims.email, claims.email_verified, claims.amr], ['ada@outside.example', true, ['otp']]);
  assert.match(String(claims.sub), /^[\w-]{27}$/);
  await page.click('text="Sign out"');
  await page.click('button[name=logout]');
  await page.waitForURL(home);
  assert.equal(await page.textContent('button'), 'Sign in');
  assert.deepEqual(wrongs, []);

  const clients = `${MAILROOM_URL}/api/v1/mailboxes/auth%40agents.mailroom.localhost/clients`;
  const registered = async (): Promise<number> => {
    const answer = await fetch(clients, { headers: { authorization: `Bearer ${service.ownerKey}` } });
    return ((await answer.json()) as { items: unknown[] }).items.length;
  };
  assert.equal(await registered(), 1);
  example.child.kill('SIGTERM');
  assert.deepEqual(await example.exited, { code: 0, signal: null });
  assert.equal(await registered(), 0);
  assert.equal(readdirSync(service.outbox).length, 1, 'one mail in all');
  // The service writes its log before it ends.
  await service.stop();
  assert.ok(!service.logs().includes(code), 'the log says the code');
});

test('the example says in one line that no Mailroom runs', async () => {
  const MAILROOM_URL = `http://localhost:${await freePort()}`;
  const example = run(process.execPath, [EXAMPLE], { env: { MAILROOM_URL, OWNER_KEY: 'mr_live_x' } });
  assert.equal((await example.exited).code, 1);
  assert.match(example.stderr(), /^No Mailroom answers at http:\/\/localhost:\d+\. Start one .*\n$/);
});

test('an API that checks agents as docs/auth.md says takes the token that an agent is told, and no other', async () => {
  await using service = await startService();
  const port = await freePort();
  const [ISSUER, ORIGIN] = [`http://localhost:${service.port}/oidc/agents`, `http://localhost:${port}`];
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/auth.md'), 'utf8');
  const [, snippet] = /```js\n(import \{ createServer \}[^`]*createRemoteJWKSet[\s\S]*?)```/.exec(docs) ?? [];
  assert.ok(snippet, 'docs/auth.md shows no check of a JWT');
  const env = { ISSUER, ORIGIN, PORT: String(port) };
  const api = run(process.execPath, ['--input-type=module', '-e', `${snippet}\nconsole.log('begun');`], { env });
  await api.says(/begun/);
  const ask = async (audience: string): Promise<string> => {
    const answer = await fetch(`${service.url}/api/v1/mail/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.ownerKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        to: 'auth@agents.mailroom.localhost',
        from: 'hello@agents.mailroom.localhost',
        body: `token for ${audience}`,
        sync: true,
      }),
    });
    return ((await answer.json()) as { reply: { data: { token: string } } }).reply.data.token;
  };
  const show = (token: string): Promise<Response> => fetch(ORIGIN, { headers: { authorization: `Bearer ${token}` } });
  assert.match(
    await (await show(await ask(ORIGIN))).text(),
    /^Hello hello@agents\.mailroom\.localhost \([\w-]{27}\)\n$/,
  );
  assert.equal((await show(await ask('https://other.example'))).status, 401);
  assert.equal((await show('none')).status, 401);
  api.child.kill('SIGTERM');
  await api.exited;
});
