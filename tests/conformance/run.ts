/**
 * `npm run conformance [-- FOLDER]`: the suite of MCP for each version (`mcp.yml` explains each failure), and where
 * FOLDER is named or `A2A_TCK` set, the A2A TCK (`a2a.md`).
 */
import { startMcpServer } from './mcp-server.ts';
import { runServerSuite, summaryOf, VERSIONS } from './mcp-suite.ts';

{
  await using server = await startMcpServer();
  for (const version of VERSIONS) {
    const run = await runServerSuite(server.url, version);
    console.log(`MCP ${version}\n${summaryOf(run)}`);
    if (run.code !== 0) process.exitCode = 1;
  }
}
if (process.argv[2] === undefined && process.env.A2A_TCK === undefined)
  console.log('The A2A TCK was not run: npm run conformance -- FOLDER (tests/conformance/a2a.md).');
else await import('./a2a-tck.ts');
