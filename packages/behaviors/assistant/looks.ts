import type { Looks } from '@mailroom/behavior/looks';

export const looks: Looks = {
  title: 'Assist',
  line: 'Follows your instructions, using a language model.',
  verb: 'Assists',
  glyph:
    'M2.500 3h11v8H8l-3 2.800V11H2.500ZM8 4.800l.700 1.500 1.500.700-1.500.700L8 9.200l-.700-1.500-1.500-.700 1.500-.700Z',
  hue: 160,
  pages: ['outside'],
  heading: 'How it answers',
  form: {
    '/instructions': { hint: 'Who it is, what it knows and how it answers. Markdown works. Up to 16 KB.' },
    '/tasks': {
      label: 'What it may use',
      hint: 'Names of tasks, such as calculate or fetch.',
      add: 'Add another task',
    },
    '/examples': {
      label: 'Messages to begin with',
      hint: 'Up to eight, shown on its page.',
      add: 'Add another message',
    },
    '/time_zone': { label: 'Time zone', hint: 'For example Europe/Berlin.' },
  },
  more: ['examples', 'time_zone'],
};
