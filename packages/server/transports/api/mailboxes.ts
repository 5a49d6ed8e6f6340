import { addressOf } from '@mailroom/behavior/mailbox';
import { type Clock, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { type Caller, isOwn, mayOn, namespaceOf, searchCaller } from '../../core/access/caller.ts';
import { metadataFor } from '../../core/access/message-labels.ts';
import type { Registry } from '../../core/access/registry.ts';
import { LabelName, marksIn } from '../../core/entities/label.ts';
import {
  MailboxChange,
  type MailboxSummary,
  MailboxView,
  type MailboxWithSecret,
  mailboxView,
  NewMailbox,
  WebhookSecret,
} from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { envelopeText } from '../../core/entities/message-view.ts';
import type { ForwardConfirmations } from '../../core/outgoing/forward-confirmations.ts';
import { webhookView } from '../../core/ports/agent-webhooks.ts';
import type { MailboxQuery } from '../../core/ports/mailboxes.ts';
import { DIRECTIONS } from '../../core/ports/messages.ts';
import { MAX_QUERY } from '../../core/ports/search.ts';
import type { Store } from '../../core/ports/store.ts';
import { withEmailStates } from '../../core/reports/email-states.ts';
import { PageOf } from '../../core/values/page.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import { operation, type Route } from '../../http/route.ts';
import { MessagePage, messageQuery, readFrom, readMessageQuery } from './message-query.ts';
import { listQuery, pairsIn } from './metadata-query.ts';
import {
  AddressParam,
  addressPath,
  created,
  createdAnswer,
  NamespaceParam,
  noContent,
  OF_MAILBOX,
  onePage,
  pageAnswer,
  pageQuery,
  QueryOf,
  readPage,
} from './parts.ts';

const MailboxPage = PageOf(MailboxView, 'MailboxPage');

/** Searches a list of mailboxes. */
const MailboxSearch = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_QUERY,
    description:
      'A part of the address, name or description, ignoring case. A page searches at most 20,000 mailboxes, so it may be short or empty and still have a next page.',
  }),
);

/** What only the list of one mailbox is narrowed by. */
const mailboxListQuery = {
  ...messageQuery,
  direction: Type.Optional(
    Type.Enum([...DIRECTIONS], {
      description:
        'What the mailbox received, the default; what it sent, which includes its replies; or both, each message once.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'Only messages from this address, with or without the mail domain.',
    }),
  ),
  has: Type.Optional(
    Type.Literal('attachment', {
      description: 'Only messages with attachments of their own. Those of a reply belong to the reply.',
    }),
  ),
  newest_of: Type.Optional(
    Type.Literal('thread', {
      description:
        'Only the newest message that the mailbox received of each thread. What its behaviors asked others for an answer is left out, since it belongs to that other thread.',
    }),
  ),
  label: Type.Optional({
    ...LabelName,
    description:
      'Only messages with this label, such as `unread`. A page examines at most 20,000 messages, so it may be short or empty and still have a next page.',
  }),
};

interface MailboxParts {
  readonly registry: Registry;
  readonly store: Pick<Store, 'agentWebhooks' | 'emails' | 'mailboxes' | 'messages'>;
  readonly forwardConfirmations: Pick<ForwardConfirmations, 'state'>;
  readonly clock: Clock;
  readonly behaviors: readonly { readonly name: string }[];
  readonly mailDomain: string;
}

