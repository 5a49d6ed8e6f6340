import type { OutsideResult } from '@mailroom/behavior/outside';
import { longestBackticks } from '@mailroom/behavior/values/backticks';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { Clause, Reading } from '@mailroom/english-instructions/tasks/clause';
import { jsonDepth, MAX_JSON_DEPTH, wellFormedJson } from '@mailroom/english-instructions/tasks/foreign-json';
import { type Task, type TaskContext, TaskError } from '@mailroom/english-instructions/tasks/task';
import { Type } from 'typebox';
import type { KnownRemote, KnownTool } from './known-remote.ts';

const Output = Type.Object(
  {
    result: Type.Unknown({ description: 'Its text; where it has none, its structured content.' }),
    data: Type.Unknown({ description: 'Its structured content; null when it has none.' }),
    from: Type.String({ description: 'The name and the URL of the server or agent. What it says is not checked.' }),
    task: Type.Optional(
      Type.Object(
        { state: Type.String(), id: Type.String(), context_id: Type.String() },
        { description: 'The task of an agent that asks something or still works.' },
      ),
    ),
  },
  { additionalProperties: false },
);
type Output = Type.Static<typeof Output>;

/** How instructions call a tool; none where only structured steps and models do. */
export type ReadOutside = (clause: Clause, remote: KnownRemote, tool: KnownTool | undefined) => Reading | undefined;

/** The tools of a remote as tasks; for one without tools, a task that only says why. */
export function outsideTasks(remote: KnownRemote, read: ReadOutside = () => undefined): readonly Task[] {
  if (remote.error !== undefined) return [unavailable(remote, read)];
  return remote.tools.map((tool) => outsideTask(remote, tool, read));
}

function outsideTask(remote: KnownRemote, tool: KnownTool, read: ReadOutside): Task {
  const { name, effects, repeatable, input, description } = tool;
  return {
    name,
    description: `${remote.kind === 'a2a' ? 'An agent' : 'A tool'} of others, described by themselves: ${description || tool.tool}`,
    input,
    output: Output,
    effects,
    repeatable,
    examples: [],
    outside: tool,
    read: (clause) => read(clause, remote, tool),
    run: (given, context) => run(tool, given as JsonObject, context),
    show: (output) => shown(output as Output),
  };
}

/** A task for instructions that need a remote that cannot be used. */
const unavailable = (remote: KnownRemote, read: ReadOutside): Task => ({
  name: remote.name,
  description: remote.error as string,
  input: Type.Object({}),
  output: Output,
  effects: 'reads',
  repeatable: true,
  examples: [],
  read: (clause) => read(clause, remote, undefined),
  run: () => {
    throw new TaskError(remote.error as string);
  },
  show: () => '',
});

async function run(tool: KnownTool, input: JsonObject, { outside }: TaskContext): Promise<Output> {
  if (outside === undefined) throw new TaskError(`${tool.server} cannot be called here.`);
  const { text, data, task }: OutsideResult = await outside(tool, input);
  const said = text.replaceAll('\0', '\ufffd').toWellFormed();
  const structured = kept(data, tool.server);
  const result = said.trim() === '' && structured !== null ? structured : said;
  return { result, data: structured, from: `${tool.server} (${tool.url})`, ...(task && { task }) };
}

/** Structured content as the stores can keep it. */
function kept(data: Json, server: string): Json {
  let text: string;
  try {
    text = JSON.stringify(data);
  } catch {
    throw new TaskError(`${server} answered with content that is nested too deeply.`);
  }
  if (jsonDepth(text) > MAX_JSON_DEPTH)
    throw new TaskError(`${server} answered with content that is nested too deeply.`);
  return JSON.parse(wellFormedJson(text)) as Json;
}

/** The result as a quotation, because it is not this service's and not the sender's. */
function shown({ result, from, task }: Output): string {
  const text = typeof result === 'string' ? result : `\`\`\`json\n${indentedJson(result)}\n\`\`\``;
  const quoted = text.trim() === '' ? '> (nothing)' : text.replace(/^/gm, '> ');
  const open = task && `\n\nIt is ${task.state}: its task is ${codeSpan(task.id)}, in ${codeSpan(task.context_id)}.`;
  return `From ${asText(from)}, not checked:\n\n${quoted}${open ?? ''}`;
}

/** A code span that no backtick in the text ends (CommonMark 0.31, section 6.1). */
function codeSpan(text: string): string {
  const longest = longestBackticks(text);
  if (longest === 0) return `\`${text}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

/** The name and the URL, whose path a remote chose, without what Markdown makes a link or a style of. */
const asText = (from: string): string =>
  from.replace(/[[\]*~`<>\\]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
