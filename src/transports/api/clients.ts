import { Type } from 'typebox';
import type { Client } from '../../core/sign-in/client.ts';
import { issuerUrl } from '../../core/sign-in/client.ts';
import { ClientChange, NewClient } from '../../core/sign-in/client-metadata.ts';
import { ClientView, ClientWithSecret, clientView } from '../../core/sign-in/client-view.ts';
import { parseAddress, shortAddress } from '../../core/values/address.ts';
import { PageOf } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Parts } from '../../http/parts.ts';
import type { Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import {
  AddressAndId,
  AddressParam,
  addressPath,
  IDEMPOTENCY_REPLAYED,
  noContent,
  OF_AUTH_ADDRESS,
  pageAnswer,
  pageQuery,
  readPage,
  SIGN_IN,
} from './parts.ts';

/** Services registered with an `auth` address (OpenID Connect: clients). */
export function clientRoutes({ clients, clock, baseUrl, mailDomain }: Parts): readonly Route[] {
  /** The namespace and local part of an address. */
  const placeOf = (address: string) => {
    const { local = '', namespace = '' } = parseAddress(address, mailDomain) ?? {};
    return { namespace, path: `${addressPath(`${shortAddress(local, namespace)}.${mailDomain}`)}/clients` };
  };
  const view = (client: Client, address: string) =>
    clientView(client, issuerUrl(baseUrl(), placeOf(address).namespace));

  return [
    route({
      ...SIGN_IN,
      method: 'GET',
      path: '/api/v1/mailboxes/{address}/clients',
      id: 'listClients',
      summary: 'Apps that let people sign in by an auth address (OIDC clients)',
      params: AddressParam,
      query: Type.Object(pageQuery, { additionalProperties: false }),
      answers: {
        200: {
          description: 'A page of services, in the order they were made, without their secrets.',
          schema: PageOf(ClientView, 'ClientPage'),
          headers: ['Link'],
        },
      },
      problems: OF_AUTH_ADDRESS,
      async handle({ caller, params: { address }, query }) {
        const { after, size } = readPage(query);
        const page = await clients.page(caller, address, after, size);
        return pageAnswer(page, (client) => view(client, address), placeOf(address).path, query);
      },
    }),
    route({
      ...SIGN_IN,
      method: 'POST',
      path: '/api/v1/mailboxes/{address}/clients',
      id: 'createClient',
      summary: 'Register a service',
      description:
        'Takes a key that does not expire, as what it makes would outlast it; so does changing a service. It then signs people and agents in with any OpenID Connect library, by `issuer`, `id` and `client_secret`. The secret is in this answer and nowhere else. A request that is repeated with its `Idempotency-Key` makes no second service and is not told the secret: make another with `POST …/secret` if it was lost.',
      params: AddressParam,
      body: NewClient,
      idempotency: true,
      answers: {
        201: {
          description: 'The service with its secret.',
          schema: ClientWithSecret,
          headers: ['Location', 'Idempotency-Replayed'],
        },
      },
      problems: [...OF_AUTH_ADDRESS, 'idempotency_mismatch'],
      async handle(call) {
        const { caller, body } = call;
        const { address } = call.params;
        const idempotency = idempotencyOf(call, `POST /api/v1/mailboxes/${address.toLowerCase()}/clients`, clock);
        const made = await clients.create(caller, address, body, idempotency);
        const location = `${placeOf(address).path}/${made.client.id}`;
        return {
          status: 201,
          body: { ...view(made.client, address), client_secret: made.secret },
          headers: { location, ...(made.replayed ? IDEMPOTENCY_REPLAYED : {}) },
        };
      },
    }),
    route({
      ...SIGN_IN,
      method: 'GET',
      path: '/api/v1/mailboxes/{address}/clients/{id}',
      id: 'getClient',
      summary: 'Get a service',
      params: AddressAndId,
      answers: { 200: { description: 'The service, without its secret.', schema: ClientView } },
      problems: [...OF_AUTH_ADDRESS, 'not_found'],
      async handle({ caller, params: { address, id } }) {
        return { status: 200, body: view(await clients.get(caller, address, id), address) };
      },
    }),
    route({
      ...SIGN_IN,
      method: 'PATCH',
      path: '/api/v1/mailboxes/{address}/clients/{id}',
      id: 'updateClient',
      summary: 'Change a service',
      description:
        'Takes a key that does not expire. Lists are replaced whole; null takes a field away. Where it changes to a method with a secret, make one with `POST …/secret`.',
      params: AddressAndId,
      body: ClientChange,
      answers: { 200: { description: 'The service as it is now.', schema: ClientView } },
      problems: [...OF_AUTH_ADDRESS, 'not_found'],
      async handle({ caller, params: { address, id }, body }) {
        return { status: 200, body: view(await clients.change(caller, address, id, body), address) };
      },
    }),
    route({
      ...SIGN_IN,
      method: 'DELETE',
      path: '/api/v1/mailboxes/{address}/clients/{id}',
      id: 'deleteClient',
      summary: 'Remove a service',
      description: 'Nobody signs in to it from then on.',
      params: AddressAndId,
      answers: { 204: noContent },
      problems: [...OF_AUTH_ADDRESS, 'not_found'],
      async handle({ caller, params: { address, id } }) {
        await clients.remove(caller, address, id);
        return { status: 204 };
      },
    }),
    route({
      ...SIGN_IN,
      method: 'POST',
      path: '/api/v1/mailboxes/{address}/clients/{id}/secret',
      id: 'renewClientSecret',
      summary: 'Make a new secret for a service',
      description:
        'Takes a key that does not expire. The one before ends at once. The new one is in this answer and nowhere else.',
      params: AddressAndId,
      answers: { 200: { description: 'The service with its new secret.', schema: ClientWithSecret } },
      problems: [...OF_AUTH_ADDRESS, 'not_found'],
      async handle({ caller, params: { address, id } }) {
        const { client, secret } = await clients.renew(caller, address, id);
        return { status: 200, body: { ...view(client, address), client_secret: secret } };
      },
    }),
  ];
}
