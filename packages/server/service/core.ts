import { MAX_REPLY } from '@mailroom/behavior/reply-limit';
import type { Millis } from '@mailroom/behavior/values/clock';
import { makeActorOf } from '../core/access/actor.ts';
import { KeyRegistry } from '../core/access/key-registry.ts';
import { Presence } from '../core/access/presence.ts';
import { Registry } from '../core/access/registry.ts';
import type { ForwardTargets } from '../core/access/rule-settings.ts';
import { AnswerQueue } from '../core/answers/answer-queue.ts';
import { Answering } from '../core/answers/answering.ts';
import { ConversationDesk } from '../core/answers/conversation-desk.ts';
import { TakingOver } from '../core/answers/taking-over.ts';
import { randomBase62 } from '../core/entities/key.ts';
import type { Mailbox } from '../core/entities/mailbox.ts';
import type { Review } from '../core/entities/review.ts';
import { RawMails } from '../core/files/raw-mails.ts';
import { ReplyFiles } from '../core/files/reply-files.ts';
import { type UploadLimits, Uploads } from '../core/files/uploads.ts';
import { DailyLimit } from '../core/limits/daily-limit.ts';
import { DailyRecipients } from '../core/limits/daily-recipients.ts';
import { EffectLimits } from '../core/limits/effect-limits.ts';
import { type NearlyFull, StorageMeter } from '../core/limits/storage-meter.ts';
import type { StorageLimits } from '../core/limits/storage-refusal.ts';
import type { ApprovalMails } from '../core/mail-in/approvals/approval-mails.ts';
import type { EmailAnswers } from '../core/mail-out/email-answers.ts';
import { HeldMessages } from '../core/mail-out/held-messages.ts';
import { OutsideMail } from '../core/mail-out/outside-mail.ts';
import type { PeerAnswers } from '../core/mail-out/peer-answers.ts';
import { AnswerAll } from '../core/messages/answer-all.ts';
import { ReviewDesk } from '../core/messages/review-desk.ts';
import { Submitter } from '../core/messages/submit.ts';
import { ToMany } from '../core/messages/to-many.ts';
import { endWaits } from '../core/nodes/cluster.ts';
import { DueWork } from '../core/notify/due-work.ts';
import { EventBus } from '../core/notify/event-bus.ts';
import { Progress } from '../core/notify/progress.ts';
import { Writers } from '../core/notify/writers.ts';
import { ForwardConfirmations } from '../core/outgoing/forward-confirmations.ts';
import type { OwnerNotices } from '../core/outgoing/owner-notices.ts';
import type { Tracing } from '../core/ports/tracing.ts';
import type { WebhookClient } from '../core/ports/webhook-client.ts';
import { Evidence, type FindEvidence } from '../core/review/evidence.ts';
import { Gate } from '../core/review/gate.ts';
import { HeldAnswers } from '../core/review/held-answers.ts';
import type { Verify } from '../core/review/proof.ts';
import { Decisions } from '../core/runs/approve.ts';
import { Dispatch, type DispatchOptions, MessageQueue } from '../core/runs/dispatch.ts';
import { MessageHandler } from '../core/runs/handle.ts';
import { JobWorker } from '../core/runs/job-worker.ts';
import { ModelBudgets } from '../core/runs/model-budget.ts';
import { OneTimeSecrets } from '../core/runs/one-time-secrets.ts';
import { type OnError, Runner } from '../core/runs/run.ts';
import { Settler } from '../core/runs/settle.ts';
import { Slots } from '../core/runs/slots.ts';
import { Worker } from '../core/runs/worker.ts';
import { LoopNotices } from '../core/submission/loop-notices.ts';
import { namedLists } from '../core/submission/many-fields.ts';
import type { Limiter } from '../core/values/limits.ts';
import { settingsChecker } from '../http/validate.ts';
import type { Base, Later } from './base.ts';

