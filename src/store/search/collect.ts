import type { SearchTask, Slice } from './tasks.ts';

/** A search looks at no more rows */
const ROWS = 20_000;
/** and no more bytes of text: then it ends, and says where to continue. */
const BYTES = 32 * 1024 * 1024;

export interface SearchPage {
  readonly found: readonly string[];
  /** Where to continue; null when nothing is left. */
  readonly place: string | null;
}

export interface Bounds {
  /** To be found. */
  readonly max: number;
  /** Rows to look at; the default when left out. Text is bounded in proportion. */
  readonly rows?: number | undefined;
}

/** A slice, from a place on and with so many still to be found. */
export type Next = (place: string | null, max: number) => SearchTask;

/** Slice by slice until enough is found or looked at, or `take` gives none. */
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
