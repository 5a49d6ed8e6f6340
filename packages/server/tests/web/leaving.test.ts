import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { callTool, mcpClient } from '../../../../tests/harness/mcp.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { mailroomCommand } from '../../../client/tests/command.ts';

// What the API refuses to keys by which no messages may leave, other ways in refuse too.
const { client, visitor, url } = await openConsole();
const { api, newNamespace, newMailbox, newKey } = client;
const HOOK = 'https://hooks.invalid/in';
const LATER = '2999-01-01T00:00:00Z';
const home = await newNamespace();
const folder = newFolder();
after(() => removeFolder(folder));

/** Kinds of keys, and the code with which each is refused. */
const KINDS = [
  { scopes: ['mailboxes:write', 'webhooks:write'], code: 'insufficient_scope' },
  { scopes: ['owner'], expires_at: LATER, code: 'access_denied' },
  { scopes: ['mailboxes:write', 'webhooks:write', 'messages:read'], expires_at: LATER, code: 'access_denied' },
  { scopes: ['mailboxes:write', 'webhooks:write', 'messages:read'], code: undefined },
  { scopes: ['owner'], code: undefined },
] as const;
const nameOf = ({ scopes, ...more }: (typeof KINDS)[number]): string =>
  `${scopes.join(' ')}${'expires_at' in more ? ', which expires' : ''}`;

for (const kind of KINDS) {
  const { code, ...wanted } = kind;
  const { secret } = await newKey(home, wanted);

  test(`MCP, a key with ${nameOf(kind)}: an address with a webhook or servers of others`, async () => {
    await using connected = await mcpClient(url, { key: secret });
    for (const behavior of [
      { name: 'agent', settings: { webhook_url: HOOK } },
      { name: 'do', settings: { outside: [{ name: 'weather', kind: 'mcp', url: 'https://tools.invalid/mcp' }] } },
    ]) {
      const local_part = unique('made').toLowerCase();
      const { isError = false, structuredContent } = await callTool(connected, 'make_address', {
        local_part,
        behavior,
      });
      assert.deepEqual([isError, structuredContent.code], [code !== undefined, code]);
      const { status } = await api('GET', `/mailboxes/${local_part}@${home.name}.mailroom.localhost`, {
        key: home.key,
      });
      assert.equal(status, code === undefined ? 200 : 404);
    }
  });

  test(`the command line, a key with ${nameOf(kind)}: webhooks and addresses`, async () => {
    const env = { XDG_CONFIG_HOME: folder, MAILROOM_URL: url, MAILROOM_KEY: secret };
    const hooks = async () => (await api<Page<{ id: string }>>('GET', '/webhooks', { key: home.key })).body.items;
    const countBefore = (await hooks()).length;
    const added = await mailroomCommand(['webhooks', 'add', HOOK], env);
    const settings = JSON.stringify({ webhook_url: HOOK });
    const local = unique('made').toLowerCase();
    const address = await mailroomCommand(
      ['address', 'add', local, '--behavior', 'agent', '--settings', settings],
      env,
    );
    for (const { status, stderr } of [added, address]) {
      assert.equal(status, code === undefined ? 0 : 3, stderr);
      if (code === 'access_denied') assert.match(stderr, /expires at[\s\S]*Use a key that does not expire/);
      if (code === 'insufficient_scope') assert.match(stderr, /scope messages:read too, because/);
    }
    assert.equal((await hooks()).length, countBefore + (code === undefined ? 1 : 0));
    for (const { id } of await hooks()) await api('DELETE', `/webhooks/${id}`, { key: home.key });
  });
}

test('a session of a key that expires has no messages leave by any form, and says why beside what was typed', async () => {
  const owner = await newNamespace();
  const { secret } = await newKey(owner, { scopes: ['owner'], expires_at: LATER });
  const created = await api<{ id: string }>('POST', '/webhooks', { key: owner.key, body: { url: HOOK } });
  await newMailbox(owner, { local_part: 'bot', behavior: { name: 'agent', settings: { webhook_url: HOOK } } });
  await newMailbox(owner, { local_part: 'tasks', behavior: { name: 'do' } });
  const everything = async (): Promise<string> =>
    (
      await Promise.all(
        [
          '/webhooks',
          `/mailboxes/bot@${owner.name}.mailroom.localhost`,
          `/mailboxes/tasks@${owner.name}.mailroom.localhost`,
        ].map((path) => api('GET', path, { key: owner.key })),
      )
    )
      .map(({ text }) => text)
      .join();
  const stateBefore = await everything();
  const who = visitor();
  await who.signIn(secret);
  const csrf = await who.token();
  const { html: form } = await who.get('/console/addresses/bot?tab=behavior');
  const [, field = ''] = /name="([^"]*webhook_url[^"]*)"/.exec(form) ?? [];
  const hook = `/console/webhooks/${created.body.id}`;
  const NEXT = 'https://next.invalid/in';
  const refused = [
    await who.post('/console/webhooks', { csrf, url: NEXT, type: 'message.*' }),
    await who.post(hook, { csrf, do: 'save', url: NEXT, type: 'message.*' }),
    await who.post(hook, { csrf, do: 'replay', since: '2026-01-01T00:00' }),
    await who.send('/console/addresses/bot?tab=behavior', { [field]: NEXT }, ['do', 'save']),
    await who.send(
      '/console/outside/tasks?edit=',
      { name: 'weather', url: 'https://tools.invalid/mcp' },
      ['do', 'save'],
      '/console/outside/tasks',
    ),
  ];
  for (const { status, html } of refused) {
    assert.ok(status === 403 || status === 422, `${status} ${html.slice(0, 300)}`);
    assert.match(html, /would outlive it\. Use a key that does not expire/);
  }
  for (const [at, typed] of [
    [0, NEXT],
    [1, NEXT],
    [3, NEXT],
    [4, 'https://tools.invalid/mcp'],
  ] as const)
    assert.ok(refused[at]?.html.includes(typed), `form ${at} keeps what was typed`);
  assert.equal((await who.post(hook, { csrf, do: 'rotate' })).status, 403);
  assert.equal((await who.post('/console/addresses/bot?tab=behavior', { csrf, do: 'webhook-secret' })).status, 403);
  assert.equal(await everything(), stateBefore);

  const lasting = visitor();
  await lasting.signIn(owner.key);
  const saved = await lasting.send('/console/addresses/bot?tab=behavior', { [field]: NEXT }, ['do', 'save']);
  assert.equal(saved.status, 303, saved.html.slice(0, 500));
  assert.match(await everything(), /next\.invalid/);
});
