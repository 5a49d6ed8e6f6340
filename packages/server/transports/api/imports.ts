import { parseRfc3339, rfc3339 } from '@mailroom/behavior/values/clock';
import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import type { Registry } from '../../core/access/registry.ts';
import type { HeldBytes } from '../../core/limits/held-bytes.ts';
import type { ImportedMail } from '../../core/mail-in/imported-mail.ts';
import { operation, type Route } from '../../http/route.ts';
import { AddressParam, QueryOf } from './parts.ts';

const ImportResult = Type.Object(
  {
    id: Type.String({ description: 'The message.', examples: ['msg_0d8m3xk2q5v7w9y1a3c0'] }),
    status: Type.Enum(['imported', 'exists'], {
      description: '`exists`: the mailbox had this mail, and nothing was added.',
    }),
    created_at: Type.String({ format: 'date-time', description: 'When the mail was written.' }),
  },
  { $id: 'ImportResult' },
);

export interface ImportParts {
  readonly registry: Registry;
  readonly importedMail: ImportedMail;
  /** Memory for the mails that are imported at a time. */
  readonly importing: { readonly max: number; readonly held: HeldBytes };
}

/** Filing mails of other mailboxes. */
export const importRoutes = ({ registry, importedMail, importing }: ImportParts): readonly Route[] => [
  operation('POST', '/api/v1/mailboxes/{address}/import', 'importMailbox', {
    tag: 'Mailboxes',
    summary: 'Import a mail',
    description:
      'The body is one mail as it is (RFC 5322), of an archive or another mailbox. It is filed with its date: nothing handles or answers it, no event and no webhook tells of it, it is read, its author counts as unproven (`not_answered: "imported"`), and it continues the threads of imported mails alone. The same mail again adds nothing, so an import that broke off is repeated whole. `mailroom import ADDRESS FILE` sends all mails of an mbox file, a Maildir or a folder of .eml files.',
    access: 'mail:answer',
    // It stores no event, and what it stores counts as storage.
    limits: [],
    params: AddressParam,
    query: QueryOf({
      received_at: Type.Optional(
        Type.String({
          maxLength: 40,
          description: 'When it came (RFC 3339): its date, where the mail has none. Left out: now.',
        }),
      ),
    }),
    takes: { type: 'message/rfc822', ...importing },
    answers: {
      200: { description: 'The mailbox had it.', schema: ImportResult },
      201: { description: 'It is filed.', schema: ImportResult, headers: ['Location'] },
    },
    problems: [
      'mailbox_not_found',
      'mailbox_gone',
      'namespace_gone',
      'access_denied',
      'validation_error',
      'body_too_large',
      'unsupported_media_type',
      'malformed_request',
      'storage_full',
    ],
    async handle({ caller, params, query, bytes, gone }) {
      const mailbox = await registry.mailboxFor(caller, params.address, 'mail:answer');
      const { received_at } = query;
      const receivedAt = received_at === undefined ? null : parseRfc3339(received_at);
      if (receivedAt === undefined)
        throw invalid('/received_at', 'This is no time (RFC 3339). One looks like 2026-11-20T08:00:00.000Z.');
      const { id, status, created_at } = await importedMail.file(bytes, mailbox, receivedAt, gone());
      const body = { id, status, created_at: rfc3339(created_at) };
      if (status === 'exists') return { status: 200, body };
      return { status: 201, body, headers: { location: `/api/v1/mail/messages/${id}` } };
    },
  }),
];
