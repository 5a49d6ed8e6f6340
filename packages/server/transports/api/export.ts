import { addressOf } from '@mailroom/behavior/mailbox';
import { Type } from 'typebox';
import { requireOwn } from '../../core/access/caller.ts';
import type { Registry } from '../../core/access/registry.ts';
import { NoteView, STANDING_FIELDS } from '../../core/entities/conversation.ts';
import { KeyView } from '../../core/entities/key.ts';
import { MailboxView } from '../../core/entities/mailbox.ts';
import { Envelope } from '../../core/entities/message-view.ts';
import { NamespaceView } from '../../core/entities/namespace.ts';
import { WebhookView } from '../../core/entities/webhook.ts';
import { type ExportParts, exportName, exportText } from '../../core/reports/export-lines.ts';
import { type MboxParts, mboxName, mboxOf } from '../../core/reports/mbox.ts';
import { attachmentDisposition } from '../../http/range.ts';
import { JSON_LINES, operation, type Route } from '../../http/route.ts';
import { AddressParam, NamespaceParam, OF_MAILBOX } from './parts.ts';

const MBOX = 'application/mbox';

const type = <T extends string>(name: T) => ({ type: Type.Literal(name) });
const exported_at = Type.String({ format: 'date-time', description: 'The time up to which data is included.' });
const lineCount = Type.Integer({ description: 'The number of lines, including this one.' });

const ExportLine = Type.Union(
  [
    Type.Intersect([Type.Object({ ...type('namespace'), exported_at }), NamespaceView], {
      description: 'The first line.',
    }),
    Type.Intersect([Type.Object(type('mailbox')), MailboxView], {
      description: 'Each mailbox, with its settings.',
    }),
    Type.Intersect([Type.Object(type('key')), KeyView], {
      description: 'Each key, revoked ones too. No line holds a secret.',
    }),
    Type.Intersect([Type.Object(type('webhook')), WebhookView], { description: 'Each webhook.' }),
    Type.Intersect([Type.Object(type('message')), Envelope], {
      description: 'Each message with its reply, oldest first.',
    }),
    Type.Object(
      { ...type('conversation'), id: Type.String(), mailbox: Type.String(), ...STANDING_FIELDS },
      { description: 'Each conversation whose state or assignee was changed, as it is in a mailbox.' },
    ),
    Type.Intersect([Type.Object(type('note')), NoteView], { description: 'Each note beside a conversation.' }),
    Type.Object(
      { ...type('end'), lines: lineCount },
      { description: 'The last line; if it is missing, the export is incomplete.' },
    ),
  ],
  { $id: 'ExportLine', description: 'One line; `type` says what it holds.' },
);

export const exportRoutes = (parts: ExportParts & MboxParts & { readonly registry: Registry }): readonly Route[] => [
  operation('GET', '/api/v1/namespaces/{name}/export', 'exportNamespace', {
    tag: 'Namespaces',
    summary: 'Take everything with you',
    description:
      'JSON Lines: the namespace, its mailboxes with their settings, its keys and webhooks without secrets, then everything its mailboxes received and its keys sent up to now, oldest first, each message once with its reply, and last where conversations stand and what members noted of them. A filed copy of a reply is included only if the message it answers is not. The export is complete when its last line has the type `end`.',
    access: 'owner',
    params: NamespaceParam,
    answers: {
      200: {
        description: 'One JSON object per line, without a limit, not compressed.',
        schema: ExportLine,
        type: JSON_LINES,
        headers: ['Content-Disposition'],
      },
    },
    problems: ['namespace_not_found', 'namespace_gone', 'access_denied'],
    async handle({ caller, params }) {
      const namespace = await parts.registry.namespace(params.name);
      const key = requireOwn(caller, namespace, 'owner');
      const time = parts.clock();
      const { id, name } = namespace;
      await parts.store.audit.add({
        namespace_id: id,
        action: 'namespace.exported',
        target: { kind: 'namespace', id, name },
      });
      return {
        status: 200,
        body: exportText(parts, namespace, key, time),
        headers: {
          'content-type': `${JSON_LINES}; charset=utf-8`,
          'content-disposition': `attachment; filename="${exportName(namespace, time)}"`,
        },
      };
    },
  }),
  operation('GET', '/api/v1/mailboxes/{address}/export.mbox', 'exportMailbox', {
    tag: 'Mailboxes',
    summary: 'Take the mail of a mailbox with you',
    description:
      'An mbox file (RFC 4155; lines that begin with `From ` are quoted as mboxrd does), which any mail program opens: everything the mailbox received and wrote up to now, its replies too, oldest first, without its trash. Where the original of a mail is kept, exactly its bytes; else a mail made of what is stored, with `X-Mailroom-Id`. An export that breaks off closes the connection before its end.',
    access: 'owner',
    params: AddressParam,
    answers: {
      200: {
        description: 'The file, without a limit, not compressed.',
        type: MBOX,
        schema: Type.Unsafe<Uint8Array>({ contentMediaType: MBOX }),
        headers: ['Content-Disposition'],
      },
    },
    problems: OF_MAILBOX,
    async handle({ caller, params }) {
      const mailbox = await parts.registry.mailboxFor(caller, params.address, 'owner');
      const key = requireOwn(caller, { id: mailbox.namespace_id, name: mailbox.namespace }, 'owner');
      const time = parts.clock();
      const { id, namespace_id } = mailbox;
      await parts.store.audit.add({
        namespace_id,
        action: 'mailbox.exported',
        target: { kind: 'mailbox', id, name: addressOf(mailbox) },
      });
      return {
        status: 200,
        body: mboxOf(parts, mailbox, key, time),
        headers: { 'content-type': MBOX, 'content-disposition': attachmentDisposition(mboxName(mailbox, time)) },
      };
    },
  }),
];
