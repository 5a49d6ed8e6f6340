import type { Millis } from '../core/values/clock.ts';
import type { Base, Later } from './base.ts';
import { openBase } from './base.ts';
import { importBehaviors, makeBehaviors } from './behaviors.ts';
import type { Core } from './core.ts';
import { coreOf } from './core.ts';
import type { Mail } from './mail.ts';
import { makeMail } from './mail.ts';
import type { ServiceOptions } from './options.ts';
import type { Outgoing } from './outgoing.ts';
import { makeOutgoing } from './outgoing.ts';
import type { SignIn } from './sign-in.ts';
import { makeSignIn } from './sign-in.ts';
import type { Views } from './views.ts';
import { makeViews } from './views.ts';

/** All that the service made. Each route is handed the whole, and its parameter names the few parts that it sees. */
export interface App extends Base, SignIn, Mail, Core, Outgoing, Views, Pick<Later, 'behaviors'> {}

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
  const behaviors = await makeBehaviors({ ...base, ...signIn }, options, importing, stack, later);
  const mail = await makeMail({ ...base, behaviors }, stack, later, options.print);
  const core = await coreOf({ ...base, ...mail, behaviors }, later, poll_ms);
  const sending = { ...base, ...mail, ...core, behaviors };
  const outgoing = makeOutgoing(sending, stack, poll_ms);
  app = { ...sending, ...signIn, ...outgoing, ...(await makeViews({ ...sending, ...signIn, ...outgoing })) };
  return app;
}
