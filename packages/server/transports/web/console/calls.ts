import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { plainText } from '../../../http/markdown.ts';
import { counted, icon } from '../pieces.ts';
import { type Filter, search } from './filter.ts';
import type { Root } from './shell.ts';
import { timeMark } from './times.ts';

/** Messages that are shown of one answer, and characters of each text. */
const MAX_CALLS = 10;
const MAX_TEXT = 2_000;
/** As the results of steps name what was sent; text of others has its quotes escaped. */
const SENT = /"message_id":"(msg_[0-9a-z]{20})"/g;

/** What the mailbox itself sent to answer each of these messages, as its answers name it, by their ids. */
export async function callsOf(
  thread: readonly Message[],
  namespaceId: string,
  { messages }: Pick<Store, 'messages'>,
): Promise<ReadonlyMap<string, readonly Message[]>> {
  const named = new Map<string, readonly string[]>();
  for (const { id, kind, reply } of thread) {
    if (kind !== 'message' || reply?.data == null) continue;
    const all = new Set([...reply.data.matchAll(SENT)].map(([, one]) => one as string));
    all.delete(id);
    if (all.size > 0) named.set(id, [...all].slice(0, MAX_CALLS));
  }
  const ids = [...new Set([...named.values()].flat())];
  const found = ids.length === 0 ? [] : await messages.byIds(ids);
  const calls = thread
    .filter(({ id }) => named.has(id))
    .map(({ id, mailbox_id, hops }) => {
      const sent = found.filter(
        (candidate) =>
          named.get(id)?.includes(candidate.id) === true &&
          candidate.kind === 'message' &&
          candidate.hops === hops + 1 &&
          candidate.sender_kind === 'mailbox' &&
          candidate.sender_id === mailbox_id &&
          candidate.sender_namespace_id === namespaceId,
      );
      return [id, sent] as const;
    });
  return new Map(calls.filter(([, own]) => own.length > 0));
}

interface View {
  readonly filter: Filter;
  readonly root: Root;
  readonly now: Millis;
}

/** One folded line for what was sent to answer a message, with what came back. */
export function callsFold(calls: readonly Message[] | undefined, { filter, root, now }: View): Html | false {
  if (calls === undefined) return false;
  const to = [...new Set(calls.map((one) => one.to))].join(', ');
  const text = (whole: string): Html =>
    html`<div class="prose">${plainText(whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/, '')}…` : whole)}</div>`;
  return html`<details class="calls"><summary class="meta">${icon('send')}<span>Sent ${counted(calls.length, 'message')} to answer this, to <span dir="ltr">${to}</span></span></summary><ul>${calls.map(
    (message) =>
      html`<li><p class="meta">To <span dir="ltr">${message.to}</span> ${timeMark(message.created_at, now, 'full')} <a href="${root}console${search(filter, { message: message.id })}">Open<span class="sr"> the message to ${message.to}</span></a></p>
${text(message.body)}
<p class="meta"><span dir="ltr">${message.to}</span> ${message.reply === null ? 'has not answered' : 'answered'}</p>${message.reply !== null && text(message.reply.body)}</li>`,
  )}</ul></details>`;
}
