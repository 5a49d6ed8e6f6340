import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { Actor } from './actor.ts';
import { CONVERSATION_STATES, type Standing, type ThreadNote, type ThreadStanding } from './standing.ts';

export const STANDING_FIELDS = {
  state: Type.Enum([...CONVERSATION_STATES], {
    description:
      '`open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again.',
  }),
  until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When one for `later` opens again; null otherwise.',
  }),
  assignee: Type.Union([Type.String(), Type.Null()], {
    description: 'The id of the member who takes care of it.',
    examples: ['acc_0d8m3xk2q5v7w9y1a3c0'],
  }),
};

/** For those who read no mailbox of the thread they are absent. */
export const OptionalStanding = {
  state: Type.Optional(STANDING_FIELDS.state),
  until: Type.Optional(STANDING_FIELDS.until),
  assignee: Type.Optional(STANDING_FIELDS.assignee),
};

export const standingView = ({ state, until, assignee }: Standing) => ({
  state,
  until: until === null ? null : rfc3339(until),
  assignee,
});

export const NoteView = Type.Object(
  {
    id: Type.String({ examples: ['nte_0d8m3xk2q5v7w9y1a3c0'] }),
    thread_id: Type.String(),
    mailbox: Type.String({ description: 'The mailbox whose readers see it.' }),
    author: Actor,
    body: Type.String(),
    mentions: Type.Array(Type.String(), { description: 'The ids of the members whom it names by `@name`.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'ThreadNote', description: 'A note beside a thread: for those who read the mailbox, and for no one else.' },
);
export type NoteView = Type.Static<typeof NoteView>;

export const noteView = (note: ThreadNote, mailbox: string): NoteView => ({
  id: note.id,
  thread_id: note.thread_id,
  mailbox,
  author: note.author,
  body: note.body,
  mentions: [...note.mentions],
  created_at: rfc3339(note.created_at),
});

/** A conversation as events have it. */
export const ThreadNotice = Type.Object(
  {
    id: Type.String({ examples: ['thr_0d8m3xk2q5v7w9y1a3c0'] }),
    mailbox: Type.String(),
    ...STANDING_FIELDS,
    note: Type.Optional(Type.Omit(NoteView, ['thread_id', 'mailbox', 'body'])),
  },
  { $id: 'ThreadNotice', description: 'Where a conversation stands; of a note without its text.' },
);

export function threadNotice(
  { standing, note }: { readonly standing: ThreadStanding; readonly note?: ThreadNote },
  mailbox: string,
): Type.Static<typeof ThreadNotice> {
  const whole = note && noteView(note, mailbox);
  return {
    id: standing.thread_id,
    mailbox,
    ...standingView(standing),
    ...(whole && {
      note: { id: whole.id, author: whole.author, mentions: whole.mentions, created_at: whole.created_at },
    }),
  };
}
