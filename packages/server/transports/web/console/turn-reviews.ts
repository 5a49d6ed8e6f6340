import { isReplyId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../../core/entities/message.ts';
import type { Review } from '../../../core/entities/review.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { icon, note } from '../pieces.ts';
import type { Root } from './shell.ts';
import { zonedMark } from './times.ts';

/** Reviews that wait in a namespace, among which those of a conversation are found. */
const MAX_PENDING = 200;

/** A review of a turn, with who decided in words. */
export interface TurnReview extends Review {
  readonly decider: string | undefined;
}

/** Where a page is that shows a turn. */
interface Where {
  readonly root: Root;
}

type NameOf = (keyId: string) => Promise<string | undefined>;

/** Reviews of what a namespace wrote in a thread, by the message or the reply that leaves. */
export async function turnReviews(
  thread: readonly Message[],
  namespaceId: string,
  nameOf: NameOf,
  { reviews }: Pick<Store, 'reviews'>,
): Promise<ReadonlyMap<string, TurnReview>> {
  const found = new Map<string, TurnReview>();
  const ids = new Set(thread.map(({ id }) => id));
  const pending = await reviews.page({ namespace_id: namespaceId, status: 'pending' }, null, MAX_PENDING);
  for (const one of pending.items)
    if (ids.has(one.message_id)) found.set(one.reply_id ?? one.message_id, { ...one, decider: undefined });
  for (const leaving of thread.flatMap(settledIds)) {
    const one = found.has(leaving) ? undefined : await reviews.ofLeaving(leaving);
    if (one?.namespace_id !== namespaceId) continue;
    const decider = one.decided_by === null ? undefined : await nameOf(one.decided_by);
    found.set(leaving, { ...one, decider });
  }
  return found;
}

/** What may have been reviewed of a message: itself, and the answer to it. */
const settledIds = ({ id, reply, error_code: code }: Message): readonly string[] => {
  if (isReplyId(id)) return [id];
  return reply !== null || code?.startsWith('review_') === true ? [id, replyIdOf(id)] : [id];
};

const DECIDED = { approved: 'Approved', rejected: 'Rejected', expired: 'No one decided in time' } as const;

/** That a turn waits for its review, with the way to decide; or who decided, and when. */
export function reviewLine(review: TurnReview | undefined, { root }: Where): Html | false {
  if (review === undefined) return false;
  const { id, status, decider, decided_at, expires_at } = review;
  const link = (word: string): Html => html`<a href="${root}console/reviews?open=${id}">${word}</a>`;
  if (status === 'pending')
    return note(
      'wait',
      'clock',
      'It waits for its review.',
      html`${link('Read it and decide')}, until ${zonedMark(expires_at)}.`,
    );
  return html`<p class="meta reviewed">${icon('check')} ${link(DECIDED[status])}${decider !== undefined && html` by <span dir="auto">${decider.replace(/^The /, 'the ')}</span>`}${decided_at !== null && html`, ${zonedMark(decided_at)}`}</p>`;
}

/** Further answers to a message that wait: they are no turns yet. */
export const furtherReviews = (
  { id }: Message,
  view: Where & { readonly reviews: ReadonlyMap<string, TurnReview> },
): readonly (Html | false)[] =>
  [...view.reviews.values()]
    .filter((one) => one.kind === 'further' && one.status === 'pending' && one.message_id === id)
    .map((one) => reviewLine(one, view));
