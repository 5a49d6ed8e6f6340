import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId, isReplyId, justBefore, messageIdOf } from '@mailroom/behavior/values/ids';
import { Type } from 'typebox';
import { type Caller, mayOn, rightsOn, rightsTo } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { findInThread, oldestOf } from '../../core/access/thread.ts';
import type { ConversationDesk } from '../../core/answers/conversation-desk.ts';
import type { TakingOver } from '../../core/answers/taking-over.ts';
import { NoteView, noteView, OptionalStanding, standingView } from '../../core/entities/conversation.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { ThreadItem, threadItems } from '../../core/entities/message-view.ts';
import type { Store } from '../../core/ports/store.ts';
import { PageOf, writeCursor } from '../../core/values/page.ts';
import { type Call, operation, type Route } from '../../http/route.ts';
import { makeThreadView, Thread } from './conversations.ts';
import { IdParam, onePage, pageAnswer, pageQuery, QueryOf, readPage } from './parts.ts';

const ThreadPage = Type.Object(
  {
    ...PageOf(ThreadItem, 'ThreadItemPage').properties,
    ...OptionalStanding,
    notes: Type.Optional(
      Type.Array(NoteView, {
        description:
          'What members noted of it, oldest first, up to the newest 200: for members and keys of an owner. Other keys have no notes.',
      }),
    ),
  },
  { $id: 'ThreadPage' },
);

export interface ThreadParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly takingOver: TakingOver;
  readonly conversationDesk: ConversationDesk;
  readonly mailDomain: string;
}

