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
import type { Clock } from '../core/values/clock.ts';
import { DAY } from '../core/values/clock.ts';
import type { Limiter, Policy } from '../core/values/limits.ts';
import { LocalLimiter } from '../core/values/limits.ts';
import { SharedLimiter } from '../core/values/shared-limits.ts';
import { compileCheck } from '../http/validate.ts';

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
  readonly webhooks: Pick<WebhookClient, 'urlError'>;
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

/** The parts that take a message from its submission to its settlement, and those that change mailboxes. */
export interface Core {
  readonly queue: AnswerQueue;
  readonly answering: Answering;
  readonly presence: Presence;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly storage: StorageMeter;
  readonly limits: EffectLimits;
  readonly runner: Runner;
  readonly dispatch: Dispatch;
  readonly post: Submitter;
  readonly decisions: Decisions;
  readonly registry: Registry;
  readonly keys: KeyRegistry;
  readonly uploads: Uploads;
  readonly takingOver: TakingOver;
  readonly writers: Writers;
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

/** Creates and connects the parts of the core. The caller stops `dispatch`, and then disposes of `storage`. */
export function makeCore(
  {
    store,
    directory,
    behaviors,
    clock,
    mailDomain,
    asks,
    sends,
    emails,
    approvals,
    emailsSent,
    webhooks,
    onPushable,
    onBehaviorError,
  }: CoreParts,
  options: CoreOptions,
): Core {
  const { max_schedules, max_waiting, max_reply, max_mailboxes, max_settings, max_keys } = options;
  const { onError } = options.dispatch;
  const bus = new EventBus();
  const queue = new AnswerQueue({ store, clock });
  const onAnswerable = (mailbox: Pick<Mailbox, 'id' | 'namespace_id' | 'webhook'>): void => {
    if (mailbox.webhook === 'on') onPushable(mailbox);
    queue.announce(mailbox.id);
  };
  const sealed = new OneTimeSecrets({ states: store.states, clock });
  const storage = new StorageMeter({ store, clock, secret: options.networks_secret, onError }, options.storage);
  const limits = new EffectLimits({ store, storage }, { max_schedules });
  const runner = new Runner(behaviors, clock, onBehaviorError, max_reply);
  const counters = store.shared?.counters;
  const counter =
    counters === undefined ? new LocalLimiter(PER_DAY, clock) : new SharedLimiter(PER_DAY, clock, counters);
  const daily = new DailyLimit({ store, clock, counter });
  const loops = new LoopNotices({ store, directory, bus, clock });
  const slots: Slots = new Slots(options.dispatch.max, () => worker.checkSoon());
  const worker = new Worker(
    {
      queue: new MessageQueue(store.handlings, slots, options.dispatch),
      handle: (leased, abort): Promise<void> => dispatch.handle(leased, abort),
      clock,
    },
    options.dispatch,
  );
  const onEmailSettled = (message: Message, mailbox: Mailbox): void => emails?.settled(message, mailbox);
  const settleEmail: EmailAnswers['settle'] = async (...settling) => emails?.settle(...settling);
  const acceptEmail: EmailAnswers['accept'] = async (of, write) =>
    emails === undefined ? write() : emails.accept(of, write);
  const onAsking = (message: Message): void => approvals?.asked(message);
  const settler = new Settler(
    { store, bus, sealed, storage, limits, clock, onEmailSettled, settleEmail, onAsking, onAnswerable },
    options.dispatch,
  );
  const uploads = new Uploads({ store, storage, clock }, options.uploads ?? DEFAULT_UPLOADS);
  const files = new ReplyFiles({ store, uploads, storage, clock });
  const handler = new MessageHandler({ store, runner, settler, files, clock });
  const progress = new Progress({ store, bus, clock });
  const jobs = new JobWorker({ store, clock }, options.dispatch);
  const due = new DueWork(store, [worker, jobs]);
  const handling = { store, directory, slots, worker, settler, handler, due, clock };
  const outside = new OutsideMail({ store, storage, emails, limit: emailsSent, clock });
  const post = new Submitter(
    {
      ...handling,
      runner,
      bus,
      progress,
      sealed,
      storage,
      limits,
      daily,
      loops,
      outside,
      queue,
      acceptEmail,
      onAnswerable,
    },
    { max_waiting, mailDomain, asks, sends },
  );
  const dispatch = new Dispatch({ ...handling, jobs, running: post.running });
  const answering = new Answering({ store, directory, queue, settler, bus, emails, clock }, { max_reply });
  const presence = new Presence({ store, directory, behaviors, clock });
  const takingOver = new TakingOver({ store, runner, dispatch, bus, onAnswerable, clock });
  const decisions = new Decisions({ store, directory, dispatch, clock });
  const keys = new KeyRegistry(
    { store, directory, storage, clock },
    { mailDomain, ...(max_keys !== undefined && { max: max_keys }) },
  );
  const onDeleted = (mailboxIds: readonly string[]): void => {
    endWaits(mailboxIds, { bus, queue });
    store.shared?.publish({ kind: 'deleted', ids: mailboxIds });
  };
  const registry = new Registry(
    { store, directory, dispatch, storage, keys, clock, behaviors, webhooks, onPushable, onDeleted },
    {
      mailDomain,
      ...(max_mailboxes !== undefined && { max_mailboxes }),
      ...(max_settings !== undefined && { max_settings }),
      checkSettings: settingsChecker(),
    },
  );
  return {
    queue,
    answering,
    presence,
    bus,
    sealed,
    storage,
    limits,
    runner,
    dispatch,
    post,
    decisions,
    registry,
    keys,
    uploads,
    takingOver,
    writers: new Writers({ store, bus, clock }),
  };
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
