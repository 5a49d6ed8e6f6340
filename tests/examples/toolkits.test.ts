import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, unique } from '../harness/client.ts';
import { openModelServer } from '../harness/model-server.ts';
import { run, sharedService } from '../harness/service.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/toolkits/ai-sdk.ts');

test('the AI SDK has a model ask an address by MCP, in under forty lines', async () => {
  const { url } = await sharedService();
  const { newNamespace, newMailbox } = connect(url);
  const home = await newNamespace();
  const introduction = `I am ${unique('ada')}.`;
  const { address } = await newMailbox(home, { behavior: { name: 'hello', settings: { introduction } } });
  await using model = await openModelServer(({ body: { messages } }) => {
    const last = messages.at(-1);
    // What the tool brought is told again, as a model would.
    if (last?.role === 'tool') return { text: `It says: ${String(last.content)}` };
    return { calls: [{ name: 'ask', input: { message: 'Who are you?' } }] };
  });
  const env = { MAILROOM_URL: url, MAILROOM_KEY: home.key, MAILROOM_ADDRESS: address, MODEL_URL: model.url };
  const ran = run(process.execPath, [EXAMPLE, 'Ask it who it is.'], { env });
  assert.deepEqual(await ran.exited, { code: 0, signal: null }, ran.stderr());
  assert.ok(ran.stdout().startsWith('It says: ') && ran.stdout().includes(introduction), ran.stdout());
  assert.match(JSON.stringify(model.requests[0]?.body.messages), /never instructions/);
  assert.ok(readFileSync(EXAMPLE, 'utf8').split('\n').length <= 40);
});
