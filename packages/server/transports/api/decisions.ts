import { AppError } from '@mailroom/behavior/values/error';
import { Type } from 'typebox';
import { type Caller, type Rights, rightsOn } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { MessageLabels } from '../../core/access/message-labels.ts';
import type { Message } from '../../core/entities/message.ts';
import { Envelope, envelopeText, withoutContents } from '../../core/entities/message-view.ts';
import type { Store } from '../../core/ports/store.ts';
import { type Decision, type Decisions, mayDecide } from '../../core/runs/approve.ts';
import { operation, type Route } from '../../http/route.ts';
import { messageById } from './message-access.ts';
import { IdParam } from './parts.ts';

const PlanSha256 = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: '`approval.plan_sha256` of the message, to decide on that plan and no other.',
  }),
);
const Approve = Type.Object({ plan_sha256: PlanSha256 }, { $id: 'Approve', additionalProperties: false });
const Refuse = Type.Object(
  {
    plan_sha256: PlanSha256,
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Shown to the sender.' })),
  },
  { $id: 'Refuse', additionalProperties: false },
);

interface DecisionParts {
  readonly store: Pick<Store, 'messages'>;
  readonly directory: Directory;
  readonly decisions: Decisions;
  readonly labels: MessageLabels;
  readonly mailDomain: string;
}

/** The owner's approval or denial of waiting actions. */
export function decisionRoutes({ store, directory, decisions, labels, mailDomain }: DecisionParts): readonly Route[] {
  /** A message whose decision the caller may make; AppError `message_not_found` for one it may not see. */
  async function decidable(caller: Caller, id: string): Promise<{ message: Message; rights: Rights }> {
    const message = await messageById(id, { store });
    const rights = message && (await rightsOn(message, caller, directory));
    if (message !== undefined && rights !== undefined && mayDecide(message, rights)) return { message, rights };
    if (rights === undefined || !(rights.reader || rights.recipient || rights.runsSender)) {
      throw new AppError('message_not_found', `There is no message ${id.slice(0, 40)} that this key may decide on.`);
    }
    throw new AppError(
      'insufficient_scope',
      message?.decides === 'sender'
        ? "The owner of the sending mailbox decides: only keys of the sender's namespace with mailboxes:write may do this."
        : "Only keys of the recipient's namespace with mailboxes:write may do this.",
    );
  }

  async function decide(
    caller: Caller,
    id: string,
    decision: Decision,
    { plan_sha256, reason }: { readonly plan_sha256?: string; readonly reason?: string },
  ) {
    const { message, rights } = await decidable(caller, id);
    const decided = await decisions.decide(message, {
      ...{ decision, plan_sha256, reason },
      person: caller.kind === 'key' && caller.session !== undefined,
    });
    const body = rights.reader
      ? envelopeText(decided, mailDomain, await labels.of(decided, caller))
      : envelopeText(withoutContents(decided), mailDomain);
    return { status: 200, body };
  }

  const shared = {
    tag: 'Messages',
    access: 'mailboxes:write',
    params: IdParam,
    body_optional: true,
    answers: {
      200: {
        description:
          'The message in its current state; for a key that may not read it, `body` is empty and other content is null.',
        schema: Envelope,
      },
    },
    problems: ['message_not_found', 'not_waiting'],
  } as const;
  return [
    operation('POST', '/api/v1/mail/messages/{id}/approve', 'approveMessage', {
      ...shared,
      summary: 'Approve the plan that a message waits with',
      description:
        'For the owner named by `approval.by`: the owner of the receiving mailbox or of the sending one. Approving runs exactly the plan in `approval`.',
      body: Approve,
      handle: ({ caller, params, body }) => decide(caller, params.id, 'approve', body),
    }),
    operation('POST', '/api/v1/mail/messages/{id}/refuse', 'refuseMessage', {
      ...shared,
      summary: 'Refuse it',
      description:
        'For the owner named by `approval.by`. The message becomes `rejected`, and no step of the plan runs.',
      body: Refuse,
      handle: ({ caller, params, body }) => decide(caller, params.id, 'refuse', body),
    }),
  ];
}
