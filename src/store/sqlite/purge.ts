import type { DatabaseSync } from 'node:sqlite';
import { replyIdOf } from '../../core/ids.ts';
import type { Known } from './known.ts';
import type { Batch } from './wire.ts';

const BITE = 500;

/**
 * One bite of what a deletion left: `mailbox:<id>` what it received, `sender:<namespace id>` the sender of what its keys
 * sent, `from:<mailbox id>` the sender of what was sent as it. Returns whether there is more, or null for a lost claim.
 */
export function purge(db: DatabaseSync, memory: Known) {
  const jobOf = db.prepare('select subject, progress from jobs where id = ? and fence = ? and leased = 1');
  const keepPlace = db.prepare('update jobs set progress = ?2 where id = ?1');
  const dropJob = db.prepare('delete from jobs where id = ?');
  const received = db.prepare(
    `select id, from_mailbox_id, status from messages where mailbox_id = ? order by id limit ${BITE}`,
  );
  const dropMessage = db.prepare('delete from messages where id = ?');
  const blankReply = db.prepare('update messages set sender_id = null, "from" = null where id = ?');
  const blankSent = db.prepare(
    `update messages set sender_id = null, "from" = null, from_mailbox_id = null, key_id = null,
       sender_namespace_id = null
     where id in (select id from messages where sender_namespace_id = ? order by id limit ${BITE})`,
  );
  const namespaceOf = db.prepare('select namespace_id from mailboxes where id = ?');
  const sentAfter = db.prepare(
    `select id, from_mailbox_id from messages where sender_namespace_id = ? and id > ? order by id limit ${BITE}`,
  );
  const blankFrom = db.prepare(
    'update messages set sender_id = null, "from" = null, from_mailbox_id = null where id = ?',
  );

  function removeReceived(mailboxId: string): boolean {
    const bite = received.all(mailboxId);
    for (const { id, from_mailbox_id, status } of bite) {
      // The filed copy of its answer stays with whoever asked, from nobody.
      if (from_mailbox_id !== null) blankReply.run(replyIdOf(id as string));
      if (status === 'submitted' && dropJob.run(id as string).changes === 1) memory.wait(mailboxId, -1);
      dropMessage.run(id as string);
    }
    return bite.length === BITE;
  }

  /** Returns the id it came to, null at the end. */
  function blankSentAs(mailboxId: string, after: string): string | null {
    const namespaceId = namespaceOf.get(mailboxId)?.namespace_id as string | undefined;
    if (namespaceId === undefined) return null;
    const bite = sentAfter.all(namespaceId, after);
    for (const { id, from_mailbox_id } of bite) if (from_mailbox_id === mailboxId) blankFrom.run(id as string);
    return bite.length === BITE ? (bite.at(-1)?.id as string) : null;
  }

  return (batch: Batch, at: number): boolean | null => {
    const id = batch[at] as string;
    const job = jobOf.get(id, batch[at + 1] as number);
    if (job === undefined) return null;
    const subject = job.subject as string;
    const of = subject.slice(subject.indexOf(':') + 1);
    let more: boolean;
    if (subject.startsWith('mailbox:')) more = removeReceived(of);
    else if (subject.startsWith('sender:')) more = Number(blankSent.run(of).changes) === BITE;
    else {
      const place = blankSentAs(of, (job.progress as string | null) ?? '');
      more = place !== null;
      if (more) keepPlace.run(id, place);
    }
    if (!more) dropJob.run(id);
    return more;
  };
}
