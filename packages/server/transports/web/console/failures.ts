import { DAY, type Millis } from '@mailroom/behavior/values/clock';
import type { Filter } from './filter.ts';
import type { Signed } from './sign-in-form.ts';

/**
 * How many messages failed in the span of the filter, and how many were answered today (UTC), of all mailboxes or of the
 * one with this full address.
 */
export async function figuresOf(
  { api, session: { namespace } }: Signed,
  { span }: Filter,
  mailbox: string | undefined,
  now: Millis,
): Promise<{ readonly failed: number; readonly answered: number }> {
  const request = { params: { name: namespace.name }, query: { span, mailbox } };
  const { total, buckets } = await api.json('getActivity', request);
  const today = now - (now % DAY);
  const answered = buckets.filter(({ from }) => Date.parse(from) >= today).reduce((sum, one) => sum + one.answered, 0);
  return { failed: total.failed, answered };
}
