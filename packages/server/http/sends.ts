import type { Caller } from '../core/access/caller.ts';
import { count, type Limiters } from './limits.ts';

/** What counting sends needs. */
export interface SendLimits {
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  readonly limiters: Pick<Limiters, 'sends' | 'tries' | 'namespaceSends'>;
}

type NamespaceSendLimits = Pick<SendLimits, 'rateLimits'> & { readonly limiters: Pick<Limiters, 'namespaceSends'> };

/** Counts a send for the namespace, whichever of its keys sent it. AppError `rate_limited`. */
export async function countNamespaceSend(
  namespaceId: string,
  { rateLimits, limiters }: NamespaceSendLimits,
): Promise<void> {
  const { refused } = rateLimits ? await count([limiters.namespaceSends], namespaceId) : {};
  if (refused !== undefined) throw refused;
}

/** Counts a send of a key, or a guest's try-out, which is sent again or from a page. AppError `rate_limited`. */
export async function countSend(caller: Caller, parts: SendLimits): Promise<void> {
  const { rateLimits, limiters } = parts;
  if (!rateLimits) return;
  const isKey = caller.kind === 'key';
  const { refused } = await count(isKey ? [limiters.sends] : limiters.tries, isKey ? caller.key.id : caller.network);
  if (refused !== undefined) throw refused;
  if (isKey) await countNamespaceSend(caller.key.namespace_id, parts);
}
