import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { type Clock, MINUTE } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { isId } from '@mailroom/behavior/values/ids';
import type { Caller } from '../core/access/caller.ts';
import type { Directory } from '../core/access/directory.ts';
import { isLive, type Key, looksLikeSecret } from '../core/entities/key.ts';
import type { Store } from '../core/ports/store.ts';

const invalidKey = (detail: string): AppError => new AppError('invalid_key', detail);

/** Finds the caller of a request: its API key, its thread token, or its network. */
export class Authenticator {
  readonly #directory: Directory;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #threadSecret: string;
  /** Uses that are not written yet: the latest time by key. */
  #uses = new Map<string, number>();
  readonly #written = new Map<string, number>();

  constructor(parts: { directory: Directory; store: Store; clock: Clock }, threadSecret: string) {
    this.#directory = parts.directory;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#threadSecret = threadSecret;
  }

  /**
   * AppError `invalid_key` for a header without a valid key or token. Returns at once for a key seen recently, unless
   * `sure` is set and another node may have revoked it.
   */
  caller(authorization: string | undefined, ip: string | undefined, sure = true): Caller | Promise<Caller> {
    // A caller that has disconnected has no address any more.
    const network = ip === undefined ? 'gone' : networkOf(ip);
    if (authorization === undefined) return { kind: 'guest', network };
    const [, secret] = /^Bearer +([^\s]+) *$/i.exec(authorization) ?? [];
    if (secret === undefined) throw invalidKey('The Authorization header must be "Bearer <API_KEY>".');
    if (secret.startsWith('mt_')) {
      const thread_id = this.threadOf(secret);
      if (thread_id === undefined)
        throw invalidKey('This thread token is not valid. Use the one the try-out answered with.');
      return { kind: 'thread', thread_id, network };
    }
    if (!looksLikeSecret(secret)) {
      throw invalidKey(
        'This is no API key: it starts with mr_live_ and has 54 characters. Check that you copied all of it.',
      );
    }
    const found = this.#directory.key(sha256(secret), sure);
    return found instanceof Promise ? found.then((key) => this.#holder(key, network)) : this.#holder(found, network);
  }

  #holder(key: Key | undefined, network: string): Caller | Promise<Caller> {
    if (key === undefined || !isLive(key, this.#clock())) {
      throw invalidKey('There is no such key, or it was revoked or has expired.');
    }
    const caller: Caller = { kind: 'key', key, network };
    const written = this.#use(key);
    return written === undefined ? caller : written.then(() => caller);
  }

  /** A token that lets a guest continue a thread; it is an opaque text, not a JWT. */
  threadToken(thread_id: string): string {
    return `mt_${thread_id.slice(4)}${this.#sign(thread_id)}`;
  }

  /** The thread a token belongs to, or undefined when this service did not issue it. */
  threadOf(token: string): string | undefined {
    if (!token.startsWith('mt_')) return undefined;
    const thread_id = `thr_${token.slice(3, 23)}`;
    if (!isId('thr', thread_id)) return undefined;
    const given = Buffer.from(token.slice(23));
    const right = Buffer.from(this.#sign(thread_id));
    return given.length === right.length && timingSafeEqual(given, right) ? thread_id : undefined;
  }

  #sign(thread_id: string): string {
    return createHmac('sha256', this.#threadSecret).update(thread_id).digest('base64url').slice(0, 32);
  }

  /** Writes the first use at once, because it ends the renewal of a lost secret; later uses are kept to the minute. */
  #use(key: Key): Promise<void> | undefined {
    const now = this.#clock();
    const last = this.#written.get(key.id) ?? key.last_used_at;
    if (last !== null && now - last < MINUTE) return undefined;
    if (this.#written.size > 100_000) this.#written.clear();
    if (last === null) {
      return this.#store.keys.used([{ id: key.id, at: now }]).then(() => void this.#written.set(key.id, now));
    }
    this.#uses.set(key.id, now);
    this.#written.set(key.id, now);
    return undefined;
  }

  /** Writes the remembered uses; called periodically and at the stop. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].map(([id, at]) => ({ id, at }));
    this.#uses = new Map();
    try {
      await this.#store.keys.used(uses);
    } catch (error) {
      for (const { id, at } of uses) if (!this.#uses.has(id)) this.#uses.set(id, at);
      throw error;
    }
  }
}

/** Whether an address equals one of these or lies in one of these networks (`10.0.0.0/8`). */
export function addressesIn(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => networks.length > 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * The network an address is counted as: itself, or its /64 for IPv6, which one household or host usually holds whole.
 */
export function networkOf(address: string): string {
  // Some proxies append the port to the address.
  const ip = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  if (!ip.includes(':') || !isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  const groups = groupsOf(ip);
  const [a, b] = groups.slice(6) as [number, number];
  // An IPv4-mapped IPv6 address is the same address (RFC 4291, section 2.5.5.2).
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [a >> 8, a & 255, b >> 8, b & 255].join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of an IPv6 address in any notation (RFC 4291, section 2.2). */
function groupsOf(ip: string): number[] {
  const address = (ip.split('%')[0] as string).replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_dotted, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.slice(0, 4).map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [head, right] = address.split('::').map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[]?,
  ];
  const zeros = right === undefined ? [] : Array.from({ length: 8 - head.length - right.length }, () => '0');
  return [...head, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}
