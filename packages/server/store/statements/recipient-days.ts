import type { RecipientDays } from '../../core/ports/recipient-days.ts';
import { type Db, step } from '../db.ts';

const TAKE = `
  insert into recipient_days as r (mailbox_id, day, recipients)
  select cast($1 as text), cast($2 as integer), cast($3 as integer) where cast($3 as integer) <= cast($4 as integer)
  on conflict (mailbox_id, day) do update set recipients = r.recipients + excluded.recipients
    where r.recipients + excluded.recipients <= cast($4 as integer)
  returning recipients`;
const GIVE_BACK = 'update recipient_days set recipients = recipients - $3 where mailbox_id = $1 and day = $2';
const TRIM = `
  delete from recipient_days where (mailbox_id, day) in
    (select mailbox_id, day from recipient_days where day < $1 limit $2) returning day`;

/** Steps that give back what was counted for a review, once. */
export const giveBackSteps = (reviews: string, of: string) => [
  step(
    `update recipient_days set recipients = recipients - (
       select sum(v.counted) from reviews v where v.${reviews}
         and v.mailbox_id = recipient_days.mailbox_id and v.counted_day = recipient_days.day)
     where (mailbox_id, day) in (select v.mailbox_id, v.counted_day from reviews v where v.${reviews} and v.counted > 0)`,
    of,
  ),
  step(`update reviews set counted = 0 where ${reviews} and counted > 0`, of),
];

export function makeRecipientDays(db: Db): RecipientDays {
  return {
    async take(mailboxId, { day, recipients }, max) {
      const [taken] = await db.write([step(TAKE, mailboxId, day, recipients, max)], 'beside');
      return taken?.length === 1;
    },
    async giveBack(mailboxId, { day, recipients }) {
      await db.write([step(GIVE_BACK, mailboxId, day, recipients)], 'beside');
    },
    async trim(day, max) {
      const [gone] = await db.write([step(TRIM, day, max)], 'beside');
      return gone?.length ?? 0;
    },
  };
}
