import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import type { ConversationDesk } from '../../core/answers/conversation-desk.ts';
import type { TakingOver } from '../../core/answers/taking-over.ts';
import { NoteView, noteView, STANDING_FIELDS, standingView } from '../../core/entities/conversation.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { operation, type Route } from '../../http/route.ts';
import { IdParam } from './parts.ts';
import { keyOf } from './send.ts';

/** Bytes of the body of a note, whose text is bounded in characters. */
const MAX_NOTE_BODY = 128 * 1024;

export const Thread = Type.Object(
  {
    id: Type.String({ examples: ['thr_0d8m3xk2q5v7w9y1a3c0'] }),
    mailbox: Type.String({
      description: 'The mailbox in which it is so.',
      examples: ['hello@agents.mailroom.localhost'],
    }),
    taken_over: Type.Boolean({ description: 'Whether its messages wait for an answer by hand.' }),
    taken_over_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    ...STANDING_FIELDS,
  },
  { $id: 'Thread', description: 'A thread in one mailbox: who answers it, where it stands, and who takes care of it.' },
);

const MailboxName = Type.Optional(
  Type.String({
    maxLength: 500,
    description: 'Which of your mailboxes it is about: needed where the thread is in several.',
  }),
);
const ThreadChange = Type.Object(
  {
    mailbox: MailboxName,
    state: Type.Optional(STANDING_FIELDS.state),
    until: Type.Optional(
      Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'With `later`, and needed there: when it opens again, in the future.',
      }),
    ),
    assignee: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
        description: 'The id of a member who reads the mailbox, `me`, or null for none.',
      }),
    ),
  },
  { $id: 'ThreadChange', additionalProperties: false, minProperties: 1 },
);
const NewNote = Type.Object(
  {
    mailbox: MailboxName,
    body: Type.String({
      minLength: 1,
      description: '1 to 10,000 characters. `@name` names a member, who is told.',
      examples: ['@mara The width changes the wind load.'],
    }),
  },
  { $id: 'NewNote', additionalProperties: false },
);

export interface ConversationParts {
  readonly conversationDesk: ConversationDesk;
  readonly takingOver: TakingOver;
  readonly mailDomain: string;
}

/** A thread as it is in one mailbox. */
export const makeThreadView =
  ({ conversationDesk, takingOver, mailDomain }: ConversationParts) =>
  async (id: string, mailbox: Mailbox): Promise<Type.Static<typeof Thread>> => {
    const taken = await takingOver.of(id, mailbox);
    const standing = await conversationDesk.standing(id, mailbox);
    return {
      id,
      mailbox: fullAddress(addressOf(mailbox), mailDomain),
      taken_over: taken !== undefined,
      taken_over_at: taken === undefined ? null : rfc3339(taken.taken_at),
      ...standingView(standing),
    };
  };

/** Where conversations stand, who takes care of them, and notes beside them. */
export function conversationRoutes(parts: ConversationParts): readonly Route[] {
  const { conversationDesk: desk, mailDomain } = parts;
  const threadView = makeThreadView(parts);

  const mailboxFor = (id: string, caller: Caller, address: string | undefined): Promise<Mailbox> => {
    if (isId('thr', id)) return desk.mailboxFor(id, caller, address);
    throw new AppError('message_not_found', `There is no thread ${id.slice(0, 40)} that this key may see.`);
  };

  return [
    operation('PATCH', '/api/v1/mail/threads/{id}', 'changeThread', {
      tag: 'Messages',
      summary: 'Say where a conversation stands, and who takes care of it',
      description:
        'In one mailbox, whose readers see it. What is left out stays. An answer by hand makes an open one `waiting`; a message that arrives makes any `open` again, and so does the time of `later`. A member who leaves takes care of nothing any more.',
      access: 'mail:answer',
      or_scope: 'mailboxes:write',
      params: IdParam,
      body: ThreadChange,
      answers: { 200: { description: 'The thread.', schema: Thread } },
      problems: ['message_not_found'],
      async handle({ caller, params: { id }, body: { mailbox: address, ...wanted } }) {
        const mailbox = await mailboxFor(id, caller, address);
        await desk.change(id, mailbox, wanted, keyOf({ caller }));
        return { status: 200, body: await threadView(id, mailbox) };
      },
    }),
    operation('POST', '/api/v1/mail/threads/{id}/notes', 'addNote', {
      tag: 'Messages',
      summary: 'Note something beside a conversation',
      description:
        'For the members who read the mailbox, and for no one else: no sender, behavior, model or program sees it, and it is in no answer, forward or search. `GET /api/v1/mail/threads/{id}` lists it to keys of an owner. It counts as storage, and goes with the thread.',
      access: 'mail:answer',
      or_scope: 'mailboxes:write',
      params: IdParam,
      max_body: MAX_NOTE_BODY,
      body: NewNote,
      answers: { 201: { description: 'The note.', schema: NoteView } },
      problems: ['message_not_found', 'body_too_large', 'storage_full'],
      async handle({ caller, params: { id }, body }) {
        const mailbox = await mailboxFor(id, caller, body.mailbox);
        const note = await desk.note(id, mailbox, body.body, keyOf({ caller }));
        return { status: 201, body: noteView(note, fullAddress(addressOf(mailbox), mailDomain)) };
      },
    }),
  ];
}
