import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { accounting, type Clause, type Reading } from '../clause.ts';
import { readBy } from '../grammar/index.ts';
import { type NoteView, type TaskContext, TaskError, task } from '../task.ts';
import { inPlainWords } from './asked.ts';
import { notesOf, spokenName } from './name.ts';

const Input = closed({
  'name?': Type.String({ minLength: 1, description: 'The name of the note, or words that are in that one alone.' }),
  'all?': Type.Boolean({ description: 'True for all notes, up to 100 at once; `name` is left out then.' }),
});
const Output = closed({
  result: Type.String({ description: 'A sentence that says what was forgotten.' }),
  forgotten: Type.Array(Type.String(), { description: 'The names of the notes that are gone.' }),
});

async function meant(
  { name, all = false }: { readonly name?: string; readonly all?: boolean },
  context: TaskContext,
): Promise<readonly NoteView[]> {
  if (name !== undefined && all) throw new TaskError('Name one note, or say that all are meant, but not both.');
  if (name === undefined && !all) throw new TaskError('Which note? Give its name.');
  const found = name === undefined ? await context.notes.find('') : await notesOf(name, context);
  if (name !== undefined && found.length > 1) {
    const names = found.slice(0, 5).map((one) => `“${one.name}”`);
    const more = found.length > 5 ? ' and others' : '';
    throw new TaskError(`Several notes are about “${spokenName(name)}”: ${names.join(', ')}${more}. Which one?`);
  }
  return found;
}

function read(clause: Clause): Reading | undefined {
  const plain = clause.data === undefined ? inPlainWords(clause.text) : undefined;
  const covered = readBy('forget')(clause);
  return (
    covered ?? (plain === undefined ? undefined : accounting(readBy('forget')({ ...clause, text: plain }), clause.text))
  );
}

/** Deletes notes. */
export const forget = task({
  name: 'forget',
  description: 'Forgets one note, or all notes of the sender.',
  input: Input,
  output: Output,
  effects: 'writes',
  repeatable: true,
  examples: ['forget the door code', 'delete my note about the report', 'forget all my notes'],
  read,
  loses: async (input, context) => (await meant(input, context)).map(({ name }) => `the note “${name}”`),
  async run({ name, all = false }, context) {
    const { notes } = context;
    const found = await meant({ ...(name !== undefined && { name }), all }, context);
    const forgotten: string[] = [];
    for (const one of found) if (await notes.remove(one.name)) forgotten.push(one.name);
    if (forgotten.length === 0) {
      return {
        result: name === undefined ? 'I have no notes of yours.' : `I have no note called “${spokenName(name)}”.`,
        forgotten,
      };
    }
    if (name !== undefined) return { result: `I forgot “${forgotten[0]}”.`, forgotten };
    return {
      result: forgotten.length === 1 ? 'I forgot your one note.' : `I forgot all ${forgotten.length} notes.`,
      forgotten,
    };
  },
  says: ({ name, all }) =>
    all === true ? { does: 'Forget all notes' } : { does: 'Forget the note', text: name ?? '' },
  show: ({ result }) => result,
});
