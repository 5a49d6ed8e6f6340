import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openConsole } from '../../../../tests/harness/console.ts';
import { authorizationUrl, newAgent, newService } from '../../../../tests/harness/services.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const ownConsole = await openConsole();
const { client, visitor, store, url: base, folder, lines } = ownConsole;
const { send, read, newNamespace, newMailbox, api } = client;
const origin = base.replace('127.0.0.1', 'localhost');

/** All files in the data folder; none with PostgreSQL, whose files are elsewhere. */
const onDisk = (): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('latin1'))
    .join('\n');

const agent = await newAgent(ownConsole);
const home = await newNamespace();
const auth = await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } });
const issuer = `${origin}/oidc/${home.name}`;
const ask = { to: auth.address, from: agent.mailbox.address };

/** Everything visible to callers other than the key that asked, by name; for both owners, before and after. */
async function seen(ids: readonly string[], threads: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const look = async (key: string, path: string, headers: Record<string, string> = {}): Promise<void> => {
    const answer = await api('GET', path, { key, headers });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    found.set(`${key.slice(0, 16)} ${path}`, answer.text);
  };
  for (const [owner, address, name] of [
    [agent.home.key, agent.mailbox.address, agent.home.name],
    [home.key, auth.address, home.name],
  ] as const) {
    for (const path of [
      '/mail/messages',
      '/events?limit=100',
      `/mailboxes/${address}`,
      `/mailboxes/${address}/messages`,
      `/namespaces/${name}/export`,
      ...ids.map((id) => `/mail/messages/${id}`),
      ...threads.map((id) => `/mail/threads/${id}`),
    ]) {
      await look(owner, path, path.endsWith('/export') ? { accept: '*/*' } : {});
    }
    const who = visitor();
    await who.signIn(owner);
    for (const path of ['/console', '/console/activity', ...ids.map((id) => `/console/messages/${id}`)]) {
      const page = await who.get(path);
      assert.equal(page.status, 200, path);
      found.set(`${name} ${path}`, page.html);
    }
    for (const id of ids) found.set(`${name} text of ${id}`, (await who.get(`/console/texts/${id}?of=reply`)).html);
  }
  for (const id of ids) {
    const answer = await api('GET', `/mail/messages/${id}`, {
      key: agent.key,
      headers: { accept: 'text/event-stream' },
    });
    found.set(`stream of ${id}`, answer.text);
  }
  for (const path of ['/metrics', '/', `/${home.name}`]) found.set(path, await (await fetch(base + path)).text());
  found.set('logs', lines.join('\n'));
  return found;
}

/** Follows all events of a namespace until stopped. */
function following(key: string) {
  const over = new AbortController();
  let text = '';
  const done = (async () => {
    const answer = await fetch(`${base}/api/v1/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      signal: over.signal,
    });
    assert.equal(answer.status, 200);
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  return {
    text: () => text,
    end: async (): Promise<string> => {
      over.abort();
      await done;
      return text;
    },
  };
}

test('a token, a callback URL and its code are told to the key that asked and stand nowhere else', async () => {
  const service = await newService(ownConsole, auth);
  const [agentId, authBox] = [
    (await store.mailboxes.byId(agent.mailbox.id))?.id ?? '',
    await store.mailboxes.byId(auth.id),
  ];
  // The first token creates the issuer's keys, which takes longer than a sync answer waits.
  await send(agent.key, { ...ask, body: 'token for https://warm.example', sync: true });
  const streams = [following(agent.home.key), following(home.key)];
  const inline = await send(agent.key, { ...ask, body: 'token for https://service.example', sync: true });
  const waited = await send(agent.key, {
    ...ask,
    body: `sign in ${authorizationUrl(issuer, service).url}`,
    sync: true,
  });
  assert.equal(waited.body.waiting_for, 'approval');
  assert.equal((await api('POST', `/mail/messages/${waited.body.id}/approve`, { key: agent.home.key })).status, 200);
  const later = await send(agent.key, { ...ask, body: 'token for https://later.example' });
  await store.allowances.allow({
    mailbox_id: agentId,
    issuer_id: authBox?.namespace_id ?? '',
    client_id: service.id,
    name: 'Example',
    created_at: Date.now(),
  });
  const allowed = await send(agent.key, {
    ...ask,
    body: `sign in ${authorizationUrl(issuer, service).url}`,
    sync: true,
  });

  const all = [inline.body, waited.body, later.body, allowed.body];
  const ids = all.map(({ id }) => id);
  const threads = all.map(({ thread_id }) => thread_id);
  for (const id of ids) assert.equal((await read(agent.home.key, id, '?wait=20')).body.status, 'completed');
  const seenBefore = await seen(ids, threads);

  const data = (envelope: Envelope) => envelope.reply?.data as unknown as Record<string, string>;
  const first = [inline.body, allowed.body, (await read(agent.key, later.body.id)).body];
  const approved = (await read(agent.key, waited.body.id)).body;
  const tokens = [data(first[0] as Envelope).token, data(first[2] as Envelope).token] as string[];
  const callbacks = [data(first[1] as Envelope).callback_url, data(approved).callback_url] as string[];
  const codes = callbacks.map((callback) => new URL(callback).searchParams.get('code') ?? '');
  const secrets = [...tokens, ...tokens.map((token) => token.split('.')[2] ?? ''), ...callbacks, ...codes];
  for (const secret of secrets) assert.ok(secret.length >= 20, secret);

  const after = await seen(ids, threads);
  const streamed = await Promise.all(streams.map((stream) => stream.end()));
  assert.ok(streamed.every((text) => text.includes('event: message.')));
  const places: [string, string][] = [
    ...[...seenBefore].map(([name, text]): [string, string] => [`before: ${name}`, text]),
    ...[...after].map(([name, text]): [string, string] => [`after: ${name}`, text]),
    ...streamed.map((text, at): [string, string] => [`events, stream ${at}`, text]),
  ];
  assert.ok(places.length > 60);
  assert.ok(places.some(([, text]) => text.includes('"sealed":true')));
  for (const [place, text] of places) {
    for (const secret of secrets) {
      for (const form of new Set([secret, encodeURIComponent(secret), secret.replaceAll('&', '&amp;')])) {
        assert.equal(text.includes(form), false, place);
      }
    }
  }
  // A token sent in its own exchange was never written; a code is stored as a hash.
  const inMemory = [tokens[0] ?? '', (tokens[0] ?? '').split('.')[2] ?? ''];
  const disk = onDisk();
  if (process.env.TEST_STORE !== 'postgres') assert.ok(disk.includes(inline.body.id));
  for (const secret of inMemory) assert.equal(disk.includes(secret), false);
});
