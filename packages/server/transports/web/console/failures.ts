import type { Filter } from './filter.ts';
import type { Signed } from './sign-in-form.ts';

/** How many messages failed in the span of the filter, of all mailboxes or of the one with this full address. */
export async function failuresOf(
  { api, session: { namespace } }: Signed,
  { span }: Filter,
  mailbox: string | undefined,
): Promise<number> {
  const request = { params: { name: namespace.name }, query: { span, mailbox } };
  return (await api.json('getActivity', request)).total.failed;
}
