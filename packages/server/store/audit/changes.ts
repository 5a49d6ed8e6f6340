import {
  type Changes,
  logOfDomain,
  logOfDraft,
  logOfMailbox,
  logOfMessage,
  logOfReview,
  logOfView,
  logOfWebhook,
  row,
} from './change.ts';
import { endOfKeys, SIGN_IN_CHANGES } from './sign-in-changes.ts';

const ofMailbox = (action: string, id: string) => ({
  action,
  log: logOfMailbox(id),
  target: { kind: 'mailbox', id },
  row: row('mailboxes', id),
});
const ofMailboxWebhook = (action: string, id: string) => ({ ...ofMailbox(action, id), row: row('agent_webhooks', id) });
const ofWebhook = (action: string, id: string) => ({
  action,
  log: logOfWebhook(id),
  target: { kind: 'webhook', id },
  row: row('webhooks', id),
});
/** Without a row: it changes no webhook, but what it delivers. */
const ofDelivery = (action: string, id: string) => ({
  action,
  log: logOfWebhook(id),
  target: { kind: 'webhook', id },
});
const ofDomain = (action: string, id: string) => ({
  action,
  log: logOfDomain(id),
  target: { kind: 'domain', id },
  row: row('domains', id),
});
const ofMessage = (action: string, id: string) => ({
  action,
  log: logOfMessage(id),
  target: { kind: 'message', id },
});
const ofTrash = (action: string, view: string, id: string) => ({
  action,
  log: logOfView(view),
  target: { kind: 'message', id },
  row: row('trash', view, 'trash', id),
});
const ofReview = (action: string, id: string) => ({
  action,
  log: logOfReview(id),
  target: { kind: 'review', id },
  row: row('reviews', id),
});
const ofThread = (action: string, thread: { readonly thread_id: string; readonly mailbox_id: string }) => ({
  action,
  log: logOfMailbox(thread.mailbox_id),
  target: { kind: 'thread', id: thread.thread_id },
  row: row('taken_threads', thread.thread_id, thread.mailbox_id),
});

