import { AppError } from '@mailroom/behavior/values/error';
import { rightsOn } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { type Draft, type DraftContent, type DraftError, draftTag, type NewDraft } from '../entities/draft.ts';
import { hasScope, type Key, reaches } from '../entities/key.ts';
import type { Message } from '../entities/message.ts';
import { withoutContents } from '../entities/message-view.ts';
import { MANY_FIELDS } from '../entities/sending.ts';

const NAMES = [
  ...['to', 'body', 'subject', 'thread_id', 'in_reply_to', 'from', 'data', 'sync', 'caused_by'],
  ...Object.keys(MANY_FIELDS),
] as (keyof DraftContent)[];

/** The content with the fields that are given; null removes one. */
export function contentOf(content: DraftContent, wanted: Partial<Pick<NewDraft, keyof DraftContent>>): DraftContent {
  const fields: Record<string, unknown> = {};
  for (const name of NAMES) {
    const value = wanted[name] === undefined ? content[name] : wanted[name];
    if (value !== undefined && value !== null) fields[name] = value;
  }
  return fields;
}

/** A key that only sends reads its own drafts; one with `messages:read` those of its namespace, or of its mailbox. */
export const mayRead = (key: Key, draft: Draft): boolean =>
  draft.namespace_id === key.namespace_id &&
  reaches(key, draft.mailbox_id) &&
  (draft.key_id === key.id || hasScope(key, 'messages:read'));

/** The message that a draft became, without what the key may not read where another key sent it. */
export async function shownTo(key: Key, message: Message, directory: Directory): Promise<Message> {
  if (message.key_id === key.id) return message;
  const { reader } = await rightsOn(message, { kind: 'key', key, network: '' }, directory);
  return reader ? message : withoutContents(message);
}

/** AppError `precondition_failed` unless the draft has one of these tags (RFC 9110, section 13.1.1). */
export function checkTag(draft: Draft, tags: readonly string[] | undefined): void {
  if (tags === undefined || tags.includes('*') || tags.includes(draftTag(draft))) return;
  throw new AppError(
    'precondition_failed',
    `The draft was changed since: its ETag is ${draftTag(draft)}. Read it again, then repeat the change.`,
  );
}

/** The text is bounded, because the draft stores it. */
export const errorOf = ({ code, message }: AppError): DraftError => ({ code, message: message.slice(0, 500) });

export const noDraft = (id: string): AppError =>
  new AppError('not_found', `There is no draft ${id.slice(0, 40)} that this key may see.`);
export const beingSent = (): AppError => new AppError('draft_sent', 'This draft is being sent right now.');
export const busy = (): AppError =>
  new AppError('unavailable', 'This draft is changed by others all the time. Try again.', { retry_after_ms: 1000 });
export const limited = (): AppError =>
  new AppError('rate_limited', 'Too many messages are sent at this moment. It is tried again in a minute.');

export const fullOfDrafts = (max: number): string =>
  `This namespace has ${max.toLocaleString('en-US')} ${max === 1 ? 'draft' : 'drafts'}, the maximum. Send or delete one first.`;
