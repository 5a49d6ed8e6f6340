import { lowerCase, outsideAddress } from '@mailroom/behavior/values/address';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { requireOwn } from '../../core/access/caller.ts';
import { SuppressionView, suppressionView } from '../../core/entities/suppression.ts';
import type { Store } from '../../core/ports/store.ts';
import { PageOf, writeCursor } from '../../core/values/page.ts';
import { type Call, operation, type Route } from '../../http/route.ts';
import { noContent, onePage, pageAnswer, pageQuery, QueryOf, readPage } from './parts.ts';
import { keyOf } from './send.ts';

/** A cursor of this list holds an address in place of an id. */
function addressIn(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1').slice(1);
  if (writeCursor(text) === cursor && outsideAddress(text) !== undefined) return text;
  throw invalid('/cursor', 'This cursor is not from this list. Use next_cursor unchanged, or leave it out.');
}

const PATH = '/api/v1/mail/suppressions';
/** Of the namespace as a whole, so a key that is bound to a mailbox neither sees nor lifts them. */
const ownOf = ({ caller }: Call, scope: 'messages:read' | 'mailboxes:write'): string => {
  const { namespace_id: id, namespace: name } = keyOf({ caller });
  return requireOwn(caller, { id, name }, scope).namespace_id;
};

/** The addresses to which nothing is sent from the namespace of the key. */
export const suppressionRoutes = ({ store }: { readonly store: Pick<Store, 'suppressions'> }): readonly Route[] => [
  operation('GET', PATH, 'listSuppressions', {
    tag: 'Messages',
    summary: 'The addresses outside to which nothing is sent',
    description:
      'An address is suppressed when it does not exist, or when its owner reported a mail as unwanted; for this namespace alone. Sorted by address.',
    access: 'messages:read',
    // An address is longer than an id.
    query: QueryOf({
      ...pageQuery,
      cursor: Type.Optional(Type.String({ maxLength: 400, description: '`next_cursor` of the page before.' })),
    }),
    answers: onePage('A page of them.', PageOf(SuppressionView, 'SuppressionPage')),
    problems: ['access_denied'],
    async handle(call) {
      const namespace_id = ownOf(call, 'messages:read');
      const { cursor, ...query } = call.query;
      const { size } = readPage(query);
      const after = cursor === undefined ? null : addressIn(cursor);
      const page = await store.suppressions.page({ namespace_id, kind: 'email' }, after, size);
      return pageAnswer(page, suppressionView, PATH, call.query);
    },
  }),
  operation('DELETE', `${PATH}/{address}`, 'liftSuppression', {
    tag: 'Messages',
    summary: 'Send to an address again',
    description: 'What could not be sent meanwhile is not sent by this.',
    access: 'mailboxes:write',
    params: Type.Object({
      address: Type.String({ description: 'The address as the list shows it.', examples: ['ada@example.com'] }),
    }),
    answers: { 204: noContent },
    problems: ['access_denied', 'not_found'],
    async handle(call) {
      const namespace_id = ownOf(call, 'mailboxes:write');
      const target = lowerCase(call.params.address);
      if (!(await store.suppressions.remove({ namespace_id, kind: 'email', target })))
        throw new AppError('not_found', 'This address is not suppressed.');
      return { status: 204 };
    },
  }),
];
