import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { type Caller, rightsOn } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { boundTo } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import type { Store } from '../../core/ports/store.ts';
import { mergePages, type Page, readCursor, writeCursor } from '../../core/values/page.ts';
import { type Chain, continues, lastOf } from './chain.ts';
import { changedAt, stateOf, type TaskViewParts, taskOf } from './tasks.ts';

/** Messages that are examined for one page. */
const MAX_EXAMINED = 1_000;
const STEP = 200;
const PAGE_DEFAULT = 50;
const MAX_PAGE = 100;

interface Listing {
  readonly parts: TaskViewParts & { readonly store: Store; readonly directory: Directory };
  readonly mailbox: Mailbox;
  readonly caller: Caller;
  contextOf(message: Message): Promise<string>;
  threadOf(contextId: string): Promise<string | undefined>;
  chainOf(message: Message): Promise<Chain>;
}

/**
 * A page of the tasks that the caller's namespace, or its guest's thread, has at this address, begun last first; within a
 * page, changed last first. A page examines a bounded number of messages, so it may hold fewer than asked for.
 */
export async function listTasks(request: ListTasksRequest, listing: Listing): Promise<ListTasksResponse> {
  const { pageSize = PAGE_DEFAULT, status, statusTimestampAfter, historyLength } = request;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE)
    throw new RequestMalformedError(`pageSize is a whole number from 1 to ${MAX_PAGE}.`);
  if (historyLength !== undefined && (!Number.isInteger(historyLength) || historyLength < 0))
    throw new RequestMalformedError('historyLength is a whole number from 0 on.');
  const since = statusTimestampAfter === undefined ? Number.NEGATIVE_INFINITY : Date.parse(statusTimestampAfter);
  if (Number.isNaN(since)) throw new RequestMalformedError('statusTimestampAfter is a time in the form of RFC 3339.');
  if (status === TaskState.UNRECOGNIZED)
    throw new RequestMalformedError('There is no such status. One looks like TASK_STATE_COMPLETED.');
  const { after, counted } = readToken(request.pageToken);
  const pages = await sourceOf(request.contextId, listing);
  const found: Chain[] = [];
  let matching = 0;
  let next: string | null = null;
  if (pages !== undefined) {
    let cursor: string | null = after;
    for (let examined = 0; examined < MAX_EXAMINED; examined += STEP) {
      const page: Page<Message> = await pages(cursor, STEP);
      for (const message of page.items) {
        if (!(await isTaskOf(message, listing))) continue;
        const chain = await listing.chainOf(message);
        const last = lastOf(chain);
        if (status !== TaskState.TASK_STATE_UNSPECIFIED && stateOf(last) !== status) continue;
        if (changedAt(last) < since) continue;
        matching++;
        if (found.length < pageSize) found.push(chain);
        else next ??= (found.at(-1) as Chain)[0].id;
      }
      cursor = page.next;
      if (cursor === null) break;
      // What is known by now is counted on the first page alone.
      if (next !== null && counted !== undefined) break;
    }
    if (next === null && cursor !== null) next = cursor;
  }
  const totalSize = counted ?? matching;
  const tasks = await Promise.all(found.map((chain) => shownTask(chain, request, listing)));
  const at = (task: Task): string => task.status?.timestamp ?? '';
  tasks.sort((a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0));
  return {
    tasks,
    nextPageToken: next === null ? '' : `${writeCursor(next)}.${totalSize}`,
    pageSize: tasks.length,
    totalSize,
  };
}

const shownTask = async (
  chain: Chain,
  { historyLength, includeArtifacts }: ListTasksRequest,
  listing: Listing,
): Promise<Task> =>
  taskOf(
    chain,
    {
      contextId: await listing.contextOf(chain[0]),
      history: historyLength,
      ...(includeArtifacts === true ? {} : { bare: true as const }),
    },
    listing.parts,
  );

/** The messages to look through, newest first; undefined for a caller that has none. */
async function sourceOf(
  contextId: string,
  { parts: { store }, caller, threadOf }: Listing,
): Promise<((before: string | null, size: number) => Promise<Page<Message>>) | undefined> {
  const own = caller.kind === 'thread' ? caller.thread_id : undefined;
  const thread = contextId === '' ? own : await threadOf(contextId);
  if (thread !== undefined) {
    return async (before, size) => {
      const { items, next } = await store.messages.threadEnd(thread, before, size);
      return { items: items.toReversed(), next };
    };
  }
  if (caller.kind !== 'key' || contextId !== '') return undefined;
  const sender = { sender_namespace_id: caller.key.namespace_id };
  const lists = boundTo(caller.key)?.map((sender_mailbox_id) => ({ ...sender, sender_mailbox_id })) ?? [sender];
  return async (before, size) =>
    mergePages(await Promise.all(lists.map((list) => store.messages.page(list, before, size))), size);
}

/** Whether the message is a task of this address that the caller may see, and not the answer to the question of another. */
async function isTaskOf(message: Message, { parts, mailbox, caller }: Listing): Promise<boolean> {
  if (message.kind !== 'message' || message.mailbox_id !== mailbox.id) return false;
  const asGuest =
    caller.kind === 'guest' ? { ...caller, kind: 'thread' as const, thread_id: message.thread_id } : caller;
  const { reader } = await rightsOn(message, asGuest, parts.directory);
  return reader && !(await continues(message, parts.store.messages));
}

/** Where a page begins, and how many tasks the first page counted. */
function readToken(token: string): { readonly after: string | null; readonly counted?: number } {
  if (token === '') return { after: null };
  const [cursor = '', counted = ''] = token.split('.');
  if (!/^\d{1,9}$/.test(counted)) throw badToken();
  try {
    return { after: readCursor(cursor), counted: Number(counted) };
  } catch {
    throw badToken();
  }
}

const badToken = () =>
  new RequestMalformedError('This pageToken is not from this list. Use nextPageToken unchanged, or leave it out.');
