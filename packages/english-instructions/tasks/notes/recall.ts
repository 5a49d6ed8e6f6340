import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { accounting, type Clause, type Reading } from '../clause.ts';
import { readBy } from '../grammar/index.ts';
import { thingOf } from '../grammar/notes.ts';
import { TaskError, task } from '../task.ts';
import { inPlainWords } from './asked.ts';
import { NAMED_KINDS, notesOf, spokenName } from './name.ts';

const Input = closed({
  'query?': Type.String({ description: "A note's name, or words in its name or text; all notes without it." }),
  'guess?': Type.Boolean({ description: 'True where nothing says that a note is meant: without one the step fails.' }),
});
const One = closed({ name: Type.String(), text: Type.String() });
const Output = closed({
  result: Type.Union([Type.String(), Type.Array(One)], {
    description: 'The text of the one note that was found, the list of several, or a sentence that there is none.',
  }),
  found: Type.Integer({ minimum: 0, description: 'How many notes, up to 100.' }),
});

/** "What is the door code" may be about a note; other tasks come first. */
const WHAT_IS = /^(what|where|when|who)(?: is| was| are| were|['’]s|s) (.{2,140}?)[?!.]*$/iu;
function read(clause: Clause): Reading | undefined {
  const covered = readBy('recall')(clause);
  if (covered !== undefined || clause.data !== undefined) return covered;
  const plain = inPlainWords(clause.text);
  const meant = plain === undefined ? undefined : read({ ...clause, text: plain });
  if (meant !== undefined) return accounting(meant, clause.text);
  const [, asks = '', about = ''] = WHAT_IS.exec(clause.text) ?? [];
  const query = about === '' ? undefined : thingOf(about);
  // "When is the deadline" may be asked of anyone, and "when is Ann's birthday" of the notes.
  const own = /^what$/i.test(asks) || /^\S+['’]s /.test(about) || (/^where$/i.test(asks) && NAMED_KINDS.test(about));
  return query === undefined || !own
    ? undefined
    : { sure: 0.5, input: { query: spokenName(query), guess: true }, accounts: [query] };
}

/** Answers with stored notes. */
export const recall = task({
  name: 'recall',
  description: 'Says what was remembered: one note by its name or a word in it, or all of them.',
  input: Input,
  output: Output,
  effects: 'reads',
  repeatable: true,
  examples: ['what is my door code', 'recall report', 'list my notes'],
  read,
  async run({ query = '', guess = false }, context) {
    const all = query.trim() === '';
    const found = all ? await context.notes.find('') : await notesOf(query, context);
    const [first] = found;
    if (first === undefined) {
      if (guess)
        throw new TaskError(
          `I have no note about “${spokenName(query)}”, and know nothing of the world beside my notes.`,
        );
      const result = all ? 'I have no notes of yours.' : `I have no note about “${spokenName(query)}”.`;
      return { result, found: 0 };
    }
    if (found.length === 1 && !all) return { result: first.text, found: 1 };
    return { result: found.map(({ name, text }) => ({ name, text })), found: found.length };
  },
  says: ({ query = '' }) =>
    query.trim() === '' ? { does: 'Read all notes' } : { does: 'Read the notes about', text: query },
  show({ result }) {
    if (typeof result === 'string') return result;
    return result.map(({ name, text }) => `- **${name}**: ${text.replace(/\n/g, '\n  ')}`).join('\n');
  },
});
