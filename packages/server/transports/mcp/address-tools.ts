import type { TaskView } from '@mailroom/behavior';
import type { Caller } from '../../core/access/caller.ts';
import { askTool, READ, sendAndWait } from './ask.ts';
import type { Prompt } from './offer.ts';
import { MESSAGE_OUTPUT } from './outputs.ts';
import type { Tool } from './tool.ts';

/** What the server of an address knows of it. */
export interface ToolAddress {
  readonly address: string;
  readonly name: string | null;
  readonly description: string | null;
  /** Of its behavior, for a caller with a key; a guest sends text alone. */
  readonly tasks: readonly TaskView[];
  /** Messages to try, as prompts. */
  readonly examples: readonly string[];
}

/** Seconds that a task may take, which is longer than any does. */
const TASK_WAIT_S = 55;

/** A task of the behavior `do`, called with structured steps, so that nothing is read from a sentence. */
const taskTool = (address: string, task: TaskView): Tool => ({
  name: task.name,
  title: task.name,
  description: task.description,
  scope: 'mail:send',
  route: 'sendMessage',
  input: task.input_schema,
  output: MESSAGE_OUTPUT,
  annotations: {
    readOnlyHint: task.effects !== 'writes',
    destructiveHint: task.effects === 'writes',
    openWorldHint: task.effects !== 'none',
  },
  async run(input, call) {
    const steps = [{ task: task.name, input }];
    return sendAndWait({ to: address, body: `Run the task ${task.name}.`, data: { steps } }, TASK_WAIT_S, call);
  },
});

/** The tools of one address: writing to it, and for keys, where it runs tasks, each of them. */
export function addressTools({ address, description, tasks }: ToolAddress, caller: Caller['kind']): readonly Tool[] {
  const always = [askTool(address, description ?? '', caller === 'guest'), READ];
  const names = new Set(always.map(({ name }) => name));
  const more =
    caller !== 'key' ? [] : tasks.filter(({ name }) => !names.has(name)).map((task) => taskTool(address, task));
  return [...always, ...more];
}

const asking = (address: string, message: string) => ({
  type: 'text',
  text: `Use the tool ask to send this to ${address}, and tell me the answer:\n\n${message}`,
});

/** What a person may choose to begin with: a question of their own, or one of the examples of the address. */
export const addressPrompts = ({ address, name, examples }: ToolAddress): readonly Prompt[] => [
  {
    name: 'ask',
    title: `Ask ${name ?? address}`,
    description: `Has your assistant write to ${address}.`,
    arguments: [
      {
        name: 'message',
        description: 'What to ask.',
        required: true,
        complete: (typed) => examples.filter((one) => one.toLowerCase().startsWith(typed.toLowerCase())),
      },
    ],
    content: ({ message = '' }) => [asking(address, message)],
  },
  ...examples.map((example, at) => ({
    name: `example-${at + 1}`,
    title: example.length > 60 ? `${example.slice(0, 59)}…` : example,
    description: 'An example of its owner.',
    content: () => [asking(address, example)],
  })),
];
