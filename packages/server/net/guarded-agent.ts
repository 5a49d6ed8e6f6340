import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { buildConnector, Dispatcher } from 'undici';
import { type Address, checkedAddresses, connectorTo, fewHints, type Guard } from './guarded-connect.ts';
import { PacedReads } from './paced-reads.ts';

const NAME_MS: Millis = 5 * SECOND;
/** For each of the addresses of a name that are tried. */
const CONNECT_MS: Millis = 4 * SECOND;
/** An idle connection is kept for the next request; shorter than servers usually keep theirs. */
const IDLE_MS: Millis = 4 * SECOND;
const MAX_IDLE_MS: Millis = 10 * SECOND;
const HEADER_BYTES = 32_768;

/** Only trusted addresses are reached without TLS. */
export class NeedsTls extends Error {}

/** The addresses of a host that may be connected to by this protocol. Rejects as `checkedAddresses`, and with NeedsTls. */
export async function addressesBy(hostname: string, protocol: string, guard: Guard): Promise<readonly Address[]> {
  const addresses = await checkedAddresses(hostname, guard, AbortSignal.timeout(NAME_MS));
  if (protocol === 'http:' && !addresses.every(({ trusted }) => trusted === true)) throw new NeedsTls();
  return addresses;
}

/**
 * Pooled connections, `connections` to one origin. The addresses of each are checked as it is opened, so that a name cannot
 * change in between. Its user sets a deadline for each request.
 */
export async function guardedAgent(guard: Guard, connections: number): Promise<Dispatcher> {
  // Imported on first use, so that a start need not wait for it.
  const undici = await import('undici');
  const connect = undici.buildConnector({ maxCachedSessions: 0, allowH2: false, timeout: CONNECT_MS });
  const agent = new undici.Agent({
    connect: checking(connect, guard, new PacedReads()),
    connections,
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // One deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return agent.compose(fewHints);
}

const checking =
  (connect: buildConnector.connector, guard: Guard, reads: PacedReads): buildConnector.connector =>
  (options, callback) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, '');
    addressesBy(hostname, options.protocol, guard).then(
      (addresses) => connectorTo(addresses, hostname, connect, reads)(options, callback),
      (error: Error) => callback(error, null),
    );
  };
