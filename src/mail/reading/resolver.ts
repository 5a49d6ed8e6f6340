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
}

/** How long answers are kept, in ms: no record changes faster than operators expect. */
const FOUND_MS = 300_000;
const ABSENT_MS = 60_000;
/** A server that does not answer is not asked by each mail of its domain. */
const FAILED_MS = 10_000;
const MAX_CACHED = 20_000;
/** Characters of an answer that is kept. */
const MAX_CACHED_SIZE = 4_096;
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
    const cached: Cached = { answer, until: Number.POSITIVE_INFINITY };
    // Set again rather than overwritten, so that the oldest entries are the first ones.
    this.#cache.delete(key);
    this.#cache.set(key, cached);
    const keep = (ms: number): void => {
      cached.until = performance.now() + ms;
    };
    answer.then(
      (found) => keep(JSON.stringify(found).length > MAX_CACHED_SIZE ? 0 : FOUND_MS),
      (error: { readonly code?: unknown }) => keep(isAbsent(error.code) ? ABSENT_MS : FAILED_MS),
    );
    if (this.#cache.size > MAX_CACHED)
      for (const oldest of this.#cache.keys()) {
        this.#cache.delete(oldest);
        break;
      }
    return answer;
  }

  async #resolve(name: string, type: string): Promise<Answer> {
    return (await this.#resolver.resolve(name, type)) as Answer;
  }
}

/** Rows of an answer are handed out once each: their reader may change them. */
const copied = (answer: Answer): Answer => structuredClone(answer);
