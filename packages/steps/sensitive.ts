import type { Sensitive } from '@mailroom/behavior';
import type { Json } from '@mailroom/behavior/values/json';
import type { Remote } from './outside/settings.ts';

/** Tasks by which text leaves a mailbox. */
const SENDING: ReadonlySet<string> = new Set(['send', 'fetch', 'schedule']);

/** Whether one of these tasks sends text elsewhere. */
export const sends = (tasks: readonly string[]): boolean => tasks.some((task) => SENDING.has(task));

/** What of settings has messages leave: the listed servers and agents of others, and the named parts that send. */
export function sensitivePart(
  outside: readonly Remote[],
  parts: { readonly [name: string]: unknown },
): Sensitive | undefined {
  const part = { ...(outside.length > 0 && { outside }), ...parts };
  const [what] = Object.keys(part);
  return what === undefined ? undefined : { scope: 'messages:read', what, part: part as unknown as Json };
}
