import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromJsonSchema } from '@modelcontextprotocol/server';
import { openConsole } from '../../../../tests/harness/console.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { openMcpRemote } from '../../../../tests/harness/remotes.ts';

const threads = await openConsole({ OUTSIDE_NETWORKS: '127.0.0.1' });
const { client, visitor } = threads;
const weather = await openMcpRemote((server) => {
  const city = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
  const done = () => ({ content: [] });
  const annotations = { readOnlyHint: true };
  server.registerTool('get_forecast', { inputSchema: fromJsonSchema(city), annotations }, done);
  server.registerTool('set_alarm', { description: '<b>Alarm</b>', inputSchema: fromJsonSchema(city) }, done);
});
const PATH = '/console/outside/do';

test('an owner adds a server, sees its tools with their schemas, accepts and removes it, and its token is never shown', async () => {
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home, { local_part: 'do', behavior: { name: 'do' } });
  const who = visitor();
  await who.signIn(home.key);
  const settings = async () => {
    const { body } = await client.api<{
      behavior: { settings: { outside?: ({ tools?: string[] } & Record<string, unknown>)[]; time_zone?: string } };
    }>('GET', `/mailboxes/${address}`, { key: home.key });
    return body.behavior.settings;
  };
  const send = (html: string, changed: Record<string, string>, button: [string, string] = ['do', 'save']) => {
    const fields = formData(html, { button });
    for (const [name, value] of Object.entries(changed)) fields.set(name, value);
    return who.post(PATH, fields);
  };
  assert.match((await who.get('/console/addresses/do?tab=behavior')).html, /Tools of others/);
  assert.match((await who.get(PATH)).html, /No servers or agents yet/);
  const form = (await who.get(`${PATH}?edit=`)).html;
  const wrong = await send(form, { name: 'Weather', url: 'http://10.1.2.3/mcp', token: 'a-secret-token' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /to fix/);
  const saved = await send(form, { name: 'weather', url: `${weather.url}/mcp`, token: 'a-secret-token' });
  assert.equal(saved.status, 303, saved.html);
  const listed = (await who.get(PATH)).html;
  assert.match(listed, /weather\.set_alarm/);
  assert.match(listed, /&lt;b&gt;Alarm/);
  assert.match(listed, /Waits for your approval each time/);
  assert.match(listed, /&quot;required&quot;|"required"/);
  assert.equal(weather.requests.at(-1)?.token, 'Bearer a-secret-token');
  const [, sha256 = ''] = /name="tools_sha256" value="([0-9a-f]{64})"/.exec(listed) ?? [];
  await who.post(PATH, { do: 'accept', of: 'weather', tools_sha256: sha256, csrf: await who.token() });
  assert.match((await who.get(PATH)).html, /You have accepted exactly these tools/);
  // The form of the behavior has no field for it, and keeps it.
  const page = (await who.get('/console/addresses/do?tab=behavior')).html;
  const fields = formData(page, { button: ['do', 'save'] });
  await who.post('/console/addresses/do?tab=behavior', fields);
  assert.equal((await settings()).outside?.[0]?.accepted, sha256);
  const edit = (await who.get(`${PATH}?edit=weather`)).html;
  assert.ok(![listed, edit].some((html) => html.includes('a-secret-token') || html.includes('sealed:')));
  assert.equal((await send(edit, { approval: 'always' })).status, 303);
  assert.match(String((await settings()).outside?.[0]?.token), /^sealed:/);
  assert.equal((await send(edit, { tools: 'get_forecast, get_forecast' })).status, 303);
  assert.deepEqual((await settings()).outside?.[0]?.tools, ['get_forecast']);
  const fewer = (await who.get(PATH)).html;
  assert.ok(fewer.includes('weather.get_forecast') && !fewer.includes('weather.set_alarm'));
  const narrowed = (await who.get(`${PATH}?edit=weather`)).html;
  assert.match(narrowed, /name="tools"[^>]* value="get_forecast"/);
  assert.equal((await send(narrowed, { tools: 'x'.repeat(129) })).status, 422);
  assert.equal((await send(narrowed, { tools: '' })).status, 303);
  assert.equal((await settings()).outside?.[0]?.tools, undefined);
  await who.post(PATH, { do: 'remove', of: 'weather', csrf: await who.token() });
  assert.equal((await settings()).outside, undefined);
});
