import { wordsOf } from '../../core/values/search-words.ts';
import type { Row } from '../db.ts';

/** Raised when the words of a document change: an index of another version is built again. */
export const INDEX_VERSION = 1;

/** Words of a message that are found; of a longer one, the first. */
const MAX_WORDS = 100_000;
/** Stands between texts, so that no phrase reaches from one into the next. */
export const END = '§';

/** The marks of the words of a field, and of what is no word: they begin with a sign that no word has. */
export const MARKS = {
  from: '§f',
  to: '§t',
  cc: '§c',
  subject: '§s',
  filename: '§n',
  mailbox: '§m',
  namespace: '§w',
  thread: '§h',
} as const;

/** Stands before each text of a field, so that an address is found from its beginning. */
export const beginOf = (mark: string): string => `${mark}§`;

/** The part of an id behind its prefix: an underscore would part the word. */
export const markOf = (kind: 'mailbox' | 'namespace' | 'thread', id: string): string =>
  MARKS[kind] + id.slice(id.indexOf('_') + 1);

/** What the document of a message is made of; `$1` and so on are ids. */
export const sourceSql = (ids: string): string => `
  select m.id, m.kind, m.thread_id, m.subject, m.body, m.data, m."from", m."to", m.sender_kind, m.sender_id, m.recipients,
    m.in_reply_to, m.replies_count, m.copy_of, m.to_mailbox_id, m.from_mailbox_id, m.sender_namespace_id,
    r.id as reply_id, r.body as reply_body, b.namespace_id as received_by, s.namespace_id as written_by,
    (select string_agg(f.filename, '/') from attachments f where f.owner_id in (m.id, m.reply_id)) as filenames
  from messages m left join messages r on r.id = m.reply_id
  left join mailboxes b on b.id = m.to_mailbox_id left join mailboxes s on s.id = m.from_mailbox_id
  where m.id in (${ids})`;

/** The texts of the replies to a message `$1` of the thread `$2` beside the one that settled it, and of those to its copies. */
export const OTHER_REPLIES = `
  select body from (
    select id, body from messages where thread_id = $2 and substr(thread_id, 5) <> substr(id, 5) and substr(id, 24) <> '1'
      and in_reply_to = $1 and kind = 'reply'
    union all
    select r.id, r.body from messages c join messages r on r.id = c.reply_id where c.copy_of = $1
  ) others order by id limit 50`;

/** Whether a message may have replies beside the one that settled it. */
export const hasOtherReplies = ({ replies_count, reply_id, recipients, copy_of }: Row): boolean =>
  (replies_count as number) > (reply_id === null ? 0 : 1) || (recipients !== null && copy_of === null);

/** The words of a message with the replies to it, in their order, with blanks between them. */
export function documentOf(row: Row, otherReplies: readonly string[] = []): string {
  const cell = (name: string): string => (row[name] as string | null) ?? '';
  const recipients = row.recipients === null ? undefined : (JSON.parse(cell('recipients')) as Recipients);
  const email = emailOf(row);
  const written = (name: string): string[] =>
    (email?.headers ?? []).filter((field) => field.name.toLowerCase() === name).map(({ value }) => value);
  const fields = {
    from: [row.sender_kind === 'email' ? cell('sender_id') : cell('from'), email?.from_name ?? ''],
    to: [cell('to'), ...(recipients?.to ?? []), ...written('to')],
    cc: [...(recipients?.cc ?? []), ...(email?.cc ?? []).flatMap(({ name, address }) => [name ?? '', address])],
    subject: [cell('subject')],
    filename: cell('filenames').split('/'),
  };
  const words: string[] = [];
  const add = (text: string, mark = ''): void => {
    const found = wordsOf(text);
    if (found.length === 0) return;
    if (mark !== '') words.push(beginOf(mark));
    for (const word of found) {
      if (words.length >= MAX_WORDS) return;
      words.push(mark + word.text);
    }
    words.push(END);
  };
  for (const mailbox of [cell('to_mailbox_id'), row.copy_of === null ? cell('from_mailbox_id') : ''])
    if (mailbox !== '') words.push(markOf('mailbox', mailbox));
  for (const namespace of new Set(namespacesOf(row))) words.push(markOf('namespace', namespace));
  words.push(markOf('thread', cell('thread_id')), END);
  for (const [name, texts] of Object.entries(fields))
    for (const text of texts) add(text, MARKS[name as keyof typeof fields]);
  // The subject is there twice, because what it says is what a message is about.
  for (const texts of [fields.subject, ...Object.values(fields).toReversed()]) for (const text of texts) add(text);
  for (const text of [cell('body'), cell('reply_body'), ...otherReplies]) add(text);
  return words.join(' ');
}

/** The namespaces of those who see it: never the sender of a copy, who sees the message that he wrote. */
function namespacesOf(row: Row): string[] {
  const sees = [row.received_by];
  if (row.copy_of === null) sees.push(row.written_by, ...(row.kind === 'message' ? [row.sender_namespace_id] : []));
  return sees.filter((id) => id !== null) as string[];
}

interface Recipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

interface Mailed {
  readonly from_name?: string | null;
  readonly cc?: readonly { readonly name?: string | null; readonly address: string }[];
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null;
}

/** What is known of a mail that was received; others may write anything into `data`. */
function emailOf({ sender_kind, data }: Row): Mailed | undefined {
  if (sender_kind !== 'email' || data === null) return undefined;
  return (JSON.parse(data as string) as { readonly email?: Mailed }).email;
}
