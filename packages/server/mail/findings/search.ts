import {
  type Finding,
  type IncomingContent,
  incomingFindings,
  incomingHtmlFindings,
  incomingTextFindings,
  type OutgoingContent,
  outgoingFindings,
  outgoingTextFindings,
} from '@mailroom/findings';
import { htmlText } from '../reading/mail-html.ts';
import { archiveContent, isArchive } from './archive-text.ts';
import { isHtml, type NamedFile, textOfFile } from './file-text.ts';

/** A message that is searched. */
export type MessageTask =
  | { readonly kind: 'outgoing'; readonly content: OutgoingContent }
  | { readonly kind: 'incoming'; readonly content: IncomingContent };

/** What is searched: a message, or one of its files. */
export type SearchTask =
  | MessageTask
  | {
      readonly kind: 'outgoing_file' | 'incoming_file';
      readonly file: NamedFile;
      /** Its place among the files of the message. */
      readonly place: number;
      readonly bytes: Uint8Array;
    };

/** Commas between columns are no part of a number; the length stays. */
const inColumns = ({ filename, content_type }: NamedFile, text: string): string =>
  /^text\/csv\b/i.test(content_type) || /\.csv$/i.test(filename) ? text.replaceAll(',', ';') : text;

/** Takes time in proportion to the length of the texts, some 100 ms for a mebibyte. */
export function search(task: SearchTask): readonly Finding[] {
  if (task.kind === 'outgoing') return outgoingFindings(task.content);
  if (task.kind === 'incoming') return incomingFindings(task.content);
  const { kind, file, place, bytes } = task;
  const field = `attachments/${place}`;
  if (isArchive(bytes)) return inArchive(kind, field, bytes);
  const text = textOfFile(file, bytes);
  if (text === undefined) return [];
  if (kind === 'outgoing_file') return outgoingTextFindings(field, inColumns(file, text), isHtml(file, text));
  if (!isHtml(file, text)) return incomingTextFindings(field, text);
  const { text: shown, hidden } = htmlText(text);
  return incomingHtmlFindings(field, text, shown, hidden);
}

/** What the files of an archive have, each kind once for each reason: no span says where within it. */
function inArchive(kind: 'outgoing_file' | 'incoming_file', field: string, bytes: Uint8Array): readonly Finding[] {
  const { names, text } = archiveContent(bytes);
  const files = names.map((filename) => ({ filename, content_type: '' }));
  const found =
    kind === 'outgoing_file'
      ? outgoingTextFindings(field, text, true)
      : incomingFindings({ subject: '', text: '', reply_to: [], hidden: undefined, known_domains: [], files }).concat(
          incomingHtmlFindings(field, text, '', { text: '', why: [] }),
        );
  return [...new Map(found.map(({ kind, why }) => [`${kind} ${why}`, { kind, where: field, why }])).values()];
}
