import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { local, MOODY, openVisits } from './console-visits.ts';

const { newNamespace, newMailbox, newKey, api, send, signedIn } = await openVisits();

test('a key is made, shown once, works, and is revoked', async () => {
  const home = await newNamespace();
  const hello = await newMailbox(home);
  const who = await signedIn(home);
  const none = await who.send('/console/keys', {}, ['do', 'make']);
  assert.equal(none.status, 201, 'sending is ticked at first');
  const page = (await who.get('/console/keys')).html;
  assert.match(page, /Signed in with this/);
  const fields = formData(page, { button: ['do', 'make'] });
  fields.delete('scope');
  assert.equal((await who.post('/console/keys', fields)).status, 422);
  for (const scope of ['mail:send', 'messages:read']) fields.append('scope', scope);
  fields.set('name', 'web <site>');
  fields.set('mailbox', local(hello));
  fields.set('expires', '30');
  fields.set('once', unique());
  const made = await who.post('/console/keys', fields);
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  const [secret = ''] = /mr_live_[0-9A-Za-z]{46}/.exec(made.html) ?? [];
  const me = await api<{ key: { id: string; name: string; mailbox: string; expires_at: string }; scopes: string[] }>(
    'GET',
    '/me',
    { key: secret },
  );
  assert.deepEqual(me.body.scopes, ['mail:send', 'messages:read']);
  assert.deepEqual([me.body.key.name, me.body.key.mailbox], ['web <site>', hello.address]);
  assert.ok(Math.abs(Date.parse(me.body.key.expires_at) - Date.now() - 30 * 86_400_000) < 60_000);
  // Sent twice it makes one key, and the secret is not shown again once the key was used.
  const twice = await who.post('/console/keys', fields);
  assert.equal(twice.status, 200);
  assert.ok(!twice.html.includes(secret));
  assert.match(twice.html, /shown before and is in use/);
  for (const path of ['/console', '/console/keys', '/console/settings', '/console/activity']) {
    const { html } = await who.get(path);
    assert.ok(!html.includes(secret) && !html.includes(home.key), path);
  }
  const { html } = await who.get(`/console/keys?revoke=${me.body.key.id}`);
  assert.match(html, /web &lt;site&gt; \(mr_live_.*will stop working at once/);
  const csrf = await who.token();
  assert.equal(
    (await who.post('/console/keys', { csrf, do: 'revoke', id: me.body.key.id })).to,
    '/console/keys?done=revoked',
  );
  assert.equal((await api('GET', '/me', { key: secret })).status, 401);
  // Revoking the session's own key warns first, then signs out.
  const own = (await who.get(`/console/keys?revoke=${home.keyId}`)).html;
  assert.match(own, /revoking it signs you out/);
  assert.match(own, /your last owner key/);
  const out = await who.post('/console/keys', { csrf, do: 'revoke', id: home.keyId });
  assert.deepEqual([out.to, who.cookie], ['/console?note=revoked', '']);
  assert.match((await who.get(out.to)).html, /The key is revoked\./);
});

test('everything is downloaded, as the API gives it', async () => {
  const home = await newNamespace();
  const hello = await newMailbox(home);
  await send(home.key, { to: hello.address, body: 'one', sync: true });
  const who = await signedIn(home);
  assert.equal((await who.get('/console/export')).status, 405);
  const file = await who.post('/console/export', { csrf: await who.token() });
  assert.equal(file.status, 200);
  assert.match(
    file.headers.get('content-disposition') ?? '',
    /^attachment; filename="[a-z0-9]+-\d{4}-\d\d-\d\d\.jsonl"$/,
  );
  const theirs = await api('GET', `/namespaces/${home.name}/export`, { key: home.key });
  const lines = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ exported_at: _at, last_used_at: _used, ...rest }) => rest);
  assert.deepEqual(lines(file.html), lines(theirs.text));
  assert.equal((lines(file.html).at(-1) as { type: string }).type, 'end');
});

test('the name is changed, and deleted when it is typed', async () => {
  const home = await newNamespace();
  const who = await signedIn(home);
  const csrf = await who.token();
  assert.equal((await who.post('/console/settings', { csrf, do: 'save', display_name: 'x'.repeat(101) })).status, 422);
  await who.post('/console/settings', { csrf, do: 'save', display_name: 'Ada & co' });
  assert.ok((await who.get('/console/settings')).html.includes('value="Ada &amp; co"'));
  await who.post('/console/settings', { csrf, do: 'save', display_name: ' ' });
  assert.equal((await api<{ display_name: null }>('GET', `/namespaces/${home.name}`)).body.display_name, null);
  assert.equal((await who.post('/console/settings', { csrf, do: 'delete', typed: 'other' })).status, 422);
  assert.equal((await api('GET', `/namespaces/${home.name}`)).status, 200);
  const gone = await who.post('/console/settings', { csrf, do: 'delete', typed: home.name });
  assert.equal(gone.to, '/console?note=deleted');
  assert.equal((await api('GET', `/namespaces/${home.name}`)).status, 410);
  assert.match((await who.get(gone.to)).html, /Your name is deleted\./);
});

test('the figures count what arrived, failed, and how long answers took', async () => {
  const home = await newNamespace();
  const moody = await newMailbox(home, { behavior: MOODY });
  for (const body of ['a', 'b', 'fail c']) await send(home.key, { to: moody.address, body, sync: true });
  const who = await signedIn(home);
  for (const path of ['/console/activity']) {
    const { html } = await who.get(path);
    assert.match(html, /<figcaption>Messages<\/figcaption><b>3<\/b>/, path);
    assert.match(html, /<figcaption>Median answer<\/figcaption><b>0\.1 s<\/b>/);
    assert.match(html, /<figcaption>Failures<\/figcaption><b>1<\/b>/);
    assert.ok(!/ style=|<style|<script(?! type="module" src)/.test(html));
  }
  const { html } = await who.get('/console/activity');
  assert.match(html, new RegExp(`${local(moody)}</a>.*?<td>3</td><td>3</td><td>1</td><td>0\\.1 s</td>`, 's'));
  assert.equal([...html.matchAll(/<table/g)].length, 7);
});

test('a second owner sees the first one’s key by its name, and another’s by its namespace alone', async () => {
  const [home, theirs] = [await newNamespace(), await newNamespace()];
  const moody = await newMailbox(home, { behavior: MOODY });
  const named = await newKey(theirs, { scopes: ['mail:send'], name: 'their-secret-name' });
  await send(named.secret as string, { to: moody.address, body: 'hi', sync: true });
  const who = await signedIn(home);
  const { html } = await who.get('/console?status=all');
  assert.ok(!html.includes('their-secret-name'));
  assert.ok(html.includes(`<b dir="auto">${theirs.name}</b>`));
});
