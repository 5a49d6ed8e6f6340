import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import type { AuditFields } from '../../core/entities/audit.ts';
import { canonicalJson } from '../../core/values/canonical-json.ts';
import { SIGN_IN_OF } from '../../core/values/sign-in-name.ts';
import { type Cell, type Row, step, type WriteStep } from '../db.ts';
import { quotedColumn, type Table } from '../schema/table.ts';
import * as tables from '../schema/tables.ts';
import { shown, unsaid } from './shown.ts';

type Show = (cell: Cell) => Json;
const plain: Show = (cell) => shown(cell as Json);
const parsed: Show = (cell) => (cell === null ? null : shown(JSON.parse(cell as string) as Json));
const text: Show = (cell) => unsaid(cell as Json);
const texts: Show = (cell) => (cell === null ? null : unsaid(JSON.parse(cell as string) as Json));
const time: Show = (cell) => (cell === null ? null : rfc3339(cell as Millis));

/** A key with which an account acts is named after its address. */
const keyName: Show = (cell) =>
  typeof cell === 'string' && cell.startsWith(SIGN_IN_OF) ? `${SIGN_IN_OF} ${unsaid(cell) as string}` : plain(cell);

/** What the audit log sees of the rows of a table. Columns that are neither shown nor watched may change without an entry. */
interface Image<T extends Table = Table> {
  readonly table: T;
  /** The columns by which a row is found. */
  readonly by: readonly (keyof T['columns'] & string)[];
  readonly shows: { readonly [name in keyof T['columns'] & string]?: Show };
  /** Columns whose values an entry never has, but of which a change is one. */
  readonly watches?: readonly (keyof T['columns'] & string)[];
  /** The columns that name it to a reader, joined by @. */
  readonly name?: readonly (keyof T['columns'] & string)[];
}
const image = <T extends Table>(definition: Image<T>): Image => definition as unknown as Image;

const IMAGES = {
  namespaces: image({
    table: tables.namespaces,
    by: ['id'],
    shows: { display_name: plain, claimed_at: time, deleted_at: time },
    name: ['name'],
  }),
  mailboxes: image({
    table: tables.mailboxes,
    by: ['id'],
    shows: {
      display_name: text,
      description: text,
      behavior: plain,
      settings: texts,
      senders_allow: parsed,
      senders_block: parsed,
      status: plain,
      webhook: plain,
      visibility: plain,
      access: plain,
      try_out: plain,
      wake: plain,
      metadata: texts,
      outgoing: parsed,
      rules: texts,
      budget: parsed,
      settings_key_id: plain,
      limited_since: time,
      deleted_at: time,
    },
    name: ['local_part', 'namespace'],
  }),
  agent_webhooks: image({
    table: tables.agentWebhooks,
    by: ['mailbox_id'],
    shows: { off_at: time },
    watches: ['secret'],
  }),
  keys: image({
    table: tables.keys,
    by: ['id'],
    shows: {
      name: keyName,
      prefix: plain,
      scopes: parsed,
      mailbox: plain,
      also: parsed,
      account_id: plain,
      expires_at: time,
      revoked_at: time,
    },
    watches: ['sha256'],
    name: ['name'],
  }),
  domains: image({
    table: tables.domains,
    by: ['id'],
    shows: { domain: plain, status: plain },
    watches: ['dkim'],
    name: ['domain'],
  }),
  domain_names: image({
    table: tables.domains,
    by: ['namespace_id', 'domain'],
    shows: { domain: plain, status: plain },
  }),
  webhooks: image({
    table: tables.webhooks,
    by: ['id'],
    shows: {
      url: plain,
      types: parsed,
      batch: plain,
      mailbox: plain,
      status: plain,
      disabled_reason: plain,
      key_id: plain,
      limited_since: time,
    },
    watches: ['secret'],
  }),
  suppressions: image({
    table: tables.suppressions,
    by: ['namespace_id', 'kind', 'target'],
    shows: { reason: plain },
    name: ['target'],
  }),
  clients: image({
    table: tables.clients,
    by: ['id'],
    shows: { name: plain, source: plain, metadata: parsed },
    watches: ['secret'],
    name: ['name'],
  }),
  allowances: image({
    table: tables.allowances,
    by: ['mailbox_id', 'issuer_id', 'client_id'],
    shows: { name: plain },
    name: ['name'],
  }),
  reviews: image({
    table: tables.reviews,
    by: ['id'],
    shows: { status: plain, decided_by: plain, changed_by: plain },
    watches: ['hash'],
    name: ['mailbox'],
  }),
  handlings: image({
    table: tables.handlings,
    by: ['message_id'],
    shows: {},
    watches: ['approved', 'waiting_for'],
  }),
  taken_threads: image({ table: tables.takenThreads, by: ['thread_id', 'mailbox_id'], shows: { taken_at: time } }),
  trash: image({ table: tables.labels, by: ['mailbox_id', 'label', 'message_id'], shows: {}, watches: ['label'] }),
  messages: image({ table: tables.messages, by: ['id'], shows: {}, watches: ['to_mailbox_id'] }),
  drafts: image({ table: tables.drafts, by: ['id'], shows: {}, watches: ['id'] }),
  states: image({ table: tables.states, by: ['kind', 'id'], shows: {}, watches: ['value'] }),
  push_configs: image({
    table: tables.pushConfigs,
    by: ['task_id', 'key_id', 'id'],
    shows: {},
    watches: ['sealed'],
  }),
  conversations: image({
    table: tables.conversations,
    by: ['mailbox_id', 'thread_id'],
    shows: { state: plain, until: time, assignee: plain },
  }),
  thread_notes: image({ table: tables.threadNotes, by: ['id'], shows: {}, watches: ['id'] }),
  invitations: image({
    table: tables.invitations,
    by: ['id'],
    shows: { address: text, role: plain, mailbox_ids: parsed, name: text, expires_at: time },
    name: ['address'],
  }),
  accounts: image({ table: tables.accounts, by: ['id'], shows: {}, watches: ['id'] }),
  passkeys: image({
    table: tables.passkeys,
    by: ['id'],
    shows: { name: text },
    watches: ['public_key'],
  }),
  members: image({
    table: tables.members,
    by: ['namespace_id', 'account_id'],
    shows: {
      role: plain,
      mailbox_ids: parsed,
      name: text,
      key_id: plain,
      notify_browser: plain,
      notify_minutes: plain,
    },
  }),
} as const;
export type ImageName = keyof typeof IMAGES;

