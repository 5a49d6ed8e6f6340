import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../harness/client.ts';
import type { Mode } from '../harness/mcp.ts';
import { MODES } from '../harness/mcp.ts';
import { sharedService } from '../harness/service.ts';

const service = await sharedService();
const { newNamespace, newMailbox } = connect(service.url);
const home = await newNamespace();
const { address } = await newMailbox(home, { behavior: { name: 'hello' } });
const META = 'io.modelcontextprotocol/';

/** Calls `ask` without the client library; `more` goes into `_meta`, where a name that is new is for the library. */
async function ask(version: string, args: unknown, more: Record<string, unknown> = {}, name = 'ask') {
  const modern = version === MODES.auto;
  const meta = {
    ...(modern && {
      [`${META}protocolVersion`]: version,
      [`${META}clientCapabilities`]: {},
      [`${META}clientInfo`]: { name: 'tests', version: '1' },
    }),
    ...more,
  };
  const params = { name, arguments: args, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  const response = await fetch(`${service.url}/mcp/${address}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${home.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'a 1', method: 'tools/call', params }),
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text.slice(text.indexOf('{'))) as Record<string, unknown> };
}

/** Without the ids of a message, which are always others. */
const alike = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/(msg|thr)_[0-9a-z]{20}/g, '$1'));

for (const mode of Object.keys(MODES) as Mode[]) {
  const version = MODES[mode];
  test(`MCP ${version}: a call that the library never sees is answered as the library answers it`, async () => {
    const thread_id = 'thr_00000000000000000000';
    for (const args of [
      { message: 'Hello' },
      {},
      { message: 'Hello', nope: 1 },
      { message: 'x', wait: 0 },
      { message: 'x', thread_id },
    ]) {
      const [plain, whole] = [await ask(version, args), await ask(version, args, { 'example.com/traced': true })];
      assert.equal(plain.status, 200, JSON.stringify(plain.body));
      assert.deepEqual(alike(plain), alike(whole), JSON.stringify(args));
    }
    for (const args of ['text', [], 7]) {
      const [plain, whole] = [await ask(version, args), await ask(version, args, { 'example.com/traced': true })];
      assert.ok('error' in plain.body, JSON.stringify(plain.body));
      assert.deepEqual(plain, whole);
    }
    const missing = await ask(version, {}, {}, 'nope');
    assert.equal((missing.body.error as { code: number }).code, -32_602);
  });
}
