import { isObject, type Json, type JsonObject } from '@mailroom/behavior/values/json';
import type { TSchema } from 'typebox';

/** Maximum parts of a schema that are kept; what is beyond allows anything. */
const MAX_PARTS = 1_000;
const MAX_LEVELS = 12;
/** Maximum characters of a description. */
const MAX_TEXT = 500;
/** Maximum characters of JSON that are kept: references may name one part a thousand times. */
const MAX_KEPT = 64 * 1024;

/** Keywords whose check takes no more time than the value is long, with the type of their argument. */
const PLAIN: Readonly<Record<string, (value: Json) => boolean>> = {
  type: (value) => typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  title: (value) => typeof value === 'string',
  description: (value) => typeof value === 'string',
  enum: (value) => Array.isArray(value) && value.length > 0 && value.length <= 200 && value.every(isScalar),
  const: (value) => isScalar(value),
  default: (value) => isScalar(value),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
};

function isScalar(value: Json): boolean {
  return value === null || typeof value !== 'object';
}
function isNumber(value: Json): boolean {
  return typeof value === 'number';
}
function isCount(value: Json): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/**
 * A schema by strangers, reduced to what can be checked in linear time and what a model understands: types, properties,
 * lists, fixed values, alternatives and limits. References are filled in; patterns and conditions are left to the server,
 * which checks its arguments itself.
 */
export function safeSchema(schema: JsonObject): TSchema {
  const reduced = new Reducing(schema).object(schema, 0);
  return { ...reduced, type: 'object' } as unknown as TSchema;
}

class Reducing {
  readonly #root: JsonObject;
  #left = MAX_PARTS;
  #room = MAX_KEPT;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  object(given: JsonObject, level: number): JsonObject {
    const schema = this.#resolved(given);
    this.#left -= 1;
    if (this.#left < 0 || this.#room < 0 || level > MAX_LEVELS || schema === undefined) return {};
    const kept: { [name: string]: Json } = {};
    for (const [name, value] of Object.entries(schema)) {
      if (!Object.hasOwn(PLAIN, name) || PLAIN[name]?.(value) !== true) continue;
      const isText = typeof value === 'string' && (name === 'description' || name === 'title');
      const part = isText ? value.slice(0, MAX_TEXT).toWellFormed() : value;
      if (this.#hasRoom(JSON.stringify([name, part]).length)) kept[name] = part;
    }
    const { properties, required, items, additionalProperties, anyOf, oneOf } = schema;
    if (isObject(properties)) {
      const ownParts = Object.entries(properties).filter(
        ([name]) => name !== '__proto__' && this.#hasRoom(2 * name.length + 16),
      );
      kept.properties = Object.fromEntries(ownParts.map(([name, part]) => [name, this.#part(part, level)]));
      const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
      const { properties: listed } = kept;
      const known = names.filter((name) => isObject(listed) && Object.hasOwn(listed, name));
      if (known.length > 0) kept.required = [...new Set(known)];
      if (additionalProperties === false && this.#room >= 0) kept.additionalProperties = false;
    }
    if (isObject(items)) kept.items = this.#part(items, level);
    const either = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
    if (either.length > 0 && either.length <= 20) kept.anyOf = either.map((part) => this.#part(part, level));
    return kept;
  }

  /** Once there is no room for one, all that follows is left out. */
  #hasRoom(characters: number): boolean {
    this.#room -= characters;
    return this.#room >= 0;
  }

  #part(value: Json, level: number): JsonObject {
    return isObject(value) ? this.object(value, level + 1) : {};
  }

  /** The schema that a reference within this one leads to; undefined for one that leads elsewhere or in a circle. */
  #resolved(schema: JsonObject): JsonObject | undefined {
    let node: Json | undefined = schema;
    for (let steps = 0; steps < 8; steps++) {
      if (!isObject(node)) return undefined;
      const { $ref: reference }: JsonObject = node;
      if (reference === undefined) return node;
      if (typeof reference !== 'string' || !/^#(?:\/[^/]{1,200}){1,8}$/.test(reference)) return undefined;
      node = reference
        .slice(2)
        .split('/')
        .reduce<Json | undefined>((from, name) => {
          const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
          return isObject(from) && Object.hasOwn(from, key) ? from[key] : undefined;
        }, this.#root);
    }
    return undefined;
  }
}
