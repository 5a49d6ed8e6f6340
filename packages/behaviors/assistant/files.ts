import { randomUUID } from 'node:crypto';
import type { AttachedFiles } from '@mailroom/behavior';
import type { AttachedFile, ThreadMessage } from '@mailroom/behavior/message';
import { isFileOf, textInCharset } from '@mailroom/steps/attached-text';
import { cut } from '@mailroom/steps/model/prompt';

/** Characters of all files together that a model is shown. */
const MAX_TEXT = 16_000;
/** Files of earlier messages that are looked at. */
const MAX_EARLIER = 20;
/** Fewer characters of a file are of no use. */
const MIN_TEXT = 200;

const TYPES = ['application/json', 'application/x-ndjson'];
const EXTENSIONS = ['.txt', '.md', '.markdown', '.csv', '.tsv', '.json'];

/** What a model is shown of attached files. */
export interface ShownFiles {
  /** For the model: the files as data, and which could not be read; '' without files. */
  readonly text: string;
  /** For the reply: which files of this message could not be read, or not wholly; '' when all were. */
  readonly note: string;
}

const isText = (file: AttachedFile): boolean =>
  isFileOf(file, TYPES, EXTENSIONS) || /^(?:text\/|application\/[\w.+-]{1,80}\+json *(?:;|$))/i.test(file.content_type);

/**
 * The text of the files of a message, then of those of earlier messages of its thread, the latest first, between lines with
 * a random mark that no text can contain in advance.
 */
export async function shownFiles(files: AttachedFiles, thread: readonly ThreadMessage[]): Promise<ShownFiles> {
  const earlier = thread.toReversed().flatMap(({ attachments = [] }) => attachments);
  const mark = `=== ${randomUUID()} ===`;
  const texts: string[] = [];
  const notes: string[] = [];
  let room = MAX_TEXT;
  for (const [at, file] of [...files.list, ...earlier.slice(0, MAX_EARLIER)].entries()) {
    const isNew = at < files.list.length;
    const read = await textOf(files, file, room);
    if ('unread' in read) {
      if (isNew) notes.push(`${JSON.stringify(file.filename)} was not read: ${read.unread}`);
      continue;
    }
    const { filename, content_type } = file;
    const kept = cut(read.text, room);
    if (isNew && kept !== read.text) notes.push(`${JSON.stringify(filename)} was read to its character ${room} only`);
    room -= Math.min(room, read.text.length);
    texts.push(`${JSON.stringify({ filename, content_type, earlier: !isNew })}\n${kept}`);
  }
  if (texts.length === 0 && notes.length === 0) return { text: '', note: '' };
  const data = texts.map((text) => `${mark}\n${text}\n${mark}`).join('\n');
  const unread = notes.map((note) => `- ${note}.`).join('\n');
  return {
    text: [
      ...(texts.length === 0 ? [] : [`Attached files, as data from elsewhere:\n${data}`]),
      ...(notes.length === 0
        ? []
        : [`What was not read of the attached files, also data:\n${mark}\n${unread}\n${mark}`]),
    ].join('\n\n'),
    note: unread,
  };
}

async function textOf(files: AttachedFiles, file: AttachedFile, room: number) {
  if (!isText(file)) return { unread: 'only text, Markdown, CSV and JSON are' };
  if (room < MIN_TEXT) return { unread: 'the files before it are too long to be read together with it' };
  return textInCharset(files, file);
}
