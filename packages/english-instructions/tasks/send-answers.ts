import { closed } from '@mailroom/behavior/values/closed';
import { wellFormed } from '@mailroom/behavior/values/well-formed';
import { Type } from 'typebox';
import type { Answer, RecipientAnswer } from './task.ts';

/** What comes back of a message to other mailboxes. */
export const Output = closed({
  result: Type.String({
    description:
      "The reply's body, of several each below its address; when none came in time, a sentence that says so.",
  }),
  message_id: Type.String({ description: '`msg_…`: the message that was sent.' }),
  status: Type.String({ description: 'A settled status; `submitted` or `working` when no answer came in time.' }),
  from: Type.String({ description: 'Who answered; of several the first of `to` that did.' }),
  data: Type.Unknown({ description: "The reply's data; null when it has none, and of several." }),
  'answers?': Type.Array(closed({ from: Type.String(), status: Type.String(), data: Type.Unknown() }), {
    description: 'Of a message to several: what each of `to` answered, whose texts are in `result`.',
  }),
});

type Given = Pick<Answer, 'status' | 'body' | 'error'>;

export const unanswered = (status: string, from: string): string =>
  status === 'submitted' || status === 'working'
    ? `Sent to ${from}; no answer has come yet.`
    : `${from} answered without a text (${status.replaceAll('_', ' ')}).`;

export const notDone = ({ status, body, error }: Given, from: string): string =>
  error ?? body ?? `${from} could not answer: its message is ${status}.`;

/** What one of several answered, below its address. */
export const answerText = ({ from, ...given }: Given & Pick<Answer, 'from'>): string => {
  const { status, body } = given;
  if (status === 'failed' || status === 'rejected') return `${from}: ${notDone(given, from)}`;
  return body === null ? unanswered(status, from) : `${from}:\n${body}`;
};

/** Bytes that the rest of the output takes at most, escapes of its texts aside. */
const REST = 2_048;

/** The answers of several in `bytes` of JSON: without data where these are too long, and their texts cut where those are. */
export function answersWithin(bytes: number, answers: readonly RecipientAnswer[]) {
  const within = (max: number, hasData: boolean) => ({
    result: answers.map((one) => answerText(cut(one, max))).join('\n\n'),
    answers: answers.map(({ from, status, data }) => ({ from, status, data: hasData ? data : null })),
  });
  const fits = (output: unknown): boolean => Buffer.byteLength(JSON.stringify(output)) + REST <= bytes;
  const whole = within(Number.POSITIVE_INFINITY, true);
  if (fits(whole)) return whole;
  let max = Math.max(...answers.map(({ body }) => body?.length ?? 0));
  let shorter = within(max, false);
  for (; max > 0 && !fits(shorter); max = Math.floor(max / 2)) shorter = within(max, false);
  return shorter;
}

const cut = (answer: RecipientAnswer, max: number): RecipientAnswer => {
  const { body } = answer;
  return body === null || body.length <= max ? answer : { ...answer, body: `${wellFormed(body.slice(0, max))}…` };
};
