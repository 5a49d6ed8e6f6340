import type { Behavior } from '@mailroom/behavior';

/** Counts the words of a message. Without imports but of types, a folder with this file alone is a behavior. */
export default (): Behavior<{ readonly speed?: number }> => ({
  name: 'count',
  title: 'Word counter',
  description: 'Counts the words of a text, and says how long it takes to read aloud.',
  settings: {
    type: 'object',
    properties: {
      speed: { type: 'integer', minimum: 1, maximum: 1000, description: 'Words a minute; 130 by default.' },
    },
    additionalProperties: false,
  },
  example: { body: 'One two three', reply: '3 words, 2 seconds aloud.' },
  looks: {
    title: 'Count words',
    line: 'Says how long a text takes to read aloud.',
    verb: 'Counts',
    glyph: 'M4 3v10M7 3v10M10 3v10M2 11 13 5',
    hue: 220,
    placeholder: 'Paste a text',
    form: { '/speed': { label: 'Words a minute', hint: 'How fast it is read. 130 if left empty.' } },
  },
  handle({ body }, { settings: { speed = 130 } }) {
    const words = body.split(/\s+/).filter(Boolean).length;
    const seconds = Math.ceil((words * 60) / speed);
    return { kind: 'reply', body: `${words} words, ${seconds} seconds aloud.`, data: { words, seconds } };
  },
});
