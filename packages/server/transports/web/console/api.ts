import { JsonText } from '@mailroom/behavior/values/json';
import type { Caller } from '../../../core/access/caller.ts';
import type { AuditEntry } from '../../../core/entities/audit-view.ts';
import type { NoteView } from '../../../core/entities/conversation.ts';
import type { DomainView } from '../../../core/entities/domain.ts';
import type { DraftView } from '../../../core/entities/draft.ts';
import type { KeyView, KeyWithSecret } from '../../../core/entities/key.ts';
import type { MailboxView } from '../../../core/entities/mailbox.ts';
import type { Me } from '../../../core/entities/me.ts';
import type { Envelope } from '../../../core/entities/message-view.ts';
import type { UsageDay } from '../../../core/entities/model-usage.ts';
import type { NamespaceView } from '../../../core/entities/namespace.ts';
import type { Notices } from '../../../core/entities/notices.ts';
import type { ReviewView } from '../../../core/entities/review.ts';
import type { SuppressionView } from '../../../core/entities/suppression.ts';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../../core/entities/webhook.ts';
import type { Activity, Overview } from '../../../core/reports/overview.ts';
import type { InvitationView, MemberList, MemberView } from '../../../core/sign-in/member-views.ts';
import type { Owners, SessionView } from '../../../core/sign-in/session-views.ts';
import type { LocalCall, LocalRoutes } from '../../../http/local-routes.ts';
import type { Answer, Call } from '../../../http/route.ts';

/** A page of a list, as the API answers it. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

/** What rules would have done to messages. */
export interface RuleTrial {
  readonly items: readonly {
    readonly message: {
      readonly id: string;
      readonly from: string | null;
      readonly subject: string | null;
      readonly created_at: string;
    };
    readonly rules: readonly string[];
    readonly then: {
      readonly label?: string[];
      readonly forward_to?: readonly string[];
      readonly assign?: string;
      readonly review?: true;
      readonly answer?: false;
    };
  }[];
}

/** A message that was sent or decided on, as far as a form needs it. */
interface Sent {
  readonly id: string;
}

/** What the calls that the console makes answer with, by their operation ids. */
interface Answers {
  readonly addDomain: DomainView;
  readonly addOwner: null;
  readonly changeReview: ReviewView;
  readonly getReview: ReviewView;
  readonly listReviews: Listed<ReviewView>;
  readonly rejectReview: ReviewView;
  readonly createDraft: DraftView;
  readonly createKey: KeyWithSecret;
  readonly createMailbox: MailboxView;
  readonly deleteDraft: null;
  readonly createWebhook: WebhookWithSecret;
  readonly deleteNamespace: null;
  readonly deleteWebhook: null;
  readonly endSession: null;
  readonly endSessions: null;
  /** JSON Lines, in chunks. */
  readonly changeMessages: { readonly items: readonly { readonly id: string; readonly status: number }[] };
  readonly forwardMessage: Sent;
  readonly exportNamespace: AsyncIterable<string>;
  readonly exportAudit: AsyncIterable<string>;
  readonly listAudit: Listed<AuditEntry>;
  readonly getActivity: Activity;
  readonly getDomain: DomainView;
  readonly getDraft: DraftView;
  readonly getMailbox: MailboxView;
  readonly getMailboxUsage: { readonly items: readonly UsageDay[] };
  readonly getMe: Me;
  readonly getMessage: Envelope;
  readonly getMessageHtml: string;
  readonly getRawMessage: AsyncIterable<Uint8Array>;
  readonly getNotices: Notices;
  readonly getOverview: Overview;
  readonly addNote: NoteView;
  readonly changeThread: unknown;
  readonly handBackThread: unknown;
  readonly getWebhook: WebhookView;
  readonly listDeliveries: Listed<DeliveryView>;
  readonly liftSuppression: null;
  readonly listDomains: Listed<DomainView>;
  readonly listDrafts: Listed<DraftView>;
  readonly listKeys: Listed<KeyView>;
  readonly listNamespaceMailboxes: Listed<MailboxView>;
  readonly listMembers: MemberList;
  readonly inviteMember: InvitationView;
  readonly withdrawInvitation: null;
  readonly changeMember: MemberView;
  readonly removeMember: null;
  readonly listOtherNames: readonly string[];
  readonly listOwners: Owners;
  readonly listSessions: Listed<SessionView>;
  readonly listSuppressions: Listed<SuppressionView>;
  readonly listWebhooks: Listed<WebhookView>;
  readonly redeliver: DeliveryView;
  readonly refuseMessage: Sent;
  readonly removeDomain: null;
  readonly replayWebhook: WebhookView;
  readonly revokeKey: null;
  readonly rotateDomainKeys: DomainView;
  readonly rotateWebhook: WebhookWithSecret;
  readonly sendDraft: Sent;
  readonly sendOwnAnswer: ReviewView;
  readonly setNotices: Notices;
  readonly takeOverThread: unknown;
  readonly testWebhook: DeliveryView;
  readonly tryRules: RuleTrial;
  readonly updateDraft: DraftView;
  readonly updateMailbox: MailboxView;
  readonly updateNamespace: NamespaceView;
  readonly updateWebhook: WebhookView;
  readonly verifyDomain: DomainView;
}
type Operation = keyof Answers;
type ListOperation = { [Id in Operation]: Answers[Id] extends Listed<unknown> ? Id : never }[Operation];
type ItemOf<Id extends ListOperation> = Answers[Id] extends Listed<infer Item> ? Item : never;
type Requested = Pick<Call, 'request_id' | 'secure' | 'gone'>;

