import type { ConversationState } from '../../../core/entities/standing.ts';
import { bigint, nullable, table, text } from '../table.ts';

/**
 * What people noted of a thread in one mailbox; a thread without a row is open and assigned to none. `until` is when one
 * for `later` opens again. `updated_at` is when it was changed, or got a message, last.
 */
export const conversations = table(
  'conversations',
  {
    namespace_id: text(),
    mailbox_id: text(),
    thread_id: text(),
    state: text<ConversationState>(),
    until: nullable(bigint()),
    assignee: nullable(text()),
    updated_at: bigint(),
  },
  {
    key: ['mailbox_id', 'thread_id'],
    clustered: true,
    indexes: [
      'conversations_state (namespace_id, state, updated_at, thread_id)',
      'conversations_mailbox (mailbox_id, state, updated_at, thread_id)',
      'conversations_assignee (namespace_id, assignee, updated_at, thread_id) where assignee is not null',
    ],
  },
);

/** What members write to each other beside a thread. `author` and `mentions` are JSON texts. */
export const threadNotes = table(
  'thread_notes',
  {
    id: text(),
    namespace_id: text(),
    mailbox_id: text(),
    thread_id: text(),
    author: text(),
    body: text(),
    mentions: text(),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      'thread_notes_thread (mailbox_id, thread_id, id)',
      "thread_notes_mentions (namespace_id, created_at) where mentions <> '[]'",
    ],
  },
);
