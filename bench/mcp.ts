import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { ratio } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 32;
const META = 'io.modelcontextprotocol/';

/** A call of `ask`, as clients of each version send it. */
function asking(version: '2026-07-28' | '2025-11-25'): {
  readonly headers: Record<string, string>;
  readonly body: string;
} {
  const params = { name: 'ask', arguments: { message: QUESTION } };
  const _meta = {
    [`${META}protocolVersion`]: version,
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: 'bench', version: '1' },
  };
  const modern = version === '2026-07-28';
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': 'ask' }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: modern ? { ...params, _meta } : params,
    }),
  };
}

async function run(options: Options): Promise<Report> {
  await using service = await startService(options, 'mcp');
  const sync = service.submission(HELLO, [QUESTION], true);
  const ask = (version: '2026-07-28' | '2025-11-25') => {
    const { headers, body } = asking(version);
    return {
      name: `MCP ${version}, ask`,
      server: service,
      submission: { ...sync, path: `/mcp/${HELLO}`, headers: { ...sync.headers, ...headers }, bodies: [body] },
    };
  };
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [{ name: 'Mailroom, sync hello', server: service, submission: sync }, ask('2026-07-28'), ask('2025-11-25')],
    { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 3000 },
    options.say,
  );
  const [own, ...asked] = compared as [Compared, Compared, Compared];
  return {
    table: figures(compared),
    wanted: asked.map((one) => ({
      met: one.of('ratio') >= 0.4,
      text: `${one.name}: at least 0.40 of a sync send: ${ratio(one.of('ratio'))}, by processor time ${ratio(own.of('cpu_us') / one.of('cpu_us'))}`,
    })),
    notes: [disturbance(compared), `Median of ${rounds} rounds, one after the other; ratios are within a round.`],
  };
}

export const mcp: Benchmark = {
  name: 'mcp',
  about: 'an MCP call of ask to hello, in rounds with a sync send',
  run,
};
