import { addressOf, type BehaviorMailbox } from '@mailroom/behavior/mailbox';
import {
  fullAddress,
  isLocalPart,
  LOCAL_PART,
  lowerCase,
  RESERVED_LOCAL_PARTS,
} from '@mailroom/behavior/values/address';
import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { invalid } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { type Budget, BudgetChange, BudgetView } from './budget.ts';
import { DisplayName } from './namespace.ts';
import { type Outgoing, OutgoingChange, OutgoingView, showOutgoing, UNRESTRICTED } from './outgoing.ts';
import type { Metadata } from './recipients.ts';
import { type ForwardState, type MailboxRules, RuleList, RulesView, showRules } from './rules.ts';
import { type SenderLists, SenderListsChange, SenderListsView, showSenderLists } from './sender-lists.ts';
import { MetadataField, MetadataView } from './sending.ts';

/** A stored mailbox. */
export interface Mailbox extends BehaviorMailbox {
  readonly senders: SenderLists;
  /** Where a program answers: until when it counts as connected. Null: always, as for a behavior of this build. */
  readonly online_until: Millis | null;
  /** Whether its messages are pushed to a webhook; `off` when it failed too long. Null where there is none. */
  readonly webhook: 'on' | 'off' | null;
  /** Since when messages leave as ids alone, or not at all, because that key may not have them leave. */
  readonly limited_since?: Millis | null;
  readonly visibility: 'listed' | 'unlisted';
  readonly access: 'public' | 'key';
  readonly try_out: boolean;
  readonly wake: 'to' | 'cc' | 'mention';
  /** Whether who is answered by hand is told the name of who answers; left out for no. */
  readonly sign_answers?: boolean;
  /** Pairs that its namespace alone sees. */
  readonly metadata?: Metadata;
  /** What may leave it; undefined where nothing is held or refused. */
  readonly outgoing?: Outgoing;
  /** What happens to messages as they arrive; undefined for no rules. */
  readonly rules?: MailboxRules;
  /** What its messages may take of the language model; left out or null for no limit. */
  readonly budget?: Budget | null;
}

/** A mailbox in a list, without what may be long. */
export type MailboxSummary = Omit<Mailbox, 'settings' | 'senders' | 'rules'>;

const EXAMPLE_ADDRESS = 'proofread@agents.mailroom.localhost';
/** By custom the first address of a behavior is named after it. */
const [EXAMPLE_NAME = ''] = EXAMPLE_ADDRESS.split('@');

const Description = Type.String({
  maxLength: 300,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'What it does, in one line of up to 300 characters.',
});
const BehaviorName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A name from `GET /api/v1/behaviors`.',
  examples: [EXAMPLE_NAME],
});
const Settings = Type.Record(Type.String(), Type.Unknown(), {
  description: "As the behavior's `settings_schema` says.",
});
const Visibility = Type.Enum(['listed', 'unlisted'], {
  description: '`listed`: in the directory. `unlisted`: found by its address alone.',
});
const Access = Type.Enum(['public', 'key'], {
  description:
    '`public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false.',
});
const TryOut = Type.Boolean({ description: 'Whether people without a key may try it.' });

const Wake = Type.Enum(['to', 'cc', 'mention'], {
  description:
    'Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`.',
});

const SignAnswers = Type.Boolean({
  description:
    'Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default.',
});

const Time = Type.String({ format: 'date-time' });
const WebhookView = Type.Object(
  {
    status: Type.Enum(['on', 'off']),
    failing_since: Type.Union([Time, Type.Null()], { description: 'When the attempts began to fail.' }),
    disabled_at: Type.Union([Time, Type.Null()], { description: 'When it was switched off.' }),
    last_error: Type.Union([Type.String(), Type.Null()], { description: 'What went wrong last.' }),
    limited_since: Type.Optional({
      ...Time,
      description:
        'Since when it gets the ids of messages alone, because the key that set it may not read them, or expires.',
    }),
  },
  {
    description:
      'The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on.',
  },
);
/** A mailbox with the secret of its webhook, where it is new. */
export type MailboxWithSecret = Mailbox & { readonly webhook_secret?: string };

/** How the webhook of a mailbox does, as its owner sees it. */
export type WebhookView = Type.Static<typeof WebhookView>;
export const WebhookSecret = Type.String({
  description:
    'Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
});

