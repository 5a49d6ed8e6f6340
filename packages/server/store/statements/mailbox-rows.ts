import type { MailboxQuery } from '../../core/ports/mailboxes.ts';
import { params, step, type WriteStep } from '../db.ts';
import { hasPair } from './metadata.ts';

/** Repeats the condition of the directory's index word for word, so that the index is used. */
const PUBLIC = "deleted_at is null and visibility = 'listed' and access = 'public'";

/**
 * Up to `most` living mailboxes above the id `after`, in the order of creation, without applying `query`. Every examined
 * row is one of them or of one namespace: the directory has an index of its own, to which the rows of the caller's
 * namespace are added.
 */
export function mailboxRows(columns: string, query: MailboxQuery, after: string | null, max: number): WriteStep {
  const { values, p } = params();
  const rest = [`id > ${p(after ?? '')}`];
  for (const [name, value] of Object.entries(query.metadata ?? {})) rest.push(hasPair('metadata', name, value, p));
  if (query.behavior !== undefined) rest.push(`behavior = ${p(query.behavior)}`);
  const end = `order by id limit ${p(max)}`;
  const rows = (where: string): string =>
    `select ${columns} from mailboxes where ${[where, ...rest].join(' and ')} ${end}`;
  const within =
    query.namespace_id !== undefined
      ? p(query.namespace_id)
      : query.namespace !== undefined && `(select n.id from namespaces n where n.name = ${p(query.namespace)})`;
  if (within !== false) {
    const listed = query.listed ? "and visibility = 'listed'" : '';
    const seen = `and (access = 'public' or namespace_id = ${p(query.seen_by ?? '')})`;
    return step(rows(`namespace_id = ${within} and deleted_at is null ${listed} ${seen}`), ...values);
  }
  if (!query.listed) throw new TypeError('What is not listed is found in its namespace alone');
  if (query.seen_by === null) return step(rows(PUBLIC), ...values);
  const own = `namespace_id = ${p(query.seen_by)} and deleted_at is null and visibility = 'listed' and access = 'key'`;
  const all = `select * from (${rows(PUBLIC)}) a union all select * from (${rows(own)}) b`;
  return step(`select * from (${all}) both_of ${end}`, ...values);
}
