import { DAY, type Millis } from '@mailroom/behavior/values/clock';

/** A key that signs the mail of a domain (RFC 6376). Those of one generation sign together. */
export interface DomainKey {
  readonly selector: string;
  readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
  /** PKCS #8 in PEM. */
  readonly private_key: string;
  /** One more with each rotation; 1 where it is left out. */
  readonly generation?: number;
  /** Since when checks find the records of this generation. Left out of the first one, which signs from the beginning. */
  readonly published_at?: Millis;
}

/** `waiting`: signs once DNS has it. `replaced`: its record verifies mail that is on its way. */
export type DomainKeyStatus = 'waiting' | 'signing' | 'replaced';

/** How long keys are kept once others sign: a mail is tried for five days. */
const KEEP_MS = 7 * DAY;

const generationOf = ({ generation = 1 }: DomainKey): number => generation;

/** The number of the newest keys. */
export const newestGeneration = (keys: readonly DomainKey[]): number => Math.max(1, ...keys.map(generationOf));

const hasOlder = (keys: readonly DomainKey[]): boolean =>
  keys.some((key) => generationOf(key) < newestGeneration(keys));

/** The keys that sign: the newest that DNS has, else the oldest. */
export function signingKeys(keys: readonly DomainKey[]): readonly DomainKey[] {
  const published = keys.filter(({ published_at }) => published_at !== undefined);
  const signing =
    published.length > 0 ? newestGeneration(published) : Math.min(...keys.map((key) => generationOf(key)));
  return keys.filter((key) => generationOf(key) === signing);
}

export function keyStatus(key: DomainKey, keys: readonly DomainKey[]): DomainKeyStatus {
  const [signing] = signingKeys(keys);
  if (signing === undefined || generationOf(key) === generationOf(signing)) return 'signing';
  return generationOf(key) > generationOf(signing) ? 'waiting' : 'replaced';
}

/** Whether new keys wait for their records. */
export const isRotating = (keys: readonly DomainKey[]): boolean =>
  keys.some((key) => keyStatus(key, keys) === 'waiting');

/**
 * The keys after a check: the newest sign once DNS has them all, no more when one is missing, and alone after a week.
 * `found`: whether DNS has the record of a key; undefined when it did not answer. The same array when nothing changed.
 */
export function checkedKeys(
  keys: readonly DomainKey[],
  found: (key: DomainKey) => boolean | undefined,
  now: Millis,
): readonly DomainKey[] {
  if (!hasOlder(keys)) return keys;
  const generation = newestGeneration(keys);
  const newest = keys.filter((key) => generationOf(key) === generation);
  const since = newest[0]?.published_at;
  const answers = newest.map(found);
  if (answers.every((has) => has === true)) {
    if (since !== undefined) return now - since < KEEP_MS ? keys : newest;
    return keys.map((key) => (generationOf(key) === generation ? { ...key, published_at: now } : key));
  }
  if (since === undefined || !answers.includes(false)) return keys;
  return keys.map((key) => {
    if (generationOf(key) !== generation) return key;
    const { published_at: _, ...waiting } = key;
    return waiting;
  });
}
