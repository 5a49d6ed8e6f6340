import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import { isOwn, mayOn, namespaceOf, searchCaller } from '../../core/access/caller.ts';
import type { Mailbox, MailboxSummary } from '../../core/entities/mailbox.ts';
import { addressOf, MailboxChange, MailboxView, mailboxView, NewMailbox } from '../../core/entities/mailbox.ts';
import { Envelope, envelopeText, STATUSES } from '../../core/entities/message.ts';
import type { MailboxQuery } from '../../core/ports/store.ts';
import { MAX_QUERY } from '../../core/ports/store.ts';
import { parseRfc3339 } from '../../core/values/clock.ts';
import { invalid } from '../../core/values/error.ts';
import { PageOf } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Parts } from '../../http/parts.ts';
import type { Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import {
  AddressParam,
  addressPath,
  IDEMPOTENCY_REPLAYED,
  NamespaceParam,
  noContent,
  pageAnswer,
  pageQuery,
  readPage,
} from './parts.ts';

const MailboxPage = PageOf(MailboxView, 'MailboxPage');
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
        'A part of subject, body or reply, ignoring case (ASCII). A page searches at most 20,000 messages and 32 MiB of their text, so it may be short or empty and still have a next page.',
    }),
  ),
};

export function readMessageQuery(query: {
  readonly status?: string;
  readonly since?: string;
  readonly query?: string;
}) {
  const since = query.since === undefined ? undefined : parseRfc3339(query.since);
  if (query.since !== undefined && since === undefined) {
    throw invalid('/since', 'since must be a time (RFC 3339), such as 2026-11-20T08:00:00.000Z.');
  }
  return {
    ...(query.status === undefined ? {} : { status: query.status as (typeof STATUSES)[number] }),
    ...(since === undefined ? {} : { since }),
    ...(query.query === undefined ? {} : { query: query.query }),
  };
}

