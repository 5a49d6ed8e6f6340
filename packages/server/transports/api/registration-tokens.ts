import { parseAddress } from '@mailroom/behavior/values/address';
import { issuerUrl } from '../../core/entities/client.ts';
import {
  NewRegistrationToken,
  type RegistrationTokens,
  RegistrationTokenView,
  RegistrationTokenWithSecret,
  registrationTokenView,
} from '../../core/sign-in/registration-token.ts';
import { PageOf } from '../../core/values/page.ts';
import { operation, type Route } from '../../http/route.ts';
import { AddressParam, noContent, OF_AUTH_ADDRESS, ONE_OF_AUTH, SIGN_IN } from './parts.ts';

interface RegistrationTokenParts {
  readonly registrationTokens: RegistrationTokens;
  readonly baseUrl: () => string;
  readonly mailDomain: string;
}

/** Tokens with which services register themselves (OpenID Connect Dynamic Client Registration 1.0). */
export const registrationTokenRoutes = ({
  registrationTokens,
  baseUrl,
  mailDomain,
}: RegistrationTokenParts): readonly Route[] => [
  operation('GET', '/api/v1/mailboxes/{address}/registration-tokens', 'listRegistrationTokens', {
    ...SIGN_IN,
    summary: 'Registration tokens of an auth address',
    params: AddressParam,
    answers: {
      200: {
        description: 'Tokens that have not expired, newest first.',
        schema: PageOf(RegistrationTokenView, 'RegistrationTokenPage'),
      },
    },
    problems: OF_AUTH_ADDRESS,
    async handle({ caller, params: { address } }) {
      const items = (await registrationTokens.list(caller, address)).map(registrationTokenView);
      return { status: 200, body: { items, next_cursor: null } };
    },
  }),
  operation('POST', '/api/v1/mailboxes/{address}/registration-tokens', 'createRegistrationToken', {
    ...SIGN_IN,
    summary: 'Let services register themselves',
    description:
      'The token is shown only in this answer. A service sends it when it registers (RFC 7591). It expires, and it ends with the key that created it, which must not expire.',
    params: AddressParam,
    body: NewRegistrationToken,
    body_optional: true,
    answers: { 201: { description: 'The token.', schema: RegistrationTokenWithSecret } },
    problems: OF_AUTH_ADDRESS,
    async handle({ caller, params: { address }, body }) {
      const { token, secret } = await registrationTokens.create(caller, address, body);
      const { namespace = '' } = parseAddress(address, mailDomain) ?? {};
      const registration_endpoint = `${issuerUrl(baseUrl(), namespace)}/reg`;
      return { status: 201, body: { ...registrationTokenView(token), token: secret, registration_endpoint } };
    },
  }),
  operation('DELETE', '/api/v1/mailboxes/{address}/registration-tokens/{id}', 'deleteRegistrationToken', {
    ...ONE_OF_AUTH,
    summary: 'Remove a registration token',
    description: 'It can no longer be used. Services registered with it stay.',
    answers: { 204: noContent },
    async handle({ caller, params: { address, id } }) {
      await registrationTokens.remove(caller, address, id);
      return { status: 204 };
    },
  }),
];
