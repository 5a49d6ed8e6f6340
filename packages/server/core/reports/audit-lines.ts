import { type Clock, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { AUDIT_GENESIS, type AuditEntry, auditView } from '../entities/audit.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Store } from '../ports/store.ts';

/** Entries that are read, and written as one piece of text. */
const PAGE = 500;

export interface AuditLineParts {
  readonly store: Pick<Store, 'audit'>;
  readonly clock: Clock;
}

/**
 * The chain of a namespace as JSON Lines: what precedes the first entry, each entry up to now, and the end. AppError
 * `unavailable`, which breaks the export off, when entries are removed meanwhile that were not written so far.
 */
export async function* auditLines(
  { store, clock }: AuditLineParts,
  { id, name }: Pick<Namespace, 'id' | 'name'>,
): AsyncGenerator<string> {
  const head = await store.audit.head(id);
  const end = head?.number ?? 0;
  let page = await store.audit.chain(id, 0, end, PAGE);
  const previous_hash = page[0]?.previous_hash ?? head?.hash ?? AUDIT_GENESIS;
  yield line({ type: 'audit', namespace: name, exported_at: rfc3339(clock()), previous_hash });
  let count = 0;
  let last: AuditEntry | undefined;
  while (page.length > 0) {
    if (last !== undefined && page[0]?.previous_hash !== last.hash) throw retired();
    count += page.length;
    last = page.at(-1) as AuditEntry;
    yield page.map((entry) => line({ type: 'entry', ...auditView(entry) })).join('');
    page = await store.audit.chain(id, last.number, end, PAGE);
  }
  if ((last?.number ?? end) !== end) throw retired();
  yield line({ type: 'end', entries: count, head: last?.hash ?? previous_hash });
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

const retired = (): AppError =>
  new AppError('unavailable', 'Old entries were removed while they were exported. Export again.');