/** What a call of the API has besides its caller. A value that is undefined is left out of the query. */
type Request = Pick<LocalCall, 'params' | 'body' | 'headers' | 'upload'> & {
  readonly query?: Readonly<Record<string, string | undefined>>;
};

/** An answer of the API with its JSON. */
type Answered<T> = Omit<Answer, 'body'> & { readonly body: T };

/** Items that a call asks for where a page shows a whole list. */
const WHOLE_PAGE = '200';

/** Calls of the API in this process, as who is signed in: with its checks, and the rights of the session's key. */
export class Api {
  readonly #routes: LocalRoutes;
  readonly #as: Pick<LocalCall, 'caller' | 'channel' | 'request_id' | 'secure' | 'signal'>;

  constructor(routes: LocalRoutes, { request_id, secure, gone }: Requested, caller: Caller) {
    this.#routes = routes;
    this.#as = { caller, channel: 'web', request_id, secure, signal: gone() };
  }

  /** The JSON of an answer. AppError as the API answers it. */
  async json<Id extends Operation>(id: Id, request: Request = {}): Promise<Answers[Id]> {
    return (await this.call(id, request)).body;
  }

  /** An answer with its status and headers. AppError as the API answers it. */
  async call<Id extends Operation>(id: Id, request: Request = {}): Promise<Answered<Answers[Id]>> {
    const { query = {}, ...rest } = request;
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const answer = await this.#routes.call(id, { ...this.#as, ...rest, query: Object.fromEntries(given) });
    const { body } = answer;
    return { ...answer, body: (body instanceof JsonText ? JSON.parse(body.text) : (body ?? null)) as Answers[Id] };
  }

  /** Every item of a list, in its order. */
  async all<Id extends ListOperation>(id: Id, request: Request = {}): Promise<readonly ItemOf<Id>[]> {
    const items: ItemOf<Id>[] = [];
    let cursor: string | undefined;
    do {
      const page: Listed<unknown> = await this.json(id, {
        ...request,
        query: { ...request.query, limit: WHOLE_PAGE, cursor },
      });
      items.push(...(page.items as readonly ItemOf<Id>[]));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return items;
  }
}

/** How long a form waits for the reply to what it sends, where that was asked for. */
export const SEND_WAIT = { prefer: 'wait=1' } as const;

/** Has a form that is sent twice act once. */
export const idempotencyOf = ({ form }: Pick<Call, 'form'>): Readonly<Record<string, string>> => {
  const key = (form.get('once') ?? '').slice(0, 64);
  return key === '' ? {} : { 'idempotency-key': key };
};

/** Whether the answer is that to an earlier request with the same key. */
export const isReplayed = ({ headers = {} }: Pick<Answer, 'headers'>): boolean =>
  headers['idempotency-replayed'] !== undefined;
