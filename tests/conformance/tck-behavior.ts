import { setTimeout as pause } from 'node:timers/promises';
import type { Behavior, Context, Incoming, Outcome } from '@mailroom/behavior';
import { Type } from 'typebox';

const WORK_MS = 300;
/** Longer than what stands in a task itself. */
const LARGE = 100 * 1024;

const file = (size: number) => ({
  filename: 'output.txt',
  content_type: 'text/plain',
  content: Buffer.alloc(size, 'tck'),
});

type Scenario = (message: Incoming, context: Context<unknown>) => Outcome | Promise<Outcome>;

const says =
  (body: string): Scenario =>
  () => ({ kind: 'reply', body });

/** Reports that it works, as the scenarios of streams do. */
const working =
  (body: string, ms = WORK_MS): Scenario =>
  async (_message, context) => {
    context.report('working');
    await pause(ms, undefined, { signal: context.signal });
    return { kind: 'reply', body };
  };

/** What the scenarios of the TCK (`scenarios/*.feature`) ask an agent to do, by the beginning of the message's id. */
const SCENARIOS: readonly (readonly [string, Scenario])[] = [
  ['tck-artifact-file-url', () => ({ kind: 'reply', body: '', attachments: [file(LARGE)] })],
  ['tck-artifact-file', () => ({ kind: 'reply', body: '', attachments: [file(3)] })],
  ['tck-artifact-text', says('Generated text content')],
  ['tck-artifact-data', () => ({ kind: 'reply', body: '', data: { key: 'value', count: 42 } })],
  ['tck-message-response', says('Direct message response')],
  ['tck-input-required', () => ({ kind: 'input_required', body: 'What else?' })],
  ['tck-reject-task', () => ({ kind: 'reject', detail: 'rejected' })],
  [
    'tck-stream-artifact-chunked',
    async (_message, context) => {
      context.report('working');
      for (const text of ['chunk-1 ', 'chunk-1 chunk-2']) {
        context.stream(text);
        await pause(WORK_MS, undefined, { signal: context.signal });
      }
      return { kind: 'reply', body: 'chunk-1 chunk-2' };
    },
  ],
  [
    'tck-stream-artifact-file',
    async (_message, context) => {
      context.report('working');
      await pause(WORK_MS, undefined, { signal: context.signal });
      return { kind: 'reply', body: '', attachments: [file(3)] };
    },
  ],
  ['tck-stream-artifact-text', working('Streamed text content')],
  ['tck-stream-ordering', working('Ordered output')],
  ['tck-stream-001', working('Stream hello from TCK')],
  ['tck-stream-003', working('Stream task lifecycle')],
  ['test-resubscribe-message-id', working('', 4_000)],
];

/** The test-only behavior `tck`: the proxy puts the id of a message into its subject. */
export const tck: Behavior = {
  name: 'tck',
  title: 'TCK',
  description: 'Does what the scenarios of the A2A TCK ask for.',
  settings: Type.Object({}, { additionalProperties: false }),
  example: { body: 'Hello', reply: 'Hello from TCK' },
  handle(message, context) {
    const [, scenario = says('Hello from TCK')] =
      SCENARIOS.find(([prefix]) => message.subject?.startsWith(prefix) === true) ?? [];
    return scenario(message, context);
  },
};
