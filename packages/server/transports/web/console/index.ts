import type { LocalRoutes } from '../../../http/local-routes.ts';
import type { Route } from '../../../http/route.ts';
import { activityRoutes } from './activity.ts';
import { addressSettingsRoutes } from './address.ts';
import { addressRoutes } from './addresses.ts';
import { clientRoutes } from './clients.ts';
import { Context } from './context.ts';
import { domainPages } from './domains.ts';
import { draftRoutes } from './drafts.ts';
import { enterRoutes } from './enter.ts';
import { inboxRoutes } from './inbox.ts';
import { invitationRoutes } from './invitations.ts';
import { keysRoutes } from './keys.ts';
import { liveRoute } from './live.ts';
import { logRoutes } from './log.ts';
import { memberPages } from './members.ts';
import { noticePages } from './notices.ts';
import { outgoingPages } from './outgoing.ts';
import { outsidePages } from './outside.ts';
import { procedureRoutes } from './procedures.ts';
import { reviewPages } from './reviews.ts';
import { rulePages } from './rules.ts';
import { serviceRoutes } from './services.ts';
import { settingsRoutes } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import type { ConsoleAccess } from './sign-in-form.ts';
import { usageRoutes } from './usage.ts';
import { webhookPages } from './webhooks.ts';
import { writeRoutes } from './write.ts';

/** Routes for who signed in: each is handed what it names of the same parts. */
const SIGNED_IN = [
  inboxRoutes,
  writeRoutes,
  draftRoutes,
  activityRoutes,
  addressRoutes,
  addressSettingsRoutes,
  procedureRoutes,
  outsidePages,
  rulePages,
  reviewPages,
  outgoingPages,
  clientRoutes,
  serviceRoutes,
  usageRoutes,
  keysRoutes,
  webhookPages,
  domainPages,
  noticePages,
  logRoutes,
  memberPages,
  settingsRoutes,
];

type Parts<Make> = [Make] extends [(context: Context, parts: infer P) => unknown] ? P : never;

/** All that these pages name. */
type ConsoleParts = { readonly consoles: Omit<ConsoleAccess, 'routes'> } & Parts<(typeof SIGNED_IN)[number]> &
  Omit<
    ConstructorParameters<typeof Context>[0] &
      Parameters<typeof signInRoutes>[0] &
      Parameters<typeof enterRoutes>[0] &
      Parameters<typeof invitationRoutes>[0],
    keyof ConsoleAccess
  > &
  Parameters<typeof liveRoute>[1];

/** All pages of the console. `routes`: those of the API, and those that only a session may call. */
export function consoleRoutes(parts: ConsoleParts, routes: LocalRoutes): readonly Route[] {
  const access = { ...parts, ...parts.consoles, routes };
  const context = new Context(access);
  return [
    ...signInRoutes(access),
    ...enterRoutes(access),
    ...invitationRoutes(access),
    liveRoute(context, parts),
    ...SIGNED_IN.flatMap((make) => make(context, parts)),
  ];
}
