import type { AttachedFiles, ReplyFile } from '@mailroom/behavior';
import type { Clock } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { type FileText, isFileOf, textOfFile } from '@mailroom/steps/attached-text';
import { code, counted } from './reply.ts';

const TYPES = ['text/plain', 'text/markdown'];
const EXTENSIONS = ['.txt', '.md', '.markdown'];
const MARK = '\ufeff';

/** The corrected text with the number of corrections; `english` is false when the text is in another language. */
export interface Corrected {
  readonly text: string;
  readonly edits: number;
  readonly doubts: number;
  readonly english: boolean;
  /** Whether nothing was passed over or left as a possible mistake. */
  readonly sure: boolean;
}

/** What became of the files of a message. */
export interface CorrectedFiles {
  /** Markdown: a line for each file. */
  readonly text: string;
  readonly data: readonly {
    readonly filename: string;
    readonly edits: number;
    /** Left out where there are none. */
    readonly doubts?: number;
    readonly attachment_id: string;
  }[];
  readonly attachments: readonly ReplyFile[];
}

/** Corrects the text files of a message, one after the other. */
export async function correctFiles(
  files: AttachedFiles,
  clock: Clock,
  correct: (text: string) => Promise<Corrected>,
): Promise<CorrectedFiles> {
  const lines: string[] = [];
  const data: CorrectedFiles['data'][number][] = [];
  const attachments: ReplyFile[] = [];
  for (const file of files.list) {
    const { filename, content_type } = file;
    const read: FileText = isFileOf(file, TYPES, EXTENSIONS)
      ? await textOfFile(files, file)
      : { unread: 'only plain text and Markdown are' };
    if ('unread' in read) {
      lines.push(`- ${code(filename)} was not read: ${read.unread}.`);
      continue;
    }
    // A byte order mark is no part of the first word.
    const mark = read.text.startsWith(MARK) ? MARK : '';
    const { text, edits, doubts, english, sure } = await correct(read.text.slice(mark.length));
    if (!english) {
      lines.push(
        `- ${code(filename)} was not corrected: it does not read as English, and only English is corrected here.`,
      );
      continue;
    }
    const id = newId('att', clock());
    attachments.push({ id, filename, content_type, content: Buffer.from(mark + text) });
    data.push({ filename, edits, ...(doubts > 0 && { doubts }), attachment_id: id });
    const nothing = sure ? 'nothing to correct' : 'nothing that I am sure of';
    const look = doubts === 0 ? '' : `, ${doubts} worth a look`;
    lines.push(`- ${code(filename)}: ${edits === 0 ? nothing : counted(edits, 'correction')}${look}.`);
  }
  return { text: `**Files**\n\n${lines.join('\n')}\n`, data, attachments };
}
