import type { Limiter } from '../../core/values/limits.ts';
import type { Limiters } from '../../http/limits.ts';
import type { Route } from '../../http/route.ts';
import { answerRoutes } from './answers.ts';
import { attachmentRoutes } from './attachments.ts';
import { auditRoutes } from './audit.ts';
import { behaviorRoutes } from './behaviors.ts';
import { challengeRoutes } from './challenges.ts';
import { clientRoutes } from './clients.ts';
import { conversationRoutes } from './conversations.ts';
import { decisionRoutes } from './decisions.ts';
import { type DocumentParts, documentRoutes } from './documents.ts';
import { domainRoutes } from './domains.ts';
import { draftRoutes } from './drafts.ts';
import { eventRoutes } from './events.ts';
import { exportRoutes } from './export.ts';
import { findingRoutes } from './finding.ts';
import { forwardRoutes } from './forward.ts';
import { importRoutes } from './imports.ts';
import { jwksRoutes } from './jwks.ts';
import { keyRoutes } from './keys.ts';
import { mailboxRoutes } from './mailboxes.ts';
import { memberRoutes } from './members.ts';
import { messageRoutes } from './messages.ts';
import { namespaceRoutes } from './namespaces.ts';
import { originalRoutes } from './originals.ts';
import { outsideRoutes } from './outside.ts';
import { overviewRoutes } from './overview.ts';
import { registrationTokenRoutes } from './registration-tokens.ts';
import { reviewRoutes } from './reviews.ts';
import { ruleRoutes } from './rules.ts';
import { sendRoutes } from './send.ts';
import { serviceRoutes } from './services.ts';
import { suppressionRoutes } from './suppressions.ts';
import { threadRoutes } from './threads.ts';
import { trashRoutes } from './trash.ts';
import { usageRoutes } from './usage.ts';
import { waitRoutes } from './wait.ts';
import { webhookRoutes } from './webhooks.ts';

/** The operations of the API, in the order in which they are described. */
const OPERATIONS = [
  sendRoutes,
  draftRoutes,
  challengeRoutes,
  messageRoutes,
  forwardRoutes,
  trashRoutes,
  originalRoutes,
  waitRoutes,
  findingRoutes,
  threadRoutes,
  conversationRoutes,
  attachmentRoutes,
  answerRoutes,
  decisionRoutes,
  reviewRoutes,
  mailboxRoutes,
  ruleRoutes,
  usageRoutes,
  outsideRoutes,
  clientRoutes,
  registrationTokenRoutes,
  serviceRoutes,
  namespaceRoutes,
  overviewRoutes,
  memberRoutes,
  domainRoutes,
  exportRoutes,
  auditRoutes,
  importRoutes,
  behaviorRoutes,
  eventRoutes,
  webhookRoutes,
  suppressionRoutes,
  keyRoutes,
  jwksRoutes,
];

type Parts<Make> = [Make] extends [(parts: infer P) => unknown] ? P : never;

/** All that the operations and their documents name. */
type ApiParts = Parts<(typeof OPERATIONS)[number]> & DocumentParts & { readonly limiters: Pick<Limiters, 'changes'> };

/**
 * The API as it is served, with the limit on changes and the documents that describe it, and `uncounted`, without them,
 * for the pages: what those send has a limit of its own, and a program that makes too many changes must not keep its
 * owner from revoking its key. `operations`: those of the process, which the API describes.
 */
export function apiRoutes(
  parts: ApiParts,
  operations: readonly Route[],
): Readonly<Record<'routes' | 'uncounted', readonly Route[]>> {
  const uncounted = [...OPERATIONS.flatMap((make) => make(parts)), ...operations];
  const counted = uncounted.map((route) => withLimit(route, parts.limiters.changes));
  return { routes: [...counted, ...documentRoutes(counted, parts)], uncounted };
}

/** Changes are limited because each one stores an event, and a loop of changes would fill the disk. */
function withLimit(route: Route, changes: Limiter): Route {
  if (route.method === 'GET' || route.access === 'public' || route.limits !== undefined) return route;
  return { ...route, limits: [changes], counted_for: 'namespace' };
}
