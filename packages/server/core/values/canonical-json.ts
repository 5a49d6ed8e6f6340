import type { Json } from '@mailroom/behavior/values/json';

/** Equal JSON gives equal text: names sorted, no spaces (as in RFC 8785). */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as { readonly [name: string]: Json };
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name] as Json)}`).join(',')}}`;
}