export interface CoreParts
  extends Pick<Base, 'store' | 'directory' | 'clock' | 'mailDomain' | 'baseUrl'>,
    Pick<Later, 'behaviors'> {
  /** Sends between mailboxes, and those of a namespace; without them they are not limited. */
  readonly asks?: Limiter | undefined;
  readonly sends?: Limiter | undefined;
  /** Sends answers to e-mail. */
  readonly emails: EmailAnswers;
  /** Waits for answers of other servers; undefined where none is reached at once. */
  readonly peers?: PeerAnswers | undefined;
  /** Asks owners by mail to approve plans. */
  readonly approvals: Pick<ApprovalMails, 'asked' | 'reviewAsked'>;
  /** Finds evidence in messages. */
  readonly findings: FindEvidence;
  /** Signs receipts of decisions: a compact JWS. */
  readonly sign: (payload: string) => Promise<string>;
  readonly verify: Verify;
  /** Mails of a namespace to addresses outside. */
  readonly emailsSent?: Limiter | undefined;
  readonly webhookClient: Pick<WebhookClient, 'urlError'>;
  /** Sends a mail of the service to an address outside, and sets a state with it. */
  readonly sendNotice: OwnerNotices['send'];
  /** Called when messages of this mailbox can be pushed to its webhook. */
  readonly onPushable: (mailbox: Pick<Mailbox, 'id' | 'namespace_id'>) => void;
  /** Called when the owner of a namespace is told that it is nearly full. */
  readonly onNearlyFull?: (namespace: NearlyFull) => void;
  readonly tracing?: Tracing | undefined;
  /** Called when a behavior throws. */
  readonly onBehaviorError: OnError;
}

/** The settings of the core; what may be left out has the default of its part. */
export interface CoreOptions {
  readonly dispatch: DispatchOptions;
  readonly storage: StorageLimits;
  readonly uploads: UploadLimits;
  /** For how long the bytes of mails are kept; 0 for not at all. */
  readonly raw_ms?: Millis;
  /** The key of the hashes by which the storage of networks is counted. */
  readonly networks_secret: string;
  readonly max_schedules: number;
  readonly max_waiting: number;
  readonly max_reply?: number;
  readonly max_mailboxes?: number;
  readonly max_settings?: number;
  readonly max_keys?: number;
  /** Tokens that a message may take of the language model, which a run reserves; without it none are counted. */
  readonly model_tokens?: number | undefined;
}

/** The parts that take a message from its submission to its settlement, and those that change mailboxes. */
export type Core = ReturnType<typeof makeCore>;

