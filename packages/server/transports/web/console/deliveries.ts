import type { Millis } from '@mailroom/behavior/values/clock';
import { type EmailDeliveryView, emailDeliveryViews } from '../../../core/entities/email.ts';
import { correspondentOf, type Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { timeMark } from './times.ts';

const WORDS: Readonly<Record<EmailDeliveryView['status'], readonly [string, string]>> = {
  queued: ['On its way', 'tag'],
  sent: ['Sent', 'tag answered'],
  deferred: ['To be retried', 'tag asks'],
  bounced: ['Came back', 'tag failed'],
  complained: ['Reported as unwanted', 'tag failed'],
};
/** Of one message, as where it is read by itself. */
const MAX_DELIVERIES = 20;

/** What of the messages leaves as e-mail, by the message or the reply that leaves. */
export async function deliveriesOf(
  messages: readonly Message[],
  namespace_id: string,
  { deliveries }: Pick<Store, 'deliveries'>,
): Promise<ReadonlyMap<string, readonly EmailDeliveryView[]>> {
  const found: EmailDeliveryView[] = [];
  for (const message of messages) {
    if (message.kind !== 'message' || correspondentOf(message) === undefined) continue;
    const { items } = await deliveries.page({ namespace_id, message_id: message.id }, null, MAX_DELIVERIES);
    found.push(...emailDeliveryViews(items));
  }
  return Map.groupBy(found, ({ message_id }) => message_id);
}

/** Each delivery with its status, its time and the server's last words. */
export const deliveryLines = (deliveries: readonly EmailDeliveryView[] | undefined, now: Millis): Html | false =>
  deliveries !== undefined &&
  html`<ul class="files" aria-label="E-mail">${deliveries.map((one) => {
    const [words, tag] = WORDS[one.status];
    return html`<li><span class="${tag}">${words}</span> <span dir="ltr">${one.to}</span> <span class="meta">${timeMark(Date.parse(one.updated_at), now, 'full')}${one.error !== null && html`: <span dir="auto">${one.error}</span>`}</span></li>`;
  })}</ul>`;
