import { LocalRoutes } from '../http/local-routes.ts';
import type { Route } from '../http/route.ts';
import { leavingText } from '../mail/writing/review-mail.ts';
import { a2aRoutes } from '../transports/a2a/routes.ts';
import { siteDocuments } from '../transports/api/docs/library.ts';
import { apiRoutes } from '../transports/api/index.ts';
import { memberSessionRoutes } from '../transports/api/members.ts';
import { noticeRoutes } from '../transports/api/notices.ts';
import { ownAnswerRoutes } from '../transports/api/reviews.ts';
import { sessionRoutes } from '../transports/api/sessions.ts';
import { mcpRoutes } from '../transports/mcp/index.ts';
import { hostCardRoute, serverCardRoute } from '../transports/mcp/server-card.ts';
import { peopleRoutes } from '../transports/oidc/pages/index.ts';
import { peerRoutes } from '../transports/peers/index.ts';
import { cardRoutes } from '../transports/web/cards.ts';
import { clientPackageRoutes } from '../transports/web/client-package.ts';
import { consoleRoutes } from '../transports/web/console/index.ts';
import { catalogRoutes } from '../transports/web/discovery/catalog-routes.ts';
import { registryRoutes } from '../transports/web/discovery/registry-routes.ts';
import { webfingerRoutes } from '../transports/web/discovery/webfinger.ts';
import { wellKnownRoutes } from '../transports/web/discovery/well-known-routes.ts';
import { forwardingRoutes } from '../transports/web/forwarding.ts';
import { webRoutes } from '../transports/web/index.ts';
import { newRoutes } from '../transports/web/new/index.ts';
import { pageRoutes } from '../transports/web/pages/index.ts';
import { guestExample, programRoutes } from '../transports/web/program-routes.ts';
import { reportRoutes } from '../transports/web/report/index.ts';
import { statusRoutes } from '../transports/web/status.ts';
import { tryRoutes } from '../transports/web/try.ts';
import type { App } from './app.ts';

/** Every route of the service, each handed the whole of it. `operations`: those of the process, which the API describes. */
export function allRoutes(app: App, operations: readonly Route[]): readonly Route[] {
  const { challenges, rateLimits: rate_limits, consoles, limiters, version } = app;
  const api = apiRoutes(app, operations);
  const local = (routes: readonly Route[]): LocalRoutes => new LocalRoutes(routes, { rate_limits, challenges });
  const pages = [
    ...consoleRoutes(
      app,
      local([
        ...api.uncounted,
        ...sessionRoutes({ ...app, sessions: consoles.sessions }),
        ...noticeRoutes(app),
        ...memberSessionRoutes(app),
        ...ownAnswerRoutes(app),
      ]),
    ),
    ...programRoutes(app, siteDocuments),
    ...clientPackageRoutes(version),
    ...cardRoutes(app),
    ...catalogRoutes(app),
    ...registryRoutes(app),
    ...wellKnownRoutes({ ...app, example: () => guestExample(app) }),
    hostCardRoute(app),
    ...webfingerRoutes(app),
    ...newRoutes(app),
    ...reportRoutes(app),
    ...forwardingRoutes(app),
    ...statusRoutes(app),
    ...pageRoutes(app),
    ...tryRoutes(app),
  ];
  return [
    ...api.routes,
    ...mcpRoutes({ ...app, leavingText }, local(api.routes)),
    serverCardRoute(app),
    ...a2aRoutes(app),
    ...peerRoutes(app),
    ...webRoutes(pages, limiters.pages),
    ...peopleRoutes(app),
  ];
}
