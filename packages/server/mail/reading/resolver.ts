import { Resolver } from 'node:dns/promises';
import type { DNSResolver } from 'mailauth';

export interface DnsOptions {
  /** `address` or `address:port`; those of the system when empty. */
  readonly servers: readonly string[];
  /** How long the first try of a question may take, in ms; the second one may take twice that. */
  readonly timeout_ms: number;
}

type Answer = Awaited<ReturnType<DNSResolver>>;

interface Cached {
  readonly answer: Promise<Answer>;
  until: number;
  /** Bytes of memory, at most. */
  size: number;
}

/** The bytes of memory that an answer takes at most. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return OBJECT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = OBJECT_BYTES;
  for (const one of Object.values(value)) size += sizeOf(one);
  return size;
}

/** How long answers are kept, in ms: no record changes faster than operators expect. */
const FOUND_MS = 300_000;
const ABSENT_MS = 60_000;
/** A server that does not answer is not asked by each mail of its domain. */
const FAILED_MS = 10_000;
/** Bytes of memory that the answers on a thread may take, and of an answer that is kept. */
const MAX_CACHED = 16 * 1024 * 1024;
const MAX_CACHED_SIZE = 8_192;
/** What a string or a list takes beside its characters, and an entry beside its answer; each measured at most. */
const OBJECT_BYTES = 96;
const ENTRY_BYTES = 1_024;
/** Questions of one mail: SPF alone may ask 10 and 10 for each of them (RFC 7208, section 4.6.4). */
const MAX_QUESTIONS = 150;

/** There is no such name, or no such record at it; all other errors may pass. */
const isAbsent = (code: unknown): boolean => code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME';

const dnsError = (code: string, name: string): Error => Object.assign(new Error(`${code} for ${name}`), { code });

/**
 * Looks up what proves a sender, with the codes of `node:dns`, which is what `mailauth` expects: ENOTFOUND for NXDOMAIN,
 * ENODATA for an empty answer, ESERVFAIL, EREFUSED and ETIMEOUT for what may be different later.
 */
export class CachingResolver {
  readonly #resolver: Resolver;
  readonly #cache = new Map<string, Cached>();
  #size = 0;

  constructor({ servers, timeout_ms }: DnsOptions) {
    this.#resolver = new Resolver({ timeout: timeout_ms, tries: 2 });
    if (servers.length > 0) this.#resolver.setServers([...servers]);
  }

  /** A resolver for one mail: bounded in questions, and in ms of all its waiting together. */
  forMail(budget_ms: number): DNSResolver {
    let left_ms = budget_ms;
    let questions = 0;
    return async (name, type) => {
      if (++questions > MAX_QUESTIONS) throw dnsError('ETIMEOUT', name);
      const answer = this.#ask(name.toLowerCase(), type);
      const from = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(dnsError('ETIMEOUT', name)), Math.max(0, left_ms));
      });
      try {
        return copied(await Promise.race([answer, late]));
      } finally {
        left_ms -= performance.now() - from;
        clearTimeout(timer);
      }
    };
  }

  #ask(name: string, type: string): Promise<Answer> {
    const key = `${type} ${name}`;
    const known = this.#cache.get(key);
    if (known !== undefined && known.until > performance.now()) return known.answer;
    const answer = this.#resolve(name, type);
    const cached: Cached = { answer, until: Number.POSITIVE_INFINITY, size: ENTRY_BYTES + key.length };
    this.#forget(key);
    this.#cache.set(key, cached);
    this.#size += cached.size;
    const keep = (ms: number, size: number): void => {
      if (this.#cache.get(key) !== cached) return;
      if (size > MAX_CACHED_SIZE) {
        this.#forget(key);
        return;
      }
      cached.until = performance.now() + ms;
      cached.size += size;
      this.#size += size;
      this.#makeRoom();
    };
    answer.then(
      (found) => keep(FOUND_MS, sizeOf(found)),
      (error: { readonly code?: unknown }) => keep(isAbsent(error.code) ? ABSENT_MS : FAILED_MS, 0),
    );
    this.#makeRoom();
    return answer;
  }

  #forget(key: string): void {
    this.#size -= this.#cache.get(key)?.size ?? 0;
    this.#cache.delete(key);
  }

  /** Forgets the answers that were asked for longest ago. */
  #makeRoom(): void {
    for (const oldest of this.#cache.keys()) {
      if (this.#size <= MAX_CACHED) break;
      this.#forget(oldest);
    }
  }

  async #resolve(name: string, type: string): Promise<Answer> {
    return (await this.#resolver.resolve(name, type)) as Answer;
  }
}

/** Rows of an answer are handed out once each: their reader may change them. */
const copied = (answer: Answer): Answer => structuredClone(answer);
