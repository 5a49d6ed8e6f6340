import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { firstClient, MODES, type Mode, mcpClient, type ToolAnswer } from '../../../../tests/harness/mcp.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox } = connect(service.url);
const home = await newNamespace();
const { key } = home;

/** How long a client waits for the answer to a request, which official ones do for a minute unless they are told. */
const PATIENCE = { timeout: 20_000, onprogress: () => {} };
type Call = (name: string, args: Record<string, unknown>) => Promise<ToolAnswer>;

/** Each official client, with a call that asks for progress. */
const CLIENTS: Readonly<Record<string, (path: string) => Promise<{ call: Call } & AsyncDisposable>>> = {
  ...Object.fromEntries(
    (Object.keys(MODES) as Mode[]).map((mode) => [
      `the client of MCP ${MODES[mode]}`,
      async (path: string) => {
        const client = await mcpClient(service.url, { path, key, mode });
        const call: Call = async (name, args) => (await client.callTool({ name, arguments: args }, PATIENCE)) as never;
        return { call, [Symbol.asyncDispose]: () => client.close() };
      },
    ]),
  ),
  'the v1 client': async (path) => {
    const client = await firstClient(service.url, { path, key });
    const call: Call = async (name, args) =>
      (await client.callTool({ name, arguments: args }, undefined, PATIENCE)) as never;
    return { call, [Symbol.asyncDispose]: () => client.close() };
  },
};

for (const [name, connected] of Object.entries(CLIENTS)) {
  test(`${name} that asks for progress is answered when its wait is over, and what it sent is there once`, async () => {
    const { address } = await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } });
    await using asker = await connected(`/${address}`);
    await using owner = await connected('');
    for (const wait of [0, 1]) {
      const asked = await asker.call('ask', { message: 'Is a person there?', wait });
      assert.deepEqual([asked.structuredContent.reply, asked.isError], [null, undefined]);
      const read = await asker.call('read', { id: asked.structuredContent.id, wait });
      assert.equal(read.structuredContent.id, asked.structuredContent.id);
      const sent = await owner.call('send', { to: address, body: 'And now?', wait });
      assert.equal(sent.structuredContent.reply, null);
    }
    const { body } = await api<Page<object>>('GET', `/mailboxes/${address}/messages`, { key });
    assert.equal(body.items.length, 4);
  });
}
