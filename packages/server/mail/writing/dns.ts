import { Resolver } from 'node:dns/promises';

/**
 * Asks DNS as `resolve` of `node:dns/promises` does: an `MX` answer is a list of `{exchange, priority}`, a `TXT` one of
 * lists of strings, others are lists of strings. Rejects with the `code` ENOTFOUND when there is no such name, ENODATA
 * when it has no such record, and another one when that is unknown.
 */
export type DnsResolver = (name: string, type: string) => Promise<unknown>;

/** How long a try of a question to name servers may take. */
const TRY_MS = 5_000;

/** Asks these name servers, as `address` or `address:port`; those of the system when there are none. */
export function dnsResolver(servers: readonly string[]): DnsResolver {
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return (name, type) => resolver.resolve(name, type);
}

/** Whether DNS says that there is no such name or record; any other failure may pass. */
export const isAbsent = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as { readonly code?: string }).code ?? '');

/** The answer as texts; none when there is no such record. Rejects when that is unknown. */
export async function texts(
  resolve: DnsResolver,
  name: string,
  type: 'A' | 'AAAA' | 'PTR',
): Promise<readonly string[]> {
  const answer = await resolve(name, type).catch(noneIfAbsent);
  return Array.isArray(answer) ? answer.filter((one): one is string => typeof one === 'string') : [];
}

/** The TXT records of a name, the strings of each joined. Rejects when they are unknown. */
export async function txtRecords(resolve: DnsResolver, name: string): Promise<readonly string[]> {
  const answer = await resolve(name, 'TXT').catch(noneIfAbsent);
  return Array.isArray(answer) ? answer.map((one: unknown) => (Array.isArray(one) ? one.join('') : String(one))) : [];
}

export interface MxRecord {
  readonly exchange: string;
  readonly priority: number;
}

/** The MX records of a name; rejects also when there is none. */
export async function mxRecords(resolve: DnsResolver, name: string): Promise<readonly MxRecord[]> {
  const answer = (await resolve(name, 'MX')) as readonly Partial<MxRecord>[];
  if (!Array.isArray(answer)) return [];
  return answer
    .filter((one): one is MxRecord => typeof one?.exchange === 'string' && typeof one.priority === 'number')
    .map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase().replace(/\.$/, ''), priority }));
}

function noneIfAbsent(error: unknown): readonly string[] {
  if (isAbsent(error)) return [];
  throw error;
}
