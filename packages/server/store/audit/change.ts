import type { AuditFields } from '../../core/entities/audit.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Cell, Db } from '../db.ts';
import type { ImageName, ImageOf } from './images.ts';

/** A query for the ids of the namespaces in whose logs a change stands. */
export interface LogsOf {
  readonly sql: string;
  readonly params: readonly Cell[];
  /** Of several the one that the caller acts for, else the first; without it all of them. */
  readonly one?: true;
}

/** Rows of a table with an id and a namespace. */
interface Rows {
  readonly image: ImageName & ('keys' | 'webhooks' | 'invitations' | 'mailboxes');
  readonly sql: string;
  readonly params: readonly Cell[];
}

/** What a method of a port changes, for the audit log. */
export interface Change {
  /** `noun.verb`. */
  readonly action: string;
  /** The id of the namespace in whose log it stands, where the caller's method knows it. */
  readonly log: string | LogsOf;
  readonly target: { readonly kind: string; readonly id: string; readonly name?: string | null };
  /** The row without whose change nothing is written; undefined: written with whatever the method writes. */
  readonly row?: ImageOf;
  /** Instead of one target: a change of each of the rows that a query names by `id`, in the log of its namespace. */
  readonly each?: Rows;
  /** What the entry says of it, where there is no row that does. */
  readonly after?: AuditFields;
  /** The key by which it is changed, where that is not the caller's. */
  readonly key_id?: string | undefined;
  /** The account that changes it, where the caller shows none. */
  readonly account_id?: string;
  /** The service does it of its own accord, whichever request was the occasion. */
  readonly own?: true;
}

/** A change of each row of `image` that fits the condition, which another change brings with it. */
export const changeOfEach = (
  action: string,
  image: Rows['image'],
  where: string,
  ...cells: readonly Cell[]
): Change => ({
  action,
  log: '',
  target: { kind: KINDS[image], id: '' },
  each: { image, sql: `select id from ${image} where ${where}`, params: cells },
});
const KINDS = { keys: 'key', webhooks: 'webhook', invitations: 'invitation', mailboxes: 'mailbox' } as const;

/** The changes of which one is that of each row of a query. */
export async function spread(change: Change, db: Db): Promise<readonly Change[]> {
  const { each, ...one } = change;
  if (each === undefined) return [change];
  const ids = (await db.read(each.sql, each.params)).map(({ id }) => id as string);
  return ids.map((id) => ({
    ...one,
    log: logs(`select namespace_id from ${each.image} where id = $1`, id),
    target: { ...one.target, id },
    row: row(each.image, id),
  }));
}

type Method = (...args: never[]) => unknown;

/** For each method that the audit log knows: what a call of it changes; undefined for one that the log does not have. */
type ChangesOf<Port> = {
  readonly [M in keyof Port as Port[M] extends Method ? M : never]?: Port[M] extends (...args: infer A) => unknown
    ? (...args: A) => Change | readonly Change[] | undefined
    : never;
};

/** By port. */
export type Changes = { readonly [P in keyof Store]?: ChangesOf<Store[P]> };

export const row = (image: ImageName, ...key: readonly Cell[]): ImageOf => ({ image, key });

const logs = (sql: string, ...params: readonly Cell[]): LogsOf => ({ sql, params });
const ofTable = (table: string) => (id: string) => logs(`select namespace_id from ${table} where id = $1`, id);
export const logOfMailbox = ofTable('mailboxes');
export const logOfWebhook = ofTable('webhooks');
export const logOfDomain = ofTable('domains');
export const logOfReview = ofTable('reviews');
export const logOfDraft = ofTable('drafts');
export const logOfClient = ofTable('clients');
/** A view is a mailbox, or a namespace. */
export const logOfView = (id: string): string | LogsOf => (id.startsWith('ns_') ? id : logOfMailbox(id));
/** The namespaces of which an account is a member. */
export const logsOfAccount = (id: string): LogsOf => logs('select namespace_id from members where account_id = $1', id);
/** Of the caller's namespace where it sent or received the message, else of the one that received it. */
export const logOfMessage = (id: string): LogsOf => ({
  ...logs(
    `select b.namespace_id from messages m join mailboxes b on b.id = m.to_mailbox_id where m.id = $1
     union all select sender_namespace_id from messages where id = $1 and sender_namespace_id is not null`,
    id,
  ),
  one: true,
});
/** The subject of a state: a namespace, a mailbox or an account. */
export const logOfState = (kind: string, id: string): LogsOf =>
  logs(
    `select coalesce(n.id, b.namespace_id, o.namespace_id) as namespace_id from states s
     left join namespaces n on n.id = s.subject left join mailboxes b on b.id = s.subject and $1 <> '${ACCOUNT_SESSION}'
     left join members o on o.account_id = s.subject
     where s.kind = $1 and s.id = $2 and coalesce(n.id, b.namespace_id, o.namespace_id) is not null`,
    kind,
    id,
  );
export const ACCOUNT_SESSION = 'account_session';
