import { type Clock, DAY, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import type { States } from '../../core/ports/states.ts';
import { AGENT_REL, MAIL_REL, MESSAGES_PROPERTY } from '../../core/values/peer-doors.ts';
import type { PeerHttp } from '../../net/peer-http.ts';
import { organizationalDomain } from '../organizational-domain.ts';

/** Where an address is reached beside mail. */
export interface PeerDoors {
  /** Takes signed mail by HTTP. */
  readonly mail?: string;
  /** Takes signed batches of messages as JSON, and answers in the response. */
  readonly messages?: string;
  /** The card of an A2A agent. */
  readonly agent?: string;
}

/** Finds the doors of an address; none where its domain names none. Never rejects. */
export type FindDoors = (address: string) => Promise<PeerDoors>;

interface Parts {
  readonly http: Pick<PeerHttp, 'request'>;
  readonly states: Pick<States, 'get' | 'set'>;
  readonly clock: Clock;
}

const KEPT_MS: Millis = DAY;
/** The mail waits for it. */
const ASK_MS: Millis = 4_000;
const MAX_BYTES = 64 * 1024;
const MAX_URL = 2_048;
const STATE = 'peer_doors';
/** Addresses whose doors are in memory too, and for how long. */
const MAX_REMEMBERED = 1_000;
const REMEMBERED_MS: Millis = MINUTE;

/**
 * Asks the WebFinger (RFC 7033) of the address's domain, or of the domain that its organization registered, which answers
 * for all below it. What it says, and that it says nothing, is kept for a day.
 */
export function doorsBy({ http, states, clock }: Parts): FindDoors {
  const asking = new Map<string, Promise<PeerDoors>>();
  const remembered = new Map<string, { readonly doors: PeerDoors; readonly until: Millis }>();
  async function find(address: string): Promise<PeerDoors> {
    const known = await states.get(STATE, address, clock());
    if (known !== undefined) return JSON.parse(known.value) as PeerDoors;
    const domain = address.slice(address.lastIndexOf('@') + 1);
    const parent = organizationalDomain(domain);
    const hosts = parent === null || parent === domain ? [domain] : [domain, parent];
    let doors: PeerDoors | undefined;
    for (const host of hosts) doors ??= await ask(host, address, http);
    const value = doors ?? {};
    await states.set({
      ...{ kind: STATE, id: address, subject: null, value: JSON.stringify(value) },
      expires_at: clock() + KEPT_MS,
    });
    return value;
  }
  return async (address) => {
    const found = remembered.get(address);
    if (found !== undefined && Math.abs(found.until - clock()) <= REMEMBERED_MS && found.until > clock())
      return found.doors;
    const pending = asking.get(address) ?? find(address).catch((): PeerDoors => ({}));
    asking.set(address, pending);
    const doors = await pending.finally(() => asking.delete(address));
    remembered.delete(address);
    remembered.set(address, { doors, until: clock() + REMEMBERED_MS });
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return doors;
  };
}

/** What one host says of an address; undefined where it says nothing that can be used. */
async function ask(host: string, address: string, http: Parts['http']): Promise<PeerDoors | undefined> {
  const url = URL.parse(`https://${host}/.well-known/webfinger?resource=${encodeURIComponent(`acct:${address}`)}`);
  if (url === null) return undefined;
  try {
    const signal = AbortSignal.timeout(ASK_MS);
    const headers = { accept: 'application/jrd+json, application/json' };
    const { status, text } = await http.request(url, { method: 'GET', headers, bytes: MAX_BYTES, signal });
    return status === 200 ? doorsIn(text, address) : undefined;
  } catch {
    return undefined;
  }
}

interface Jrd {
  readonly subject?: unknown;
  readonly links?: readonly {
    readonly rel?: unknown;
    readonly href?: unknown;
    readonly properties?: Readonly<Record<string, unknown>> | null;
  }[];
}

/** The doors that a descriptor names for this address; undefined where it is about another one, or can be read by none. */
function doorsIn(text: string, address: string): PeerDoors | undefined {
  let jrd: Jrd;
  try {
    jrd = JSON.parse(text) as Jrd;
  } catch {
    return undefined;
  }
  if (typeof jrd?.subject !== 'string' || jrd.subject.toLowerCase() !== `acct:${address.toLowerCase()}`)
    return undefined;
  const links = Array.isArray(jrd.links) ? jrd.links : [];
  const linkOf = (rel: string) => links.find((link) => link?.rel === rel);
  const mail = urlIn(linkOf(MAIL_REL)?.href);
  const messages = mail && urlIn(linkOf(MAIL_REL)?.properties?.[MESSAGES_PROPERTY]);
  const agent = urlIn(linkOf(AGENT_REL)?.href);
  return {
    ...(mail !== undefined && { mail }),
    ...(messages !== undefined && { messages }),
    ...(agent !== undefined && { agent }),
  };
}

const urlIn = (href: unknown): string | undefined =>
  typeof href === 'string' && href.length <= MAX_URL && URL.canParse(href) ? href : undefined;
