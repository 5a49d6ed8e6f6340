import { AppError, problems } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import { type MessageLabels, mayNotLabel } from '../../core/access/message-labels.ts';
import { MessageChange } from '../../core/entities/label.ts';
import { Envelope, envelopeText, withoutContents } from '../../core/entities/message-view.ts';
import type { Trash } from '../../core/messages/trash.ts';
import { operation, type Route } from '../../http/route.ts';
import { type MessageAccess, messageFor, noMessage } from './message-access.ts';
import { IdParam } from './parts.ts';

/** Messages of one request. */
const MAX_BATCH = 200;

const Batch = Type.Object(
  {
    ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: MAX_BATCH, uniqueItems: true }),
    labels: Type.Optional(MessageChange.properties.labels),
    trash: Type.Optional(Type.Literal(true, { description: 'Puts them into the trash.' })),
    restore: Type.Optional(Type.Literal(true, { description: 'Takes them out of the trash.' })),
  },
  { $id: 'MessageBatch', additionalProperties: false },
);

const BatchResult = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        status: Type.Integer({ description: 'As its own request would have been answered.' }),
        error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
      }),
      { description: 'One for each id, in their order.' },
    ),
  },
  { $id: 'MessageBatchResult' },
);

export interface TrashParts extends MessageAccess {
  readonly labels: MessageLabels;
  readonly trash: Trash;
  readonly mailDomain: string;
}

/** The trash, and changes of many messages at once. */
export function trashRoutes(parts: TrashParts): readonly Route[] {
  const { labels, trash, mailDomain } = parts;
  const act = async (id: string, caller: Caller, how: 'put' | 'restore') => {
    const { message, rights } = await messageFor(id, caller, parts);
    try {
      return { message: await trash[how](message, caller), reader: rights.reader };
    } catch (error) {
      throw rights.reader || !(error instanceof AppError) || error.code !== 'access_denied' ? error : noMessage(id);
    }
  };

  async function label(id: string, caller: Caller, change: MessageChange): Promise<void> {
    const { message, rights } = await messageFor(id, caller, parts);
    const mailbox = await labels.mailboxFor(message, caller, 'mail:answer');
    if (mailbox === undefined) throw rights.reader ? mayNotLabel() : noMessage(id);
    await labels.change(message, mailbox, change);
  }

  const single = (path: 'trash' | 'restore', summary: string, description: string) =>
    operation('POST', `/api/v1/mail/messages/{id}/${path}`, `${path}Message`, {
      tag: 'Messages',
      summary,
      description,
      access: 'key',
      params: IdParam,
      answers: { 200: { description: 'The message.', schema: Envelope } },
      problems: ['message_not_found', 'access_denied'],
      async handle({ caller, params }) {
        const { message, reader } = await act(params.id, caller, path === 'trash' ? 'put' : 'restore');
        const shown = reader ? message : withoutContents(message);
        return { status: 200, body: envelopeText(shown, mailDomain, await labels.of(shown, caller)) };
      },
    });

  return [
    single(
      'trash',
      'Put a message into the trash',
      'Of your own view alone: for keys of its recipient with `mail:answer`, or of its sender with `mail:send` that may read it. It is out of lists, counts and searches, in `?label=trash`, and back by `…/restore` within `TRASH_DAYS` (30); then it is gone. One that waits is canceled when its recipient does it. It still counts as storage.',
    ),
    single(
      'restore',
      'Take a message out of the trash',
      'As it was before; nothing changes for one that is not there.',
    ),
    operation('POST', '/api/v1/mail/messages/batch', 'changeMessages', {
      tag: 'Messages',
      summary: 'Change many messages',
      description: `Labels, trash or restore for up to ${MAX_BATCH} messages. Each is done or not by itself, and the answer says which.`,
      access: 'key',
      body: Batch,
      answers: { 200: { description: 'What became of each.', schema: BatchResult } },
      problems: [],
      async handle({ caller, body }) {
        const { ids, labels: change, trash: away = false, restore: back = false } = body;
        if ([change !== undefined, away, back].filter(Boolean).length === 0 || (away && back))
          throw new AppError(
            'validation_error',
            'Name labels, trash or restore; trash and restore exclude each other.',
            { errors: [{ pointer: '', message: 'Name labels, trash or restore.' }] },
          );
        const items: { id: string; status: number; error?: { code: string; message: string } }[] = [];
        for (const id of ids) {
          try {
            if (change !== undefined) await label(id, caller, { labels: change });
            if (away) await act(id, caller, 'put');
            if (back) await act(id, caller, 'restore');
            items.push({ id, status: 200 });
          } catch (error) {
            if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
            const { code, message } = error;
            items.push({ id, status: problems[code].status, error: { code, message } });
          }
        }
        return { status: 200, body: { items } };
      },
    }),
  ];
}
