import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { type Caller, type Rights, rightsTo } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { Message } from '../../core/entities/message.ts';
import type { Messages } from '../../core/ports/messages.ts';

export interface MessageAccess {
  readonly store: { readonly messages: Pick<Messages, 'byId'> };
  readonly directory: Directory;
}

export const noMessage = (id: string): AppError =>
  new AppError('message_not_found', `There is no message ${id.slice(0, 40)} that this key may see.`);

/** A message by its id as it came in a request. */
export const messageById = async (id: string, { store }: Pick<MessageAccess, 'store'>): Promise<Message | undefined> =>
  isId('msg', id) ? store.messages.byId(id) : undefined;

/** Any message, with the caller's rights to it; AppError `message_not_found`. */
export async function messageFor(
  id: string,
  caller: Caller,
  parts: MessageAccess,
): Promise<{ message: Message; rights: Rights }> {
  const message = await messageById(id, parts);
  if (message === undefined) throw noMessage(id);
  return { message, rights: await rightsTo(message, caller, parts.directory, parts.store.messages) };
}
