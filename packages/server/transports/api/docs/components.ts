import type { TSchema } from 'typebox';
import { FIELD_TEXTS } from './field-texts.ts';
import { type Scene, sampleOf } from './samples.ts';

export type Node = { [name: string]: unknown };

/** The schemas of a document; named ones are defined once under `components` and referred to. */
export interface Components {
  readonly schemas: Node;
  /** A schema as the document holds it: a reference when it has a name. */
  refer(schema: TSchema): Node;
  /** A body: its schema, and an example if there is one. */
  content(schema: TSchema): Node;
}

export function makeComponents(scene: Scene): Components {
  const schemas: Node = {};

  function refer(schema: TSchema): Node {
    // Conditions are said in the description of a field: tools for OpenAPI read them in too many ways.
    const { $id, if: _if, then: _then, ...rest } = schema as unknown as Node & { $id?: string };
    if ($id === undefined) return plain(rest);
    if (!($id in schemas)) {
      // Registered before it is filled in, so that a schema may refer to itself.
      schemas[$id] = {};
      schemas[$id] = explained(plain(rest), $id, '');
    }
    return { $ref: `#/components/schemas/${$id}` };
  }

  function plain(schema: Node): Node {
    const node = inner(schema) as Node;
    if (Array.isArray(node.examples)) node.examples = node.examples.map((example) => inScene(example, scene));
    return simpler(node);
  }

  function inner(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => (isNode(item) ? refer(item as TSchema) : item));
    if (!isNode(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        // A field may be named as a keyword is, such as `if`.
        isNode(item) && name !== 'properties' ? refer(item as TSchema) : inner(item),
      ]),
    );
  }

  function content(schema: TSchema): Node {
    const referred = refer(schema);
    const { $id } = schema as { $id?: string };
    const example = $id === undefined ? undefined : sampleOf($id, schemas, scene);
    return { schema: referred, ...(example === undefined ? {} : { example }) };
  }

  return { schemas, refer, content };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields without a description get the one in `FIELD_TEXTS`. */
function explained(node: Node, schema: string, path: string): Node {
  const { properties } = node;
  if (!isNode(properties)) return node;
  const entries = Object.entries(properties).map(([name, field]) => {
    const at = path + name;
    const text = FIELD_TEXTS[`${schema}.${at}`] ?? FIELD_TEXTS[at];
    const nested = explainedWithin(field as Node, schema, at);
    const { description } = nested;
    // “Any JSON.” adds nothing to the type.
    const silent = description === undefined || description === 'Any JSON.';
    return [name, silent && text !== undefined ? { ...nested, description: text } : nested];
  });
  return { ...node, properties: Object.fromEntries(entries) };
}

function explainedWithin(field: Node, schema: string, path: string): Node {
  const { items, anyOf } = field;
  const within = explained(field, schema, `${path}.`);
  if (isNode(items)) return { ...within, items: explained(items, schema, `${path}.`) };
  if (Array.isArray(anyOf))
    return { ...within, anyOf: anyOf.map((branch: Node) => explained(branch, schema, `${path}.`)) };
  return within;
}

/** The same schema in its common form: a type beside an enum, an enum for constants, plain maps. */
function simpler(node: Node): Node {
  const { anyOf, patternProperties, ...rest } = node;
  if (Array.isArray(anyOf) && anyOf.every((branch: Node) => typeof branch.const === 'string')) {
    return { ...rest, type: 'string', enum: anyOf.map((branch: Node) => branch.const) };
  }
  if (Array.isArray(node.enum) && node.enum.every((value) => typeof value === 'string'))
    return { type: 'string', ...node };
  if (isNode(patternProperties) && JSON.stringify(patternProperties) === '{"^.*$":{}}')
    return { ...rest, additionalProperties: true };
  return node;
}

/** An example's address, moved to this service's domain and namespace. */
export const inScene = (example: unknown, { namespace, mailDomain }: Scene): unknown =>
  typeof example !== 'string'
    ? example
    : example.replace('@agents.mailroom.localhost', `@${namespace}.${mailDomain}`).replace(/^agents$/, namespace);
