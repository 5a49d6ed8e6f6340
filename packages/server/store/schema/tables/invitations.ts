import type { Role } from '../../../core/entities/member.ts';
import { bigint, nullable, table, text } from '../table.ts';

/** `mailbox_ids` is JSON text; null for the whole namespace. */
export const invitations = table(
  'invitations',
  {
    id: text(),
    namespace_id: text(),
    address: text(),
    role: text<Role>(),
    mailbox_ids: nullable(text()),
    name: text(),
    sha256: text(),
    key_id: text(),
    created_at: bigint(),
    expires_at: bigint(),
  },
  {
    key: ['id'],
    indexes: ['unique invitations_address (namespace_id, address)', 'unique invitations_sha256 (sha256)'],
  },
);
