import { parseAddress, shortAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { type Client, issuerUrl } from '../../core/entities/client.ts';
import { ClientChange, NewClient } from '../../core/sign-in/client-metadata.ts';
import type { ClientRegistry } from '../../core/sign-in/client-registry.ts';
import { ClientView, ClientWithSecret, clientView } from '../../core/sign-in/client-view.ts';
import { PageOf } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import { operation, type Route } from '../../http/route.ts';
import {
  AddressParam,
  addressPath,
  created,
  createdAnswer,
  noContent,
  OF_AUTH_ADDRESS,
  ONE_OF_AUTH,
  onePage,
  PageQuery,
  pageAnswer,
  readPage,
  SIGN_IN,
} from './parts.ts';

interface ClientParts {
  readonly clients: ClientRegistry;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
}

/** Services registered with an `auth` address (OpenID Connect: clients). */
export function clientRoutes({ clients, clock, baseUrl, mailDomain }: ClientParts): readonly Route[] {
  /** The namespace and local part of an address. */
  const placeOf = (address: string) => {
    const { local = '', namespace = '' } = parseAddress(address, mailDomain) ?? {};
    return { namespace, path: `${addressPath(`${shortAddress(local, namespace)}.${mailDomain}`)}/clients` };
  };
  const view = (client: Client, address: string) =>
    clientView(client, issuerUrl(baseUrl(), placeOf(address).namespace));

  return [
    operation('GET', '/api/v1/mailboxes/{address}/clients', 'listClients', {
      ...SIGN_IN,
      summary: 'Apps that let people sign in by an auth address (OIDC clients)',
      params: AddressParam,
      query: PageQuery,
      answers: onePage(
        'A page of services, in the order they were made, without their secrets.',
        PageOf(ClientView, 'ClientPage'),
      ),
      problems: OF_AUTH_ADDRESS,
      async handle({ caller, params: { address }, query }) {
        const { after, size } = readPage(query);
        const page = await clients.page(caller, address, after, size);
        return pageAnswer(page, (client) => view(client, address), placeOf(address).path, query);
      },
    }),
    operation('POST', '/api/v1/mailboxes/{address}/clients', 'createClient', {
      ...SIGN_IN,
      summary: 'Register a service',
      description:
        'Requires a key that does not expire, because the service would outlast the key; changing a service does too. The service can then sign people and agents in with any OpenID Connect library, using `issuer`, `id` and `client_secret`. The secret is shown only in this answer. Repeating the request with the same `Idempotency-Key` creates no second service and does not return the secret; if you lost it, create a new one with `POST …/secret`.',
      params: AddressParam,
      body: NewClient,
      idempotency: true,
      answers: created('The service with its secret.', ClientWithSecret),
      problems: [...OF_AUTH_ADDRESS, 'idempotency_mismatch'],
      async handle(call) {
        const { caller, body } = call;
        const { address } = call.params;
        const idempotency = idempotencyOf(call, `POST /api/v1/mailboxes/${address.toLowerCase()}/clients`, clock);
        const { client, secret, replayed } = await clients.create(caller, address, body, idempotency);
        const location = `${placeOf(address).path}/${client.id}`;
        return createdAnswer(location, { ...view(client, address), client_secret: secret }, replayed);
      },
    }),
    operation('GET', '/api/v1/mailboxes/{address}/clients/{id}', 'getClient', {
      ...ONE_OF_AUTH,
      summary: 'Get a service',
      answers: { 200: { description: 'The service, without its secret.', schema: ClientView } },
      async handle({ caller, params: { address, id } }) {
        return { status: 200, body: view(await clients.get(caller, address, id), address) };
      },
    }),
    operation('PATCH', '/api/v1/mailboxes/{address}/clients/{id}', 'updateClient', {
      ...ONE_OF_AUTH,
      summary: 'Change a service',
      description:
        'Requires a key that does not expire. Lists are replaced as a whole; null removes a field. After a change to a method with a secret, create one with `POST …/secret`.',
      body: ClientChange,
      answers: { 200: { description: 'The service as it is now.', schema: ClientView } },
      async handle({ caller, params: { address, id }, body }) {
        return { status: 200, body: view(await clients.change(caller, address, id, body), address) };
      },
    }),
    operation('DELETE', '/api/v1/mailboxes/{address}/clients/{id}', 'deleteClient', {
      ...ONE_OF_AUTH,
      summary: 'Remove a service',
      description: 'No one can sign in to it afterwards.',
      answers: { 204: noContent },
      async handle({ caller, params: { address, id } }) {
        await clients.remove(caller, address, id);
        return { status: 204 };
      },
    }),
    operation('POST', '/api/v1/mailboxes/{address}/clients/{id}/secret', 'renewClientSecret', {
      ...ONE_OF_AUTH,
      summary: 'Make a new secret for a service',
      description:
        'Requires a key that does not expire. The previous secret stops working at once. The new one is shown only in this answer.',
      answers: { 200: { description: 'The service with its new secret.', schema: ClientWithSecret } },
      async handle({ caller, params: { address, id } }) {
        const { client, secret } = await clients.renew(caller, address, id);
        return { status: 200, body: { ...view(client, address), client_secret: secret } };
      },
    }),
  ];
}