/** What each method of a port changes that the audit log has. Messages and their handling are not among it. */
export const CHANGES: Changes = {
  ...SIGN_IN_CHANGES,
  namespaces: {
    create: ({ namespace: { id, name }, key, mailboxes }) => [
      {
        action: 'namespace.created',
        log: id,
        target: { kind: 'namespace', id, name },
        row: row('namespaces', id),
      },
      {
        action: 'key.created',
        log: id,
        target: { kind: 'key', id: key.id, name: key.name },
        row: row('keys', key.id),
      },
      ...mailboxes.map((mailbox) => ({ ...ofMailbox('mailbox.created', mailbox.id), log: id })),
    ],
    claim: (id) => ({
      action: 'namespace.claimed',
      log: id,
      target: { kind: 'namespace', id },
      row: row('namespaces', id),
    }),
    rename: (id) => ({
      action: 'namespace.updated',
      log: id,
      target: { kind: 'namespace', id },
      row: row('namespaces', id),
    }),
    delete: (id) => ({
      action: 'namespace.deleted',
      log: id,
      target: { kind: 'namespace', id },
      row: row('namespaces', id),
    }),
  },
  mailboxes: {
    create: ({ id, namespace_id }) => ({ ...ofMailbox('mailbox.created', id), log: namespace_id }),
    change: (id) => ofMailbox('mailbox.updated', id),
    limit: (id) => ({ ...ofMailbox('mailbox.limited', id), own: true }),
    // An address is an account too, whose memberships end with it.
    delete: (id) => [ofMailbox('mailbox.deleted', id), ...endOfKeys(id)],
  },
  keys: {
    create: ({ id, namespace_id }) => ({
      action: 'key.created',
      log: namespace_id,
      target: { kind: 'key', id },
      row: row('keys', id),
    }),
    revoke: (id, namespace_id) => ({
      action: 'key.revoked',
      log: namespace_id,
      target: { kind: 'key', id },
      row: row('keys', id),
    }),
    remove: (id, namespace_id) => ({
      action: 'key.removed',
      log: namespace_id,
      target: { kind: 'key', id },
      row: row('keys', id),
    }),
    renew: (id) => ({
      action: 'key.renewed',
      log: { sql: 'select namespace_id from keys where id = $1', params: [id] },
      target: { kind: 'key', id },
      row: row('keys', id),
    }),
  },
  messages: {
    remove: ({ id }) => ({ ...ofMessage('message.deleted', id), row: row('messages', id) }),
    approve: (id) => ({ ...ofMessage('plan.approved', id), row: row('handlings', id) }),
    // By the same method an approved answer is written, of which the decision is an entry already.
    refuse: (id, _plan, { error_code }) =>
      error_code === 'refused' ? { ...ofMessage('plan.rejected', id), row: row('handlings', id) } : undefined,
  },
  labels: {
    trash: (view, id) => ofTrash('message.trashed', view, id),
    restore: (view, id) => ofTrash('message.restored', view, id),
  },
  threads: {
    takeOver: (thread) => ofThread('thread.taken_over', thread),
    handBack: (thread) => ofThread('thread.handed_back', thread),
  },
  conversations: {
    change: ({ thread_id, mailbox_id }) => ({
      action: 'thread.updated',
      log: logOfMailbox(mailbox_id),
      target: { kind: 'thread', id: thread_id },
      row: row('conversations', mailbox_id, thread_id),
    }),
    addNote: ({ id, namespace_id, thread_id }) => ({
      action: 'thread.noted',
      log: namespace_id,
      target: { kind: 'thread', id: thread_id },
      row: row('thread_notes', id),
    }),
  },
  drafts: {
    remove: (id) => ({
      action: 'draft.deleted',
      log: logOfDraft(id),
      target: { kind: 'draft', id },
      row: row('drafts', id),
    }),
  },
  reviews: {
    change: (id) => ofReview('review.changed', id),
    decide: (id, _hash, { status }) => ({
      ...ofReview(`review.${status}`, id),
      ...(status === 'expired' && { own: true }),
    }),
  },
  agentWebhooks: {
    enable: (id) => ofMailboxWebhook('mailbox_webhook.enabled', id),
    rotate: (id) => ofMailboxWebhook('mailbox_webhook.rotated', id),
    disable: (id) => ({ ...ofMailboxWebhook('mailbox_webhook.disabled', id), own: true }),
  },
  webhooks: {
    create: ({ id, namespace_id }) => ({ ...ofWebhook('webhook.created', id), log: namespace_id }),
    change: (id) => ofWebhook('webhook.updated', id),
    rotate: (id) => ofWebhook('webhook.rotated', id),
    enable: (id) => ofWebhook('webhook.enabled', id),
    disable: (id, { reason }) => ({
      ...ofWebhook('webhook.disabled', id),
      ...(reason !== 'owner' && { own: true }),
    }),
    limit: (id) => ({ ...ofWebhook('webhook.limited', id), own: true }),
    remove: (id) => ofWebhook('webhook.removed', id),
    replay: (id) => ofDelivery('webhook.replayed', id),
    redeliver: (id) => ofDelivery('webhook.redelivered', id),
    record: ({ target }) => ofDelivery('webhook.tested', target),
  },
  pushConfigs: {
    set: ({ task_id, key_id, id, namespace_id }) => ({
      action: 'push_config.set',
      log: namespace_id,
      target: { kind: 'push_config', id, name: task_id },
      row: row('push_configs', task_id, key_id, id),
    }),
    remove: ({ task_id, key_id, id }) => ({
      action: 'push_config.removed',
      log: {
        sql: 'select namespace_id from push_configs where task_id = $1 and key_id = $2 and id = $3',
        params: [task_id, key_id, id],
      },
      target: { kind: 'push_config', id, name: task_id },
      row: row('push_configs', task_id, key_id, id),
    }),
  },
  suppressions: {
    remove: ({ namespace_id, kind, target }) => ({
      action: 'suppression.lifted',
      log: namespace_id ?? '',
      target: { kind: 'suppression', id: target },
      row: row('suppressions', namespace_id, kind, target),
    }),
  },
  domains: {
    create: ({ namespace_id, id }) => ({ ...ofDomain('domain.added', id), log: namespace_id }),
    verify: (id) => ofDomain('domain.verified', id),
    fail: (id) => ofDomain('domain.failed', id),
    replaceKeys: (id) => ofDomain('domain.keys_replaced', id),
    remove: (id) => ofDomain('domain.removed', id),
  },
};
