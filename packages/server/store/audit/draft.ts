import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditRecord } from '../../core/entities/audit.ts';
import type { Row } from '../db.ts';
import { changedFields, type ImageOf, isChanged, nameOf } from './images.ts';

/** An entry whose transaction has not begun: what changed is read in it. */
export interface AuditDraft extends Omit<AuditRecord, 'before'> {
  readonly namespace_id: string;
  /** The row that changes; undefined for what is written in any case. */
  readonly row?: ImageOf | undefined;
}

/** The entry, when the row is another than before; its target is named after the row where it has no name. */
export function recordOf(draft: AuditDraft, before: Row | undefined, after: Row | undefined): AuditRecord | undefined {
  const { row, namespace_id: _, ...record } = draft;
  if (row === undefined) return { ...record, before: null };
  if (!isChanged(row, before, after)) return undefined;
  const name = record.target.name ?? nameOf(row, after ?? before);
  return { ...record, target: { ...record.target, name }, ...changedFields(row, before, after) };
}

/** The entries that the next write of the running method takes along, once. */
interface Pending {
  drafts: readonly AuditDraft[];
}

const pending = new AsyncLocalStorage<Pending>();

/** Runs a method of a port whose first write takes these entries into its transaction. */
export async function withDrafts<T>(drafts: readonly AuditDraft[], act: () => Promise<T>): Promise<T> {
  const waiting: Pending = { drafts };
  try {
    return await pending.run(waiting, act);
  } finally {
    waiting.drafts = NONE;
  }
}

/** The entries for the transaction that begins; none for every other. */
export function takeDrafts(): readonly AuditDraft[] {
  const waiting = pending.getStore();
  if (waiting === undefined) return NONE;
  const { drafts } = waiting;
  waiting.drafts = NONE;
  return drafts;
}

/** Whether entries wait for the transaction that begins next. */
export const hasDrafts = (): boolean => (pending.getStore()?.drafts ?? NONE).length > 0;

const NONE: readonly AuditDraft[] = [];
