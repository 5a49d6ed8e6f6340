import type { Message } from '../entities/message.ts';
import type { State } from './states.ts';

/** How an address of another server is reached at once, by one delivery. Dispose of it when its message was written. */
export interface PeerRoute extends Disposable {
  /** Written with the delivery, whose attempts all keep to this route. */
  stateOf(deliveryId: string): State;
  /** What its first attempt brought: the answer as it was filed, or undefined. Never rejects. */
  readonly answer: Promise<Message | undefined>;
}