export function mailboxRoutes({ registry, store, clock, mailDomain }: Parts): readonly Route[] {
  const view = (caller: Caller) => (mailbox: Mailbox) =>
    mailboxView(mailbox, mailDomain, mayOn(caller, 'mailboxes:write', mailbox) ? mailbox.settings : undefined);
  const listed = (mailbox: MailboxSummary) => mailboxView(mailbox, mailDomain);

  const directoryRoutes = [
    route({
      method: 'GET',
      path: '/api/v1/mailboxes',
      id: 'listMailboxes',
      tag: 'Mailboxes',
      summary: 'The directory: listed mailboxes of every namespace',
      access: 'public',
      query: Type.Object(
        {
          ...pageQuery,
          query: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: MAX_QUERY,
              description:
                'A part of the address, name or description, ignoring case (ASCII). A page searches at most 20,000 mailboxes, so it may be short or empty and still have a next page.',
            }),
          ),
          behavior: Type.Optional(Type.String({ maxLength: 64 })),
          namespace: Type.Optional(Type.String({ maxLength: 63 })),
        },
        { additionalProperties: false },
      ),
      answers: {
        200: {
          description: 'A page of mailboxes, in the order they were made.',
          schema: MailboxPage,
          headers: ['Link'],
        },
      },
      problems: [],
      async handle({ caller, query, gone }) {
        const { after, size } = readPage(query);
        const of: MailboxQuery = {
          listed: true,
          seen_by: namespaceOf(caller),
          ...(query.query === undefined ? {} : { query: query.query }),
          ...(query.behavior === undefined ? {} : { behavior: query.behavior }),
          ...(query.namespace === undefined ? {} : { namespace: query.namespace.toLowerCase() }),
        };
        const page = await store.mailboxes.page(of, after, size, searchCaller(caller, gone()));
        return pageAnswer(page, listed, '/api/v1/mailboxes', query);
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/namespaces/{name}/mailboxes',
      id: 'listNamespaceMailboxes',
      tag: 'Mailboxes',
      summary: 'Mailboxes of a namespace',
      description: 'The listed ones; all of them for its own keys.',
      access: 'public',
      params: NamespaceParam,
      query: Type.Object(pageQuery, { additionalProperties: false }),
      answers: {
        200: {
          description: 'A page of mailboxes, in the order they were made.',
          schema: MailboxPage,
          headers: ['Link'],
        },
      },
      problems: ['namespace_not_found', 'namespace_gone'],
      async handle({ caller, params, query }) {
        const namespace = await registry.namespace(params.name);
        const { after, size } = readPage(query);
        const of = {
          namespace_id: namespace.id,
          listed: !isOwn(caller, namespace.id),
          seen_by: namespaceOf(caller),
        };
        const path = `/api/v1/namespaces/${namespace.name}/mailboxes`;
        return pageAnswer(await store.mailboxes.page(of, after, size), listed, path, query);
      },
    }),
  ];

  return [
    ...directoryRoutes,
    route({
      method: 'POST',
      path: '/api/v1/namespaces/{name}/mailboxes',
      id: 'createMailbox',
      tag: 'Mailboxes',
      summary: 'Create a mailbox',
      description:
        'A namespace may have 1,000 mailboxes unless the operator sets another limit. One more is answered 422: delete one first.',
      access: 'mailboxes:write',
      params: NamespaceParam,
      body: NewMailbox,
      idempotency: true,
      answers: {
        201: { description: 'The mailbox.', schema: MailboxView, headers: ['Location', 'Idempotency-Replayed'] },
      },
      problems: [
        'namespace_not_found',
        'namespace_gone',
        'access_denied',
        'mailbox_taken',
        'mailbox_gone',
        'idempotency_mismatch',
        'storage_full',
      ],
      async handle(call) {
        const { caller, params, body } = call;
        const idempotency = idempotencyOf(
          call,
          `POST /api/v1/namespaces/${params.name.toLowerCase()}/mailboxes`,
          clock,
        );
        const { mailbox, replayed } = await registry.createMailbox(caller, params.name, body, idempotency);
        return {
          status: 201,
          body: view(caller)(mailbox),
          headers: {
            location: addressPath(`${addressOf(mailbox)}.${mailDomain}`),
            ...(replayed ? IDEMPOTENCY_REPLAYED : {}),
          },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/mailboxes/{address}',
      id: 'getMailbox',
      tag: 'Mailboxes',
      summary: 'Get a mailbox',
      description:
        'An unlisted mailbox is visible to anyone who knows its address; one with access `key` only to keys of its namespace.',
      access: 'public',
      params: AddressParam,
      answers: { 200: { description: 'The mailbox.', schema: MailboxView } },
      problems: ['mailbox_not_found', 'mailbox_gone', 'namespace_gone'],
      async handle({ caller, params }) {
        return { status: 200, body: view(caller)(await registry.mailbox(caller, params.address)) };
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/v1/mailboxes/{address}',
      id: 'updateMailbox',
      tag: 'Mailboxes',
      summary: 'Change a mailbox, pause it, resume it',
      description:
        '`behavior.settings` are replaced as a whole. Each behavior keeps its settings: changing only `behavior.name` restores the settings the mailbox last had with that behavior (empty the first time) and keeps those of the previous one. A plan that waits for approval can run only with the behavior that made it; until the mailbox has it again, approving is answered 409. A paused mailbox accepts messages, holds them, and answers when it is online again.',
      access: 'mailboxes:write',
      params: AddressParam,
      body: MailboxChange,
      answers: { 200: { description: 'The mailbox as it is now.', schema: MailboxView } },
      problems: ['mailbox_not_found', 'mailbox_gone', 'namespace_gone', 'access_denied', 'storage_full'],
      async handle({ caller, params, body }) {
        return { status: 200, body: view(caller)(await registry.changeMailbox(caller, params.address, body)) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/mailboxes/{address}',
      id: 'deleteMailbox',
      tag: 'Mailboxes',
      summary: 'Delete a mailbox',
      description:
        'Also deletes what it received. Requests for the address are then answered 410; its owner may create it again, empty.',
      access: 'mailboxes:write',
      params: AddressParam,
      answers: { 204: noContent },
      problems: ['mailbox_not_found', 'mailbox_gone', 'namespace_gone', 'access_denied'],
      async handle({ caller, params }) {
        await registry.deleteMailbox(caller, params.address);
        return { status: 204 };
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/mailboxes/{address}/messages',
      id: 'listMailboxMessages',
      tag: 'Messages',
      summary: 'What a mailbox received',
      access: 'messages:read',
      params: AddressParam,
      query: Type.Object(messageQuery, { additionalProperties: false }),
      answers: { 200: { description: 'A page of messages, newest first.', schema: MessagePage, headers: ['Link'] } },
      problems: ['mailbox_not_found', 'mailbox_gone', 'namespace_gone', 'access_denied'],
      async handle({ caller, params, query, gone }) {
        const mailbox = await registry.mailboxFor(caller, params.address, 'messages:read');
        const { after, size } = readPage(query);
        const of = { mailbox_id: mailbox.id, ...readMessageQuery(query) };
        const page = await store.messages.page(of, after, size, searchCaller(caller, gone()));
        const path = `${addressPath(`${addressOf(mailbox)}.${mailDomain}`)}/messages`;
        return pageAnswer(page, (message) => envelopeText(message, mailDomain), path, query);
      },
    }),
  ];
}
