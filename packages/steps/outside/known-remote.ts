import type { OutsideTool, OutsideTools } from '@mailroom/behavior/outside';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Effects, OutsideToolOf } from '@mailroom/english-instructions/tasks/task';
import type { TSchema } from 'typebox';
import { safeSchema } from './safe-schema.ts';
import type { Remote } from './settings.ts';

/** A tool as a task of a mailbox. */
export interface KnownTool extends OutsideToolOf {
  /** `SERVER.TOOL`. */
  readonly name: string;
  readonly description: string;
  readonly input: TSchema;
  readonly effects: Exclude<Effects, 'none'>;
  readonly repeatable: boolean;
}

/** A listed remote with the tools that may be used now. Plain JSON, because it is handed to threads. */
export interface KnownRemote {
  readonly name: string;
  readonly kind: Remote['kind'];
  /** As the owner listed it. */
  readonly listed: string;
  readonly tools: readonly KnownTool[];
  /** Whether the owner has accepted exactly these tools. */
  readonly accepted: boolean;
  /** Why no tool can be used, as a sentence. */
  readonly error?: string;
}

/** A URL as others may see it. */
const shownUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** The fingerprint of a tool as it was listed. */
export const toolSha256 = ({ name, description, input, read_only, idempotent }: OutsideTool, url: string): string =>
  sha256(JSON.stringify({ url, name, description, input, read_only, idempotent }));

/** The fingerprint of all tools that the owner lets be used. */
export const toolsSha256 = (tools: readonly OutsideTool[], url: string): string =>
  sha256(
    tools
      .map((tool) => toolSha256(tool, url))
      .sort()
      .join('\n'),
  );

/** Whether a model that is offered these tools reads descriptions that no owner accepted. */
export const describesUnaccepted = (remotes: readonly KnownRemote[]): boolean =>
  remotes.some(({ accepted, tools }) => !accepted && tools.length > 0);

/** The tools of a listing that the owner lets be used. */
export const chosenTools = (remote: Remote, { tools }: OutsideTools): readonly OutsideTool[] =>
  remote.tools === undefined ? tools : tools.filter(({ name }) => remote.tools?.includes(name));

/** The remote with the tools that it has now. */
export function knownRemote(remote: Remote, listing: OutsideTools): KnownRemote {
  const chosen = chosenTools(remote, listing);
  const accepted = remote.accepted === toolsSha256(chosen, listing.url);
  const fields = { name: remote.name, kind: remote.kind, listed: remote.url };
  if (remote.accepted !== undefined && !accepted) {
    return {
      ...fields,
      tools: [],
      accepted: false,
      error: `${remote.name} has changed its tools since the owner of this mailbox accepted them.`,
    };
  }
  if (chosen.length === 0) return { ...fields, tools: [], accepted, error: `${remote.name} offers no tools.` };
  return { ...fields, accepted, tools: chosen.map((tool) => knownTool(remote, tool, listing.url)) };
}

function knownTool({ name: server, kind, approval = 'writes' }: Remote, tool: OutsideTool, url: string): KnownTool {
  const effects = tool.read_only ? 'reads' : 'writes';
  return {
    name: `${server}.${tool.name}`,
    server,
    kind,
    tool: tool.name,
    url: shownUrl(url),
    sha256: toolSha256(tool, url),
    description: tool.description,
    input: safeSchema(tool.input),
    effects,
    repeatable: tool.read_only || tool.idempotent,
    approval: approval === 'always' || (approval === 'writes' && effects === 'writes'),
    waived: approval === 'never',
  };
}
