import type { Directory } from '../core/access/directory.ts';
import { KeyRegistry } from '../core/access/key-registry.ts';
import { Presence } from '../core/access/presence.ts';
import type { CheckSettings } from '../core/access/registry.ts';
import { Registry } from '../core/access/registry.ts';
import { AnswerQueue } from '../core/delivery/answer-queue.ts';
import { Answering } from '../core/delivery/answering.ts';
import { Decisions } from '../core/delivery/approve.ts';
import { DailyLimit } from '../core/delivery/daily-limit.ts';
import type { DispatchOptions } from '../core/delivery/dispatch.ts';
import { Dispatch, MessageQueue } from '../core/delivery/dispatch.ts';
import { EffectLimits } from '../core/delivery/effect-limits.ts';
import type { EmailAnswers } from '../core/delivery/email-answers.ts';
import { MessageHandler } from '../core/delivery/handle.ts';
import { JobWorker } from '../core/delivery/job-worker.ts';
import { LoopNotices } from '../core/delivery/loop-notices.ts';
import type { ApprovalMails } from '../core/delivery/mail-approvals/approval-mails.ts';
import { OneTimeSecrets } from '../core/delivery/one-time-secrets.ts';
import { OutsideMail } from '../core/delivery/outside-mail.ts';
import { Progress } from '../core/delivery/progress.ts';
import { pushOf } from '../core/delivery/push.ts';
import { ReplyFiles } from '../core/delivery/reply-files.ts';
import type { OnError } from '../core/delivery/run.ts';
import { Runner } from '../core/delivery/run.ts';
import { Settler } from '../core/delivery/settle.ts';
import { Slots } from '../core/delivery/slots.ts';
import type { StorageLimits } from '../core/delivery/storage-meter.ts';
import { StorageMeter } from '../core/delivery/storage-meter.ts';
import { Submitter } from '../core/delivery/submit.ts';
import { TakingOver } from '../core/delivery/taking-over.ts';
import type { UploadLimits } from '../core/delivery/uploads.ts';
import { Uploads } from '../core/delivery/uploads.ts';
import { Worker } from '../core/delivery/worker.ts';
import type { Mailbox } from '../core/entities/mailbox.ts';
import type { Message } from '../core/entities/message.ts';
import { endWaits } from '../core/notify/cluster.ts';
import { DueWork } from '../core/notify/due-work.ts';
import { EventBus } from '../core/notify/event-bus.ts';
import { Writers } from '../core/notify/writers.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import { MAX_PER_DAY } from '../core/ports/behavior.ts';
import type { Store } from '../core/ports/store.ts';
import type { WebhookClient } from '../core/ports/webhook-client.ts';
import type { Clock, Millis } from '../core/values/clock.ts';
import { DAY, SECOND } from '../core/values/clock.ts';
import type { Limiter, Policy } from '../core/values/limits.ts';
import { LocalLimiter } from '../core/values/limits.ts';
import { SharedLimiter } from '../core/values/shared-limits.ts';
import { compileCheck } from '../http/validate.ts';
import type { Base, Later } from './base.ts';
import type { Mail } from './mail.ts';

export interface CoreParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly behaviors: readonly Behavior[];
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Sends between mailboxes, and those of a namespace; without them they are not limited. */
  readonly asks?: Limiter | undefined;
  readonly sends?: Limiter | undefined;
  /** Sends answers to e-mail; without it none leave. */
  readonly emails?: EmailAnswers | undefined;
  /** Asks owners by mail to approve plans; without it nothing does. */
  readonly approvals?: Pick<ApprovalMails, 'asked'> | undefined;
  /** Mails of a namespace to addresses outside. */
  readonly emailsSent?: Limiter | undefined;
  readonly webhookClient: Pick<WebhookClient, 'urlError'>;
  /** Called when messages of this mailbox can be pushed to its webhook. */
  readonly onPushable: (mailbox: Pick<Mailbox, 'id' | 'namespace_id'>) => void;
  /** Called when a behavior throws. */
  readonly onBehaviorError: OnError;
}

/** The settings of the core; what may be left out has the default of its part. */
export interface CoreOptions {
  readonly dispatch: DispatchOptions;
  readonly storage: StorageLimits;
  readonly uploads?: UploadLimits;
  /** The key of the hashes by which the storage of networks is counted. */
  readonly networks_secret: string;
  readonly max_schedules: number;
  readonly max_waiting: number;
  readonly max_reply?: number;
  readonly max_mailboxes?: number;
  readonly max_settings?: number;
  readonly max_keys?: number;
}

const MiB = 1024 * 1024;
/** Counts the messages of a mailbox on one day; the maximum is its owner's. */
const PER_DAY: Policy = {
  name: 'mailbox-day',
  what: 'messages',
  quota: MAX_PER_DAY,
  burst: MAX_PER_DAY,
  window_ms: DAY,
  kind: 'day',
};
const DEFAULT_UPLOADS: UploadLimits = { max_file: 10 * MiB, max_files: 25 * MiB };

/** The parts that take a message from its submission to its settlement, and those that change mailboxes. */
export type Core = ReturnType<typeof makeCore>;

