/** A lease that a program was granted or that was extended, in milliseconds since 1970. */
export interface Grant {
  readonly kind: 'grant';
  readonly message: string;
  readonly claim: string;
  readonly until: number;
  readonly lease_ms: number;
}

/** What a program was told of an answer; or, without a status, that it is about to give the message back. */
export interface Ending {
  readonly kind: 'answer' | 'release';
  readonly message: string;
  readonly claim: string;
  /** When its request was sent. */
  readonly began: number;
  readonly status: number | null;
  readonly settles: boolean | null;
}

interface Lease {
  readonly claim: string;
  /** Not before the service granted it. */
  readonly granted: number;
  until: number;
}

/**
 * What breaks a promise in the lines that the programs wrote: two holders at once, two answers that settled, or an answer
 * to a message that the service did not know.
 */
export function brokenIn(lines: readonly (Grant | Ending)[]): string[] {
  const broken: string[] = [];
  const messages = Map.groupBy(lines, ({ message }) => message);
  for (const [message, its] of messages) {
    const endings = its.filter((line) => line.kind !== 'grant');
    const leases = leasesOf(its, endings);
    let last: Lease | undefined;
    for (const lease of leases) {
      if (last !== undefined && lease.granted < last.until)
        broken.push(`${message} went to ${lease.claim} ${last.until - lease.granted} ms before ${last.claim} ended`);
      if (last === undefined || lease.until > last.until) last = lease;
    }
    const settling = new Set(endings.filter(({ settles }) => settles).map(({ claim }) => claim));
    if (settling.size > 1) broken.push(`${message} was settled by ${[...settling].join(' and by ')}`);
    for (const { claim, began, settles } of endings) {
      const mine = leases.findIndex((lease) => lease.claim === claim);
      const other = leases.slice(mine + 1).find(({ granted, until }) => granted < began && began < until);
      if (settles && other !== undefined) broken.push(`${message} was settled by ${claim}, and ${other.claim} held it`);
    }
    // A message is on disk before a program has it, so no kill forgets one, whether or not its sender knows of it.
    const refused = endings.filter(({ status }) => status !== null && status !== 200 && status !== 409);
    for (const { kind, claim, status } of refused)
      broken.push(`${kind} of ${message} under ${claim} was answered ${status}`);
  }
  return broken;
}

/** The leases of one message as they were granted; an answer or a release ends one early. */
function leasesOf(lines: readonly (Grant | Ending)[], endings: readonly Ending[]): Lease[] {
  const leases = new Map<string, Lease>();
  for (const line of lines) {
    if (line.kind !== 'grant') continue;
    const lease = leases.get(line.claim);
    if (lease === undefined)
      leases.set(line.claim, { claim: line.claim, granted: line.until - line.lease_ms, until: line.until });
    else lease.until = Math.max(lease.until, line.until);
  }
  for (const { claim, began } of endings) {
    const lease = leases.get(claim);
    if (lease !== undefined) lease.until = Math.min(lease.until, began);
  }
  return [...leases.values()].sort((a, b) => a.granted - b.granted);
}
