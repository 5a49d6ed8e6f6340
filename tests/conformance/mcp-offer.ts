import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@mailroom/behavior/values/error';
import type { Offer, Prompt } from '@mailroom/server/transports/mcp/offer';
import type { JsonObject, Tool, ToolCall, ToolResult } from '@mailroom/server/transports/mcp/tool';
import { type TSchema, Type } from 'typebox';

/** A picture of one pixel, and a sound without samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
/** Between two progress notifications, in ms. */
const STEP_MS = 50;

const NOTHING = Type.Object({}, { additionalProperties: false });
const text = (value: string): JsonObject => ({ type: 'text', text: value });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, value: string): JsonObject => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const tool = (
  name: string,
  run: (args: JsonObject, call: ToolCall) => ToolResult | Promise<ToolResult>,
  input: TSchema = NOTHING,
): Tool => ({
  name,
  title: name,
  description: `Does what the scenario of ${name} asks for.`,
  input,
  annotations: {},
  run: async (args, call) => run(args, call),
});
const answering = (name: string, ...content: readonly JsonObject[]): Tool => tool(name, () => ({ content }));

async function inSteps(_args: JsonObject, { progress, signal }: ToolCall): Promise<ToolResult> {
  for (const step of ['begun', 'half', 'done']) {
    await progress?.(step);
    await pause(STEP_MS, undefined, { signal });
  }
  return { content: [text('Done.')] };
}

/** With every keyword that `json-schema-2020-12` looks for. */
const ADDRESS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // A keyword of JSON Schema, not a promise.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as unknown as TSchema;

const TOOLS: readonly Tool[] = [
  answering('test_simple_text', text('A short text.')),
  answering('test_image_content', image),
  answering('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  answering('test_embedded_resource', resource('test://embedded-resource', 'text/plain', 'A resource.')),
  answering(
    'test_multiple_content_types',
    text('Three kinds of content:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"value":123}'),
  ),
  tool('test_tool_with_progress', inSteps),
  // The suite asks with these whether a stream of a server without elicitation and logging holds only what it may.
  tool('test_streaming_elicitation', inSteps),
  tool('test_logging_tool', inSteps),
  tool('test_error_handling', () => {
    throw new AppError('access_denied', 'This tool always fails.');
  }),
  tool('json_schema_2020_12_tool', (args) => ({ content: [text(JSON.stringify(args))] }), ADDRESS_SCHEMA),
];

const prompt = (name: string, content: Prompt['content'], args: readonly string[] = []): Prompt => ({
  name,
  title: name,
  description: `What the scenario of ${name} asks for.`,
  arguments: args.map((one) => ({ name: one, description: one, required: true })),
  content,
});

const PROMPTS: readonly Prompt[] = [
  prompt('test_simple_prompt', () => [text('A prompt.')]),
  prompt('test_prompt_with_arguments', ({ arg1, arg2 }) => [text(`${arg1} and ${arg2}`)], ['arg1', 'arg2']),
  prompt(
    'test_prompt_with_embedded_resource',
    ({ resourceUri = '' }) => [resource(resourceUri, 'text/plain', 'A resource.'), text('Read it.')],
    ['resourceUri'],
  ),
  prompt('test_prompt_with_image', () => [image, text('Look at it.')]),
];

const RESOURCES = [
  { uri: 'test://static-text', name: 'text', mimeType: 'text/plain', text: 'The content of a text.' },
  { uri: 'test://static-binary', name: 'picture', mimeType: 'image/png', blob: PNG },
];

/** The tools, prompts and resources that the scenarios of the conformance suite ask a server for. */
export const suiteOffer: Offer = {
  title: 'Conformance',
  instructions: 'For the conformance suite.',
  tools: TOOLS,
  prompts: PROMPTS,
  resources: {
    templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
    list: async () => ({ items: RESOURCES.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })) }),
    async read(uri) {
      const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
      if (id !== undefined) return [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }];
      const found = RESOURCES.find((one) => one.uri === uri);
      if (found === undefined) return undefined;
      const { name: _, ...contents } = found;
      return [contents];
    },
  },
  toolCall: (of) => ({
    ...of,
    namespace: '',
    checkAccess() {},
    call: notHere,
    callAs: notHere,
    follow: () => {
      throw new Error('There is no service behind this server.');
    },
  }),
};

const notHere = async (): Promise<never> => {
  throw new Error('There is no service behind this server.');
};
