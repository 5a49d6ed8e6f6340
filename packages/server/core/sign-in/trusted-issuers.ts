import type { HostIssuer } from '@mailroom/behavior/host';
import type { Address } from '@mailroom/behavior/values/address';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { type AddressParts, findAddress } from '../access/hosted-address.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { webError } from './uri.ts';

const HTTPS = '^https://[^\\s?#@]+$';
const Issuer = Type.String({ pattern: HTTPS, maxLength: 500, description: 'Its issuer URL, exactly as in `iss`.' });

const TrustedIssuer = Type.Object(
  {
    issuer: Issuer,
    client_id: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'The only app that may present its assertions; any registered app by default.',
      }),
    ),
    tenant: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `tenant` of its assertions; none by default.' }),
    ),
    match: Type.Optional(
      Type.Enum(['subject', 'email'], {
        default: 'subject',
        description:
          'Who its subjects are: those listed below (`subject`), or beside them also the address of this namespace that is the verified `email` (`email`).',
      }),
    ),
    jwks_uri: Type.Optional(
      Type.String({ pattern: HTTPS, maxLength: 500, description: 'Its keys; found by its metadata by default.' }),
    ),
  },
  { additionalProperties: false },
);

const SubjectRule = Type.Object(
  {
    issuer: Issuer,
    subject: Type.String({ minLength: 1, maxLength: 255, description: 'The `sub`, exactly.' }),
    mailbox: Type.String({ minLength: 1, maxLength: 500, description: 'An address of this namespace.' }),
  },
  { additionalProperties: false },
);

/** The settings of an `auth` address: the outside identity providers whose assertions (ID-JAG) its issuer accepts. */
const TrustSettings = Type.Object(
  {
    trusted_issuers: Type.Optional(
      Type.Array(TrustedIssuer, {
        maxItems: 20,
        description: 'Identity providers outside that may say which address an app acts for.',
      }),
    ),
    subjects: Type.Optional(
      Type.Array(SubjectRule, { maxItems: 200, description: 'Which address each of their subjects is.' }),
    ),
  },
  { additionalProperties: false },
);
export type TrustSettings = Type.Static<typeof TrustSettings>;
export type TrustedIssuer = Type.Static<typeof TrustedIssuer>;

/** What an assertion says, once its signature is verified. */
interface Asserted {
  readonly iss: string;
  readonly sub: string;
  readonly tenant?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

/** The rule by which the owner trusts this issuer for this app; undefined when there is none. */
export const trustedIssuer = (
  { trusted_issuers = [] }: TrustSettings,
  claims: { readonly issuer: unknown; readonly client_id: string; readonly tenant: unknown },
): TrustedIssuer | undefined =>
  trusted_issuers.find(
    ({ issuer, client_id = claims.client_id, tenant }) =>
      issuer === claims.issuer && client_id === claims.client_id && tenant === claims.tenant,
  );

/**
 * The mailbox that the owner's rules name for a subject, only ever one of the owner's own namespace; undefined when no
 * rule names one that exists. An e-mail address counts where the rule says so, and if it is verified.
 */
export async function subjectMailbox(
  asserted: Asserted,
  trusted: TrustedIssuer,
  { subjects = [] }: TrustSettings,
  parts: AddressParts & {
    readonly namespace: string;
    readonly find: (local: string, namespace: string) => Promise<Mailbox | undefined> | Mailbox | undefined;
  },
): Promise<Mailbox | undefined> {
  const rule = subjects.find(({ issuer, subject }) => issuer === asserted.iss && subject === asserted.sub);
  const { email, email_verified } = asserted;
  const byEmail = trusted.match === 'email' && typeof email === 'string' && email_verified === true ? email : undefined;
  const named = rule?.mailbox ?? byEmail;
  if (named === undefined) return undefined;
  const address = await located(named, parts);
  if (address === undefined || address.tag !== null || address.namespace !== parts.namespace) return undefined;
  const mailbox = await parts.find(address.local, address.namespace);
  return mailbox?.deleted_at === null ? mailbox : undefined;
}

/** The address; undefined for another domain, whose AppError belongs to other transports. */
async function located(text: string, parts: AddressParts): Promise<Address | undefined> {
  try {
    return await findAddress(text, parts);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** What is wrong with settings that match the schema. */
function trustErrors({ trusted_issuers = [], subjects = [] }: TrustSettings): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (pointer: string, url: string | undefined): void => {
    const error = url === undefined ? undefined : webError(url);
    if (error !== undefined) errors.push({ pointer, message: error });
  };
  for (const [at, { issuer, jwks_uri }] of trusted_issuers.entries()) {
    check(`/trusted_issuers/${at}/issuer`, issuer);
    check(`/trusted_issuers/${at}/jwks_uri`, jwks_uri);
  }
  for (const [index, { issuer }] of subjects.entries())
    if (!trusted_issuers.some((one) => one.issuer === issuer))
      errors.push({
        pointer: `/subjects/${index}/issuer`,
        message: 'This identity provider is not among the trusted ones. Add it there, or leave this rule out.',
      });
  return errors;
}

/** What a host hands of it to the behavior of issuers. */
export const TRUST: HostIssuer['trust'] = {
  settings: TrustSettings,
  errors: (settings) => trustErrors(settings as TrustSettings),
};
