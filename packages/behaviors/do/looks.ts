import type { Looks } from '@mailroom/behavior/looks';

/** Tasks without effects, which everyone may use. */
const EXAMPLES = [
  'Calculate 15% of 80, then convert it to hex',
  'What time is it in Tokyo?',
  'Convert 5 miles to km',
  'Sort these: pear, apple, fig',
  'Generate a UUID, then hash it with SHA-256',
];

export const looks: Looks = {
  title: 'Do tasks',
  line: 'Carries out plain instructions, step by step.',
  verb: 'Does tasks',
  glyph: 'M3 4.500 6.500 8 3 11.500M8.500 12h5',
  hue: 255,
  cover: 3,
  examples: () => EXAMPLES,
  settings: 'rights',
  answers: ['steps', 'text', 'suggestions', 'files'],
  pages: ['procedures', 'outside'],
  heading: 'How it works',
  card: { body: 'Calculate 15% of 80', reply: ['15% * 80 = 12'] },
  reading:
    '`reply.body` gives the result of each step as Markdown. `reply.data` is the receipt, see above; an answer without a plan, such as a question, has none.',
};
