import type { SearchTask, Slice } from './tasks.ts';

/** Maximum rows that a search examines. */
const ROWS = 20_000;
/** Maximum bytes of text that a search examines before it returns where to continue. */
const BYTES = 32 * 1024 * 1024;

export interface SearchPage {
  readonly found: readonly string[];
  /** Where to continue; null when nothing is left. */
  readonly place: string | null;
}

export interface Bounds {
  /** Maximum number of results. */
  readonly max: number;
  /** Maximum rows to examine; text is bounded in proportion. */
  readonly rows?: number | undefined;
}

/** The next slice of a search from `place`, with the remaining number of results. */
export type Next = (place: string | null, max: number) => SearchTask;

/** Runs slices until enough is found or examined, or `take` refuses more. */
export async function collect(
  next: Next,
  { max, rows: maxRows = ROWS }: Bounds,
  take: (task: SearchTask) => Promise<Slice | undefined>,
): Promise<SearchPage> {
  const found: string[] = [];
  let place: string | null = null;
  let [rows, bytes] = [0, 0];
  do {
    const slice = await take(next(place, max - found.length));
    if (slice === undefined) break;
    found.push(...slice.found);
    place = slice.place;
    rows += slice.rows;
    bytes += slice.bytes;
  } while (place !== null && found.length < max && rows < maxRows && bytes < (BYTES * maxRows) / ROWS);
  return { found, place };
}
