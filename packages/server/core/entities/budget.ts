import { Type } from 'typebox';

/** Tokens of the language model, of one UTC day, input and output together; null for no limit. */
export interface Budget {
  /** Of all messages together. */
  readonly tokens_per_day: number | null;
  /** Of each sender. */
  readonly tokens_per_sender_per_day: number | null;
}

const MAX_TOKENS = 1e12;
const tokens = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: MAX_TOKENS }), Type.Null()], { description, examples: [200_000] });

const PER_DAY = tokens('Of all messages together; null for no limit.');
const PER_SENDER = tokens(
  'Of each sender: a namespace, an address outside, or the network of a person without a key; null for no limit.',
);
const MEANING =
  'Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`.';

export const BudgetView = Type.Union(
  [Type.Object({ tokens_per_day: PER_DAY, tokens_per_sender_per_day: PER_SENDER }, { $id: 'Budget' }), Type.Null()],
  { description: `${MEANING} Null for none. Shown as \`senders\` are.` },
);

/** A field that is left out stays as it is. */
export const BudgetChange = Type.Union(
  [
    Type.Object(
      { tokens_per_day: Type.Optional(PER_DAY), tokens_per_sender_per_day: Type.Optional(PER_SENDER) },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: `${MEANING} A field that is left out stays as it is; null or {} takes the budget away.` },
);
export type BudgetChange = Type.Static<typeof BudgetChange>;

/** The budget after a change; null for none. */
export function changedBudget(before: Budget | null, change: BudgetChange): Budget | null {
  if (change === null || Object.keys(change).length === 0) return null;
  const { tokens_per_day = null, tokens_per_sender_per_day = null } = { ...before, ...change };
  return tokens_per_day === null && tokens_per_sender_per_day === null
    ? null
    : { tokens_per_day, tokens_per_sender_per_day };
}
