import { tlsFinding } from './certificate.ts';
import { type Finding, fail, ok, reasonOf, skip, warn } from './finding.ts';

/** How long one request may take, in ms. */
const REQUEST_MS = 15_000;
/** Differences of clocks, in s: signed mail and sign-ins allow 300 and 30. */
const CLOCK_WARN_S = 5;
const CLOCK_FAIL_S = 30;
const MCP_VERSION = '2025-11-25';
const GREETING = 'A message of mailroom doctor, which is deleted at once. Who are you?';

/** Which service is looked at. */
export interface ServiceOptions {
  /** Its URL, without a slash at the end. */
  readonly url: string;
  /** A key; without one only what guests may do is tried. */
  readonly key?: string | undefined;
  readonly signal: AbortSignal;
}

interface Listed {
  readonly address: string;
  readonly namespace: string;
  readonly behavior: { readonly name: string } | string;
  readonly status: string;
}

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** A request to the service, with its whole answer. Rejects where there is none. */
export async function request(
  { url, key, signal }: ServiceOptions,
  path: string,
  options: { readonly method?: string; readonly body?: unknown; readonly headers?: Record<string, string> } = {},
): Promise<Asked> {
  const { method = options.body === undefined ? 'GET' : 'POST', body, headers } = options;
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    headers: {
      ...(key !== undefined && key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path of an answer's JSON; undefined where there is none. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, name) => (found as Record<string | number, unknown> | undefined)?.[name], value);

/** The text at a path of an answer's JSON; '' where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

const detailOf = ({ status, json }: Asked): string => `${status} ${textAt(json, 'detail')}`.trim();

/** `started`: how to start it, for the advice. */
async function livenessFindings(service: ServiceOptions, started: string): Promise<readonly Finding[]> {
  const { url } = service;
  const alive = await request(service, '/livez').catch((error: unknown) =>
    fail('service', `nothing answers at ${url}: ${reasonOf(error)}`, started),
  );
  if ('check' in alive) return [alive];
  if (alive.status !== 200 || at(alive.json, 'status') !== 'ok')
    return [
      fail(
        'service',
        `another program answers at ${url} (status ${alive.status})`,
        'Stop that program, or give Mailroom another PORT and use its URL.',
      ),
    ];
  const ready = await request(service, '/readyz');
  return ready.status === 200
    ? [ok('service', `answers at ${url}`)]
    : [
        fail(
          'service',
          `runs at ${url}, but cannot write: ${detailOf(ready)}`,
          'Look at its database and disk: npm run doctor on its machine.',
        ),
      ];
}

/** A difference of two clocks. */
export function clockFinding(theirs_ms: number, ours_ms: number, whose: string): Finding {
  const seconds = Math.round(Math.abs(theirs_ms - ours_ms) / 1000);
  const found = `${seconds} s between this machine and ${whose}`;
  if (seconds < CLOCK_WARN_S) return ok('clock', found);
  const advice = 'Set both by NTP (timedatectl set-ntp true): signatures and sign-ins end by the clock.';
  return seconds < CLOCK_FAIL_S ? warn('clock', found, advice) : fail('clock', found, advice);
}

async function serviceClock(service: ServiceOptions): Promise<Finding> {
  const begun = Date.now();
  const { headers } = await request(service, '/livez');
  const ended = Date.now();
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return skip('clock', 'the service sends no Date');
  // The field has whole seconds (RFC 9110, section 5.6.7).
  const ours = Math.min(Math.max(theirs, begun - 1000), ended);
  return clockFinding(theirs, ours, 'the service');
}

async function keyFinding(service: ServiceOptions): Promise<Finding & { readonly namespace?: string }> {
  if ((service.key ?? '') === '')
    return skip('key', 'no key', 'Set MAILROOM_KEY, or log in with mailroom login, to have more looked at.');
  const me = await request(service, '/api/v1/me');
  const namespace = at(me.json, 'namespace', 'name');
  if (me.status !== 200 || typeof namespace !== 'string')
    return fail('key', `the key is refused: ${detailOf(me)}`, 'Make another: npm run owner-key -- NAMESPACE there.');
  return { ...ok('key', `of ${namespace}`), namespace };
}

/** An address that greets: of the key's namespace where it has one, else any that is listed. */
async function greeter(service: ServiceOptions, namespace: string | undefined): Promise<Listed | undefined> {
  const own =
    namespace === undefined
      ? undefined
      : await request(service, `/api/v1/namespaces/${namespace}/mailboxes?limit=200`).catch(() => undefined);
  const listed = await request({ ...service, key: undefined }, '/api/v1/mailboxes?limit=200');
  const all = [own?.json, listed.json].flatMap((json) => (at(json, 'items') ?? []) as readonly Listed[]);
  const greets = ({ behavior, status }: Listed): boolean =>
    (typeof behavior === 'string' ? behavior : behavior?.name) === 'hello' && status === 'online';
  return all.find(greets);
}

const PROXY = 'A proxy in front must hand on every path: see deploy/ and docs/operations.md.';

/** MCP at an address: initialize, then the list of tools (MCP 2025-11-25, Streamable HTTP). */
async function mcpFinding(service: ServiceOptions, address: string): Promise<Finding> {
  const path = `/mcp/${address}`;
  const call = async (id: number, method: string, params: unknown): Promise<Asked> =>
    request(service, path, {
      body: { jsonrpc: '2.0', id, method, params },
      headers: {
        accept: 'application/json, text/event-stream',
        ...(id > 1 && { 'mcp-protocol-version': MCP_VERSION }),
      },
    });
  const clientInfo = { name: 'mailroom-doctor', version: '1' };
  const begun = await call(1, 'initialize', { protocolVersion: MCP_VERSION, capabilities: {}, clientInfo });
  const server = at(rpcOf(begun), 'result', 'serverInfo', 'name');
  if (begun.status !== 200 || typeof server !== 'string')
    return fail('mcp', `no MCP server at ${path}: ${detailOf(begun)}`, PROXY);
  const listed = at(rpcOf(await call(2, 'tools/list', {})), 'result', 'tools');
  if (!Array.isArray(listed) || listed.length === 0)
    return fail('mcp', `the MCP server at ${path} lists no tool`, PROXY);
  return ok('mcp', `${path} has ${listed.map((tool) => textAt(tool, 'name')).join(', ')}`);
}

/** The answer of JSON-RPC, alone or as the last event of a stream. */
function rpcOf({ text, json }: Asked): unknown {
  if (json !== undefined) return json;
  const data = text.split('\n').findLast((line) => line.startsWith('data:'));
  return data === undefined ? undefined : jsonOf(data.slice('data:'.length));
}

/** A2A at an address: its card, and with a key that may delete it again a message. */
async function a2aFinding(service: ServiceOptions, address: string, owned: boolean): Promise<Finding> {
  const path = `/a2a/${address}`;
  const card = await request(service, `${path}/.well-known/agent-card.json`);
  const interfaces = at(card.json, 'supportedInterfaces');
  if (card.status !== 200 || !Array.isArray(interfaces))
    return fail('a2a', `no agent card at ${path}: ${detailOf(card)}`, PROXY);
  const there = interfaces.map((one) => textAt(one, 'url'));
  const foreign = there.find((one) => !one.startsWith(`${service.url}/`));
  if (foreign !== undefined)
    return warn(
      'a2a',
      `the agent card names ${foreign}, not ${service.url}`,
      'Set BASE_URL to the public URL, and use it here.',
    );
  if (!owned) return ok('a2a', `${path} has a card; a message is tried with a key of its namespace`);
  const body = {
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: GREETING }] },
  };
  const sent = await request(service, `${path}/v1/message:send`, { body, headers: { 'a2a-version': '1.0' } });
  const [id, state] = [textAt(sent.json, 'task', 'id'), textAt(sent.json, 'task', 'status', 'state')];
  if (id !== '') await request(service, `/api/v1/mail/messages/${id}`, { method: 'DELETE' });
  if (state !== 'TASK_STATE_COMPLETED')
    return fail(
      'a2a',
      `a message to ${address} was not answered: ${state || detailOf(sent)}`,
      'Look at /status of the service, and at its log.',
    );
  return ok('a2a', `${address} has a card, and answered a message`);
}

