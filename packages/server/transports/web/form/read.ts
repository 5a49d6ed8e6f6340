import { readJson as readStrictly } from '../../../http/json.ts';
import { type Field, hereName, jsonName, type Kind, keyName, kindOf, nameOf, ROWS_MORE, type Schema } from './kind.ts';

/**
 * Reads the fields that `schemaFields` made as a value for the schema. Optional empty fields and empty rows are left
 * out; what cannot be read (letters in a number, invalid JSON) stays text, so that validation refuses it and the form
 * shows it again. Never throws.
 */
export const readSettings = (schema: object, form: URLSearchParams, prefix: string): unknown =>
  readValue(schema as Schema, form, prefix, 0) ?? {};

function readValue(schema: Schema, form: URLSearchParams, name: string, level: number): unknown {
  const json = form.get(jsonName(name));
  if (json !== null) return readJson(json);
  const kind = kindOf(schema, level);
  switch (kind.kind) {
    case 'fixed':
      return kind.value;
    case 'object':
      return readObject(kind.fields, form, name, level);
    case 'rows':
      return readRows(kind, form, name);
    case 'entries':
      return readEntries(kind, form, name);
    case 'choices': {
      const chosen = new Set(form.getAll(name));
      const values = kind.options.filter((option) => chosen.has(String(option)));
      return values.length > 0 || form.has(hereName(name)) ? values : undefined;
    }
    case 'flag':
      return readFlag(form.getAll(name).at(-1));
    default:
      return readText(kind, schema, form.get(name));
  }
}

function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    // Uses the same rules as for request bodies.
    return readStrictly(Buffer.from(text));
  } catch {
    return text;
  }
}

const readFlag = (text: string | undefined): unknown => (text === 'true' ? true : text === 'false' ? false : undefined);

function readText(kind: Kind, schema: Schema, text: string | null): unknown {
  if (text === null || text === '') return undefined;
  if (kind.kind === 'number') return readNumber(text);
  if (kind.kind === 'choice') return kind.options.find((option) => String(option) === text) ?? text;
  return kind.kind === 'text' && kind.as === 'url' ? completeUrl(text, schema) : text;
}

function readNumber(text: string): number | string | undefined {
  const number = Number(text);
  return text.trim() === '' ? undefined : Number.isFinite(number) ? number : text;
}

const BARE_HOST = /^[\p{L}\p{N}][\p{L}\p{N}-]*(\.[\p{L}\p{N}][\p{L}\p{N}-]*)+(:\d{1,5})?([/?#]\S*)?$/u;

/** Completes a web address such as `ada.example/bridges` to the form that the schema requires. */
function completeUrl(text: string, { pattern }: Schema): string {
  const url = text.trim();
  const whole = BARE_HOST.test(url) ? `https://${url}` : url;
  if (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(whole)) return whole;
  // Parentheses are valid in URLs, but not every pattern allows them.
  const escaped = whole.replaceAll('(', '%28').replaceAll(')', '%29');
  return new RegExp(pattern, 'u').test(escaped) ? escaped : whole;
}

function readObject(fields: readonly Field[], form: URLSearchParams, name: string, level: number): unknown {
  const value: Record<string, unknown> = Object.create(null);
  for (const field of fields) {
    const part = readValue(field.schema, form, nameOf(name, field.name), level + 1);
    if (part !== undefined) value[field.name] = part;
    // A required text without a minimum length may be empty.
    else if (field.required && field.schema.type === 'string' && field.schema.minLength === undefined)
      value[field.name] = '';
  }
  const empty = Object.keys(value).length === 0;
  return empty && level > 0 && !form.has(hereName(name)) ? undefined : { ...value };
}

function readRows({ item, max }: Kind & { kind: 'rows' }, form: URLSearchParams, name: string): unknown {
  const rows: unknown[] = [];
  for (const at of placesOf(form, name, max)) {
    const row = readRow(item, form, nameOf(name, at));
    if (row !== undefined) rows.push(row);
  }
  return rows.length > 0 || form.has(hereName(name)) ? rows : undefined;
}

/** Reads a row; one with only empty fields is left out. */
function readRow(item: Schema, form: URLSearchParams, name: string): unknown {
  const kind = kindOf(item);
  if (kind.kind !== 'object') return readValue(item, form, name, 1);
  if (kind.fields.every((field) => (form.get(nameOf(name, field.name)) ?? '') === '')) return undefined;
  return readObject(kind.fields, form, name, 1);
}

function readEntries({ item, max }: Kind & { kind: 'entries' }, form: URLSearchParams, name: string): unknown {
  const entries = new Map<string, unknown>();
  for (const at of placesOf(form, name, max)) {
    const field = nameOf(name, at);
    const key = (form.get(keyName(field)) ?? '').trim();
    const value = readValue(item, form, field, 1);
    if (key === '' && value === undefined) continue;
    // The second of two rows with the same key gets another one, so that the owner sees both.
    let own = key;
    for (let twin = 2; entries.has(own); twin++) own = `${key} (${twin})`;
    entries.set(own, value ?? '');
  }
  return entries.size > 0 || form.has(hereName(name)) ? Object.fromEntries(entries) : undefined;
}

/** The indexes of the submitted rows in ascending order, limited to slightly more than are allowed. */
function placesOf(form: URLSearchParams, name: string, max: number): number[] {
  const places = new Set<number>();
  for (const field of form.keys()) {
    if (!field.startsWith(`${name}.`)) continue;
    const [place = ''] = field.slice(name.length + 1).split(/[.~]/, 1);
    if (/^\d{1,6}$/.test(place)) places.add(Number(place));
  }
  return [...places].sort((a, b) => a - b).slice(0, max + ROWS_MORE);
}