export const MailboxView = Type.Object(
  {
    id: Type.String({ examples: ['mbx_0d8m3xk2q5v7w9y1a3c0'] }),
    address: Type.String({ examples: [EXAMPLE_ADDRESS] }),
    local_part: Type.String({ pattern: LOCAL_PART }),
    aliases: Type.Array(Type.String(), {
      description: 'Its addresses at the verified domains of the namespace, in the order of the alphabet.',
      examples: [['proofread@mail.example.com']],
    }),
    namespace: Type.String(),
    display_name: Type.Union([DisplayName, Type.Null()]),
    description: Description,
    behavior: Type.Object(
      {
        name: BehaviorName,
        settings: Type.Optional(Settings),
      },
      {
        description:
          '`settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone.',
      },
    ),
    status: Type.Enum(['online', 'paused', 'offline']),
    visibility: Visibility,
    access: Access,
    try_out: TryOut,
    wake: Wake,
    sign_answers: SignAnswers,
    metadata: Type.Optional(MetadataView),
    budget: Type.Optional(BudgetView),
    senders: Type.Optional(SenderListsView),
    outgoing: Type.Optional(OutgoingView),
    rules: Type.Optional(RulesView),
    webhook: Type.Optional(WebhookView),
    webhook_secret: Type.Optional(WebhookSecret),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Mailbox', description: 'An address that is served by an automated agent.' },
);

const NewBehavior = Type.Object(
  { name: BehaviorName, settings: Type.Optional(Settings) },
  { additionalProperties: false },
);

/** What callers may set of a mailbox that is made or changed. */
const SETTABLE = {
  display_name: Type.Optional(Type.Union([DisplayName, Type.Null()])),
  description: Type.Optional(Description),
  visibility: Type.Optional(Visibility),
  access: Type.Optional(Access),
  try_out: Type.Optional(TryOut),
  wake: Type.Optional(Wake),
  sign_answers: Type.Optional(SignAnswers),
  metadata: MetadataField,
  budget: Type.Optional(BudgetChange),
  senders: Type.Optional(SenderListsChange),
  outgoing: Type.Optional(OutgoingChange),
  rules: Type.Optional(RuleList),
};

export const NewMailbox = Type.Object(
  {
    local_part: Type.String({
      minLength: 1,
      maxLength: 64,
      description: '1 to 64 of a-z, 0-9, . _ and -, a letter or digit at both ends, no two dots in a row.',
      examples: [EXAMPLE_NAME],
    }),
    behavior: NewBehavior,
    ...SETTABLE,
  },
  { $id: 'NewMailbox', additionalProperties: false },
);
export type NewMailbox = Type.Static<typeof NewMailbox>;

export const MailboxChange = Type.Object(
  {
    ...SETTABLE,
    behavior: Type.Optional(
      Type.Object(
        { name: Type.Optional(BehaviorName), settings: Type.Optional(Settings) },
        { additionalProperties: false, minProperties: 1 },
      ),
    ),
    status: Type.Optional(Type.Enum(['online', 'paused'])),
  },
  { $id: 'MailboxChange', additionalProperties: false, minProperties: 1 },
);
export type MailboxChange = Type.Static<typeof MailboxChange>;

/** The status at this time: a mailbox that a program answers is offline while none is connected. */
export const statusAt = ({ status, online_until }: Pick<Mailbox, 'status' | 'online_until'>, now: Millis) =>
  status === 'online' && online_until !== null && online_until <= now ? 'offline' : status;

/** Its addresses at the domains of its owner. */
const aliasesOf = ({ local_part, domains }: Pick<Mailbox, 'local_part' | 'domains'>): string[] =>
  domains.map((domain) => `${local_part}@${domain}`);

/** The address to show to people who write an e-mail: the one at the domain of its owner, if there is exactly one. */
export function mailAddressOf(
  mailbox: Pick<Mailbox, 'local_part' | 'namespace' | 'domains'>,
  mailDomain: string,
): string {
  const [alias, ...more] = aliasesOf(mailbox);
  return alias !== undefined && more.length === 0 ? alias : fullAddress(addressOf(mailbox), mailDomain);
}

/** What of a mailbox only callers see who may change it. */
interface OwnView extends Pick<Mailbox, 'settings' | 'senders' | 'outgoing' | 'rules' | 'budget'> {
  readonly forwards?: ForwardState | undefined;
  readonly webhook_view?: WebhookView | undefined;
  readonly webhook_secret?: string;
}

export type MailboxView = Type.Static<typeof MailboxView>;

/** The mailbox as callers see it; `ownView` is what only callers who may change it see, and never in a list; `own`: for keys of its namespace. */
export function mailboxView(
  mailbox: MailboxSummary,
  mailDomain: string,
  ownView?: OwnView,
  own = ownView !== undefined,
): MailboxView {
  return {
    id: mailbox.id,
    address: fullAddress(addressOf(mailbox), mailDomain),
    local_part: mailbox.local_part,
    aliases: aliasesOf(mailbox),
    namespace: mailbox.namespace,
    display_name: mailbox.display_name,
    description: mailbox.description,
    behavior:
      ownView === undefined ? { name: mailbox.behavior } : { name: mailbox.behavior, settings: ownView.settings },
    status: mailbox.status,
    visibility: mailbox.visibility,
    access: mailbox.access,
    try_out: mailbox.try_out,
    wake: mailbox.wake,
    sign_answers: mailbox.sign_answers ?? false,
    ...(own && mailbox.metadata !== undefined && { metadata: mailbox.metadata }),
    ...(ownView && { budget: ownView.budget ?? null }),
    ...(ownView && { senders: showSenderLists(ownView.senders, mailDomain) as Type.Static<typeof SenderListsView> }),
    ...(ownView && { outgoing: showOutgoing(ownView.outgoing ?? UNRESTRICTED, mailDomain) }),
    ...(ownView?.rules && { rules: showRules(ownView.rules.items, mailDomain, ownView.forwards) }),
    ...(ownView?.webhook_view && { webhook: ownView.webhook_view }),
    ...(ownView?.webhook_secret !== undefined && { webhook_secret: ownView.webhook_secret }),
    created_at: rfc3339(mailbox.created_at),
    updated_at: rfc3339(mailbox.updated_at),
  };
}

/** The local part in lower case, as it is stored; AppError `validation_error` when it is invalid. */
export function localPart(text: string): string {
  const local = lowerCase(text);
  if (!isLocalPart(local)) {
    throw invalid(
      '/local_part',
      'A local part is 1 to 64 characters of a-z, 0-9, . _ and -, starts and ends with a letter or digit, and has no two dots in a row.',
    );
  }
  if (RESERVED_LOCAL_PARTS.has(local))
    throw invalid('/local_part', `"${local}" is reserved. Choose another local part.`);
  return local;
}

/** Throws AppError `validation_error` for a try-out on a mailbox that accepts keys only. */
export function checkAccess(access: Mailbox['access'], tryOut: boolean): void {
  if (access === 'key' && tryOut) {
    throw invalid(
      '/try_out',
      'A mailbox with access "key" cannot have a try-out. Leave try_out out, or set access to "public".',
    );
  }
}
