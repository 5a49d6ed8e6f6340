import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Accounts } from '../entities/account.ts';
import type { Allowances, Clients } from '../entities/client.ts';
import type { AgentWebhooks } from './agent-webhooks.ts';
import type { Answers } from './answers.ts';
import type { Audit } from './audit.ts';
import type { Attachments, Blobs } from './blobs.ts';
import type { Conversations } from './conversations.ts';
import type { Deliveries, Suppressions } from './delivery.ts';
import type { Domains } from './domains.ts';
import type { Drafts } from './drafts.ts';
import type { Emails } from './emails.ts';
import type { Events } from './events.ts';
import type { Handlings } from './handlings.ts';
import type { Idempotency, Replayed } from './idempotency.ts';
import type { Invitations } from './invitations.ts';
import type { Jobs } from './jobs.ts';
import type { Keys } from './keys.ts';
import type { Labels } from './labels.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { MessageIds } from './message-ids.ts';
import type { Messages } from './messages.ts';
import type { ModelUsage } from './model-usage.ts';
import type { Namespaces } from './namespaces.ts';
import type { Notes } from './notes.ts';
import type { NoticeChoices } from './notices.ts';
import type { Places } from './places.ts';
import type { PushConfigs } from './push-configs.ts';
import type { RecipientDays } from './recipient-days.ts';
import type { Reviews } from './reviews.ts';
import type { Schedules } from './schedules.ts';
import type { IndexStatus } from './search.ts';
import type { Secrets } from './secrets.ts';
import type { Shared } from './shared.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { States } from './states.ts';
import type { StorageTotals } from './storage.ts';
import type { Threads } from './threads.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * The storage of the service. A write is durable (on disk, synced) when its promise resolves; when it rejects, nothing of
 * it was written, and the error is AppError `unavailable` if a retry makes sense. Each method is one transaction. Both
 * databases pass the same contract tests: `packages/server/tests/store/contract.ts`.
 */
export interface Store extends AsyncDisposable {
  /** The time of all that serve this database: of its server where they are several, else of this machine. */
  readonly clock: Clock;
  readonly namespaces: Namespaces;
  readonly mailboxes: Mailboxes;
  readonly keys: Keys;
  readonly messages: Messages;
  readonly handlings: Handlings;
  readonly answers: Answers;
  readonly threads: Threads;
  readonly conversations: Conversations;
  readonly agentWebhooks: AgentWebhooks;
  readonly jobs: Jobs;
  readonly deliveries: Deliveries;
  readonly pushConfigs: PushConfigs;
  readonly suppressions: Suppressions;
  readonly domains: Domains;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly secrets: Secrets;
  readonly states: States;
  readonly signingKeys: SigningKeys;
  readonly notes: Notes;
  readonly schedules: Schedules;
  readonly drafts: Drafts;
  readonly reviews: Reviews;
  readonly labels: Labels;
  readonly places: Places;
  readonly messageIds: MessageIds;
  readonly emails: Emails;
  readonly accounts: Accounts;
  readonly invitations: Invitations;
  readonly clients: Clients;
  readonly allowances: Allowances;
  readonly storage: StorageTotals;
  readonly modelUsage: ModelUsage;
  readonly notices: NoticeChoices;
  readonly recipientDays: RecipientDays;
  readonly audit: Audit;
  readonly attachments: Attachments;
  readonly blobs: Blobs;
  /** Set where several processes serve the same database; undefined where this one owns it. */
  readonly shared: Shared | undefined;
  /** Runs `act` while no other process on this database runs one. */
  alone<T>(act: () => Promise<T>): Promise<T>;
  /** The result of an idempotency key that was used and has not expired, which saves the work of a repeated request. */
  idempotency(scope: string, key: string, now: Millis): Promise<Replayed | undefined>;
  /** Stores `id` as the result of a request that created nothing; an earlier result stays. */
  remember(idempotency: Idempotency, id: string, now: Millis): Promise<void>;
  /** A durable write without meaning, to learn whether the next real write would succeed. */
  probe(): Promise<void>;
  /** How far the index of messages is, once it has all that was written before, or after `ms`; undefined where none is kept. */
  indexed(ms?: Millis): Promise<IndexStatus | undefined>;
  /** What was found damaged in the SQLite file, at the start or by an operation; it is not written to from then on. */
  damaged(): string | undefined;
}
