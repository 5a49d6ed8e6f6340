import type { Looks } from '@mailroom/behavior/looks';

export const looks: Looks = {
  title: 'Proofread',
  line: 'Corrects a text and gives each reason.',
  verb: 'Proofreads',
  glyph:
    'M2.5 9 5.500 2l3 7M3.600 6.700h3.800M2.500 12.500c.8-1.400 1.600-1.400 2.400-.3s1.600 1.100 2.400-.2M9.500 11.500l1.700 2L14.500 9',
  hue: 15,
  cover: 2,
  showcase: 'Paste a few sentences…',
  examples: () => ['Their going to the store', 'It could of been worse', 'She have a hour'],
  answers: ['corrections', 'text', 'files'],
  heading: 'How it proofreads',
  card: {
    body: 'It could of been worse',
    reply: ['It could ', { deleted: 'of' }, ' ', { inserted: 'have' }, ' been worse'],
  },
  more: ['ignore'],
  form: {
    '/dialect': { label: 'English', hint: 'Sets the spelling, and words that differ between countries.' },
    '/engine': {
      label: 'Proofreader',
      hint: 'Harper runs on this server. “Model” then sends the corrected text to the language model that this service uses, which reads what is left.',
    },
    '/ignore': {
      label: 'Rules that are off',
      hint: 'Ids of rules, as corrections name them. All are at /docs/proofreading.',
      row: 'Rule',
      add: 'Add a rule',
    },
  },
  reading:
    '`reply.body` is the corrected text, then each correction with its reason, as Markdown. `reply.data` is `{language, dialect, corrected_text, edits, doubts, passed_over}`. Each of `data.edits` is `{offset, length, original, replacement, kind, explanation, suggestions}`, with `by: "model"` where a language model made it; offsets and lengths count UTF-16 code units of the `body` that was sent. Applying the edits to it gives exactly `data.corrected_text`. Each of `data.doubts` is `{offset, length, original, suggestions, explanation, rule}`: what may be a mistake and is left as it is. `data.passed_over`, where anything was, is `{other_language, not_prose, unknown}`: how many words were not read. An empty `edits` means that there is nothing to correct or that the text is not English: `reply.body` says which.',
};
