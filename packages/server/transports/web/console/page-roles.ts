import type { Scope } from '../../../core/entities/key.ts';

const READ = 'messages:read';
const CONFIGURE = 'mailboxes:write';
const SEND = 'mail:send';

/** Pages and forms that every member has; what they change, they change through the API, which decides. */
export const FOR_ALL = 'any';

/**
 * The scope without which a page of the console, and a form with its path, is refused. The API decides again on all that
 * they call; a path that is missing here is for owners alone.
 */
export const PAGE_SCOPES: Readonly<Record<string, Scope | typeof FOR_ALL>> = {
  '/console': READ,
  '/console/live': READ,
  '/console/activity': READ,
  '/console/messages/{id}': READ,
  '/console/labels/{id}': READ,
  '/console/conversations/{id}': READ,
  '/console/threads/{id}': READ,
  '/console/batch': READ,
  '/console/undo': READ,
  '/console/attachments/{id}': READ,
  '/console/html/{id}': READ,
  '/console/originals/{id}': READ,
  '/console/texts/{id}': READ,
  '/console/markdown': READ,
  '/console/senders/{id}': CONFIGURE,
  '/console/write': SEND,
  '/console/drafts': SEND,
  '/console/forward/{id}': SEND,
  '/console/answers/{id}': 'mail:answer',
  '/console/reviews': 'mail:review',
  '/console/reviews/{id}': 'mail:review',
  '/console/reviews/{id}/files/{sha256}': 'mail:review',
  '/console/addresses': READ,
  '/console/addresses/new': CONFIGURE,
  '/console/addresses/{local}': CONFIGURE,
  '/console/clients/{local}': CONFIGURE,
  '/console/outside/{local}': CONFIGURE,
  '/console/preview/{local}': CONFIGURE,
  '/console/procedures/{local}': CONFIGURE,
  '/console/rules/{local}': CONFIGURE,
  '/console/services/{local}': CONFIGURE,
  '/console/usage/{local}': CONFIGURE,
  '/console/webhooks': 'webhooks:write',
  '/console/webhooks/{id}': 'webhooks:write',
  '/console/keys': 'keys:write',
  '/console/notices': FOR_ALL,
  '/console/settings': FOR_ALL,
  '/console/sign-out': FOR_ALL,
};
