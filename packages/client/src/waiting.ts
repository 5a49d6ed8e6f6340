import { MailroomError } from './error.ts';
import { type Http, path } from './http.ts';
import type { WaitOptions } from './sending.ts';
import type { AwaitedMessage, Message, WaitRequest } from './types.generated.ts';

/** Which message an address waits for, and until when. */
export interface AwaitOptions extends WaitOptions, Omit<WaitRequest, 'after' | 'wait'> {
  /** Only what was received after this time, or after the message with this id; now by default. */
  readonly after?: string | Date | undefined;
}

/** A message that an address received, with what was asked to be extracted where it was found. */
export interface Received extends Omit<AwaitedMessage, 'message'> {
  readonly message: Message;
}

/** Seconds of one request, less than proxies let pass without an answer. */
const REQUEST_S = 55;
const TIMEOUT_MS = 60_000;

/** Waits for a message that an address receives, in as many requests as it takes. MailroomError `timeout`. */
export async function waitForMessage(http: Http, address: string, options: AwaitOptions): Promise<Received> {
  const { signal, timeoutMs = TIMEOUT_MS, after, ...filter } = options;
  const until = Date.now() + timeoutMs;
  let from = after instanceof Date ? after.toISOString() : after;
  for (;;) {
    const wait = Math.min(REQUEST_S, Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    const body: WaitRequest = { ...filter, wait, ...(from !== undefined && { after: from }) };
    const exchange = { signal, timeoutMs: (wait + TIMEOUT_MS / 1000) * 1000 };
    const response = await http.raw('POST', path`mailboxes/${address}/wait`, { body }, exchange);
    const { message, ...found } = (await response.json()) as AwaitedMessage;
    if (message !== null) return { message: message as Message, ...found };
    if (Date.now() >= until)
      throw new MailroomError(`${address} received no such message within ${timeoutMs / 1000} s.`, { code: 'timeout' });
    // The service's own time, in whole seconds, at which it had found none.
    from ??= new Date(response.headers.get('date') ?? Date.now()).toISOString();
  }
}
