import { labelsIn, UNREAD } from '../../../core/entities/label.ts';
import type { Message } from '../../../core/entities/message.ts';
import { operatorsIn } from '../../../core/values/search-query.ts';
import type { ListRow } from './list-rows.ts';

/** An operator that narrows a search, and to how many hits; an empty text where that is not known. */
export interface Narrowing {
  readonly operator: string;
  readonly count: string;
}

/** Senders that are offered. */
const SENDERS = 2;

const isUnread = ({ message, options }: ListRow): boolean =>
  options.mailbox?.namespace_id === options.namespace_id && labelsIn(message, message.mailbox_id).includes(UNREAD);
const FITS: Readonly<Record<string, (row: ListRow) => boolean>> = {
  'is:unread': isUnread,
  'has:attachment': ({ message }) => (message.attachments ?? []).length > 0,
  'is:answered': ({ message }) => message.reply !== null || message.replies_count > 0,
  'is:failed': ({ message }) => message.status === 'failed',
};

/**
 * What narrows a search, counted among the hits of its first page, so that it costs no search of its own; where there are
 * `more` hits, the counts say so. Nothing that leaves no hit, or that the search has already.
 */
export function narrowings(query: string, rows: readonly ListRow[], more: boolean): readonly Narrowing[] {
  const operators = new Set(operatorsIn(query).map(({ text }) => text));
  const counted = Object.entries(FITS).map(([operator, fits]) => ({ operator, count: rows.filter(fits).length }));
  const named = [...operators].some((text) => text.startsWith('from:'));
  const all = [...counted, ...(named ? [] : senders(rows))].filter(({ operator }) => !operators.has(operator));
  return all.flatMap(({ operator, count }) => {
    if (count === 0) return more ? [{ operator, count: '' }] : [];
    return [{ operator, count: `${count}${more ? '+' : ''}` }];
  });
}

/** Who wrote most of the hits, where others wrote some too. */
function senders(rows: readonly ListRow[]) {
  const byAddress = Map.groupBy(rows, ({ message }) => fromOf(message));
  return [...byAddress]
    .flatMap(([address, { length }]) =>
      address === undefined || length === rows.length ? [] : [{ operator: `from:${address}`, count: length }],
    )
    .toSorted((a, b) => b.count - a.count)
    .slice(0, SENDERS);
}

/** The address of its author, where a search can name it: of this service without its domain, which is shorter. */
const fromOf = ({ from }: Message): string | undefined => (from === null || /["\s]/.test(from) ? undefined : from);
