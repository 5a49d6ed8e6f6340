import type { Millis } from '@mailroom/behavior/values/clock';
import type { ReceivedEmail } from '../../ports/email-transport.ts';
import type { ApprovalResult, AskedAbout } from './mailed-decisions.ts';

/** What a token stands for. */
export type Asked = AskedAbout & {
  readonly account_id: string;
  readonly namespace_id: string;
  readonly address: string;
  readonly subject: string;
  /** A later answer decides nothing. */
  readonly until: Millis;
  /** It decided. */
  readonly used: boolean;
  /** Answers that were sent about it. */
  readonly answers: number;
};

const OTHER_ADDRESS = 'Answer from the address that the question was sent to.';

/** As of a member with another role by now, or for other addresses. */
export const MAY_NOT =
  'You may not decide this (any more). An owner sees in the list of members what your role is for.';

/** What members read of an answer that decided nothing. */
export const UNDECIDED: Readonly<Partial<Record<ApprovalResult['kind'], string>>> = {
  unclear: 'The mail says neither plainly yes nor plainly no.',
  changed: 'The mail is about another text than the one that waits.',
  over: 'It was decided before the mail came.',
  own: 'Who changed it last does not approve it.',
  late: 'The mail came after the time for it.',
};

/** Why an answer is not taken as one of this member; undefined where it is. */
export function refusalOf(
  { authentication, from, written_to: writtenTo }: ReceivedEmail,
  request: Asked,
  address: string,
): string | undefined {
  if (!authentication.verified) return 'It is not proven who wrote this (DKIM or SPF).';
  if (from.address.toLowerCase() !== request.address) return OTHER_ADDRESS;
  // A yes to something else may be handed in here too, by someone who was shown the question.
  if (writtenTo?.some((one) => one.toLowerCase() === address.toLowerCase()) === false)
    return 'It is not proven that this answer was written to this address: name it in To or Cc (signed), and not in Bcc.';
  return undefined;
}
