import { bigint, integer, nullable, table, text } from '../table.ts';

export const notes = table(
  'notes',
  {
    mailbox_id: text(),
    owner: text(),
    name: text(),
    body: text(),
    updated_at: bigint(),
    sender_namespace_id: nullable(text()),
  },
  {
    key: ['mailbox_id', 'owner', 'name'],
    clustered: true,
    indexes: ['notes_sender (sender_namespace_id) where sender_namespace_id is not null'],
  },
);

export const schedules = table(
  'schedules',
  {
    id: text(),
    mailbox_id: text(),
    owner: text(),
    sender: text(),
    from_mailbox_id: nullable(text()),
    thread_id: text(),
    hops: integer(),
    name: text(),
    body: text(),
    data: nullable(text()),
    rule: nullable(text()),
    time_zone: text(),
    next_at: bigint(),
    last_at: nullable(bigint()),
    created_at: bigint(),
    sender_namespace_id: nullable(text()),
  },
  {
    key: ['id'],
    indexes: [
      'schedules_owner (mailbox_id, owner, next_at, id)',
      'schedules_sender (sender_namespace_id) where sender_namespace_id is not null',
    ],
  },
);
