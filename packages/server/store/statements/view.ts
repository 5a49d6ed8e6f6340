import type { SearchedBy } from '../../core/ports/search.ts';
import type { Cell } from '../db.ts';
import { isInTrash, isTrashed } from './labels.ts';

/** The joins that `viewOf` needs, of messages `m`. */
export const VIEW_JOINS = `
  left join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id`;

/**
 * SQL for which messages `m` are seen by a namespace or by some mailboxes: what is in the trash of either is not, and a copy
 * is seen by its recipient alone. `boxes` selects the ids of the living mailboxes; with `inTrash` only the trash is seen.
 */
export function viewOf(
  of: SearchedBy,
  p: (cell: Cell) => string,
  inTrash = false,
): { readonly boxes: string; readonly sees: string } {
  const all = 'namespace_id' in of ? p(of.namespace_id) : undefined;
  const named = 'mailbox_ids' in of ? `o.id in (${of.mailbox_ids.map(p).join(', ')})` : `o.namespace_id = ${all}`;
  const boxes = `(select o.id from mailboxes o where ${named} and o.deleted_at is null)`;
  const wrote = `(m.from_mailbox_id in ${boxes} and (b.id is not null or m.kind = 'reply' or m.to_mailbox_id is null))`;
  const sent = `(m.kind = 'message' and m.sender_namespace_id = ${all}
    and (b.id is not null or (m.to_mailbox_id is null and s.deleted_at is null)))`;
  const columns = all === undefined ? [wrote] : [wrote, sent];
  const trash =
    all === undefined ? boxes : `(select o.id from mailboxes o where o.namespace_id = ${all} union all select ${all})`;
  return {
    boxes,
    sees: `(m.to_mailbox_id in ${boxes} or (m.copy_of is null and (${columns.join(' or ')}))) and ${inTrash ? isInTrash(`in ${trash}`) : `not ${isTrashed(`in ${trash}`)}`}`,
  };
}
