import type { Table } from './table.ts';
import { audit, auditHeads } from './tables/audit.ts';
import { conversations, threadNotes } from './tables/conversations.ts';
import { deliveries, emails, messageIds, pushConfigs, suppressions, webhooks } from './tables/deliveries.ts';
import { notes, schedules } from './tables/do.ts';
import { invitations } from './tables/invitations.ts';
import { agentWebhooks, domains, keptSettings, keys, mailboxes, namespaces } from './tables/mailboxes.ts';
import {
  attachments,
  blobChunks,
  blobs,
  drafts,
  handlings,
  labels,
  messages,
  takenThreads,
} from './tables/messages.ts';
import { contacts, reviews } from './tables/reviews.ts';
import {
  events,
  idempotency,
  indexChanges,
  jobs,
  modelUsage,
  probe,
  recipientDays,
  secrets,
  signingKeys,
  states,
  storage,
} from './tables/service.ts';
import { accounts, allowances, clients, members, passkeys, subjects } from './tables/sign-in.ts';

export * from './tables/audit.ts';
export * from './tables/conversations.ts';
export * from './tables/deliveries.ts';
export * from './tables/do.ts';
export * from './tables/invitations.ts';
export * from './tables/mailboxes.ts';
export * from './tables/messages.ts';
export * from './tables/reviews.ts';
export * from './tables/service.ts';
export * from './tables/sign-in.ts';

/** All tables. */
export const TABLES: readonly Table[] = [
  namespaces,
  mailboxes,
  keptSettings,
  agentWebhooks,
  keys,
  messages,
  handlings,
  takenThreads,
  conversations,
  threadNotes,
  attachments,
  blobs,
  blobChunks,
  labels,
  drafts,
  reviews,
  contacts,
  deliveries,
  pushConfigs,
  webhooks,
  suppressions,
  domains,
  messageIds,
  emails,
  jobs,
  idempotency,
  secrets,
  probe,
  states,
  signingKeys,
  events,
  indexChanges,
  notes,
  schedules,
  accounts,
  subjects,
  passkeys,
  members,
  invitations,
  clients,
  allowances,
  storage,
  modelUsage,
  recipientDays,
  audit,
  auditHeads,
];
