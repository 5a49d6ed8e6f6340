import type { SearchedBy } from '../../core/ports/search.ts';
import type { Cell } from '../db.ts';
import { isInTrash, isTrashed } from './labels.ts';

/** The joins that `viewOf` needs, of messages `m`. */
export const VIEW_JOINS = `
  left join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id`;

/**
 * SQL for which messages `m` are seen by a namespace or by one mailbox: what is in the trash of either is not, and a copy
 * is seen by its recipient alone. `boxes` selects the ids of the living mailboxes; with `inTrash` only the trash is seen.
 */
export function viewOf(
  of: SearchedBy,
  p: (cell: Cell) => string,
  inTrash = false,
): { readonly boxes: string; readonly sees: string } {
  const one = 'mailbox_id' in of ? p(of.mailbox_id) : p(of.namespace_id);
  const column = 'mailbox_id' in of ? 'id' : 'namespace_id';
  const boxes = `(select o.id from mailboxes o where o.${column} = ${one} and o.deleted_at is null)`;
  const wrote = `(m.from_mailbox_id in ${boxes} and (b.id is not null or m.kind = 'reply' or m.to_mailbox_id is null))`;
  const sent = `(m.kind = 'message' and m.sender_namespace_id = ${one}
    and (b.id is not null or (m.to_mailbox_id is null and s.deleted_at is null)))`;
  const own = 'mailbox_id' in of ? [wrote] : [wrote, sent];
  const trash =
    'mailbox_id' in of ? boxes : `(select o.id from mailboxes o where o.namespace_id = ${one} union all select ${one})`;
  return {
    boxes,
    sees: `(m.to_mailbox_id in ${boxes} or (m.copy_of is null and (${own.join(' or ')}))) and ${inTrash ? isInTrash(`in ${trash}`) : `not ${isTrashed(`in ${trash}`)}`}`,
  };
}
