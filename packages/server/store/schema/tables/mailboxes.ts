import type { DomainStatus } from '../../../core/entities/domain.ts';
import type { Key } from '../../../core/entities/key.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { bigint, integer, nullable, table, text } from '../table.ts';

/** `network` is the one it was created from (an HMAC, never the address), until a person claims it. */
export const namespaces = table(
  'namespaces',
  {
    id: text(),
    name: text(),
    display_name: nullable(text()),
    created_at: bigint(),
    deleted_at: nullable(bigint()),
    network: nullable(text()),
    claimed_at: nullable(bigint()),
  },
  { key: ['id'], indexes: ['unique namespaces_name (name)'] },
);

/** The lists of senders are JSON. */
export const mailboxes = table(
  'mailboxes',
  {
    id: text(),
    namespace_id: text(),
    namespace: text(),
    local_part: text(),
    display_name: nullable(text()),
    description: text(),
    behavior: text(),
    settings: text(),
    senders_allow: { ...text(), otherwise: "'[]'" },
    senders_block: { ...text(), otherwise: "'[]'" },
    status: text<Mailbox['status']>(),
    /** Where a program answers: until when it is connected. */
    online_until: nullable(bigint()),
    /** Whether messages are pushed to a webhook; null where there is none. */
    webhook: nullable(text<'on' | 'off'>()),
    /** The key by which its settings have messages leave, or others act; null where they do not. */
    settings_key_id: nullable(text()),
    /** Since when its messages leave as ids alone, or not at all, because that key may not have them leave. */
    limited_since: nullable(bigint()),
    visibility: text<Mailbox['visibility']>(),
    access: text<Mailbox['access']>(),
    try_out: integer(),
    /** Which messages it handles; the others are filed. */
    wake: { ...text<Mailbox['wake']>(), otherwise: "'to'" },
    /** Whether who is answered by hand is told the name of who answers. */
    sign_answers: integer(0),
    /** Pairs of its namespace, as JSON text. */
    metadata: nullable(text()),
    /** What may leave it, as JSON text; null where nothing is held or refused. */
    outgoing: nullable(text()),
    /** Its rules, as JSON text; null for none. */
    rules: nullable(text()),
    /** What its messages may take of the language model on one day, as JSON text. */
    budget: nullable(text()),
    created_at: bigint(),
    updated_at: bigint(),
    deleted_at: nullable(bigint()),
  },
  {
    key: ['id'],
    indexes: [
      'unique mailboxes_living (namespace_id, local_part) where deleted_at is null',
      'mailboxes_address (namespace, local_part, id)',
      'mailboxes_namespace (namespace_id, id)',
      "mailboxes_public (id) where deleted_at is null and visibility = 'listed' and access = 'public'",
      "mailboxes_public_behavior (behavior, id) where deleted_at is null and visibility = 'listed' and access = 'public'",
      'mailboxes_of (namespace_id, id) where deleted_at is null',
    ],
  },
);

/** The settings of a mailbox's earlier behaviors, one row per behavior and none of the current one. */
export const keptSettings = table(
  'kept_settings',
  { mailbox_id: text(), behavior: text(), settings: text() },
  { key: ['mailbox_id', 'behavior'], clustered: true },
);

/**
 * The webhook to which a mailbox's messages are pushed; its URL is a setting. `old_secret` signs too, until `old_until`.
 * `failing_since` is when the first of the attempts failed since which none has worked.
 */
export const agentWebhooks = table(
  'agent_webhooks',
  {
    mailbox_id: text(),
    secret: text(),
    old_secret: nullable(text()),
    old_until: nullable(bigint()),
    failing_since: nullable(bigint()),
    off_at: nullable(bigint()),
    error: nullable(text()),
  },
  { key: ['mailbox_id'], clustered: true },
);

export const keys = table(
  'keys',
  {
    id: text(),
    namespace_id: text(),
    namespace: text(),
    name: nullable(text()),
    prefix: text(),
    sha256: text<Key['sha256']>(),
    scopes: text(),
    mailbox_id: nullable(text()),
    mailbox: nullable(text()),
    created_at: bigint(),
    last_used_at: nullable(bigint()),
    expires_at: nullable(bigint()),
    revoked_at: nullable(bigint()),
    /** The ids of the other mailboxes it is bound to, as JSON text; null for none. */
    also: nullable(text()),
    /** The member whose it is. */
    account_id: nullable(text()),
  },
  {
    key: ['id'],
    indexes: [
      'unique keys_sha256 (sha256)',
      'keys_namespace (namespace_id, id)',
      'keys_living (namespace_id, id) where revoked_at is null',
      'keys_working (namespace_id, expires_at) where revoked_at is null',
      'keys_account (account_id) where account_id is not null',
      'keys_revoked (revoked_at) where revoked_at is not null',
      'keys_expires (expires_at) where expires_at is not null',
    ],
  },
);

/**
 * Domains of owners. `dkim` (with private keys) and `records` (as of the last check) are JSON. In one namespace at most a
 * domain is verified.
 */
export const domains = table(
  'domains',
  {
    id: text(),
    namespace_id: text(),
    domain: text(),
    status: text<DomainStatus>(),
    token: text(),
    dkim: text(),
    records: text(),
    error: nullable(text()),
    checked_at: nullable(bigint()),
    check_at: nullable(bigint()),
    misses: integer(),
    failing_since: nullable(bigint()),
    verified_at: nullable(bigint()),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: [
      'unique domains_namespace (namespace_id, domain)',
      "unique domains_verified (domain) where status = 'verified'",
      'domains_domain (domain, id)',
      'domains_due (check_at) where check_at is not null',
    ],
  },
);
