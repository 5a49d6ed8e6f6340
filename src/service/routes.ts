import { Sessions } from '../core/access/sessions.ts';
import { Reports } from '../core/delivery/abuse-reports.ts';
import { AnswerDrafts } from '../core/delivery/answer-drafts.ts';
import { Preview } from '../core/delivery/preview.ts';
import { randomBase62 } from '../core/entities/key.ts';
import { Inbox } from '../core/reports/inbox.ts';
import { Claims } from '../core/sign-in/claims.ts';
import type { SignInEvent } from '../core/sign-in/sign-in.ts';
import { SignIns } from '../core/sign-in/sign-in.ts';
import { VERSION } from '../core/values/version.ts';
import { LocalRoutes } from '../http/local-routes.ts';
import type { Route } from '../http/route.ts';
import { SessionCookie } from '../http/session-cookie.ts';
import { a2aRoutes } from '../transports/a2a/routes.ts';
import { siteDocuments } from '../transports/api/docs/library.ts';
import { sessionRoutes } from '../transports/api/sessions.ts';
import { Authorization } from '../transports/mcp/authorize.ts';
import { mcpRoutes } from '../transports/mcp/index.ts';
import { serverCardRoute } from '../transports/mcp/server-card.ts';
import { codeMail } from '../transports/oidc/code-mail.ts';
import { peopleRoutes } from '../transports/oidc/pages/index.ts';
import { Passkeys } from '../transports/oidc/passkeys.ts';
import { UsedServices } from '../transports/oidc/used-services.ts';
import { cardRoutes } from '../transports/web/cards.ts';
import { clientPackageRoute } from '../transports/web/client-package.ts';
import { activityRoutes } from '../transports/web/console/activity.ts';
import { addressSettingsRoutes } from '../transports/web/console/address.ts';
import { addressRoutes } from '../transports/web/console/addresses.ts';
import { clientRoutes as clientPages } from '../transports/web/console/clients.ts';
import { Context } from '../transports/web/console/context.ts';
import { domainPages } from '../transports/web/console/domains.ts';
import { draftRoutes as draftPages } from '../transports/web/console/drafts.ts';
import { enterRoutes } from '../transports/web/console/enter.ts';
import { inboxRoutes } from '../transports/web/console/inbox.ts';
import { keysRoutes } from '../transports/web/console/keys.ts';
import { liveRoute } from '../transports/web/console/live.ts';
import { outsidePages } from '../transports/web/console/outside.ts';
import { ownerRoutes } from '../transports/web/console/owners.ts';
import { procedureRoutes } from '../transports/web/console/procedures.ts';
import { serviceRoutes as servicePages } from '../transports/web/console/services.ts';
import { settingsRoutes } from '../transports/web/console/settings.ts';
import { signInRoutes } from '../transports/web/console/sign-in.ts';
import { webhookPages } from '../transports/web/console/webhooks.ts';
import { writeRoutes } from '../transports/web/console/write.ts';
import { catalogRoutes } from '../transports/web/discovery/catalog-routes.ts';
import { examplesOf } from '../transports/web/examples.ts';
import { webRoutes } from '../transports/web/index.ts';
import { frame } from '../transports/web/layout.ts';
import { newRoutes } from '../transports/web/new/index.ts';
import { pageRoutes } from '../transports/web/pages/index.ts';
import { programRoutes } from '../transports/web/program-routes.ts';
import { reportRoutes } from '../transports/web/report/index.ts';
import { statusRoutes } from '../transports/web/status.ts';
import { tryRoutes } from '../transports/web/try.ts';
import type { ServiceParts } from './api.ts';
import { makeApi } from './api.ts';
import type { Core } from './core.ts';
import { HOUSE, reportsInbox } from './house.ts';
import { asMailHtml, mailtoAddress, ownStsPolicy, takesMailOf } from './mail.ts';

/** Outcomes of sign-ins that may be part of an attack. */
const TRIED: ReadonlySet<SignInEvent['outcome']> = new Set(['wrong', 'burnt', 'elsewhere', 'refused']);

