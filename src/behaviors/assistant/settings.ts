import { Type } from 'typebox';

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
    time_zone: Type.Optional(
      Type.String({
        maxLength: 60,
        pattern: '^[A-Za-z0-9_+/-]+$',
        default: 'UTC',
        description: 'For what names no time zone: an IANA name such as Europe/Berlin.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Settings = Type.Static<typeof Settings>;
