import {
  AllowanceView,
  type AllowedServices,
  allowanceView,
  NewAllowance,
} from '../../core/sign-in/allowed-services.ts';
import { PageOf } from '../../core/values/page.ts';
import { operation, type Route } from '../../http/route.ts';
import { AddressAndId, AddressParam, noContent, OF_MAILBOX, SIGN_IN } from './parts.ts';

interface ServiceParts {
  readonly allowedServices: AllowedServices;
  readonly baseUrl: () => string;
}

/** Services a mailbox may sign in to without asking its owner each time. */
export const serviceRoutes = ({ allowedServices, baseUrl }: ServiceParts): readonly Route[] => [
  operation('GET', '/api/v1/mailboxes/{address}/services', 'listAllowedServices', {
    ...SIGN_IN,
    summary: 'Where a mailbox may sign in (allowed relying parties)',
    params: AddressParam,
    answers: {
      200: { description: 'All of them, the newest first.', schema: PageOf(AllowanceView, 'AllowedServicePage') },
    },
    problems: OF_MAILBOX,
    async handle({ caller, params: { address } }) {
      const all = await allowedServices.list(caller, address);
      return { status: 200, body: { items: all.map((one) => allowanceView(one, baseUrl())), next_cursor: null } };
    },
  }),
  operation('POST', '/api/v1/mailboxes/{address}/services', 'allowService', {
    ...SIGN_IN,
    summary: 'Let a mailbox sign in to a service',
    description:
      'The mailbox then signs in there without asking: messages it sends to the `auth` address do not wait for approval. Repeating the request changes nothing. Requires a key that does not expire.',
    params: AddressParam,
    body: NewAllowance,
    answers: { 201: { description: 'The service that it may sign in to.', schema: AllowanceView } },
    problems: OF_MAILBOX,
    async handle({ caller, params: { address }, body }) {
      const allowed = await allowedServices.allow(caller, address, body);
      return { status: 201, body: allowanceView(allowed, baseUrl()) };
    },
  }),
  operation('DELETE', '/api/v1/mailboxes/{address}/services/{id}', 'disallowService', {
    ...SIGN_IN,
    summary: 'Make a mailbox ask again before it signs in',
    description: 'A session it already has with the service may continue.',
    params: AddressAndId,
    answers: { 204: noContent },
    problems: [...OF_MAILBOX, 'not_found'],
    async handle({ caller, params: { address, id } }) {
      await allowedServices.remove(caller, address, id);
      return { status: 204 };
    },
  }),
];
