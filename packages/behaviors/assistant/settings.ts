import { ApprovalByMail } from '@mailroom/steps/approval-by-mail';
import { Outside } from '@mailroom/steps/outside/settings';
import { TimeZone } from '@mailroom/steps/time-zone';
import { Type } from 'typebox';

const TaskName = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$', description: "A task's name." });

export const Settings = Type.Object(
  {
    instructions: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16_384,
        description: 'Who it is, what it knows and how it answers: Markdown, up to 16 KiB. Do not include secrets.',
      }),
    ),
    tasks: Type.Optional(
      Type.Array(TaskName, {
        maxItems: 50,
        uniqueItems: true,
        description:
          'Tasks that it may use; none when left out. Only keys and mailboxes of this namespace may use tasks with effects.',
      }),
    ),
    examples: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 8,
        uniqueItems: true,
        description: 'Suggested first messages, shown on its page.',
      }),
    ),
    outside: Type.Optional(Outside),
    approval_by_mail: Type.Optional(ApprovalByMail),
    time_zone: Type.Optional(TimeZone),
  },
  { additionalProperties: false },
);
export type Settings = Type.Static<typeof Settings>;
