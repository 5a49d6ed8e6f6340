import type { AnsweredBy } from '../entities/actor.ts';
import type { Review } from '../entities/review.ts';
import type { CarriedAnswer, CarriedFurther } from '../review/held-answers.ts';

/** Whether two texts differ in blanks alone. */
export const sameWords = (text: string, other: string): boolean =>
  text.trim().split(/\s+/).join(' ') === other.trim().split(/\s+/).join(' ');

/** What carries out the answer of a person in the place of the one that waits: its text alone. */
export function withOwn({ kind, carries }: Review, body: string, answered_by: AnsweredBy | undefined): string {
  const { settlement, recipients, namespace_id } = JSON.parse(carries) as CarriedAnswer & CarriedFurther;
  const reply = { body, data: null, by_hand: true } as const;
  const base = { namespace_id, ...(recipients !== undefined && { recipients }) };
  if (kind === 'further')
    return JSON.stringify({ ...base, reply, answered_by: answered_by ?? null } satisfies CarriedFurther);
  const written = { status: 'completed', error_code: null, error_message: null, reply, answered_by } as const;
  const completed = { ...settlement, ...written };
  return JSON.stringify({ ...base, settlement: completed } satisfies CarriedAnswer);
}

/** What carries it out, with another text. */
export function withBody({ kind, carries }: Review, body: string): string {
  if (kind === 'send') return carries;
  const carried = JSON.parse(carries) as CarriedAnswer & CarriedFurther;
  if (kind === 'further')
    return JSON.stringify({ ...carried, reply: { ...carried.reply, body } } satisfies CarriedFurther);
  const { settlement } = carried;
  const reply = settlement.reply && { ...settlement.reply, body };
  return JSON.stringify({ ...carried, settlement: { ...settlement, reply } } satisfies CarriedAnswer);
}
