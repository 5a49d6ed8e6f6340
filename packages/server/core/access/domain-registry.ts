import { type Clock, DAY, HOUR, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import { type Domain, type DomainRecord, MAX_DOMAINS } from '../entities/domain.ts';
import { checkedKeys, type DomainKey, isRotating, newestGeneration, signingKeys } from '../entities/domain-key.ts';
import { randomBase62 } from '../entities/key.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { DomainAnswer, DomainDns } from '../ports/domain-dns.ts';
import type { DomainCheck } from '../ports/domains.ts';
import type { Store } from '../ports/store.ts';
import { parseDomain } from '../values/domain.ts';
import { ownersUrl } from '../values/owners-url.ts';
import { type Caller, requireLasting, requireOwn } from './caller.ts';
import type { Directory } from './directory.ts';
import type { Registry } from './registry.ts';

interface Parts {
  readonly store: Pick<Store, 'domains' | 'namespaces'>;
  readonly registry: Pick<Registry, 'namespace'>;
  readonly directory: Pick<Directory, 'changed'>;
  readonly dns: DomainDns;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  /** An event was written. */
  readonly publishEvents: (namespaceId: string) => void;
}

/** The pauses before the checks of a domain that is pending. */
const PENDING_MS: readonly Millis[] = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR];
/** How long a new domain is checked by itself. */
const PENDING_FOR_MS = 21 * DAY;
/** How often a verified domain is checked, and how soon again while it does not prove itself or DNS does not answer. */
const VERIFIED_MS = DAY;
const AGAIN_MS = 6 * HOUR;
/** How long a domain without its record of verification stays verified. */
const GRACE_MS = 7 * DAY;
/** How often a verified domain is checked while new keys wait for their records. */
const ROTATING_MS = HOUR;
/** A check that another node began and did not end is made again after this. */
const TAKEN_MS = 10 * MINUTE;
/** Checks at a time. */
const BATCH = 10;
const TOKEN_LENGTH = 32;

/**
 * Adds domains of owners to namespaces, and verifies by DNS that they are theirs. A domain is verified in one namespace at a
 * time: where it is verified and proves itself, others cannot verify it.
 */
export class DomainRegistry {
  readonly #parts: Parts;
  readonly #mailDomain: string;
  #checking: Promise<void> | undefined;

  constructor(
    parts: Parts,
    options: {
      readonly mailDomain: string;
    },
  ) {
    this.#parts = parts;
    this.#mailDomain = options.mailDomain;
  }

  /** The records to publish for a domain. */
  records(domain: Domain): readonly DomainRecord[] {
    return this.#parts.dns.records(domain);
  }

  /** In the order they were added. AppError `access_denied`, `insufficient_scope`, as of every method here. */
  async list(caller: Caller, name: string): Promise<readonly Domain[]> {
    return this.#parts.store.domains.list((await this.#own(caller, name)).id);
  }

  /** AppError `not_found`. */
  async get(caller: Caller, name: string, text: string): Promise<Domain> {
    return this.#get(await this.#own(caller, name), text);
  }

