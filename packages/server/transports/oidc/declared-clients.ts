import type { FieldError } from '@mailroom/behavior/values/error';
import {
  type ClientMetadata,
  IN_NO_NAME,
  MAX_NAME,
  MAX_URI,
  MAX_URIS,
  metadataErrors,
} from '../../core/sign-in/client-metadata.ts';
import { JWT_BEARER } from './clients.ts';

type Declared = Readonly<Partial<Record<string, unknown>>>;

const GRANTS: ReadonlySet<unknown> = new Set(['authorization_code', 'refresh_token', JWT_BEARER]);
const URIS = ['redirect_uris', 'post_logout_redirect_uris'] as const;

/**
 * Checks the metadata a service declares by registration (RFC 7591) or by a document, with the rules for services that
 * an owner registers. Undefined when it is valid.
 */
export function declaredError(metadata: Declared): FieldError | undefined {
  const { client_name = '', grant_types = [] } = metadata;
  if (typeof client_name !== 'string' || client_name.length > MAX_NAME || IN_NO_NAME.test(client_name)) {
    return error('client_name', `This is one line of up to ${MAX_NAME} characters.`);
  }
  for (const field of URIS) {
    const uris = metadata[field] ?? [];
    if (!Array.isArray(uris) || uris.length > MAX_URIS || uris.some((uri) => !isShort(uri))) {
      return error(field, `There are up to ${MAX_URIS}, each of up to ${MAX_URI} characters.`);
    }
  }
  const grant = (grant_types as readonly unknown[]).find((one) => !GRANTS.has(one));
  if (grant !== undefined) return error('grant_types', `${JSON.stringify(grant).slice(0, 100)} is not for services.`);
  const method = metadata.token_endpoint_auth_method;
  if (method === 'none' && (grant_types as readonly unknown[]).includes(JWT_BEARER)) {
    return error('grant_types', `${JWT_BEARER} takes a service that shows who it is.`);
  }
  return metadataErrors({ application_type: 'web', ...metadata } as unknown as ClientMetadata)[0];
}

const error = (field: string, message: string): FieldError => ({ pointer: `/${field}`, message });
const isShort = (uri: unknown): boolean => typeof uri === 'string' && uri.length <= MAX_URI;
