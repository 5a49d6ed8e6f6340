import { type Compared, compare, disturbance, figures } from './harness/compare.ts';
import { median, ratio } from './harness/numbers.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { HELLO, QUESTION, type Service, startService } from './harness/service.ts';

const ROUNDS = 6;
const CONNECTIONS = 32;
const NAMESPACES = 50;
const LISTENERS = 1_000;
const MESSAGES = 1_000;
const WITHIN_MS = 100;
const META = 'io.modelcontextprotocol/';

interface Home {
  readonly key: string;
  readonly addresses: readonly string[];
}

/** A namespace of its own with an address for each of its listeners. */
async function newHome(service: Service, at: number): Promise<Home> {
  const post = async (path: string, body: object, key?: string): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    const url = `http://127.0.0.1:${service.port}/api/v1${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const made = (await post('/namespaces', { name: `listeners-${at}` })) as {
    readonly key: { readonly secret: string };
  };
  const key = made.key.secret;
  const addresses = [];
  for (let one = 0; one < LISTENERS / NAMESPACES; one += 1) {
    const mailbox = { local_part: `inbox-${one}`, behavior: { name: 'hello' } };
    addresses.push(
      ((await post(`/namespaces/listeners-${at}/mailboxes`, mailbox, key)) as { address: string }).address,
    );
  }
  return { key, addresses };
}

/** Listens to an inbox, and calls `told` with the id of each message that it is told of. */
async function listenTo(
  service: Service,
  key: string,
  address: string,
  told: (message: string) => void,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const _meta = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientCapabilities`]: {},
    [`${META}clientInfo`]: { name: 'bench', version: '1' },
  };
  const params = { notifications: { resourceSubscriptions: [`mailroom://inbox/${address}`] }, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
  const response = await fetch(`http://127.0.0.1:${service.port}/mcp`, { method: 'POST', headers, body });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader?.read())?.value ?? '';
  if (!first.includes('acknowledged') || !first.includes(address)) throw new Error(`not subscribed: ${first}`);
  const read = async (): Promise<void> => {
    for (let text = ''; ; ) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      text += value;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const id = /"mailroom\/message":"(\w+)"/.exec(line)?.[1];
        if (id !== undefined) told(id);
      }
    }
  };
  // The benchmark ends the service, and the stream with it.
  read().catch(() => undefined);
}

async function run(options: Options): Promise<Report> {
  await using alone = await startService(options, 'alone');
  await using listened = await startService(options, 'listened', { LIMIT_STREAMS: String(LISTENERS) });
  options.say(`${LISTENERS} listeners`);
  const toldAt = new Map<string, number>();
  const homes: Home[] = [];
  for (let one = 0; one < NAMESPACES; one += 1) {
    const home = await newHome(listened, one);
    homes.push(home);
    const told = (id: string): void => void (toldAt.has(id) || toldAt.set(id, performance.now()));
    await Promise.all(home.addresses.map((address) => listenTo(listened, home.key, address, told)));
  }
  const sync = (service: Service) => service.submission(HELLO, [QUESTION], true);
  const rounds = options.rounds ?? ROUNDS;
  const compared = await compare(
    [
      { name: 'sync hello, no listener', server: alone, submission: sync(alone) },
      { name: `sync hello, ${LISTENERS} listeners`, server: listened, submission: sync(listened) },
    ],
    { connections: CONNECTIONS, rounds, cold_ms: 2500, warm_ms: 400, measure_ms: 3000 },
    options.say,
  );
  const waits: number[] = [];
  for (let one = 0; one < MESSAGES; one += 1) {
    const home = homes[one % NAMESPACES] as Home;
    const to = home.addresses[one % home.addresses.length] as string;
    const begun = performance.now();
    const { id } = (await listened.call('/mail/send', { to, body: QUESTION })) as { readonly id: string };
    while (!toldAt.has(id) && performance.now() - begun < 5_000) await new Promise((resolve) => setImmediate(resolve));
    waits.push((toldAt.get(id) ?? Number.POSITIVE_INFINITY) - begun);
  }
  waits.sort((a, b) => a - b);
  const p99 = waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
  const [, heard] = compared as [Compared, Compared];
  return {
    table: figures(compared),
    wanted: [
      {
        met: heard.of('ratio') >= 0.9,
        text: `hello beside ${LISTENERS} listeners: at least 0.90: ${ratio(heard.of('ratio'))}`,
      },
      {
        met: p99 <= WITHIN_MS,
        text: `told within ${WITHIN_MS} ms of the send (p99): ${p99.toFixed(0)} ms, median ${median(waits).toFixed(0)} ms`,
      },
    ],
    notes: [disturbance(compared), `Median of ${rounds} rounds; ${MESSAGES} messages, one after the other.`],
  };
}

export const listen: Benchmark = {
  name: 'listen',
  about: 'a thousand MCP clients that wait for mail: what hello keeps, and how soon they are told',
  run,
};
