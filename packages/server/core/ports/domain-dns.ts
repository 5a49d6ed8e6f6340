import type { Domain, DomainRecord, RecordState } from '../entities/domain.ts';
import type { DomainKey } from '../entities/domain-key.ts';

/** What DNS says about a domain. */
export interface DomainAnswer {
  /** The texts that may prove it; undefined when DNS did not answer. */
  readonly proofs: readonly string[] | undefined;
  /** Why DNS did not answer, or what it had in place of the proof. */
  readonly said: string;
  readonly records: readonly RecordState[];
}

/** The records of a domain: what to publish, and what DNS has. */
export interface DomainDns {
  /** Under which names anyone can register, such as `co.uk`. */
  isPublicSuffix(domain: string): boolean;
  /** Keys of its own for a domain; `generation` is 1 for a new one, and one more with each rotation. */
  newKeys(generation: number): Promise<readonly DomainKey[]>;
  /** The text that proves a domain. */
  proofOf(of: Pick<Domain, 'token'>): string;
  /** The name of the record of a key. */
  keyName(of: Pick<Domain, 'domain'>, key: DomainKey): string;
  records(of: Domain): readonly DomainRecord[];
  /** Never rejects. */
  check(of: Domain): Promise<DomainAnswer>;
}
