import type { FieldError } from '@mailroom/behavior/values/error';
import { type Static, Type } from 'typebox';

/** Names that mean something else in an instruction. */
const RESERVED: ReadonlySet<string> = new Set([
  'it',
  'this',
  'that',
  'them',
  'result',
  'step',
  'input',
  'me',
  'us',
  'the',
]);

/** The pattern of a listed name. */
const OUTSIDE_NAME = '^[a-z][a-z0-9-]{0,30}[a-z0-9]$';

const Remote = Type.Object(
  {
    name: Type.String({
      pattern: OUTSIDE_NAME,
      description: 'What instructions call it: "ask NAME about …". Its tools are NAME.TOOL in steps.',
      examples: ['weather'],
    }),
    kind: Type.Enum(['mcp', 'a2a'], { description: '`mcp`: a server of tools (MCP). `a2a`: an agent (A2A).' }),
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'The MCP endpoint, or the agent card or the URL below which the card is. https:// and a public host; secrets belong into `token`, because receipts show the URL without its query.',
      examples: ['https://mcp.example.com/mcp'],
    }),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        pattern: '^[\\x21-\\x7e]+$',
        writeOnly: true,
        description:
          'Sent as `Authorization: Bearer …` to the origin of `url` alone. It is stored encrypted, and read back as `sealed:…`, which may be written again for the same origin to keep it.',
      }),
    ),
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 100,
        uniqueItems: true,
        description: 'The only tools of it that may be used; all when left out.',
      }),
    ),
    senders: Type.Optional(
      Type.Enum(['own', 'keys', 'anyone'], {
        default: 'own',
        description:
          'Who may use it. `own`: keys and mailboxes of this namespace. `keys`: those of other namespaces too. `anyone`: people without a key too.',
      }),
    ),
    approval: Type.Optional(
      Type.Enum(['writes', 'always', 'never'], {
        default: 'writes',
        description:
          'Which of its tools run only after you have approved the plan. `writes`: all that it does not call read-only. With a model, what changes something always waits once the model has read text that is not the sender’s.',
      }),
    ),
    accepted: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'The `tools_sha256` of the tools that you have looked at. When they are others, none is used until you accept them again.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The setting of a behavior by which its owner lists servers and agents of others. */
export const Outside = Type.Array(Remote, {
  maxItems: 10,
  description: 'Servers of tools (MCP) and agents (A2A) of others that it may use.',
});
export type Remote = Static<typeof Remote>;

/** Errors in the list that its schema does not find. `taken`: names of tasks. */
export function outsideErrors(remotes: readonly Remote[] = [], taken: readonly string[] = []): readonly FieldError[] {
  const seen = new Set(taken);
  return remotes.flatMap(({ name }, at) => {
    const pointer = `/outside/${at}/name`;
    if (RESERVED.has(name))
      return [{ pointer, message: `"${name}" means something else in an instruction. Choose another name.` }];
    if (seen.has(name)) return [{ pointer, message: `There is "${name}" already. Choose another name.` }];
    seen.add(name);
    return [];
  });
}
