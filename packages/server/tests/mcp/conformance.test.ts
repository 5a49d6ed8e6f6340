// Other programs: the conformance suite of MCP.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startMcpServer } from '../../../../tests/conformance/mcp-server.ts';
import { runServerSuite, summaryOf, VERSIONS } from '../../../../tests/conformance/mcp-suite.ts';

const server = await startMcpServer();
after(() => server[Symbol.asyncDispose]());

for (const version of VERSIONS) {
  test(`MCP ${version}: the conformance suite passes, but for what is not offered`, async () => {
    const run = await runServerSuite(server.url, version);
    assert.equal(run.code, 0, summaryOf(run));
    const [, passed] = /^Total: (\d+) passed/m.exec(summaryOf(run)) ?? [];
    assert.ok(Number(passed) > 50, summaryOf(run));
  });
}
