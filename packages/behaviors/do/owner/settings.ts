import { closed } from '@mailroom/behavior/values/closed';
import { ApprovalByMail } from '@mailroom/steps/approval-by-mail';
import type { KnownRemote } from '@mailroom/steps/outside/known-remote';
import { Outside } from '@mailroom/steps/outside/settings';
import { TimeZone } from '@mailroom/steps/time-zone';
import { Type } from 'typebox';

const TaskName = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$', description: "A task's name." });
const Names = (description: string) => Type.Array(TaskName, { maxItems: 200, uniqueItems: true, description });

const TextParameter = closed({
  type: Type.Literal('string'),
  'description?': Type.String({ maxLength: 300 }),
  'enum?': Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 50 }),
  'default?': Type.String({ maxLength: 1000 }),
  'minLength?': Type.Integer({ minimum: 0, maximum: 65_536 }),
  'maxLength?': Type.Integer({ minimum: 0, maximum: 65_536 }),
});
const NumberParameter = closed({
  type: Type.Enum(['number', 'integer']),
  'description?': Type.String({ maxLength: 300 }),
  'default?': Type.Number(),
  'minimum?': Type.Number(),
  'maximum?': Type.Number(),
});
const YesNoParameter = closed({
  type: Type.Literal('boolean'),
  'description?': Type.String({ maxLength: 300 }),
  'default?': Type.Boolean(),
});
const TextsParameter = closed({
  type: Type.Literal('array'),
  'description?': Type.String({ maxLength: 300 }),
  items: closed({ type: Type.Literal('string') }),
  'maxItems?': Type.Integer({ minimum: 0, maximum: 1000 }),
});

/** The subset of JSON Schema for parameters: an object of strings, numbers, booleans and lists of strings. */
export const Parameters = Type.Object(
  {
    type: Type.Literal('object'),
    properties: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' }),
      Type.Union([TextParameter, NumberParameter, YesNoParameter, TextsParameter]),
      { maxProperties: 20, additionalProperties: false },
    ),
    required: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, uniqueItems: true })),
    additionalProperties: Type.Optional(Type.Literal(false)),
  },
  { additionalProperties: false, description: 'JSON Schema of its input.' },
);
export type Parameters = Type.Static<typeof Parameters>;

const StepSchema = closed({
  task: TaskName,
  'input?': Type.Record(Type.String(), Type.Unknown()),
});

/** A task that the owner defines for the mailbox. */
export const Procedure = closed({
  name: TaskName,
  description: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'What it does: for people, and for the model.',
  }),
  'parameters?': Parameters,
  'steps?': Type.Array(StepSchema, {
    minItems: 1,
    maxItems: 20,
    description:
      'Other tasks, one after the other. `{{input.name}}` is a parameter, `{{1}}` the result of the first step.',
  }),
  'script?': Type.String({
    minLength: 1,
    maxLength: 16_384,
    description: 'JavaScript instead of steps; `input` is its input, and its return value is the result.',
  }),
});
export type Procedure = Type.Static<typeof Procedure>;

export const Settings = closed({
  'time_zone?': TimeZone,
  'planner?': Type.Enum(['model', 'builtin'], {
    default: 'model',
    description:
      'What turns instructions into tasks: the model, where one is configured, or the built-in planner for English.',
  }),
  'rights?': Type.Object(
    {
      own: Type.Optional(Names('What keys and mailboxes of this namespace may use; everything when left out.')),
      others: Type.Optional(
        Names('What keys and mailboxes of other namespaces may use; tasks without effects when left out.'),
      ),
      guests: Type.Optional(
        Names('What people without a key may use, of the tasks without effects; all of those when left out.'),
      ),
    },
    { additionalProperties: false, description: 'Who may use which tasks.' },
  ),
  'approval?': Names('Tasks that run only after you have approved the plan.'),
  'approval_by_mail?': ApprovalByMail,
  'procedures?': Type.Array(Procedure, { maxItems: 50, description: 'Tasks that you teach this mailbox.' }),
  'outside?': Outside,
});
/** With the tools of the listed remotes that a message needs, which are not stored. */
export type Settings = Type.Static<typeof Settings> & { readonly remotes?: readonly KnownRemote[] };
