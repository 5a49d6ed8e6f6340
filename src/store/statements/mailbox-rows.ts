import type { MailboxQuery } from '../../core/ports/store.ts';
import type { WriteStep } from '../db.ts';
import { params, step } from '../db.ts';

/** What the index of the directory holds, word for word, so that it is used. */
const PUBLIC = "deleted_at is null and visibility = 'listed' and access = 'public'";

/**
 * Up to `most` living mailboxes above the id `after`, in the order they were made; `query` aside. Each row that is looked at is
 * one of them, or of one namespace: the directory is an index of its own, to which a caller's namespace adds what it alone sees.
 */
export function mailboxRows(columns: string, of: MailboxQuery, after: string | null, max: number): WriteStep {
  const { values, p } = params();
  const rest = [`id > ${p(after ?? '')}`];
  if (of.behavior !== undefined) rest.push(`behavior = ${p(of.behavior)}`);
  const end = `order by id limit ${p(max)}`;
  const rows = (where: string): string =>
    `select ${columns} from mailboxes where ${[where, ...rest].join(' and ')} ${end}`;
  const within =
    of.namespace_id !== undefined
      ? p(of.namespace_id)
      : of.namespace !== undefined && `(select n.id from namespaces n where n.name = ${p(of.namespace)})`;
  if (within !== false) {
    const listed = of.listed ? "and visibility = 'listed'" : '';
    const seen = `and (access = 'public' or namespace_id = ${p(of.seen_by ?? '')})`;
    return step(rows(`namespace_id = ${within} and deleted_at is null ${listed} ${seen}`), ...values);
  }
  if (!of.listed) throw new TypeError('What is not listed is found in its namespace alone');
  if (of.seen_by === null) return step(rows(PUBLIC), ...values);
  const own = `namespace_id = ${p(of.seen_by)} and deleted_at is null and visibility = 'listed' and access = 'key'`;
  const all = `select * from (${rows(PUBLIC)}) a union all select * from (${rows(own)}) b`;
  return step(`select * from (${all}) both_of ${end}`, ...values);
}
