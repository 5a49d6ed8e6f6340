import type { Parts } from '../../../http/parts.ts';
import type { Route } from '../../../http/route.ts';
import { activityRoutes } from './activity.ts';
import { addressRoutes } from './addresses.ts';
import { clientRoutes } from './clients.ts';
import { Context } from './context.ts';
import { enterRoutes } from './enter.ts';
import { inboxRoutes } from './inbox.ts';
import { keysRoutes } from './keys.ts';
import { liveRoute } from './live.ts';
import { ownerRoutes } from './owners.ts';
import { procedureRoutes } from './procedures.ts';
import { serviceRoutes } from './services.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';

/** The pages of the console, for a signed-in owner. */
export function consoleRoutes(parts: Parts): readonly Route[] {
  const context = new Context(parts);
  return [
    ...signInRoutes(parts),
    ...enterRoutes(parts),
    ...inboxRoutes(context),
    liveRoute(context),
    ...activityRoutes(context),
    ...addressRoutes(context),
    ...procedureRoutes(context),
    ...clientRoutes(context),
    ...serviceRoutes(context),
    ...keysRoutes(context),
    ...ownerRoutes(context),
    ...settingsRoutes(context),
  ];
}
