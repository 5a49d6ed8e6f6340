import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Delivery } from './delivery.ts';

const Result = (source: string) => Type.String({ description: `The result by ${source}.`, examples: ['pass'] });

export const AuthenticationView = Type.Object(
  {
    spf: Result('RFC 7208, section 2.6'),
    dkim: Result('RFC 8601, section 2.7.1, of the best signature'),
    dmarc: Result('RFC 9989'),
    arc: Result('RFC 8617, section 5.2'),
    verified: Type.Boolean({
      description: 'Whether the address in `From` is proven. Only then it gets automatic answers and has rights.',
    }),
    verified_by: Type.Optional(Type.Enum(['dmarc', 'dkim', 'spf', 'arc', 'network'])),
  },
  { $id: 'Authentication', description: 'What the checks of an e-mail say.' },
);
/** What the checks of one mail say, each by the words of its RFC. */
export type Authentication = Type.Static<typeof AuthenticationView>;

export const EmailDeliveryView = Type.Object(
  {
    to: Type.String(),
    message_id: Type.String({ description: 'The message or reply that leaves.' }),
    status: Type.Enum(['queued', 'sent', 'deferred', 'bounced', 'complained'], {
      description:
        '`sent`: the next server took it. `deferred`: it is tried again, by this service (`next_attempt_at`) or by the server that took it. `bounced`: it could not be delivered and is not tried again. `complained`: its recipient reported it as unwanted.',
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt failed, as the server said it.',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    updated_at: Type.String({ format: 'date-time' }),
    next_attempt_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null when no attempt follows.',
    }),
  },
  { $id: 'EmailDelivery', description: 'An e-mail on its way to one address.' },
);
export type EmailDeliveryView = Type.Static<typeof EmailDeliveryView>;

/** The deliveries of a message that are e-mails, as they are shown. */
export const emailDeliveryViews = (deliveries: readonly Delivery[]): EmailDeliveryView[] =>
  deliveries
    .filter(({ kind }) => kind === 'email')
    .map(({ target, payload, status, error, attempt, updated_at, due_at }) => ({
      to: target,
      message_id: payload,
      status: status === 'failed' ? 'bounced' : status,
      error,
      attempts: attempt,
      updated_at: rfc3339(updated_at),
      next_attempt_at: due_at === null ? null : rfc3339(due_at),
    }));

/** Why a mail gets no automatic answer (RFC 3834, section 2). */
export const NOT_ANSWERED = [
  'auto_submitted',
  'precedence',
  'list',
  'null_path',
  'mailer_daemon',
  'own',
  'unverified',
  'quarantine',
  'suppressed',
  'too_many',
  'role',
  'cc',
  'rule',
  'spam',
  'blocked',
  'imported',
] as const;
export type NotAnswered = (typeof NOT_ANSWERED)[number];

/** What is known of a message because it came by e-mail; immutable. */
export interface Email {
  readonly message_id: string;
  /** Its Message-ID with the angle brackets (RFC 5322, section 3.6.4); null where it has none. */
  readonly rfc_id: string | null;
  /** The Message-IDs of the mails before it, oldest first. */
  readonly references: readonly string[];
  readonly authentication: Authentication;
  /** The domain of an owner that was written to; null for that of the namespace. */
  readonly domain: string | null;
  readonly not_answered: NotAnswered | null;
  readonly created_at: Millis;
}

/** The header field that names the mailboxes whose rules forwarded a mail, with spaces between them. */
export const LOOP_HEADER = 'X-Loop';
export const isLoopField = ({ name }: { readonly name: string }): boolean =>
  name.toLowerCase() === LOOP_HEADER.toLowerCase();

/** The most Message-IDs of earlier mails that are kept: the first, and the last ones. */
const MAX_REFERENCES = 50;

/** At most as many of the references as are kept, without the longest ones that no mail can name (RFC 5322, section 2.1.1). */
export function keptReferences(references: readonly string[]): readonly string[] {
  const short = [...new Set(references)].filter((id) => id.length <= 998);
  return short.length <= MAX_REFERENCES ? short : [...short.slice(0, 1), ...short.slice(1 - MAX_REFERENCES)];
}