export function mailboxRoutes({
  registry,
  store,
  forwardConfirmations,
  clock,
  behaviors,
  mailDomain,
}: MailboxParts): readonly Route[] {
  const view = async (caller: Caller, mailbox: MailboxWithSecret) => {
    if (!mayOn(caller, 'mailboxes:write', mailbox))
      return mailboxView(mailbox, mailDomain, undefined, isOwn(caller, mailbox.namespace_id));
    const webhook = mailbox.webhook === null ? undefined : await store.agentWebhooks.find(mailbox.id);
    // It may have been switched on or off since the mailbox was read.
    const differs = webhook !== undefined && (webhook.off_at === null) !== (mailbox.webhook === 'on');
    const current = differs ? { ...mailbox, ...(await store.mailboxes.byId(mailbox.id)) } : mailbox;
    const forwards = current.rules?.key_id === undefined ? undefined : await forwardConfirmations.state(current);
    return mailboxView(current, mailDomain, {
      ...current,
      webhook_view: webhook && webhookView(webhook, current),
      forwards,
    });
  };
  const listed = (caller: Caller) => (mailbox: MailboxSummary) =>
    mailboxView(mailbox, mailDomain, undefined, isOwn(caller, mailbox.namespace_id));

  const directoryRoutes = [
    operation('GET', '/api/v1/mailboxes', 'listMailboxes', {
      tag: 'Mailboxes',
      summary: 'The directory: listed mailboxes of every namespace',
      description: 'Those that answer: a mailbox whose behavior is not loaded is left out.',
      access: 'public',
      query: QueryOf({
        ...pageQuery,
        query: MailboxSearch,
        behavior: Type.Optional(Type.String({ maxLength: 64 })),
        namespace: Type.Optional(Type.String({ maxLength: 63 })),
      }),
      answers: onePage('A page of mailboxes, in the order they were made.', MailboxPage),
      problems: [],
      async handle({ caller, query, gone }) {
        const { after, size } = readPage(query);
        const filter: MailboxQuery = {
          listed: true,
          seen_by: namespaceOf(caller),
          ...(query.query === undefined ? {} : { query: query.query }),
          ...(query.behavior === undefined ? {} : { behavior: query.behavior }),
          ...(query.namespace === undefined ? {} : { namespace: query.namespace.toLowerCase() }),
        };
        const page = await store.mailboxes.page(filter, after, size, searchCaller(caller, gone()));
        const items = page.items.filter(({ behavior }) => behaviors.some(({ name }) => name === behavior));
        return pageAnswer({ ...page, items }, listed(caller), '/api/v1/mailboxes', query);
      },
    }),
    operation('GET', '/api/v1/namespaces/{name}/mailboxes', 'listNamespaceMailboxes', {
      tag: 'Mailboxes',
      summary: 'Mailboxes of a namespace',
      description: 'The listed ones; all of them for its own keys, which may narrow them by `metadata.KEY=VALUE`.',
      access: 'public',
      params: NamespaceParam,
      query: listQuery({ ...pageQuery, query: MailboxSearch }),
      answers: onePage('A page of mailboxes, in the order they were made.', MailboxPage),
      problems: ['namespace_not_found', 'namespace_gone'],
      async handle({ caller, params, query, gone }) {
        const namespace = await registry.namespace(params.name);
        const { after, size } = readPage(query);
        const filter = {
          namespace_id: namespace.id,
          listed: !isOwn(caller, namespace.id),
          seen_by: namespaceOf(caller),
          ...(query.query === undefined ? {} : { query: query.query }),
          ...(isOwn(caller, namespace.id) && { metadata: pairsIn(query) }),
        };
        const path = `/api/v1/namespaces/${namespace.name}/mailboxes`;
        const page = await store.mailboxes.page(filter, after, size, searchCaller(caller, gone()));
        return pageAnswer(page, listed(caller), path, query);
      },
    }),
  ];

  return [
    ...directoryRoutes,
    operation('POST', '/api/v1/namespaces/{name}/mailboxes', 'createMailbox', {
      tag: 'Mailboxes',
      summary: 'Create a mailbox',
      description:
        'A namespace may have 1,000 mailboxes unless the operator sets another limit. One more is answered 422: delete one first. Settings by which messages leave (`webhook_url`, `outside`, and procedures or tasks that send, fetch or schedule) require a key with `messages:read` too that does not expire; `trusted_issuers` an owner key.',
      access: 'mailboxes:write',
      params: NamespaceParam,
      body: NewMailbox,
      idempotency: true,
      answers: created('The mailbox.', MailboxView),
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
        const { caller, body } = call;
        const { name } = call.params;
        const idempotency = idempotencyOf(call, `POST /api/v1/namespaces/${name.toLowerCase()}/mailboxes`, clock);
        const { mailbox, replayed } = await registry.createMailbox(caller, name, body, idempotency);
        const location = addressPath(`${addressOf(mailbox)}.${mailDomain}`);
        return createdAnswer(location, await view(caller, mailbox), replayed);
      },
    }),
    operation('GET', '/api/v1/mailboxes/{address}', 'getMailbox', {
      tag: 'Mailboxes',
      summary: 'Get a mailbox',
      description:
        'An unlisted mailbox is visible to anyone who knows its address; one with access `key` only to keys of its namespace.',
      access: 'public',
      params: AddressParam,
      answers: { 200: { description: 'The mailbox.', schema: MailboxView } },
      problems: ['mailbox_not_found', 'mailbox_gone', 'namespace_gone'],
      async handle({ caller, params }) {
        return { status: 200, body: await view(caller, await registry.mailbox(caller, params.address)) };
      },
    }),
    operation('PATCH', '/api/v1/mailboxes/{address}', 'updateMailbox', {
      tag: 'Mailboxes',
      summary: 'Change a mailbox, pause it, resume it',
      description:
        '`behavior.settings` are replaced as a whole. Each behavior keeps its settings: changing only `behavior.name` restores the settings the mailbox last had with that behavior (empty the first time) and keeps those of the previous one. A plan that waits for approval can run only with the behavior that made it; until the mailbox has it again, approving is answered 409. A paused mailbox accepts messages, holds them, and answers when it is online again. Where `webhook_url` is set for the first time, the answer has `webhook_secret`. Settings by which messages leave (`webhook_url`, `outside`, and procedures or tasks that send, fetch or schedule) are changed, restored or switched on again by a key with `messages:read` too that does not expire, and `trusted_issuers` by an owner key; while they stay as they are, any key that may change the mailbox changes others. `senders` says who may write: a sender on `block`, or missing on a non-empty `allow`, is refused with 403 `sender_not_allowed`, from a second later at most. A key that writes without `from` counts as its namespace. `outgoing` is changed by an owner key, or one with `mail:review` that is not bound to a mailbox; it needs no other scope. `budget` limits what a behavior that asks a language model may take of it: each run reserves what a message may take (the operator’s `MODEL_TOKENS`) before it asks, and gives back what it did not use.',
      access: 'mailboxes:write',
      or_scope: 'mail:review',
      params: AddressParam,
      body: MailboxChange,
      answers: { 200: { description: 'The mailbox as it is now.', schema: MailboxView } },
      problems: [...OF_MAILBOX, 'storage_full'],
      async handle({ caller, params, body }) {
        return { status: 200, body: await view(caller, await registry.changeMailbox(caller, params.address, body)) };
      },
    }),
    operation('POST', '/api/v1/mailboxes/{address}/webhook/rotate', 'rotateMailboxWebhook', {
      tag: 'Mailboxes',
      summary: 'Replace the secret of a mailbox’s webhook',
      description:
        'Requests are signed by the new and by the old secret for 24 hours, then by the new one alone. Requires a key with `messages:read` too that does not expire.',
      access: 'mailboxes:write',
      params: AddressParam,
      answers: {
        200: {
          description: 'The new secret, which is shown here only.',
          schema: Type.Object(
            { webhook_secret: WebhookSecret, old_secret_expires_at: Type.String({ format: 'date-time' }) },
            { $id: 'RotatedWebhookSecret' },
          ),
        },
      },
      problems: [...OF_MAILBOX, 'not_found'],
      async handle({ caller, params }) {
        const { secret, old_until } = await registry.rotateWebhookSecret(caller, params.address);
        return { status: 200, body: { webhook_secret: secret, old_secret_expires_at: rfc3339(old_until) } };
      },
    }),
    operation('DELETE', '/api/v1/mailboxes/{address}', 'deleteMailbox', {
      tag: 'Mailboxes',
      summary: 'Delete a mailbox',
      description:
        'Also deletes what it received. Requests for the address are then answered 410; its owner may create it again, empty.',
      access: 'mailboxes:write',
      params: AddressParam,
      answers: { 204: noContent },
      problems: OF_MAILBOX,
      async handle({ caller, params }) {
        await registry.deleteMailbox(caller, params.address);
        return { status: 204 };
      },
    }),
    operation('GET', '/api/v1/mailboxes/{address}/messages', 'listMailboxMessages', {
      tag: 'Messages',
      summary: 'What a mailbox received or sent',
      description:
        'A reply is a message too: what the mailbox wrote is in `direction=sent`, as `completed`, with `in_reply_to` and without a reply of its own. The filters add up.',
      access: 'messages:read',
      params: AddressParam,
      query: listQuery(mailboxListQuery),
      answers: onePage('A page of messages, newest first.', MessagePage),
      problems: OF_MAILBOX,
      async handle({ caller, params, query, gone }) {
        const mailbox = await registry.mailboxFor(caller, params.address, 'messages:read');
        const { after, size } = readPage(query);
        const { direction, from, has, label, newest_of } = query;
        const filter = {
          mailbox_id: mailbox.id,
          ...readMessageQuery(query, mailDomain, caller),
          ...(direction === undefined ? {} : { direction }),
          ...(from === undefined ? {} : { from: readFrom(from, mailDomain) }),
          ...(has === undefined ? {} : { has_attachment: true as const }),
          ...(label === undefined ? {} : { label }),
          ...(newest_of === undefined ? {} : { conversations: true as const }),
        };
        const by = searchCaller(caller, gone());
        const found = await store.messages.page(filter, after, size, by);
        const page = { ...found, items: await withEmailStates(found.items, store) };
        const text = (message: Message) =>
          envelopeText(message, mailDomain, {
            ...marksIn(message, mailbox.id),
            ...metadataFor(message, caller),
          });
        const path = `${addressPath(`${addressOf(mailbox)}.${mailDomain}`)}/messages`;
        return pageAnswer(page, text, path, query);
      },
    }),
  ];
}
