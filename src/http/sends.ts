import type { Caller } from '../core/access/caller.ts';
import { count } from './limits.ts';
import type { Parts } from './parts.ts';

type Counting = Pick<Parts, 'rateLimits' | 'limiters'>;

/** Counts a send for the namespace, whichever of its keys sent it. AppError `rate_limited`. */
export async function countNamespaceSend(namespaceId: string, { rateLimits, limiters }: Counting): Promise<void> {
  const { refused } = rateLimits ? await count([limiters.namespaceSends], namespaceId) : {};
  if (refused !== undefined) throw refused;
}

/** Counts a message sent again: as a send of a key, or as a guest's try-out. AppError `rate_limited`. */
export async function countResend(caller: Caller, parts: Counting): Promise<void> {
  const { rateLimits, limiters } = parts;
  if (!rateLimits) return;
  const isKey = caller.kind === 'key';
  const { refused } = await count(isKey ? [limiters.sends] : limiters.tries, isKey ? caller.key.id : caller.network);
  if (refused !== undefined) throw refused;
  if (isKey) await countNamespaceSend(caller.key.namespace_id, parts);
}
