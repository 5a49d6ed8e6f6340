import type { Behavior } from '@mailroom/behavior';
import type { OutsideView } from '@mailroom/behavior/outside';
import { Type } from 'typebox';
import type { Registry } from '../../core/access/registry.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { type Call, operation, type Route } from '../../http/route.ts';
import { AddressParam, OF_MAILBOX } from './parts.ts';

const Tool = Type.Object(
  {
    task: Type.String({ description: 'Its name in steps.', examples: ['weather.get_forecast'] }),
    name: Type.String(),
    description: Type.String({ description: 'By the server itself; not checked.' }),
    input_schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of its input, as it was listed.',
    }),
    effects: Type.Enum(['reads', 'writes'], { description: '`reads` for what the server calls read-only.' }),
    approval: Type.Boolean({ description: 'Whether each use waits for the approval of an owner.' }),
    sha256: Type.String({ description: 'Of its name, description, schema and annotations, and of the URL.' }),
  },
  { $id: 'OutsideTool' },
);
const Server = Type.Object(
  {
    name: Type.String({ description: 'The name in the settings.' }),
    kind: Type.Enum(['mcp', 'a2a']),
    url: Type.String(),
    title: Type.String({ description: 'The name that it gives itself; empty when it gives none or is not reached.' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it cannot be used; null when it can.' }),
    tools: Type.Array(Tool),
    tools_sha256: Type.Union([Type.String(), Type.Null()], {
      description: 'Of all these tools, for `accepted` in the settings; null when they are not known.',
    }),
    accepted: Type.Boolean({ description: 'Whether the settings accept exactly these tools.' }),
    left_out: Type.Integer({ description: 'How many tools are left out because of their number, name or size.' }),
  },
  { $id: 'OutsideServer' },
);
const Servers = Type.Object({ items: Type.Array(Server) }, { $id: 'OutsideServers' });

interface OutsideParts {
  readonly registry: Registry;
  readonly behaviors: readonly Behavior[];
}

/** What the servers and agents of others that a mailbox lists offer. */
export function outsideRoutes({ registry, behaviors }: OutsideParts): readonly Route[] {
  const itemsOf = async (mailbox: Mailbox, fresh: boolean, signal: AbortSignal): Promise<OutsideView[]> => [
    ...((await behaviors
      .find(({ name }) => name === mailbox.behavior)
      ?.outside?.(mailbox.settings, mailbox, { fresh, signal })) ?? []),
  ];
  const shared = (fresh: boolean) =>
    ({
      tag: 'Mailboxes',
      access: 'mailboxes:write',
      params: AddressParam,
      answers: { 200: { description: 'Each server and agent in `behavior.settings.outside`.', schema: Servers } },
      problems: OF_MAILBOX,
      async handle({ caller, params, gone }: Call<{ address: string }>) {
        const mailbox = await registry.mailboxFor(caller, params.address, 'mailboxes:write');
        return { status: 200, body: { items: await itemsOf(mailbox, fresh, gone()) } };
      },
    }) as const;
  return [
    operation('GET', '/api/v1/mailboxes/{address}/outside', 'listOutsideTools', {
      ...shared(false),
      summary: 'The tools of the servers and agents that a mailbox lists',
      description:
        'For `do` and `assistant`. Connects to each whose tools were not listed in the last five minutes; one that cannot be used has an `error`. Nothing is called.',
    }),
    operation('POST', '/api/v1/mailboxes/{address}/outside/check', 'checkOutside', {
      ...shared(true),
      summary: 'Connect again to the servers and agents that a mailbox lists',
      description: 'As `GET …/outside`, with what they offer now.',
    }),
  ];
}
