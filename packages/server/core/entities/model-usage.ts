import { DAY, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';

/** What the messages of a mailbox took on one UTC day, in tokens. */
export interface DayUsage {
  readonly day: number;
  readonly runs: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** What runs that have not ended may still use, with those that a crash ended. */
  readonly reserved: number;
  /** The limit of the day when the last run began; null for none. */
  readonly budget: number | null;
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const UsageDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day in UTC.', examples: ['2026-11-29'] }),
    runs: count('How often its messages were handled with the model; a message that is tried again counts again.'),
    input_tokens: count('What the model read.'),
    output_tokens: count('What the model wrote.'),
    tokens: count('Both together.'),
    reserved: count(
      'What runs that have not ended may still use. A run that a crash ended keeps its part until the end of the day.',
    ),
    budget: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The `tokens_per_day` of the mailbox when the last run began; null for none.',
    }),
  },
  { $id: 'UsageDay' },
);
export type UsageDay = Type.Static<typeof UsageDay>;

/** The usage of a day as callers see it. */
export const usageDayView = ({ day, runs, input_tokens, output_tokens, reserved, budget }: DayUsage): UsageDay => ({
  date: rfc3339(day * DAY).slice(0, 10),
  runs,
  input_tokens,
  output_tokens,
  tokens: input_tokens + output_tokens,
  reserved,
  budget,
});