  /**
   * Adds a domain, to be verified; one that the namespace has is answered as it is. AppError `validation_error`,
   * `access_denied` for a namespace without a verified owner, `namespace_gone`.
   */
  async add(caller: Caller, name: string, text: string): Promise<{ readonly domain: Domain; readonly added: boolean }> {
    const { store, dns, clock } = this.#parts;
    const namespace = await this.#claimed(caller, name);
    const parsed = parseDomain(text, this.#mailDomain, dns.isPublicSuffix);
    if ('error' in parsed) throw invalid('/domain', parsed.error);
    const before = await store.domains.find(namespace.id, parsed.domain);
    if (before !== undefined) return { domain: before, added: false };
    const now = clock();
    const domain: Domain = {
      id: newId('dom', now),
      namespace_id: namespace.id,
      domain: parsed.domain,
      status: 'pending',
      token: randomBase62(TOKEN_LENGTH),
      keys: await dns.newKeys(1),
      records: [],
      error: null,
      checked_at: null,
      check_at: now + (PENDING_MS[0] as Millis),
      misses: 0,
      failing_since: null,
      verified_at: null,
      created_at: now,
    };
    switch (await store.domains.create(domain, MAX_DOMAINS)) {
      case 'created':
        return { domain, added: true };
      case 'exists':
        return { domain: await this.#get(namespace, parsed.domain), added: false };
      case 'full':
        throw invalid('/domain', `A namespace has at most ${MAX_DOMAINS} domains. Remove one first.`);
      case 'gone':
        throw new AppError('namespace_gone', `The namespace ${namespace.name} was deleted by its owner.`);
    }
  }

  /**
   * Asks DNS now, and records what it says. AppError `domain_taken` when it is verified in another namespace and proves itself
   * there, `not_found`, `access_denied`.
   */
  async verify(caller: Caller, name: string, text: string): Promise<Domain> {
    const namespace = await this.#claimed(caller, name);
    const domain = await this.#get(namespace, text);
    if ((await this.#check(domain)) === 'taken') throw taken(domain);
    return this.#get(namespace, domain.domain);
  }

  /**
   * Makes new keys, which sign once checks find the records of them all; those that sign until then are kept for a week
   * more. While new keys wait for their records it makes no others. AppError `not_found`, `access_denied`.
   */
  async rotate(caller: Caller, name: string, text: string): Promise<Domain> {
    const { store, dns, clock } = this.#parts;
    const namespace = await this.#claimed(caller, name);
    const domain = await this.#get(namespace, text);
    if (isRotating(domain.keys)) return domain;
    const keys = [...(await dns.newKeys(newestGeneration(domain.keys) + 1)), ...domain.keys];
    await store.domains.replaceKeys(domain.id, domain.keys, keys, { check_at: clock() + (PENDING_MS[0] as Millis) });
    // Of two rotations at once one counts, for both.
    return this.#get(namespace, domain.domain);
  }

  /** Removes it with its keys: from then on mail to it is refused, and answers leave from the address at the mail domain. */
  async remove(caller: Caller, name: string, text: string): Promise<void> {
    const domain = await this.get(caller, name, text);
    if (!(await this.#parts.store.domains.remove(domain.id))) throw notThere(text);
    this.#parts.directory.changed();
  }

  /** Checks the domains that are due, unless it does so already. Called again and again; of several nodes one checks each. */
  checkDue(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    const { store, clock } = this.#parts;
    for (;;) {
      const now = clock();
      const due = await store.domains.takeDue(now, now + TAKEN_MS, BATCH);
      await Promise.all(due.map((domain) => this.#check(domain)));
      if (due.length < BATCH) return;
    }
  }

  async #check(domain: Domain): Promise<'done' | 'taken'> {
    const { store, dns, clock, publishEvents } = this.#parts;
    const answer = await dns.check(domain);
    const now = clock();
    const states = new Map(answer.records.map(({ name, status }) => [name, status]));
    const found = (key: DomainKey): boolean | undefined => {
      const status = states.get(dns.keyName(domain, key));
      return status === 'pending' || status === undefined ? undefined : status === 'verified';
    };
    const keys = checkedKeys(domain.keys, found, now);
    // Before what else is found, so that an owner who sees the records verified sees which keys sign.
    if (keys !== domain.keys) {
      const changed = selectorsOf(keys) !== selectorsOf(domain.keys);
      await store.domains.replaceKeys(domain.id, domain.keys, keys, changed ? { changed_at: now } : {});
      if (changed) publishEvents(domain.namespace_id);
    }
    return this.#record({ ...domain, keys }, answer, now);
  }

  /** Records what DNS said. */
  async #record(domain: Domain, answer: DomainAnswer, now: Millis): Promise<'done' | 'taken'> {
    const { store, dns, directory, publishEvents } = this.#parts;
    if (answer.proofs?.includes(dns.proofOf(domain)) !== true) {
      await this.#unproven(domain, answer, now);
      return 'done';
    }
    const check_at = now + (isRotating(domain.keys) ? ROTATING_MS : VERIFIED_MS);
    const check = { ...checkOf(answer, now), error: null, check_at, misses: 0, failing_since: null };
    const holder = await store.domains.verified(domain.domain);
    const elsewhere = holder !== undefined && holder.id !== domain.id ? holder : undefined;
    const displaced =
      elsewhere !== undefined && !answer.proofs.includes(dns.proofOf(elsewhere)) ? elsewhere : undefined;
    if (elsewhere === undefined || displaced !== undefined) {
      const written = await store.domains.verify(domain.id, check, now, displaced?.id);
      if (written !== 'taken') {
        directory.changed();
        publishEvents(domain.namespace_id);
        if (displaced !== undefined) publishEvents(displaced.namespace_id);
        return 'done';
      }
    }
    // Asked again as if it were not published, since the other namespace may give it up.
    await this.#miss(domain, { ...answer, said: taken(domain).message }, now);
    return 'taken';
  }

  #unproven(domain: Domain, answer: DomainAnswer, now: Millis): Promise<unknown> {
    if (domain.status !== 'verified') return this.#miss(domain, answer, now);
    const { domains } = this.#parts.store;
    const check = { ...checkOf(answer, now), error: answer.said, check_at: now + AGAIN_MS, misses: domain.misses };
    // That DNS does not answer says nothing about the domain.
    if (answer.proofs === undefined) return domains.note(domain.id, { ...check, failing_since: domain.failing_since });
    const failing_since = domain.failing_since ?? now;
    const next = { ...check, misses: domain.misses + 1, failing_since };
    if (now - failing_since < GRACE_MS) return domains.note(domain.id, next);
    return this.#fail(domain, { ...next, check_at: null }, now);
  }

  /** A domain that is not verified was not found; after weeks it is given up. */
  async #miss(domain: Domain, answer: DomainAnswer, now: Millis): Promise<void> {
    const misses = domain.misses + 1;
    const pause = PENDING_MS[Math.min(misses, PENDING_MS.length - 1)] as Millis;
    const check = { ...checkOf(answer, now), error: answer.said, misses, failing_since: null };
    const { domains } = this.#parts.store;
    if (domain.status === 'failed') await domains.note(domain.id, { ...check, check_at: null });
    else if (now - domain.created_at < PENDING_FOR_MS)
      await domains.note(domain.id, { ...check, check_at: now + pause });
    else
      await this.#fail(domain, { ...check, check_at: null, error: `Given up after three weeks. ${answer.said}` }, now);
  }

  async #fail(domain: Domain, check: DomainCheck, now: Millis): Promise<void> {
    const { store, directory, publishEvents } = this.#parts;
    if (!(await store.domains.fail(domain.id, check, now))) return;
    directory.changed();
    publishEvents(domain.namespace_id);
  }

  async #get(namespace: Namespace, text: string): Promise<Domain> {
    const parsed = parseDomain(text, this.#mailDomain, () => false);
    const found = 'error' in parsed ? undefined : await this.#parts.store.domains.find(namespace.id, parsed.domain);
    if (found === undefined) throw notThere(text);
    return found;
  }

  async #own(caller: Caller, name: string): Promise<Namespace> {
    const namespace = await this.#parts.registry.namespace(name);
    requireOwn(caller, namespace, 'owner');
    return namespace;
  }

  /** As `#own`, for a namespace with an owner who can be asked what its domains do. */
  async #claimed(caller: Caller, name: string): Promise<Namespace> {
    const namespace = await this.#own(caller, name);
    requireLasting(caller, 'a domain');
    // A person owns it, or the operator: no other namespace gets a domain.
    if (await this.#parts.store.namespaces.isClaimed(namespace.id)) return namespace;
    throw new AppError(
      'access_denied',
      `${namespace.name} has no verified owner so far. Add one at ${ownersUrl(this.#parts.baseUrl())}.`,
    );
  }
}

const checkOf = ({ records }: DomainAnswer, now: Millis) => ({ records, checked_at: now });

const taken = ({ domain }: Domain): AppError =>
  new AppError(
    'domain_taken',
    `${domain} is verified in another namespace, whose TXT record is still published. Remove that record first.`,
  );

const notThere = (text: string): AppError =>
  new AppError(
    'not_found',
    `This namespace has no domain ${text.slice(0, 200)}. List its domains to see those it has.`,
  );

/** Which keys sign. */
const selectorsOf = (keys: Domain['keys']): string =>
  signingKeys(keys)
    .map(({ selector }) => selector)
    .join(' ');
