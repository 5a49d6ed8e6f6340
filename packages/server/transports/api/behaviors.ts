import type { Behavior } from '@mailroom/behavior';
import { Type } from 'typebox';
import { operation, type Route } from '../../http/route.ts';

const JsonSchema = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const TaskView = Type.Object(
  {
    name: Type.String({ description: 'As it stands in `data.steps`.' }),
    description: Type.String(),
    effects: Type.Enum(['none', 'reads', 'writes'], {
      description:
        '`none`: its result follows from its input, the clock and chance. `reads`: it looks at something outside. `writes`: it changes something. Guests may use only `none`.',
    }),
    input_schema: JsonSchema('JSON Schema of its input.'),
    output_schema: JsonSchema('JSON Schema of its output; `result` is what "it" means to the next step.'),
    examples: Type.Array(Type.String(), { description: 'Instructions to try.' }),
  },
  { $id: 'Task' },
);

const BehaviorView = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    tasks: Type.Optional(Type.Array(TaskView, { description: 'Tasks it can carry out.' })),
    settings_schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of `behavior.settings`.' }),
    example: Type.Union(
      [Type.Object({ body: Type.String(), reply: Type.String(), data: Type.Optional(Type.Unknown()) }), Type.Null()],
      { description: 'A real message and its answer; null where a program of the owner or a person answers.' },
    ),
  },
  { $id: 'Behavior', description: 'How a mailbox can answer.' },
);
const BehaviorList = Type.Object(
  { items: Type.Array(BehaviorView), next_cursor: Type.Null() },
  { $id: 'BehaviorList' },
);

export const behaviorRoutes = ({ behaviors }: { readonly behaviors: readonly Behavior[] }): readonly Route[] => [
  operation('GET', '/api/v1/behaviors', 'listBehaviors', {
    tag: 'Behaviors',
    summary: 'How a mailbox can answer',
    access: 'public',
    answers: { 200: { description: 'All behaviors of this build.', schema: BehaviorList } },
    problems: [],
    handle() {
      const items = behaviors.map(({ name, title, description, tasks, settings, example = null }) => ({
        name,
        title,
        description,
        ...(tasks === undefined ? {} : { tasks: tasks.map((task) => ({ ...task, says: undefined })) }),
        settings_schema: settings,
        example,
      }));
      return { status: 200, body: { items, next_cursor: null } };
    },
  }),
];
