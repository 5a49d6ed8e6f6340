import type { AttachedFiles, Incoming, Outcome } from '@mailroom/behavior';
import type { AttachedFile } from '@mailroom/behavior/message';
import { isObject, type Json } from '@mailroom/behavior/values/json';
import { isFileOf, textOfFile } from '@mailroom/steps/attached-text';
import { fileQuestion } from './question.ts';
import type { Before, Earlier } from './thread.ts';
import { filesNamed, withoutName } from './which-file.ts';

/** Files that are read, with the language that a fence around their text would name, what they are called, and the word for that. */
const KINDS = [
  { language: 'json', called: 'json', said: /\bjson\b/i, types: ['application/json'], extensions: ['.json'] },
  {
    language: 'csv',
    called: 'csv',
    said: /\bcsv\b/i,
    types: ['text/csv', 'text/tab-separated-values'],
    extensions: ['.csv', '.tsv'],
  },
  {
    language: undefined,
    called: 'text',
    said: /\btext\b/i,
    types: ['text/plain', 'text/markdown'],
    extensions: ['.txt', '.md', '.markdown'],
  },
];
const kindOf = (file: AttachedFile) => KINDS.find(({ types, extensions }) => isFileOf(file, types, extensions));

/** What an attached file adds to a message: its text, and the instructions without its name. */
export type Attached = Pick<Earlier, 'pasted' | 'body' | 'file'>;

/**
 * The text of the file that the instructions are about, or the outcome when it cannot be told or used; undefined when there
 * is none. An answer to a question is about the file of the message that the question was about.
 */
export async function attachedText(
  { id, data, body }: Pick<Incoming, 'id' | 'data' | 'body'>,
  files: AttachedFiles,
  history: Before,
): Promise<Attached | Outcome | undefined> {
  // Steps have all their input.
  if (isObject(data) && data.steps !== undefined) return undefined;
  const list = filesOf(files, history);
  if (list.length === 0) return undefined;
  const text = history.body ?? body;
  const { named, missing } = filesNamed(text, list);
  if (missing.length > 0) {
    const names = missing.map((name) => JSON.stringify(name)).join(', ');
    return which(`There is no file ${names} here. Which file is it about?`, list, history, id);
  }
  const [file, ...others] = named.length > 0 ? named : fitting(text, list);
  if (file === undefined || others.length > 0) return which('Which file is it about?', list, history, id);
  const name = JSON.stringify(file.filename);
  const kind = kindOf(file);
  if (kind === undefined) {
    return { kind: 'reject', detail: `The file ${name} was not read: only JSON, CSV and text are. Nothing was done.` };
  }
  const read = await textOfFile(files, file);
  if ('unread' in read) {
    return { kind: 'reject', detail: `The file ${name} was not read: ${read.unread}. Nothing was done.` };
  }
  const instructions = withoutName(text, file, kind.called);
  return {
    pasted: { data: read.text.replace(/^\ufeff/, ''), language: kind.language },
    ...(instructions !== body && { body: instructions }),
    ...(list.length > 1 || history.file !== undefined ? { file: file.id } : {}),
  };
}

/** The files of a message; for an answer those of the message that was asked about, or the one that was chosen. */
function filesOf(files: AttachedFiles, { about, file, thread = [] }: Before): readonly AttachedFile[] {
  if (files.list.length > 0) return files.list;
  if (file === undefined) return thread.find((message) => message.id === about)?.attachments ?? [];
  return thread.flatMap(({ attachments = [] }) => attachments.filter((one) => one.id === file));
}

/** Those that the instructions may be about: all that are read, of the only kind that they mention. */
function fitting(text: string, list: readonly AttachedFile[]): readonly AttachedFile[] {
  if (list.length === 1) return list;
  const read = list.filter((file) => kindOf(file) !== undefined);
  const [kind, ...more] = KINDS.filter(({ said }) => said.test(text));
  const meant = kind === undefined || more.length > 0 ? [] : read.filter((file) => kindOf(file) === kind);
  return meant.length > 0 ? meant : read;
}

function which(ask: string, list: readonly AttachedFile[], history: Before, id: string): Outcome {
  const names = list.map(({ filename }, at) => `${at + 1}. ${JSON.stringify(filename)}`).join('\n');
  const body = `${ask}\n\n${names}\n\nNothing has been done yet. Answer with its name or its number.`;
  const question = fileQuestion(list, history.about ?? id, history.answers ?? []);
  return { kind: 'input_required', body, data: { question } as unknown as Json };
}
