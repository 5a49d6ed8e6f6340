import type { Claim, Jobs } from '../../core/store.ts';
import type { Db, Step } from '../db.ts';
import { step } from '../db.ts';

/** Rows that one bite touches at most. */
const BITE = 500;

const HELD = 'select progress from jobs where id = $1 and fence = $2 and leased = 1';
const DONE = 'delete from jobs where id = $1 and fence = $2';
const KEEP_PLACE = 'update jobs set progress = $3 where id = $1 and fence = $2';

/** The oldest that a mailbox still has. */
const RECEIVED = `select id from messages where mailbox_id = $1 order by id limit ${BITE}`;
/** The filed copy of its answer stays with whoever asked, from nobody. Its id is the message's with 1 at the end. */
const BLANK_REPLIES = `
  update messages set sender_id = null, "from" = null
  where id in (select substr(id, 1, 23) || '1' from messages where from_mailbox_id is not null and id in (${RECEIVED}))`;
const DROP_JOBS = `delete from jobs where kind = 'handle' and id in (${RECEIVED})`;
const DROP_RECEIVED = `delete from messages where id in (${RECEIVED}) returning id`;

const BLANK_SENT = `
  update messages set sender_id = null, "from" = null, from_mailbox_id = null, key_id = null, sender_namespace_id = null
  where id in (select id from messages where sender_namespace_id = $1 order by id limit ${BITE})
  returning id`;

const NAMESPACE_OF = 'select namespace_id from mailboxes where id = $1';
/** The last of the next rows that a namespace sent; none: fewer are left than a bite. */
const BITE_END = `
  select id from messages where sender_namespace_id = $1 and id > $2 order by id limit 1 offset ${BITE - 1}`;
const BLANK_SENT_AS = `
  update messages set sender_id = null, "from" = null, from_mailbox_id = null
  where from_mailbox_id = $1 and sender_namespace_id = $2 and id > $3 and id <= $4`;
/** Above every id. */
const ABOVE = '~';

/**
 * One bite of what a deletion left: `mailbox:<id>` what it received, `sender:<namespace id>` the sender of what its keys
 * sent, `from:<mailbox id>` the sender of what was sent as it. Each bite may be bitten twice without harm, so that who
 * lost the claim meanwhile does none either.
 */
export function makePurge(db: Db): Jobs['purge'] {
  /** Whether there may be more. */
  async function bite(what: readonly Step[]): Promise<boolean> {
    const done = await db.write(what, 'beside');
    return done.at(-1)?.length === BITE;
  }

  async function sentAs(claim: Claim, mailboxId: string, after: string): Promise<boolean> {
    const [mailbox] = await db.read(NAMESPACE_OF, [mailboxId]);
    if (mailbox === undefined) return false;
    const namespaceId = mailbox.namespace_id as string;
    const [end] = await db.read(BITE_END, [namespaceId, after]);
    const place = (end?.id as string | undefined) ?? ABOVE;
    await db.write(
      [step(BLANK_SENT_AS, mailboxId, namespaceId, after, place), step(KEEP_PLACE, claim.id, claim.fence, place)],
      'beside',
    );
    return end !== undefined;
  }

  return async (claim) => {
    const [held] = await db.read(HELD, [claim.id, claim.fence]);
    if (held === undefined) return 'lost';
    const at = claim.subject.indexOf(':');
    const of = claim.subject.slice(at + 1);
    let more: boolean;
    switch (claim.subject.slice(0, at)) {
      case 'mailbox':
        more = await bite([step(BLANK_REPLIES, of), step(DROP_JOBS, of), step(DROP_RECEIVED, of)]);
        break;
      case 'sender':
        more = await bite([step(BLANK_SENT, of)]);
        break;
      default:
        more = await sentAs(claim, of, (held.progress as string | null) ?? '');
    }
    if (more) return 'more';
    await db.write([step(DONE, claim.id, claim.fence)], 'beside');
    return 'done';
  };
}
