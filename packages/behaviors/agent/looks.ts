import type { Looks } from '@mailroom/behavior/looks';

export const looks: Looks = {
  title: 'Your own program',
  line: 'A program of yours answers, in any language, or you do, by hand.',
  verb: 'Asks its owner',
  hue: 130,
  cover: 6,
  heading: 'Who answers',
  form: {
    '/webhook_url': {
      label: 'Webhook',
      hint: 'Each message is POSTed to this URL, which begins with https://. Leave it empty for a program that asks for messages.',
    },
    '/by_hand': {
      label: 'I answer by hand',
      hint: 'You answer in the console. The address counts as online without a connected program.',
    },
    '/answer_within_seconds': {
      label: 'Seconds to answer',
      hint: 'From 60 to 604800, which is a week. A message without an answer by then fails. A day if left empty.',
    },
    '/max_messages_per_day': {
      label: 'Messages a day',
      hint: 'At most 100000. Further ones are refused until 00:00 UTC. No limit if left empty.',
    },
  },
  more: ['answer_within_seconds', 'max_messages_per_day'],
};
