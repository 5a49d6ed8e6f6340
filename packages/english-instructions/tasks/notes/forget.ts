import { closed } from '@mailroom/behavior/values/closed';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Type } from 'typebox';
import type { Clause, Reading } from '../clause.ts';
import { type NoteView, type TaskContext, TaskError, task } from '../task.ts';
import { INSTRUCTION_LENGTH, notesOf, spokenName } from './name.ts';

const Input = closed({
  'name?': Type.String({ minLength: 1, description: 'The name of the note, or words that are in that one alone.' }),
  'all?': Type.Boolean({ description: 'True for all notes, up to 100 at once; `name` is left out then.' }),
});
const Output = closed({
  result: Type.String({ description: 'A sentence that says what was forgotten.' }),
  forgotten: Type.Array(Type.String(), { description: 'The names of the notes that are gone.' }),
});

const DELETE = '(?:forget|delete|remove|erase|drop|discard|clear|wipe|destroy|trash|get rid of|throw away|scrap)';
const NOTES = '(?:notes?|memos?|memory|memories)';
const ALL = new RegExp(
  `^${DELETE}(?: out)? (?:(?:all|every|each)(?: of)?(?: my| the| your)?|my|your|the whole|all the) (?:notes|memos|memories|memory|note|memo)(?: about (?:everything|me))?$`,
  'i',
);
const EVERYTHING =
  /^(?:(?:delete|erase|wipe) (?=everything (?:about me|you)|all you)|forget(?: about)? )(?:everything|all you know(?: about me)?|all|all of it|it all|all that|me|everything (?:about me|you know(?: about me)?|i (?:told|asked) you(?: to remember)?))$/i;
const NOTE = new RegExp(
  `^${DELETE} (?:my |the |that |your |a )?${NOTES}(?: (?:about|on|for|called|named|titled|of|regarding|with the name))? (.+)$`,
  'i',
);
const NAMED = new RegExp(`^${DELETE} (?:my |the |that |your )?(.{1,100}?) (?:note|memo)$`, 'i');
const LAST = new RegExp(`^${DELETE} (?:all )?(.{1,100}?) from (?:my notes|(?:your )?memory)$`, 'i');
const FROM = new RegExp(`^${DELETE} (?:from|in|out of) (?:my|your|the) ${NOTES},? (.{1,200})$`, 'i');
const FORGET =
  /^forget(?: about)?(?: (?:what|everything|anything|all)(?: that)? (?:i|you) (?:told|said|asked|know|noted|saved|remember)(?: to)?(?: you)?(?: to remember)? (?:about|of|on))? (.+)$/i;
/** In "what I told you about Ann" the name is Ann. */
const SAID_ABOUT =
  /^(?:(?:what|everything|anything|all|whatever)(?: that)? )?(?:i|you) (?:(?:have |had )?(?:told|said|asked|know|noted|saved|remember|wrote|mentioned))(?: to)?(?: you)?(?: to remember)? (?:about|of|on) /i;
const IS = /^(?:that )?(.{1,100}?) (?:is|are|was|were) .+$/i;
const FIRST = new RegExp(`^${DELETE}\\b`, 'i');
/** "Forget it" withdraws an instruction and names no note. */
const NOTHING = /^(?:(?:it|that|this|them)(?:[,;.!].*)?|to\b.*|how\b.*|you\b.*|i\b.*)$/i;

/** Without signs and courtesies at the end, each looked at once. */
function withoutEnd(text: string): string {
  const plain = withoutTrailing(text, `${BLANKS}!.`);
  const [last] = / (?:now|again|please)$/i.exec(plain.slice(-7)) ?? [];
  return last === undefined ? plain : withoutEnd(plain.slice(0, -last.length));
}

function read({ text, data }: Clause): Reading | undefined {
  if (text.length > INSTRUCTION_LENGTH) return undefined;
  const plain = withoutEnd(text.replace(/^(?:you (?:can|may|should) |now )(?:now )?/i, ''));
  if (!FIRST.test(plain)) return undefined;
  const lacks: Reading = { sure: 0.8, ask: 'Which note shall I forget?', answered: (answer) => `forget ${answer}` };
  if (/^forget$/i.test(plain)) {
    if (data === undefined) return lacks;
    return data.length <= 200 ? { sure: 0.9, input: { name: spokenName(data) } } : undefined;
  }
  if (data !== undefined) return undefined;
  if (ALL.test(plain)) return { sure: 1, input: { all: true } };
  // The sender is shown the names and asked before anything is deleted.
  if (EVERYTHING.test(plain)) return { sure: 0.9, input: { all: true } };
  if (new RegExp(`^${DELETE} (?:a|the|that|this) (?:note|memo)$`, 'i').test(plain)) return lacks;
  const note = FROM.exec(plain) ?? NOTE.exec(plain) ?? LAST.exec(plain) ?? NAMED.exec(plain);
  const found = note ?? FORGET.exec(plain);
  const about = (found?.[1] ?? '').replace(SAID_ABOUT, '');
  if (about === '' || NOTHING.test(about)) return undefined;
  const name = spokenName(IS.exec(about)?.[1] ?? about);
  return name === '' ? undefined : { sure: note === null ? 0.9 : 0.95, input: { name } };
}

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
