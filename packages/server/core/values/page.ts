import { invalid } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { type TSchema, Type } from 'typebox';

/** One page of a list. `next` is where the following page starts, null on the last. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export const PAGE_DEFAULT = 50;
export const MAX_PAGE = 200;

/**
 * One page of several lists, newest first by id, each item once; `next` of each page is the id down to which its list was
 * looked through.
 */
export function mergePages<T extends { readonly id: string }>(pages: readonly Page<T>[], size: number): Page<T> {
  const floor = pages.reduce<string>((id, { next }) => (next !== null && next > id ? next : id), '');
  const byId = new Map(pages.flatMap(({ items }) => items.map((item) => [item.id, item] as const)));
  const sorted = [...byId.values()].filter(({ id }) => id >= floor).sort((one, other) => (one.id > other.id ? -1 : 1));
  const items = sorted.slice(0, size);
  const cut = sorted.length > size ? items.at(-1)?.id : undefined;
  return { items, next: cut ?? (floor === '' ? null : floor) };
}

/** The schema of every list on the wire: `{items, next_cursor}`. */
export const PageOf = <T extends TSchema>(items: T, id: string) =>
  Type.Object(
    {
      items: Type.Array(items),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Pass it as `cursor` for the following page; null on the last one.',
      }),
    },
    { $id: id },
  );

/** A cursor, opaque to callers: an id behind a version mark, so that the format may change. */
export const writeCursor = (id: string): string => Buffer.from(`1${id}`).toString('base64url');

/** The id in a cursor; AppError `validation_error` when this service did not write it. */
export function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^1[a-z]{2,3}_[0-9a-z]{20}$/.test(text) && writeCursor(text.slice(1)) === cursor) return text.slice(1);
  throw invalid(
    '/cursor',
    'This cursor is not from this list. Use next_cursor unchanged, or leave it out to start over.',
  );
}

/** Cursors of one list with its filters: those of another are refused. `place` is up to 60 characters of ASCII. */
export function scopedCursor(list: string): { write(place: string): string; read(cursor: string): string } {
  const mark = `2${Buffer.from(sha256(list)).toString('base64url').slice(0, 8)}.`;
  return {
    write: (place) => Buffer.from(mark + place).toString('base64url'),
    read(cursor) {
      const text = Buffer.from(cursor, 'base64url').toString('latin1');
      const place = text.slice(mark.length);
      if (text.startsWith(mark) && /^[0-9a-z_ ~]{1,60}$/.test(place)) return place;
      throw invalid(
        '/cursor',
        'This cursor is not of this list with these filters. Use next_cursor unchanged with the same query, or leave it out to start over.',
      );
    },
  };
}
