import { STATUSES } from '@mailroom/behavior/message';
import { hostedAddress, lowerCase, taggedAddress, withoutMailDomain } from '@mailroom/behavior/values/address';
import { parseRfc3339 } from '@mailroom/behavior/values/clock';
import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { type Caller, namespaceOf } from '../../core/access/caller.ts';
import { Envelope } from '../../core/entities/message-view.ts';
import { MAX_QUERY } from '../../core/ports/search.ts';
import { PageOf } from '../../core/values/page.ts';
import { pairsIn } from './metadata-query.ts';
import { pageQuery } from './parts.ts';

export const MessagePage = PageOf(Envelope, 'MessagePage');

/** Filters of a list of messages. */
export const messageQuery = {
  ...pageQuery,
  status: Type.Optional(Type.Enum([...STATUSES])),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Written at this time or later (RFC 3339).' })),
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_QUERY,
      description:
        'Words, or parts of them, and phrases in quotes, each of which is in subject, body, reply or an address, ignoring case. In addresses the mail domain is not searched, except that it may end the text. A page searches at most 20,000 messages and 32 MiB of their text, so it may be short or empty and still have a next page.',
    }),
  ),
};

/** An address as it is stored. AppError `validation_error`. */
export function readFrom(text: string, mailDomain: string): string {
  const address = lowerCase(text);
  const hosted = hostedAddress(address, mailDomain);
  if (hosted === 'outside' && /^[^@\s]+@[^@\s]+$/.test(address)) return address;
  if (hosted !== undefined && hosted !== 'outside') return taggedAddress(hosted);
  throw invalid('/from', `from must be an address, such as hello@agents.${mailDomain}.`);
}

export function readMessageQuery(
  query: {
    readonly status?: string;
    readonly since?: string;
    readonly query?: string;
  },
  mailDomain: string,
  caller: Caller,
) {
  const pairs = pairsIn(query);
  const since = query.since === undefined ? undefined : parseRfc3339(query.since);
  if (query.since !== undefined && since === undefined) {
    throw invalid('/since', 'since must be a time (RFC 3339), such as 2026-11-20T08:00:00.000Z.');
  }
  const address = query.query === undefined ? undefined : withoutMailDomain(query.query, mailDomain);
  return {
    ...(query.status === undefined ? {} : { status: query.status as (typeof STATUSES)[number] }),
    ...(since === undefined ? {} : { since }),
    ...(query.query === undefined ? {} : { query: query.query }),
    ...(address === undefined ? {} : { query_address: address }),
    ...(Object.keys(pairs).length > 0 && { metadata: { namespace_id: namespaceOf(caller) ?? '', pairs } }),
  };
}