/** Creates and connects the parts of the core. The caller stops `dispatch`, and then disposes of `storage`. */
export function makeCore(parts: CoreParts, options: CoreOptions) {
  const { store, behaviors, clock, mailDomain, emails, onPushable } = parts;
  const bus = new EventBus();
  const queue = new AnswerQueue({ store, clock });
  const sealed = new OneTimeSecrets({ states: store.states, clock });
  const { networks_secret: secret } = options;
  const { onError } = options.dispatch;
  const storage = new StorageMeter(
    { store, clock, secret, baseUrl: parts.baseUrl, onError, onNearlyFull: parts.onNearlyFull },
    options.storage,
  );
  const { model_tokens: tokens } = options;
  const budgets = tokens === undefined ? undefined : new ModelBudgets({ store, storage, bus, clock, onError }, tokens);
  const runner = new Runner(behaviors, clock, parts.onBehaviorError, options.max_reply, budgets, parts.tracing);
  const shared = {
    ...parts,
    ...{ bus, queue, sealed, storage, runner },
    limits: new EffectLimits({ store, storage }, options),
    onAnswerable(mailbox: Pick<Mailbox, 'id' | 'namespace_id' | 'webhook'>): void {
      if (mailbox.webhook === 'on') onPushable(mailbox);
      queue.announce(mailbox.id);
    },
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
  const evidence = new Evidence({ store, find: parts.findings, mailDomain });
  const gate = new Gate({ ...shared, evidence, daily: new DailyRecipients(shared), ...options });
  const heldAnswers = new HeldAnswers({
    store,
    gate,
    mailDomain,
    answerBy: (mailbox, { created_at }) => runner.answerBy(mailbox, created_at),
  });
  const onReview = (review: Review): void => parts.approvals.reviewAsked(review);
  const settler = new Settler({ ...shared, evidence, held: heldAnswers }, options.dispatch);
  const uploads = new Uploads(shared, options.uploads);
  const raws = new RawMails(shared, options.raw_ms ?? 0);
  const files = new ReplyFiles({ store, uploads, storage, clock });
  const jobs = new JobWorker({ store, clock }, options.dispatch);
  const handling = {
    ...shared,
    ...{ slots, worker, settler },
    handler: new MessageHandler({ store, runner, settler, files, clock }),
    due: new DueWork(store, [worker, jobs]),
  };
  const outside = new OutsideMail({
    store,
    directory: parts.directory,
    storage,
    emails,
    gate,
    limit: parts.emailsSent,
    clock,
    baseUrl: parts.baseUrl,
  });
  const held = new HeldMessages({ ...shared, gate, outside });
  const loops = new LoopNotices(shared);
  const post = new Submitter(
    {
      ...handling,
      progress: new Progress(shared),
      daily: new DailyLimit(shared),
      ...{ loops, outside, gate, held, evidence, onReview },
    },
    {
      ...{ max_waiting: options.max_waiting, mailDomain, asks: parts.asks, sends: parts.sends },
      sendToSeveral: (submission, to, cc, wait) => toMany.send(submission, namedLists(to, cc), wait),
    },
  );
  const dispatch = new Dispatch({ ...handling, jobs, running: post.running });
  const toMany: ToMany = new ToMany({
    ...shared,
    ...{ post, outside, held, onReview, dispatch, loops },
    sends: parts.sends,
    max_waiting: options.max_waiting,
    mailDomain,
  });
  const actorOf = makeActorOf(parts);
  const answering = new Answering({ ...shared, settler, evidence, held: heldAnswers, onReview, actorOf }, options);
  const answerAll = new AnswerAll({ ...shared, answering, toMany, outside, dispatch });
  const max_reply = options.max_reply ?? MAX_REPLY;
  const reviewDesk = new ReviewDesk({
    ...shared,
    ...{ gate, settler, answering, answerAll, held, heldAnswers, outside, toMany, dispatch, max_reply, onReview },
    ...{ sign: parts.sign, verify: parts.verify },
  });
  const forwardConfirmations = new ForwardConfirmations({
    ...{ store, clock, mailDomain, baseUrl: parts.baseUrl, send: parts.sendNotice, newToken: () => randomBase62(32) },
    mayWrite: (namespaceId, address) => outside.mayWrite(namespaceId, address),
    count: (namespaceId) => outside.count(namespaceId, 1),
  });
  return {
    reviewDesk,
    toMany,
    ...{ queue, bus, sealed, storage, runner, dispatch, post, uploads, raws, loops },
    limits: shared.limits,
    answerAll,
    ...makeRegistries({ ...shared, dispatch, forwardTargets: forwardConfirmations }, options),
    ...{ answering, forwardConfirmations, actorOf },
    conversationDesk: new ConversationDesk({ ...shared, actorOf, dispatch }),
    presence: new Presence(shared),
    decisions: new Decisions({ ...shared, dispatch }),
    takingOver: new TakingOver({ ...shared, dispatch }),
    writers: new Writers(shared),
  };
}

interface RegistryParts extends CoreParts {
  readonly bus: EventBus;
  readonly dispatch: Dispatch;
  readonly queue: AnswerQueue;
  readonly storage: StorageMeter;
  readonly forwardTargets: ForwardTargets;
}

/** What changes namespaces, mailboxes and keys. */
function makeRegistries(parts: RegistryParts, options: CoreOptions) {
  const { store, bus, queue, mailDomain } = parts;
  const keys = new KeyRegistry(parts, { ...options, mailDomain });
  const onDeleted = (mailboxIds: readonly string[]): void => {
    endWaits(mailboxIds, { bus, queue });
    store.shared?.publish({ kind: 'deleted', ids: mailboxIds });
  };
  const checks = { ...options, mailDomain, checkSettings: settingsChecker() };
  return { keys, registry: new Registry({ ...parts, keys, onDeleted }, checks) };
}
