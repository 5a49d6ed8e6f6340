import type { Route } from '../http/route.ts';
import { answerRoutes } from '../transports/api/answers.ts';
import { attachmentRoutes } from '../transports/api/attachments.ts';
import { behaviorRoutes } from '../transports/api/behaviors.ts';
import { challengeRoutes } from '../transports/api/challenges.ts';
import { clientRoutes } from '../transports/api/clients.ts';
import { decisionRoutes } from '../transports/api/decisions.ts';
import { domainRoutes } from '../transports/api/domains.ts';
import { draftRoutes } from '../transports/api/drafts.ts';
import { eventRoutes } from '../transports/api/events.ts';
import { exportRoutes } from '../transports/api/export.ts';
import { apiRoutes } from '../transports/api/index.ts';
import { jwksRoutes } from '../transports/api/jwks.ts';
import { keyRoutes } from '../transports/api/keys.ts';
import { mailboxRoutes } from '../transports/api/mailboxes.ts';
import { messageRoutes } from '../transports/api/messages.ts';
import { namespaceRoutes } from '../transports/api/namespaces.ts';
import { outsideRoutes } from '../transports/api/outside.ts';
import { overviewRoutes } from '../transports/api/overview.ts';
import { registrationTokenRoutes } from '../transports/api/registration-tokens.ts';
import { sendRoutes } from '../transports/api/send.ts';
import { serviceRoutes } from '../transports/api/services.ts';
import { suppressionRoutes } from '../transports/api/suppressions.ts';
import { threadRoutes } from '../transports/api/threads.ts';
import { webhookRoutes } from '../transports/api/webhooks.ts';
import type { App } from './app.ts';

/** The operations of the API, in the order in which they are described. */
const OPERATIONS = [
  sendRoutes,
  draftRoutes,
  challengeRoutes,
  messageRoutes,
  threadRoutes,
  attachmentRoutes,
  answerRoutes,
  decisionRoutes,
  mailboxRoutes,
  outsideRoutes,
  clientRoutes,
  registrationTokenRoutes,
  serviceRoutes,
  namespaceRoutes,
  overviewRoutes,
  domainRoutes,
  exportRoutes,
  behaviorRoutes,
  eventRoutes,
  webhookRoutes,
  suppressionRoutes,
  keyRoutes,
  jwksRoutes,
];

/**
 * The API as it is served, with the limit on changes, and without it for the pages: what those send has a limit of its
 * own, and a program that makes too many changes must not keep its owner from revoking its key. `operations`: those of
 * the process, which the API describes.
 */
export function makeApi(app: App, operations: readonly Route[]) {
  const uncounted = [...OPERATIONS.flatMap((make) => make(app)), ...operations];
  return { uncounted, routes: apiRoutes(uncounted, app.limiters.changes, app) };
}
