import type { Messages } from '../../core/ports/messages.ts';
import type { MessageReads } from '../statements/messages.ts';
import type { Next } from './collect.ts';
import type { Searches } from './searches.ts';

/** Hits of the index that a page examines. */
const SEARCHED = 10_000;

/** The pages of a search of the index. */
export const makeSearch =
  (searches: Searches, { byIds, fitting }: Pick<MessageReads, 'byIds' | 'fitting'>): Messages['search'] =>
  async (search, place, size, caller) => {
    const next: Next = (from, max) => ({ kind: 'hits', of: search, place: from ?? place, max });
    const { found, place: end } = await searches.run(undefined, next, { max: size, rows: SEARCHED }, caller);
    const part = await fitting(found);
    const byId = new Map((await byIds(part)).map((message) => [message.id, message]));
    const items = part.map((id) => byId.get(id)).filter((message) => message !== undefined);
    if (part.length === found.length) return { items, next: end };
    return {
      items,
      next: search.sort === 'relevance' ? String(Number(place ?? 0) + part.length) : (part.at(-1) ?? null),
    };
  };