/** Which row of which table an entry is about. */
export interface ImageOf {
  readonly image: ImageName;
  /** The cells of `by`. */
  readonly key: readonly Cell[];
}

/** Reads what the audit log sees of a row. */
export function readImage({ image: imageName, key }: ImageOf): WriteStep {
  const { table, by, shows, watches = [], name = [] } = IMAGES[imageName] as Image;
  const columns = [...new Set([...Object.keys(shows), ...watches, ...name, ...by])].map(quotedColumn).join(', ');
  const where = by.map((column, index) => `${quotedColumn(column)} = $${index + 1}`).join(' and ');
  return step(`select ${columns} from ${table.name} where ${where}`, ...key);
}

/** Whether a row is another than before. */
export function isChanged({ image: imageName }: ImageOf, before: Row | undefined, after: Row | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  const { shows, watches = [] } = IMAGES[imageName] as Image;
  return [...Object.keys(shows), ...watches].some((column) => before[column] !== after[column]);
}

/** How a reader knows the row; null where it has no name. */
export function nameOf({ image: imageName }: ImageOf, row: Row | undefined): string | null {
  const { name = [], shows } = IMAGES[imageName] as Image;
  const parts = name.map((column) => shownCell(row, column, shows[column] ?? plain));
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.length === 0 || texts.length < parts.length ? null : texts.join('@');
}

/**
 * The fields of a row that changed, before and after; null for what was not there, and where nothing that is shown
 * changed. Of a field with fields of its own, such as settings, only those that changed.
 */
export function changedFields(
  { image: imageName }: ImageOf,
  before: Row | undefined,
  after: Row | undefined,
): { readonly before: AuditFields | null; readonly after: AuditFields | null } {
  const { shows } = IMAGES[imageName] as Image;
  const old: Record<string, Json> = {};
  const fresh: Record<string, Json> = {};
  for (const [column, show] of Object.entries(shows) as [string, Show][]) {
    if (before !== undefined && after !== undefined && before[column] === after[column]) continue;
    const [from, to] = differing(shownCell(before, column, show), shownCell(after, column, show));
    if (from !== undefined) old[column] = from;
    if (to !== undefined) fresh[column] = to;
  }
  return { before: orNull(old), after: orNull(fresh) };
}

const orNull = (fields: Record<string, Json>): AuditFields | null => (Object.keys(fields).length > 0 ? fields : null);

/** A field of a row that says nothing is left out, unless the other row has it. */
const shownCell = (row: Row | undefined, column: string, show: Show): Json | undefined => {
  const cell = row?.[column];
  return cell === undefined ? undefined : show(cell);
};

function differing(from: Json | undefined, to: Json | undefined): readonly [Json | undefined, Json | undefined] {
  if (from === undefined || to === undefined) return [from ?? undefined, to ?? undefined];
  if (!isObject(from) || !isObject(to)) return [from, to];
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  const changed = [...names].filter((name) => canonicalOf(from[name]) !== canonicalOf(to[name]));
  const only = (fields: AuditFields): AuditFields =>
    Object.fromEntries(changed.filter((name) => name in fields).map((name) => [name, fields[name] as Json]));
  return [only(from), only(to)];
}
const isObject = (value: Json): value is AuditFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const canonicalOf = (value: Json | undefined): string => (value === undefined ? '' : canonicalJson(value));