/** What runs `act`, as a finding where it rejects. */
async function guarded<F extends Finding>(check: string, act: () => Promise<F>): Promise<F | Finding> {
  try {
    return await act();
  } catch (error) {
    return fail(check, reasonOf(error), 'Try again; then look at the log of the service.');
  }
}

/**
 * Looks at a service from outside: that it answers, its certificate, its clock, the key, MCP and A2A. What it sends, it
 * deletes again. `started`: what to do where nothing answers. Never rejects.
 */
export async function serviceFindings(
  service: ServiceOptions,
  started = 'Is the URL right? Where the service runs: npm start, then npm run doctor.',
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const url = new URL(service.url);
  if (url.protocol === 'https:') findings.push(await tlsFinding('tls', url, Date.now()));
  // A key that is refused would be refused here too.
  const guest = { ...service, key: undefined };
  findings.push(
    ...(await livenessFindings(guest, started).catch((error: unknown) => [fail('service', reasonOf(error), started)])),
  );
  if (findings.some(({ check, status }) => check === 'service' && status === 'fail')) return findings;
  findings.push(await guarded('clock', () => serviceClock(guest)));
  const key = await guarded('key', () => keyFinding(service));
  const namespace = 'namespace' in key ? key.namespace : undefined;
  findings.push({ check: key.check, status: key.status, found: key.found, advice: key.advice });
  const address = await greeter(service, namespace).catch(() => undefined);
  if (address === undefined) {
    const without = 'no address with the behavior hello is online';
    return [...findings, skip('mcp', without), skip('a2a', without)];
  }
  const keyed = key.status === 'ok' ? service : guest;
  findings.push(await guarded('mcp', () => mcpFinding(keyed, address.address)));
  findings.push(await guarded('a2a', () => a2aFinding(keyed, address.address, address.namespace === namespace)));
  return findings;
}
