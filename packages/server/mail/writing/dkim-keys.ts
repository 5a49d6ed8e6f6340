import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import type { Secrets } from '../../core/ports/secrets.ts';
import { type DkimKey, newDkimKey } from './dkim.ts';
import type { DnsResolver } from './dns.ts';
import { isPublished } from './records-check.ts';

/** The keys that sign a mail together, one of each algorithm. */
export type DkimKeys = readonly DkimKey[];

const PREFIX = 'dkim:';
const ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const;
/** How often DNS is asked whether it has the newest keys. */
const ASK_MS = 10 * MINUTE;

/** New keys; the selectors of the first ones have no number. */
const newKeys = (generation: number): Promise<DkimKeys> =>
  Promise.all(
    ALGORITHMS.map((algorithm) => {
      const selector = `mailroom-${algorithm.slice(0, algorithm.indexOf('-'))}`;
      return newDkimKey(algorithm, generation === 1 ? selector : `${selector}-${generation}`);
    }),
  );

const put = async (secrets: Secrets, generation: number): Promise<DkimKeys> =>
  read(await secrets.getOrPut(`${PREFIX}${generation}`, async () => JSON.stringify(await newKeys(generation))));

const read = (text: string): DkimKeys => JSON.parse(text) as DkimKeys;

/** The keys that there are with their numbers, the newest first. */
async function numbered(
  secrets: Pick<Secrets, 'beginning'>,
): Promise<readonly (readonly [generation: number, keys: DkimKeys])[]> {
  const known = [...(await secrets.beginning(PREFIX))];
  return known
    .map(([name, text]) => [Number(name.slice(PREFIX.length)), read(text)] as const)
    .sort(([a], [b]) => b - a);
}

/** The keys of the mail domain that there are, the newest first. */
export const keptDkimKeys = async (secrets: Pick<Secrets, 'beginning'>): Promise<readonly DkimKeys[]> =>
  (await numbered(secrets)).map(([, keys]) => keys);

/** All keys of the mail domain, the newest first; made when there are none. */
export async function dkimKeys(secrets: Secrets): Promise<readonly DkimKeys[]> {
  const known = await numbered(secrets);
  return known.length === 0 ? [await put(secrets, 1)] : known.map(([, keys]) => keys);
}

/** Makes the next keys of the mail domain. */
export async function rotateDkimKeys(secrets: Secrets): Promise<void> {
  const [newest] = await numbered(secrets);
  await put(secrets, newest === undefined ? 1 : newest[0] + 1);
}

/** Removes all keys but the newest; returns the selectors of those. */
export async function retireDkimKeys(secrets: Secrets): Promise<readonly string[]> {
  const [, ...older] = await numbered(secrets);
  await secrets.remove(older.map(([generation]) => `${PREFIX}${generation}`));
  return older.flatMap(([, keys]) => keys.map(({ selector }) => selector));
}

/** The newest of these keys that DNS shows for a domain; the oldest when it shows none or does not answer. */
export async function publishedKeys(
  all: readonly DkimKeys[],
  domain: string,
  resolve: DnsResolver,
): Promise<DkimKeys | undefined> {
  for (const keys of all.slice(0, -1)) {
    const shown = await Promise.all(keys.map((key) => isPublished(key, domain, resolve).catch(() => false)));
    if (shown.every(Boolean)) return keys;
  }
  return all.at(-1);
}

interface Parts {
  readonly secrets: Secrets;
  readonly resolve: DnsResolver;
  readonly clock: Clock;
  /** Called when others sign than before. */
  readonly onChanged?: (selectors: readonly string[]) => void;
}

/**
 * The keys that sign the mail of a domain: after a rotation the new ones, once DNS shows them, which is asked every ten
 * minutes while there are several.
 */
export function signingKeys(domain: string, { secrets, resolve, clock, onChanged }: Parts): () => Promise<DkimKeys> {
  let kept: { readonly keys: Promise<DkimKeys>; readonly at: Millis } | undefined;
  let publishedIds: string | undefined;
  const choose = async (): Promise<DkimKeys> => {
    const keys = (await publishedKeys(await dkimKeys(secrets), domain, resolve)) as DkimKeys;
    const selectors = keys.map(({ selector }) => selector);
    if (publishedIds !== undefined && publishedIds !== selectors.join(' ')) onChanged?.(selectors);
    publishedIds = selectors.join(' ');
    return keys;
  };
  return async () => {
    if (kept === undefined || Math.abs(clock() - kept.at) >= ASK_MS) kept = { keys: choose(), at: clock() };
    const { keys } = kept;
    return keys.catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
  };
}
