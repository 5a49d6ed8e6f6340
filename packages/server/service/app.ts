import { DAY, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { pushOf } from '../core/answers/push.ts';
import { type Base, type Later, openBase } from './base.ts';
import { importBehaviors, makeBehaviors } from './behaviors.ts';
import { type Core, makeCore } from './core.ts';
import { type Mail, makeMail } from './mail.ts';
import type { ServiceOptions } from './options.ts';
import { makeOutgoing, type Outgoing } from './outgoing.ts';
import { makePeerMail } from './peers.ts';
import { makeSignIn, type SignIn } from './sign-in.ts';
import { makeViews, type Views } from './views.ts';

/** All that the service made. Each route is handed the whole, and its parameter names the few parts that it sees. */
export interface App extends Base, SignIn, Mail, Core, Outgoing, Views, Pick<Later, 'behaviors' | 'peerMail'> {}

/** Creates and connects all parts; `stack` disposes of them in reverse order. */
export async function makeApp(options: ServiceOptions, poll_ms: Millis, stack: AsyncDisposableStack): Promise<App> {
  let app: App | undefined;
  const later = (): Later => {
    if (app === undefined) throw new Error('A part was used before all were made.');
    return app;
  };
  // Loaded while the store opens.
  const importing = importBehaviors(options.config);
  const base = await openBase(options, stack, later);
  const { log } = base;
  const signIn = await makeSignIn({ ...base, onError: (err) => log.error({ err }, 'signing in broke') });
  const behaviors = await makeBehaviors({ ...base, ...signIn }, options, await importing, stack, later);
  const mail = await makeMail({ ...base, behaviors }, stack, later, options.print);
  const core = await coreOf({ ...base, ...mail, behaviors }, later, poll_ms);
  const sending = { ...base, ...mail, ...core, behaviors };
  const outgoing = makeOutgoing(sending, stack, poll_ms);
  const peerMail = makePeerMail(sending, stack);
  app = { ...sending, ...signIn, ...outgoing, peerMail, ...(await makeViews({ ...sending, ...signIn, ...outgoing })) };
  return app;
}

/** The core with the settings of the service. */
async function coreOf(app: Base & Mail & Pick<Later, 'behaviors'>, later: () => Later, poll_ms: Millis): Promise<Core> {
  const { config, log, health, onError, applied } = app;
  return makeCore(
    {
      ...app,
      asks: applied?.asks,
      sends: applied?.namespaceSends,
      emailsSent: applied?.emailsSent,
      findings: app.findings,
      sign: (payload) => app.keyring.sign('receipt', payload),
      verify: (jws) => app.keyring.verified('receipt', jws),
      sendNotice: (to, mail, state) => later().notices.send(to, mail, state),
      onNearlyFull: (namespace) => later().notices.nearlyFull(namespace),
      onPushable: (mailbox) => later().deliverer.announce(pushOf(mailbox)),
      onBehaviorError(message, err) {
        health.note('behavior');
        log.error({ err, message_id: message.id }, 'a behavior broke');
      },
    },
    {
      dispatch: {
        max: config.RUN_MAX,
        lease_ms: config.LEASE_SECONDS * SECOND,
        run_ms: config.RUN_SECONDS * SECOND,
        poll_ms,
        onError,
      },
      storage: {
        namespace: config.LIMIT_STORAGE,
        unclaimed: config.LIMIT_STORAGE_UNCLAIMED,
        network: config.LIMIT_STORAGE_NETWORK,
        guests: config.LIMIT_GUEST_STORAGE,
        mails: config.LIMIT_MAIL_STORAGE,
      },
      uploads: { max_file: config.LIMIT_ATTACHMENT, max_files: config.LIMIT_ATTACHMENTS },
      raw_ms: config.RAW_DAYS * DAY,
      networks_secret: await app.secretOf('networks'),
      max_schedules: config.LIMIT_SCHEDULES,
      max_waiting: config.LIMIT_WAITING,
      max_reply: config.LIMIT_REPLY,
      max_mailboxes: config.LIMIT_MAILBOXES,
      max_settings: config.LIMIT_SETTINGS,
      max_keys: config.LIMIT_KEYS,
      model_tokens: config.MODEL_BASE_URL === undefined ? undefined : config.MODEL_TOKENS,
    },
  );
}