/** Threads: what was written, and who answers. */
export function threadRoutes(parts: ThreadParts): readonly Route[] {
  const { store, directory, takingOver, mailDomain } = parts;
  const threadView = makeThreadView(parts);
  /** The mailbox of a thread, for a key that manages it; for others there is no such thread. */
  async function mailboxOf(id: string, caller: Caller): Promise<Mailbox> {
    const isManaged = async (one: Message): Promise<boolean> => (await rightsOn(one, caller, directory)).recipient;
    const found = isId('thr', id) ? await findInThread(store, id, isManaged) : undefined;
    const mailbox = found && (await directory.mailboxById(found.mailbox_id));
    if (mailbox === undefined || mailbox.deleted_at !== null) throw notFound(id);
    return mailbox;
  }

  const acting = (how: 'takeOver' | 'handBack') =>
    ({
      tag: 'Answers',
      access: 'mailboxes:write',
      params: IdParam,
      answers: { 200: { description: 'The thread.', schema: Thread } },
      problems: ['message_not_found'],
      async handle({ caller, params: { id } }: Call<{ id: string }>) {
        const mailbox = await mailboxOf(id, caller);
        await takingOver[how](id, mailbox);
        return { status: 200, body: await threadView(id, mailbox) };
      },
    }) as const;

  /** Whether the caller reads the mailbox that answered the message. */
  async function readsAnswerer(message: Message, caller: Caller): Promise<boolean> {
    const id = message.kind === 'reply' ? message.sender_id : message.mailbox_id;
    const mailbox = id === null || message.answered_by === undefined ? undefined : await directory.mailboxById(id);
    return mailbox !== undefined && mayOn(caller, 'messages:read', mailbox);
  }

  /** Whether the caller reads the message of which this is a copy. */
  async function hasOriginal({ copy_of: copyOf }: Message, caller: Caller): Promise<boolean> {
    const original = copyOf === undefined ? undefined : await store.messages.byId(copyOf);
    return original !== undefined && (await rightsOn(original, caller, directory)).reader;
  }

  /** Where the thread stands in the caller's mailboxes, or the one that `address` names, with the notes there. */
  async function standingOf(id: string, caller: Caller, address: string | undefined): Promise<string> {
    const { conversationDesk: desk } = parts;
    if (caller.kind !== 'key') return '';
    const all = await desk.mailboxesOf(id, caller);
    const read = all.filter((one) => mayOn(caller, 'messages:read', one));
    const whole = (one: Mailbox): string => fullAddress(addressOf(one), mailDomain);
    const boxes = address === undefined ? read : read.filter((one) => whole(one) === address.trim().toLowerCase());
    if (address !== undefined && boxes.length === 0)
      throw invalid('/mailbox', `The thread is in no mailbox of yours with this address.`);
    const ids = boxes.map((one) => one.id);
    const standing = (await desk.standings(caller.key.namespace_id, [id], new Map([[id, ids]]))).get(id);
    if (standing === undefined) return '';
    const notes = (await desk.readsNotes(caller.key)) ? await desk.notes(id, boxes) : undefined;
    const names = new Map(boxes.map((one) => [one.id, whole(one)]));
    const views = notes?.map((note) => noteView(note, names.get(note.mailbox_id) ?? ''));
    return JSON.stringify({ ...standingView(standing), ...(views && { notes: views }) }).slice(1, -1);
  }

  return [
    operation('GET', '/api/v1/mail/threads/{id}', 'getThread', {
      tag: 'Messages',
      summary: 'A thread: messages and replies in order',
      description:
        'Of its messages, those that you may read by themselves: a key without `messages:read` gets what it sent, with the replies.',
      access: 'key_or_thread',
      params: IdParam,
      query: QueryOf({
        ...pageQuery,
        mailbox: Type.Optional(
          Type.String({
            maxLength: 500,
            description: 'Of your mailboxes that are in it, the one whose state and notes are shown.',
          }),
        ),
      }),
      answers: onePage('A page of the thread.', ThreadPage),
      problems: ['message_not_found'],
      async handle({ caller, params, query }) {
        const oldest = isId('thr', params.id) ? await oldestOf(store, params.id) : undefined;
        if (oldest === undefined) throw notFound(params.id);
        const { after, size } = readPage(query);
        // A message and its reply are two items of one row, and a page may end between them.
        const between = after !== null && !isReplyId(after);
        const from = after === null ? null : between ? justBefore(after) : messageIdOf(after);
        const page = await store.messages.thread(params.id, from, size);
        const rights = await Promise.all(page.items.map((one) => rightsTo(one, caller, directory, store.messages)));
        const originals = await Promise.all(page.items.map((one) => hasOriginal(one, caller)));
        const answerers = await Promise.all(page.items.map((one) => readsAnswerer(one, caller)));
        const all = page.items.flatMap((message, at) =>
          rights[at]?.reader
            ? threadItems(message, mailDomain, answerers[at]).slice(
                (between && at === 0) || originals[at] === true ? 1 : 0,
              )
            : [],
        );
        if (!rights.some(({ reader }) => reader) && !(await rightsOn(oldest, caller, directory)).reader)
          throw notFound(params.id);
        const items = all.slice(0, size);
        const whole = items.length === all.length && page.next === null;
        const cut = { items, next: whole ? null : (items.at(-1)?.id ?? page.next) };
        const more = await standingOf(params.id, caller, query.mailbox);
        const path = `/api/v1/mail/threads/${params.id}`;
        return pageAnswer(cut, ({ text }) => text, path, query, writeCursor, more);
      },
    }),
    operation('POST', '/api/v1/mail/threads/{id}/take-over', 'takeOverThread', {
      summary: 'Take a thread over from the behavior',
      description:
        'For a mailbox of any behavior. From then on the messages of the thread wait for an answer by hand (`POST /api/v1/mail/messages/{id}/answer` without a claim), also while the mailbox is paused, for 24 hours or as long as the settings of an `agent` say; then they fail with `answer_timeout`. A sync send waits for the person within its time. An answer that the behavior is still making is dropped, one under a claim that a program holds is refused with 409 `claim_lost`, and what waits for an approval keeps waiting for the decision. Repeated, it changes nothing.',
      ...acting('takeOver'),
    }),
    operation('POST', '/api/v1/mail/threads/{id}/hand-back', 'handBackThread', {
      summary: 'Hand a thread back to the behavior',
      description:
        'The messages of the thread that have no answer are handled by the behavior now, as are later ones. Repeated, it changes nothing.',
      ...acting('handBack'),
    }),
  ];
}

const notFound = (id: string): AppError =>
  new AppError('message_not_found', `There is no thread ${id.slice(0, 40)} that this key may see.`);
