import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Registry } from '../../core/access/registry.ts';
import { UsageDay, usageDayView } from '../../core/entities/model-usage.ts';
import { USAGE_DAYS } from '../../core/maintenance/retention.ts';
import type { Store } from '../../core/ports/store.ts';
import { operation, type Route } from '../../http/route.ts';
import { AddressParam, OF_MAILBOX, QueryOf } from './parts.ts';

const DEFAULT_DAYS = 30;

const Usage = Type.Object({ items: Type.Array(UsageDay) }, { $id: 'Usage' });

/** AppError `validation_error`. */
function daysOf({ days = String(DEFAULT_DAYS) }: { readonly days?: string }): number {
  const count = Number(days);
  if (count >= 1 && count <= USAGE_DAYS) return count;
  throw invalid('/days', `days must be a whole number from 1 to ${USAGE_DAYS}.`);
}

interface UsageParts {
  readonly registry: Registry;
  readonly store: Pick<Store, 'modelUsage'>;
  readonly clock: Clock;
}

/** What the messages of a mailbox take of the language model. */
export const usageRoutes = ({ registry, store, clock }: UsageParts): readonly Route[] => [
  operation('GET', '/api/v1/mailboxes/{address}/usage', 'getMailboxUsage', {
    tag: 'Mailboxes',
    summary: 'What a mailbox takes of the language model',
    description:
      'By the UTC day on which a run began, newest first; days without a run are left out. Tokens are counted by the model’s server, and where it does not count, or its answer broke off, estimated at four characters each. Previews are not counted. Kept for 90 days.',
    access: 'messages:read',
    params: AddressParam,
    query: QueryOf({
      days: Type.Optional(
        Type.String({
          pattern: '^[0-9]{1,9}$',
          description: `How many days, today included: 1 to ${USAGE_DAYS}, ${DEFAULT_DAYS} by default.`,
        }),
      ),
    }),
    answers: { 200: { description: 'The days, newest first.', schema: Usage } },
    problems: OF_MAILBOX,
    async handle({ caller, params, query }) {
      const { id } = await registry.mailboxFor(caller, params.address, 'messages:read');
      const since = Math.floor(clock() / DAY) - daysOf(query) + 1;
      return { status: 200, body: { items: (await store.modelUsage.days(id, since)).map(usageDayView) } };
    },
  }),
];
