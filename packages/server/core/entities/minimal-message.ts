import { replyIdOf } from '@mailroom/behavior/values/ids';
import { type Json, JsonText } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import type { Message } from './message.ts';
import { Envelope, ReplyView, repliedIn, withData } from './message-view.ts';

const { id, thread_id, status, waiting_for, error } = Envelope.properties;
const { id: reply_id, body, data, attachments } = ReplyView.properties;

/** What the sender of a message cannot know of it. */
export const MinimalMessage = Type.Object(
  {
    ...{ id, thread_id, status, waiting_for, error },
    reply: Type.Union([Type.Object({ id: reply_id, body, data, attachments }), Type.Null()]),
  },
  {
    $id: 'MinimalMessage',
    description: 'The answer to `Prefer: return=minimal`: what the sender of a message cannot know of it.',
    // The clients send no such preference, and their types leave it out.
    'x-preference': 'return=minimal',
  },
);

/** The message as JSON text for a sender who asked for a minimal answer; of several recipients the first reply. */
export function minimalText(message: Message, more?: { readonly [name: string]: Json }): JsonText {
  const { id, thread_id, status, waiting_for, error_code, error_message, copies } = message;
  const error = error_code === null ? null : { code: error_code, message: error_message ?? '' };
  const answered = copies === undefined ? message : repliedIn(copies)[0];
  const text = JSON.stringify({ id, thread_id, status, waiting_for, error, ...more });
  return new JsonText(`${text.slice(0, -1)},"reply":${answered === undefined ? 'null' : replyText(answered)}}`);
}

function replyText({ id, reply, reply_id, reply_attachments }: Message): string {
  if (reply === null) return 'null';
  const { body, data } = reply;
  return withData({ id: reply_id ?? replyIdOf(id), body, attachments: reply_attachments ?? [] }, data).text;
}
