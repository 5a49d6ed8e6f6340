import { bigint, nullable, table, text } from '../table.ts';

/** Actors, origins, targets and fields are JSON text. */
export const audit = table(
  'audit',
  {
    namespace_id: text(),
    number: bigint(),
    id: text(),
    at: bigint(),
    actor: text(),
    actor_id: nullable(text()),
    origin: text(),
    action: text(),
    target: text(),
    before: nullable(text()),
    after: nullable(text()),
    previous_hash: text(),
    hash: text(),
  },
  {
    key: ['namespace_id', 'number'],
    clustered: true,
    indexes: [
      'unique audit_id (id)',
      'audit_action (namespace_id, action, number)',
      'audit_actor (namespace_id, actor_id, number) where actor_id is not null',
      'audit_actor_action (namespace_id, actor_id, action, number) where actor_id is not null',
      'audit_at (at)',
    ],
  },
);

/** The newest entry of each chain, which stays when its entries are removed. */
export const auditHeads = table(
  'audit_heads',
  { namespace_id: text(), number: bigint(), previous_hash: text(), hash: text() },
  { key: ['namespace_id'], clustered: true },
);
