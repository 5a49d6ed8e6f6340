import type { Millis } from '@mailroom/behavior/values/clock';
import type { Domain } from '../entities/domain.ts';

/** What a check writes. */
export type DomainCheck = Pick<Domain, 'records' | 'error' | 'checked_at' | 'check_at' | 'misses' | 'failing_since'>;

/** The namespace that holds a verified domain. */
export interface DomainHolder {
  readonly namespace_id: string;
  /** Its name. */
  readonly namespace: string;
}

/**
 * Domains of namespaces. Several namespaces may have the same domain, but in one at most it is verified at a time. Those of a
 * deleted namespace are removed with it.
 */
export interface Domains {
  /** `exists`: the namespace has it. `full`: it has `max`. `gone`: it was deleted. Exact also for concurrent calls. */
  create(domain: Domain, max: number): Promise<'created' | 'exists' | 'full' | 'gone'>;
  find(namespace_id: string, domain: string): Promise<Domain | undefined>;
  /** All of a namespace, in the order they were added. */
  list(namespace_id: string): Promise<readonly Domain[]>;
  /** Where the domain is verified. */
  verified(domain: string): Promise<Domain | undefined>;
  /** The living namespace in which the domain is verified. */
  holder(domain: string): Promise<DomainHolder | undefined>;
  /**
   * Records a check that verified it, with an event when it was not before. `displaced` is the id under which the domain is
   * verified elsewhere and no longer proves itself; that one fails, with an event. `taken`: it is verified under another
   * id. `gone`: it was removed.
   */
  verify(id: string, check: DomainCheck, now: Millis, displaced?: string): Promise<'verified' | 'taken' | 'gone'>;
  /** Records a check that did not verify it; its status stays. False when it was removed. */
  note(id: string, check: DomainCheck): Promise<boolean>;
  /** Records a check after which it is `failed`, with an event when it was not before. False when it was removed. */
  fail(id: string, check: DomainCheck, now: Millis): Promise<boolean>;
  /**
   * Replaces its keys, unless they are other ones than `before` by now; then false. `check_at`: when DNS is asked next, if
   * that is sooner. `changed_at`: when others began to sign, which is an event.
   */
  replaceKeys(
    id: string,
    before: Domain['keys'],
    keys: Domain['keys'],
    times?: { readonly check_at?: Millis; readonly changed_at?: Millis },
  ): Promise<boolean>;
  /** Removes it with its keys. False when it is gone already. */
  remove(id: string): Promise<boolean>;
  /** Takes up to `max` domains whose check is due; each is due again at `until` unless its check is recorded. */
  takeDue(now: Millis, until: Millis, max: number): Promise<readonly Domain[]>;
}