/** Creates and connects the parts of the core. The caller stops `dispatch`, and then disposes of `storage`. */
export function makeCore(parts: CoreParts, options: CoreOptions) {
  const { store, behaviors, clock, mailDomain, emails, approvals, onPushable } = parts;
  const { max_reply, max_mailboxes, max_settings, max_keys } = options;
  const bus = new EventBus();
  const queue = new AnswerQueue({ store, clock });
  const sealed = new OneTimeSecrets({ states: store.states, clock });
  const storage = new StorageMeter(
    { store, clock, secret: options.networks_secret, onError: options.dispatch.onError },
    options.storage,
  );
  const runner = new Runner(behaviors, clock, parts.onBehaviorError, max_reply);
  const acceptEmail: EmailAnswers['accept'] = async (accepted, write) =>
    emails === undefined ? write() : emails.accept(accepted, write);
  const shared = {
    ...parts,
    emails,
    ...{ bus, queue, sealed, storage, runner },
    limits: new EffectLimits({ store, storage }, options),
    onAnswerable(mailbox: Pick<Mailbox, 'id' | 'namespace_id' | 'webhook'>): void {
      if (mailbox.webhook === 'on') onPushable(mailbox);
      queue.announce(mailbox.id);
    },
    onEmailSettled: (message: Message, mailbox: Mailbox): void => emails?.settled(message, mailbox),
    settleEmail: async (...settling: Parameters<EmailAnswers['settle']>) => emails?.settle(...settling),
    acceptEmail,
    onAsking: (message: Message): void => approvals?.asked(message),
  };
  const slots: Slots = new Slots(options.dispatch.max, () => worker.checkSoon());
  const worker = new Worker(
    {
      queue: new MessageQueue(store.handlings, slots, options.dispatch),
      handle: (leased, abort): Promise<void> => dispatch.handle(leased, abort),
      clock,
    },
    options.dispatch,
  );
  const settler = new Settler(shared, options.dispatch);
  const uploads = new Uploads(shared, options.uploads ?? DEFAULT_UPLOADS);
  const files = new ReplyFiles({ store, uploads, storage, clock });
  const jobs = new JobWorker({ store, clock }, options.dispatch);
  const handling = {
    ...shared,
    ...{ slots, worker, settler },
    handler: new MessageHandler({ store, runner, settler, files, clock }),
    due: new DueWork(store, [worker, jobs]),
  };
  const post = new Submitter(
    {
      ...handling,
      progress: new Progress(shared),
      daily: new DailyLimit({ store, clock, counter: dayCounter(store, clock) }),
      loops: new LoopNotices(shared),
      outside: new OutsideMail({ store, storage, emails, limit: parts.emailsSent, clock }),
    },
    { max_waiting: options.max_waiting, mailDomain, asks: parts.asks, sends: parts.sends },
  );
  const dispatch = new Dispatch({ ...handling, jobs, running: post.running });
  const keys = new KeyRegistry(shared, { mailDomain, ...(max_keys !== undefined && { max: max_keys }) });
  const onDeleted = (mailboxIds: readonly string[]): void => {
    endWaits(mailboxIds, { bus, queue });
    store.shared?.publish({ kind: 'deleted', ids: mailboxIds });
  };
  const registry = new Registry(
    { ...shared, dispatch, keys, onDeleted },
    {
      mailDomain,
      ...(max_mailboxes !== undefined && { max_mailboxes }),
      ...(max_settings !== undefined && { max_settings }),
      checkSettings: settingsChecker(),
    },
  );
  return {
    ...{ queue, bus, sealed, storage, runner, dispatch, post, registry, keys, uploads },
    limits: shared.limits,
    answering: new Answering({ ...shared, settler }, { max_reply }),
    presence: new Presence(shared),
    decisions: new Decisions({ ...shared, dispatch }),
    takingOver: new TakingOver({ ...shared, dispatch }),
    writers: new Writers(shared),
  };
}

/** Counts the messages of mailboxes on a day, with the other nodes where there are some. */
function dayCounter({ shared }: Store, clock: Clock): Limiter {
  return shared === undefined ? new LocalLimiter(PER_DAY, clock) : new SharedLimiter(PER_DAY, clock, shared.counters);
}

/** Validates a behavior's settings; a schema is compiled on first use. */
function settingsChecker(): CheckSettings {
  const checks = new Map<unknown, (settings: unknown) => void>();
  return (schema, settings) => {
    const check = checks.get(schema) ?? compileCheck(schema, '/behavior/settings');
    checks.set(schema, check);
    check(settings);
  };
}

/** The core with the settings of the service. */
export async function coreOf(app: Base & Mail & Pick<Later, 'behaviors'>, later: () => Later, poll_ms: Millis) {
  const { config, log, health, onError, applied } = app;
  return makeCore(
    {
      ...app,
      asks: applied?.asks,
      sends: applied?.namespaceSends,
      emailsSent: applied?.emailsSent,
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
      networks_secret: await app.secretOf('networks'),
      max_schedules: config.LIMIT_SCHEDULES,
      max_waiting: config.LIMIT_WAITING,
      max_reply: config.LIMIT_REPLY,
      max_mailboxes: config.LIMIT_MAILBOXES,
      max_settings: config.LIMIT_SETTINGS,
      max_keys: config.LIMIT_KEYS,
    },
  );
}
