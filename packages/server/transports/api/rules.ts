import { fullAddress } from '@mailroom/behavior/values/address';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import type { Directory } from '../../core/access/directory.ts';
import type { Registry } from '../../core/access/registry.ts';
import type { AppliedRules } from '../../core/entities/applied-rules.ts';
import { RuleList } from '../../core/entities/rules.ts';
import { showEntry } from '../../core/entities/sender-lists.ts';
import { MAX_TRIED, tryRules } from '../../core/messages/rule-trial.ts';
import type { Store } from '../../core/ports/store.ts';
import { operation, type Route } from '../../http/route.ts';
import { AddressParam, OF_MAILBOX } from './parts.ts';

const Nullable = Type.Union([Type.String(), Type.Null()]);
const Outcome = Type.Object(
  {
    label: Type.Optional(Type.Array(Type.String())),
    forward_to: Type.Optional(Type.Array(Type.String())),
    assign: Type.Optional(Type.String()),
    review: Type.Optional(Type.Literal(true)),
    answer: Type.Optional(Type.Literal(false)),
  },
  { description: 'What all of them would have done together; empty where none applies.' },
);
const RuleTrial = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        message: Type.Object({
          id: Type.String({ examples: ['msg_0d8m3xk2q5v7w9y1a3c0'] }),
          thread_id: Type.String(),
          from: Nullable,
          subject: Nullable,
          created_at: Type.String({ format: 'date-time' }),
        }),
        rules: Type.Array(Type.String(), {
          description: 'The ids of the rules that would have applied, in their order.',
        }),
        then: Outcome,
      }),
    ),
  },
  { $id: 'RuleTrial', description: 'What rules would have done.' },
);

interface RuleParts {
  readonly registry: Pick<Registry, 'mailboxFor'>;
  readonly store: Pick<Store, 'domains' | 'emails' | 'messages'>;
  readonly directory: Directory;
  readonly mailDomain: string;
}

/** What rules would do, before they are saved. */
export function ruleRoutes({ registry, store, directory, mailDomain }: RuleParts): readonly Route[] {
  const shownRules = ({ labels, forward_to, assign, review, answer }: AppliedRules) => ({
    ...(labels && { label: [...labels] }),
    ...(forward_to && { forward_to: forward_to.map((target) => showEntry(target, mailDomain)) }),
    ...(assign !== undefined && { assign }),
    ...(review && { review }),
    ...(answer === false && { answer }),
  });
  return [
    operation('POST', '/api/v1/mailboxes/{address}/rules/try', 'tryRules', {
      tag: 'Mailboxes',
      summary: 'Try rules on what a mailbox received',
      description: `Says which of these rules would have applied to the last ${MAX_TRIED} messages that the mailbox received, newest first, and writes nothing. Replies are left out, as no rule is looked at for them. Of labels the rules see those of the service that a message has now. Requires \`messages:read\` too.`,
      access: 'mailboxes:write',
      params: AddressParam,
      body: Type.Object({ rules: RuleList }, { $id: 'RulesToTry', additionalProperties: false }),
      answers: { 200: { description: 'The messages, each with its rules.', schema: RuleTrial } },
      problems: OF_MAILBOX,
      async handle({ caller, params, body }) {
        await registry.mailboxFor(caller, params.address, 'mailboxes:write');
        const mailbox = await registry.mailboxFor(caller, params.address, 'messages:read');
        const tried = await tryRules(body.rules, mailbox, { store, directory, mailDomain });
        const items = tried.map(({ message, applied }) => {
          const { id, thread_id, from, sender_kind: kind, sender_id: sender, subject, created_at } = message;
          const author = from === null ? (kind === 'email' ? sender : null) : fullAddress(from, mailDomain);
          return {
            message: { id, thread_id, from: author, subject, created_at: rfc3339(created_at) },
            rules: [...(applied?.ids ?? [])],
            then: applied === undefined ? {} : shownRules(applied),
          };
        });
        return { status: 200, body: { items } };
      },
    }),
  ];
}
