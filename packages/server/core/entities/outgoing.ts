import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { ENTRY, parseSenderLists, type SenderLists, SenderListsView, showSenderLists } from './sender-lists.ts';

/** What holds a message until its owner has seen it. */
const REVIEW_POLICIES = ['never', 'outside', 'first_contact', 'findings', 'always'] as const;

/** What may leave a mailbox, and what of it waits for its owner's review. */
export interface Outgoing extends SenderLists {
  readonly review: (typeof REVIEW_POLICIES)[number];
  /** Recipients on a UTC day; null: no limit of its own. */
  readonly max_per_day: number | null;
  /** How long a review waits for a decision. */
  readonly expires_seconds: number;
  /** What becomes of a message that is not decided on in time. */
  readonly on_expiry: 'discard' | 'send';
}

/** A mailbox of which nothing is held or refused. */
export const UNRESTRICTED: Outgoing = {
  review: 'never',
  allow: [],
  block: [],
  max_per_day: null,
  expires_seconds: 86_400,
  on_expiry: 'discard',
};

const Fields = {
  review: Type.Enum([...REVIEW_POLICIES], {
    description:
      'Which messages wait until an owner approves them. `never`; `outside`: those with a recipient that is no mailbox here; `first_contact`: those to an address that wrote no verified message to this mailbox and was never approved; `findings`: those with findings; `always`.',
  }),
  allow: {
    ...SenderListsView.properties.allow,
    description: `Only these are written to, unless it is empty. ${ENTRY}`,
  },
  block: { ...SenderListsView.properties.block, description: 'These are not written to, even when `allow` has them.' },
  max_per_day: Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()], {
    description: 'How many recipients it writes to on a UTC day.',
  }),
  expires_seconds: Type.Integer({
    minimum: 60,
    maximum: 30 * 86_400,
    description: 'How long a message waits for its review.',
  }),
  on_expiry: Type.Enum(['discard', 'send'], {
    description:
      'What becomes of a message that was not decided on in time. `send` goes with `outside` and `first_contact` alone, and never sends what has a finding.',
  }),
};

export const OutgoingView = Type.Object(Fields, {
  $id: 'Outgoing',
  description: 'What may leave the mailbox, and what of it waits for a review.',
});

export const OutgoingChange = Type.Object(
  {
    review: Type.Optional(Fields.review),
    allow: Type.Optional(Fields.allow),
    block: Type.Optional(Fields.block),
    max_per_day: Type.Optional(Fields.max_per_day),
    expires_seconds: Type.Optional(Fields.expires_seconds),
    on_expiry: Type.Optional(Fields.on_expiry),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'What may leave it: what is left out stays as it is.',
  },
);
export type OutgoingChange = Type.Static<typeof OutgoingChange>;

/** The policy with a change of some of its fields. AppError `validation_error`. */
export function changedOutgoing(before: Outgoing, change: OutgoingChange, mailDomain: string): Outgoing {
  const { allow, block, ...plain } = change;
  const lists = parseSenderLists({ ...(allow && { allow }), ...(block && { block }) }, mailDomain, '/outgoing');
  const outgoing: Outgoing = { ...before, ...plain, ...lists };
  if (outgoing.on_expiry === 'send' && (outgoing.review === 'findings' || outgoing.review === 'always'))
    throw invalid(
      '/outgoing/on_expiry',
      `What waits for its review under "${outgoing.review}" is never sent without one. Set on_expiry to "discard", or another review.`,
    );
  return outgoing;
}

/** Whether it says nothing but what holds of every mailbox. */
export const isUnrestricted = ({ review, allow, block, max_per_day: max, ...rest }: Outgoing): boolean =>
  review === 'never' &&
  allow.length + block.length === 0 &&
  max === null &&
  rest.expires_seconds === UNRESTRICTED.expires_seconds &&
  rest.on_expiry === UNRESTRICTED.on_expiry;

export const showOutgoing = (outgoing: Outgoing, mailDomain: string): Type.Static<typeof OutgoingView> => ({
  ...outgoing,
  ...(showSenderLists(outgoing, mailDomain) as { allow: string[]; block: string[] }),
});
