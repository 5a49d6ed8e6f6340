import type { Millis } from '@mailroom/behavior/values/clock';
import type { EventType } from '../../core/entities/event.ts';
import type { DayUsage } from '../../core/entities/model-usage.ts';
import type { ModelUsage } from '../../core/ports/model-usage.ts';
import { type Cell, type Db, step, type WriteStep } from '../db.ts';
import { mailboxLives } from './living.ts';
import { mailboxEvent } from './mailbox-event.ts';

const TOTAL = "mailbox_id = $1 and day = $2 and sender = ''";
const NONE = 'runs, input_tokens, output_tokens, reserved, budget, warned) select $1, $2';
const KEY = 'mailbox_id, day, sender';

/** Locks the row of the day to the end of the transaction, so that of all nodes one reserves or settles at a time. */
const OPEN_DAY = `
  insert into model_usage (${KEY}, ${NONE}, '', 0, 0, 0, 0, cast($3 as bigint), 0 where ${mailboxLives('$1')}
  on conflict (${KEY}) do update set budget = excluded.budget`;
const LOCK_DAY = `update model_usage set warned = warned where ${TOTAL}`;

const used = (row: string): string => `${row}.input_tokens + ${row}.output_tokens`;
/** The condition that less than a limit (a parameter, null for none) is used and reserved by this sender. */
const hasLeft = (sender: string, limit: string): string => `(cast(${limit} as bigint) is null or not exists (
  select 1 from model_usage c where c.mailbox_id = $1 and c.day = $2 and c.sender = ${sender}
    and ${used('c')} + c.reserved >= cast(${limit} as bigint)))`;
const DAY_LEFT = hasLeft("''", '$5');
const SENDER_LEFT = hasLeft('$3', '$6');
const RESERVE = `
  insert into model_usage as u (${KEY}, ${NONE}, s.sender, 1, 0, 0, cast($4 as bigint), null, 0
  from (select '' as sender union select cast($3 as text)) s
  where ${mailboxLives('$1')} and ${DAY_LEFT} and ${SENDER_LEFT}
  on conflict (${KEY}) do update set runs = u.runs + 1, reserved = u.reserved + excluded.reserved
  returning sender`;
/** Whether the day has none left, where nothing was reserved. */
const DAY_SPENT = `
  select 1 as spent from model_usage c where c.mailbox_id = $1 and c.day = $2 and c.sender = ''
    and ${used('c')} + c.reserved >= cast($3 as bigint)`;

const SETTLE = `
  update model_usage set reserved = reserved - cast($4 as bigint), input_tokens = input_tokens + cast($5 as bigint),
    output_tokens = output_tokens + cast($6 as bigint)
  where mailbox_id = $1 and day = $2 and sender = $3`;

/** Marks of what the owner was told. */
const [NEARLY_SPENT, SPENT] = [1, 2];
const ABOVE: Readonly<Record<number, string>> = {
  [NEARLY_SPENT]: `(${used('w')}) * 5 >= w.budget * 4`,
  [SPENT]: `${used('w')} >= w.budget`,
};
const EVENTS: Readonly<Record<number, EventType>> = {
  [NEARLY_SPENT]: 'mailbox.budget_nearly_spent',
  [SPENT]: 'mailbox.budget_spent',
};
/** The event and the mark of a threshold; the last step returns a row when they were written. */
function notice(mark: number, id: string, day: number, now: Millis, due: string): readonly WriteStep[] {
  const where = (dayCell: string): string => `exists (select 1 from model_usage w
    where w.mailbox_id = $1 and w.day = ${dayCell} and w.sender = '' and w.warned < ${mark} and ${due})`;
  const { sql, params } = mailboxEvent(EVENTS[mark] as EventType, id, now, `and deleted_at is null and ${where('$4')}`);
  const marked = `
    update model_usage as w set warned = ${mark}
    where w.mailbox_id = $1 and w.day = $2 and w.sender = '' and w.warned < ${mark} and ${due} returning day`;
  return [{ sql, params: [...params, day] }, step(marked, id, day)];
}

const DAYS = `
  select day, runs, input_tokens, output_tokens, reserved, budget from model_usage
  where mailbox_id = $1 and day >= $2 and sender = '' order by day desc`;
const trim = (old: string): string => `
  delete from model_usage where (${KEY}) in (select ${KEY} from model_usage where ${old} limit $2) returning day`;
const TRIM = trim('day < $1');
const TRIM_SENDERS = trim("day < $1 and sender <> ''");

export function makeModelUsage(db: Db): ModelUsage {
  /** Whether one of these steps returned a row. */
  const wrote = async (steps: readonly WriteStep[]): Promise<boolean> =>
    (await db.write(steps, 'beside')).some((rows) => rows.length > 0);
  return {
    async reserve({ mailbox_id: id, day, sender, reserved }, { per_day, per_sender }) {
      const [, rows, spent] = await db.write(
        [
          step(OPEN_DAY, id, day, per_day),
          step(RESERVE, id, day, sender, reserved, per_day, per_sender),
          step(DAY_SPENT, id, day, per_day),
        ],
        'beside',
      );
      if (rows?.length) return 'reserved';
      return spent?.length ? 'day' : 'sender';
    },
    settle({ mailbox_id: id, day, sender, reserved }, { input, output }, now) {
      const counts: readonly Cell[] = [reserved, input, output];
      // The row of the day is locked first, as a reservation does.
      const senders = sender === '' ? [''] : ['', sender];
      return wrote([
        ...senders.map((one) => step(SETTLE, id, day, one, ...counts)),
        ...[NEARLY_SPENT, SPENT].flatMap((mark) => notice(mark, id, day, now, ABOVE[mark] as string)),
      ]);
    },
    spent: (id, day, now) => wrote([step(LOCK_DAY, id, day), ...notice(SPENT, id, day, now, '1 = 1')]),
    async days(id, since) {
      return (await db.read(DAYS, [id, since])).map((row) => ({ ...row }) as unknown as DayUsage);
    },
    async trim(day, senders_day, max) {
      const gone = await db.write([step(TRIM, day, max), step(TRIM_SENDERS, senders_day, max)], 'beside');
      return Math.max(...gone.map(({ length }) => length));
    },
  };
}
