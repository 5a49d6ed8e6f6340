import type { Client } from '../../../core/entities/client.ts';
import type { Role } from '../../../core/entities/member.ts';
import { bigint, integer, nullable, table, text } from '../table.ts';

export const accounts = table(
  'accounts',
  { id: text(), address: text(), created_at: bigint() },
  { key: ['id'], indexes: ['unique accounts_address (address)'] },
);

export const subjects = table(
  'subjects',
  { namespace_id: text(), account_id: text(), subject: text() },
  {
    key: ['namespace_id', 'account_id'],
    clustered: true,
    indexes: ['unique subjects_subject (namespace_id, subject)', 'subjects_account (account_id)'],
  },
);

export const passkeys = table(
  'passkeys',
  {
    id: text(),
    account_id: text(),
    name: text(),
    public_key: text(),
    counter: bigint(),
    transports: text(),
    backed_up: integer(),
    created_at: bigint(),
    used_at: nullable(bigint()),
  },
  { key: ['id'], indexes: ['passkeys_account (account_id)'] },
);

/** `mailbox_ids` is JSON text; null for the whole namespace. */
export const members = table(
  'members',
  {
    namespace_id: text(),
    account_id: text(),
    key_id: text(),
    created_at: bigint(),
    role: { ...text<Role>(), otherwise: "'owner'" },
    mailbox_ids: nullable(text()),
    name: { ...text(), otherwise: "''" },
    /** How they are called: in the browser, and by mail after so many minutes; null for no mail. */
    notify_browser: integer(1),
    notify_minutes: { ...nullable(integer()), otherwise: '15' },
    /** When the last mail called them, and its id. */
    called_at: nullable(bigint()),
    called_by: nullable(text()),
  },
  {
    key: ['namespace_id', 'account_id'],
    clustered: true,
    indexes: ['members_account (account_id)', 'members_key (key_id)'],
  },
);

export const clients = table(
  'clients',
  {
    id: text(),
    namespace_id: text(),
    mailbox_id: text(),
    source: text<Client['source']>(),
    name: text(),
    metadata: text(),
    secret: nullable(text()),
    created_at: bigint(),
    updated_at: bigint(),
  },
  { key: ['id'], indexes: ['clients_mailbox (mailbox_id, id)'] },
);

export const allowances = table(
  'allowances',
  { mailbox_id: text(), issuer_id: text(), client_id: text(), name: text(), created_at: bigint() },
  {
    key: ['mailbox_id', 'issuer_id', 'client_id'],
    clustered: true,
    indexes: ['allowances_client (issuer_id, client_id)'],
  },
);
