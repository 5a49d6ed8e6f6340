import { DAY, SECOND } from '@mailroom/behavior/values/clock';
import {
  retainAudit,
  retainDeliveries,
  retainEvents,
  retainKeys,
  retainMessages,
  retainUsage,
  sweepBlobs,
} from '../core/maintenance/retention.ts';
import type { App } from './app.ts';

/** How often deferred work is done: writing when keys were used, and removing expired idempotency keys and old messages. */
const UPKEEP_MS = 10 * SECOND;

/** Begins the deferred work, which `stack` ends; returns what stops its timer. */
export function startUpkeep(app: App, stack: AsyncDisposableStack): () => void {
  const { config, store, clock, onError, emails, approvals, domains, authenticator, waitingCalls } = app;
  const { RETENTION_DAYS: days } = config;
  const retention = days === undefined ? undefined : stack.use(retainMessages({ store, clock }, days * DAY));
  const trim = stack.use(retainEvents({ store, clock }, config.EVENT_DAYS * DAY));
  const audit = stack.use(retainAudit({ store, clock }, config.AUDIT_DAYS * DAY));
  const keys = stack.use(retainKeys({ store, clock }, config.AUDIT_DAYS * DAY));
  const ended = stack.use(retainDeliveries({ store, clock }, config.EVENT_DAYS * DAY));
  const usage = stack.use(retainUsage({ store, clock }));
  const blobs = stack.use(sweepBlobs({ store, clock }));
  const run = (tasks: readonly (() => Promise<unknown> | undefined)[]): void => {
    for (const task of tasks) task()?.catch(onError);
  };
  const mail = [() => emails.sweep(), () => approvals.sweep()];
  const upkeep = setInterval(
    () =>
      run([
        ...mail,
        () => domains.checkDue(),
        () => blobs.run(),
        () => trim.run(),
        () => audit.run(),
        () => keys.run(),
        () => ended.run(),
        () => usage.run(),
        () => retention?.run(),
        () => waitingCalls.planAll(),
        () => authenticator.flush(),
        () => store.jobs.sweep(clock()),
        () => store.states.sweep(clock()),
        () => store.pushConfigs.sweep(clock()),
        () => store.storage.sweep(clock()),
      ]),
    UPKEEP_MS,
  );
  upkeep.unref();
  run([() => retention?.run(), ...mail]);
  return () => clearInterval(upkeep);
}