/** Every route of the service, each handed what it uses. `operations`: those of the process, which the API describes. */
export async function allRoutes(
  core: Core,
  parts: ServiceParts,
  operations: readonly Route[],
): Promise<readonly Route[]> {
  const { config, log, clock, store, directory, authenticator, behaviors, feed, drafts, serviceMail, mail } = parts;
  const { health, keyring, limiters, challenges, issuers, resources, accounts, baseUrl, stop } = parts;
  const takesMail = takesMailOf(config);
  const { MAIL_DOMAIN: mailDomain, HOUSE_NAMESPACE: house, RATE_LIMITS: rateLimits } = config;
  const { SECURITY_CONTACT: securityContact } = config;
  const secret = (name: string): Promise<string> => store.secrets.getOrPut(name, randomBase62(43));

  const { registry, post, dispatch, answering, bus, sealed, storage, uploads, takingOver, writers } = core;
  const api = makeApi(core, parts, operations);
  const { sizes, sync_ms, heartbeat_ms, streams, clients, registrationTokens, allowedServices, labels } = api;
  const preview = (max_body: number): Preview =>
    new Preview({ registry, behaviors, clock }, { max_body, max_reply: config.LIMIT_REPLY });

  const claims = new Claims({ store, directory, storage, clock }, (id) => accounts.sessions.person(id));
  const sessions = new Sessions({ store, clock });
  const consoles = {
    routes: new LocalRoutes([...api.uncounted, ...sessionRoutes({ registry, claims, sessions })], {
      rate_limits: rateLimits,
      challenges,
    }),
    sessions,
    cookie: new SessionCookie(await secret('console_session')),
  };

  const answerDrafts = new AnswerDrafts({ store, drafts, storage, clock, mailDomain });
  const context = new Context({ ...consoles, store, inbox: new Inbox({ store }) });
  const consolePages = [
    ...signInRoutes({
      ...consoles,
      authenticator,
      clock,
      rateLimits,
      people: accounts,
      limiter: limiters.signIns,
    }),
    ...enterRoutes({ ...consoles, people: accounts, clock, claims }),
    ...inboxRoutes(context, {
      store,
      directory,
      sealed,
      labels,
      drafts,
      post,
      answering,
      answerDrafts,
      takingOver,
      writers,
      uploads,
      feed,
      behaviors,
      clock,
      mailDomain,
      baseUrl,
      rateLimits,
      limiters,
    }),
    liveRoute(context, { store, directory, labels, feed, writers, clock, mailDomain, heartbeat_ms, stop }),
    ...writeRoutes(context, { uploads, clock, mailDomain }),
    ...draftPages(context, clock),
    ...activityRoutes(context),
    ...addressRoutes(context, { behaviors, mailDomain }),
    ...addressSettingsRoutes(context, {
      registry,
      behaviors,
      store,
      clock,
      mailDomain,
      takesMail,
      preview: preview(sizes.body),
      rateLimits,
      limiters,
    }),
    ...procedureRoutes(context, { registry, behaviors, mailDomain, preview: preview(sizes.body) }),
    ...outsidePages(context, { registry, behaviors, mailDomain }),
    ...clientPages(context, { registry, clients, registrationTokens, clock, mailDomain, baseUrl }),
    ...servicePages(context, { registry, allowedServices, clock, mailDomain }),
    ...keysRoutes(context, { clock, mailDomain }),
    ...webhookPages(context, { clock, mailDomain }),
    ...domainPages(context, clock),
    ...ownerRoutes(context, { people: accounts, clock }),
    ...settingsRoutes(context, clock),
  ];

  const reports = new Reports({
    store,
    directory,
    dispatch,
    newInbox: (namespace) => reportsInbox(namespace, clock()),
    storage,
    serviceMail,
    clock,
    house,
    copy_to: mailtoAddress(securityContact),
    html: asMailHtml,
  });
  const guests = { rateLimits, challenges, limiters };
  const pages = [
    ...programRoutes(
      {
        store,
        behaviors,
        baseUrl,
        mailDomain,
        takesMail,
        limiters,
        sizes,
        securityContact,
        clock,
        stsPolicy: ownStsPolicy(config),
      },
      siteDocuments,
    ),
    clientPackageRoute(VERSION),
    ...cardRoutes({ registry, store, mailDomain }),
    ...catalogRoutes({ registry, store, baseUrl, mailDomain }),
    ...newRoutes({
      ...guests,
      registry,
      store,
      behaviors,
      baseUrl,
      mailDomain,
      takesMail,
      sizes,
      clock,
      preview: preview(sizes.guestBody),
    }),
    ...reportRoutes({ ...guests, reports, sizes, clock, mailDomain, securityContact }),
    ...statusRoutes(health, VERSION),
    ...pageRoutes({
      registry,
      authenticator,
      store,
      directory,
      behaviors,
      baseUrl,
      mailDomain,
      takesMail,
      house,
      limiters,
      sizes,
    }),
    ...tryRoutes({
      ...guests,
      registry,
      store,
      post,
      bus,
      authenticator,
      behaviors,
      baseUrl,
      mailDomain,
      takesMail,
      house,
      sizes,
      clock,
      streams,
      sync_ms,
      stop,
    }),
  ];

  const people = peopleRoutes(
    {
      ...accounts,
      store,
      clock,
      baseUrl,
      frame,
      mail,
      rateLimits,
      limiters,
      passkeys: new Passkeys({ store, clock }, { secret: await secret('passkey'), baseUrl }),
      signIns: new SignIns(
        { store, clock, post: (written, state) => serviceMail.enqueue(written, state), write: codeMail },
        { secret: await secret('sign_in'), mailDomain },
      ),
      browserCookie: new SessionCookie(await secret('browser'), 'mr_browser'),
      onSignIn: (event) => log[TRIED.has(event.outcome) ? 'warn' : 'info'](event, 'a sign-in'),
    },
    {
      store,
      directory,
      house,
      sender: HOUSE.signIn,
      claims,
      consoles,
      services: new UsedServices({ store, clock }),
      forget: (account_id) => issuers.forget(account_id),
    },
    issuers,
  );

  const agents = a2aRoutes({
    store,
    directory,
    registry,
    post,
    bus,
    sealed,
    uploads,
    authenticator,
    behaviors,
    pushes: parts.taskPushes,
    keysOf: (namespaceId) => keyring.issuer(namespaceId),
    clock,
    mailDomain,
    baseUrl,
    rateLimits,
    limiters,
    sizes,
    sync_ms,
    streams,
    heartbeat_ms,
    stop,
    version: VERSION,
  });

  const signsIn = (namespace: string): Promise<boolean> => issuers.signsIn(namespace);
  const mcp = mcpRoutes({
    routes: new LocalRoutes(api.routes, { rate_limits: rateLimits, challenges }),
    directory,
    registry,
    mailDomain,
    hasNamespace: async (name) => (await store.namespaces.byName(name))?.deleted_at === null,
    behaviors,
    examplesOf: (mailbox) =>
      examplesOf(
        mailbox,
        behaviors.find(({ name }) => name === mailbox.behavior),
      ),
    threadOf: (token) => authenticator.threadOf(token),
    authorization: new Authorization({
      authenticator,
      resources,
      directory,
      store,
      accounts: accounts.sessions,
      tokenOf: (text) => issuers.resourceToken(text),
      signsIn,
      clock,
    }),
    resources,
    signsIn,
    baseUrl,
    version: VERSION,
    limiter: limiters.pages,
    onError: (err) => log.warn({ err }, 'an MCP request was refused'),
  });
  const card = serverCardRoute({ registry, behaviors, baseUrl, mailDomain, version: VERSION, limiter: limiters.pages });
  const web = webRoutes([...consolePages, ...pages], limiters.pages);
  return [...api.routes, ...mcp, card, ...agents, ...web, ...people];
}
