import { Type } from 'typebox';
import { TimeZone } from '../time-zone.ts';

const TaskName = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$', description: "A task's name." });

export const Settings = Type.Object(
  {
    instructions: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16_384,
        description: 'Who it is, what it knows and how it answers: Markdown, up to 16 KiB. Nothing secret.',
      }),
    ),
    tasks: Type.Optional(
      Type.Array(TaskName, {
        maxItems: 50,
        uniqueItems: true,
        description:
          'What it may use; nothing when left out. Tasks with effects are for keys and mailboxes of this namespace alone.',
      }),
    ),
    examples: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 8,
        uniqueItems: true,
        description: 'Messages to begin with, shown on its page.',
      }),
    ),
    time_zone: Type.Optional(TimeZone),
  },
  { additionalProperties: false },
);
export type Settings = Type.Static<typeof Settings>;
