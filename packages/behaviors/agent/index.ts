import { type Behavior, MAX_PER_DAY } from '@mailroom/behavior';
import { DAY, HOUR, MINUTE, SECOND } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { looks } from './looks.ts';

const DEFAULT_SECONDS = DAY / SECOND;

const Settings = Type.Object(
  {
    webhook_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        format: 'url',
        examples: ['https://hooks.example.com/in'],
        description:
          'Each message is POSTed to this URL (`https://`), signed as in Standard Webhooks; the response may be the answer. Setting it requires a key that may read them (`messages:read`) and does not expire.',
      }),
    ),
    by_hand: Type.Optional(
      Type.Boolean({
        description:
          'Whether people answer too, so that it counts as online without a connected program; false by default.',
      }),
    ),
    answer_within_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: (7 * DAY) / SECOND,
        description: `A message without an answer fails after this time with \`answer_timeout\`; ${DEFAULT_SECONDS} by default.`,
      }),
    ),
    max_messages_per_day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PER_DAY,
        description:
          'Messages that it takes on one UTC day, from all senders; further ones are answered 429 `rate_limited` until the next. No limit of its own by default.',
      }),
    ),
  },
  { additionalProperties: false },
);
type Settings = Type.Static<typeof Settings>;

export default (): Behavior => makeAgent() as Behavior;

/** The behavior `agent`: the owner's own program answers, or a person does. */
export function makeAgent(): Behavior<Settings> {
  return {
    name: 'agent',
    title: 'Agent',
    description: 'Answered by a program of its owner, or by hand.',
    looks,
    settings: Settings,
    sensitive: ({ webhook_url }) =>
      webhook_url === undefined ? undefined : { scope: 'messages:read', what: 'webhook_url', part: webhook_url },
    answered: {
      by: ({ answer_within_seconds = DEFAULT_SECONDS }, now) => now + answer_within_seconds * SECOND,
      alwaysOnline: ({ by_hand = false }) => by_hand,
      maxPerDay: ({ max_messages_per_day }) => max_messages_per_day,
      webhook: ({ webhook_url }) => webhook_url,
    },
    handle({ timed_out }, { settings, clock }) {
      const { answer_within_seconds = DEFAULT_SECONDS } = settings;
      if (!timed_out) return { kind: 'wait', for: 'answer', deadline: clock() + answer_within_seconds * SECOND };
      const detail = `There was no answer within ${inWords(answer_within_seconds)}. Send the message again later.`;
      return { kind: 'fail', code: 'answer_timeout', detail };
    },
  };
}

/** Such as "24 hours": the largest unit that needs no fraction. */
function inWords(seconds: number): string {
  const units = [
    [DAY / SECOND, 'day'],
    [HOUR / SECOND, 'hour'],
    [MINUTE / SECOND, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds % each === 0 && (each < DEFAULT_SECONDS || seconds > each)) ?? [
    1,
    'second',
  ];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
