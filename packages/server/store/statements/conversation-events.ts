import { addressOf } from '@mailroom/behavior/mailbox';
import { type ThreadNote, type ThreadStanding, UNTOUCHED } from '../../core/entities/standing.ts';
import { type Db, params, type Row } from '../db.ts';
import { notesByIds, standingsByIds } from './conversations.ts';

interface ThreadEvent {
  readonly standing: ThreadStanding;
  readonly note?: ThreadNote;
  /** The stored address of its mailbox. */
  readonly mailbox_address: string;
}

/** The subjects of events about conversations and their notes; undefined for other events, and for notes that are gone. */
export async function threadEventsOf(db: Db, rows: readonly Row[]): Promise<(row: Row) => ThreadEvent | undefined> {
  const subjects = rows.flatMap(({ subject_id, mailbox_id }) =>
    subject_id === null ? [] : [{ subject: subject_id as string, mailbox_id: mailbox_id as string }],
  );
  const noteIds = subjects.map(({ subject }) => subject).filter((id) => id.startsWith('nte_'));
  const notes = new Map((await notesByIds(db, noteIds)).map((note) => [note.id, note]));
  const threads = subjects
    .map(({ subject, mailbox_id }) => ({ mailbox_id, thread_id: notes.get(subject)?.thread_id ?? subject }))
    .filter(({ thread_id }) => thread_id.startsWith('thr_'));
  if (threads.length === 0) return () => undefined;
  const standings = await standingsByIds(db, threads);
  const { values, p } = params();
  const boxes = await db.read(
    `select id, local_part, namespace, namespace_id from mailboxes
     where deleted_at is null and id in (${[...new Set(threads.map(({ mailbox_id }) => mailbox_id))].map(p).join(', ')})`,
    values,
  );
  return ({ subject_id, mailbox_id }) => {
    if (subject_id === null) return undefined;
    const note = notes.get(subject_id as string);
    const thread_id = note?.thread_id ?? (subject_id as string);
    const box = boxes.find(({ id }) => id === mailbox_id);
    if (!thread_id.startsWith('thr_') || box === undefined) return undefined;
    const known = standings.find((one) => one.mailbox_id === mailbox_id && one.thread_id === thread_id);
    const { local_part, namespace, namespace_id } = box as Record<string, string>;
    const standing = known ?? {
      ...UNTOUCHED,
      ...{ mailbox_id: mailbox_id as string, thread_id, namespace_id: namespace_id as string },
    };
    const mailbox_address = addressOf({ local_part: local_part as string, namespace: namespace as string });
    return { standing, ...(note !== undefined && { note }), mailbox_address };
  };
}
