import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Node, parse } from 'acorn';

export interface Expression {
  /** The path of the file, relative to `packages/`. */
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** Modules that start the service or run a command when they are imported. */
const STARTS = /^server\/commands\//;

type Place = `${string}:${number}:${number}`;
type Tree = Node & { readonly [name: string]: unknown };

const isNode = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

function* nodesOf(node: Tree): Generator<Tree> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child);
  }
}

/** Finds regular expressions in literals and in `pattern` of schemas, and the places that build others. */
function written(src: string, file: string): { found: Expression[]; built: Place[] } {
  const code = stripTypeScriptTypes(readFileSync(join(src, file), 'utf8'));
  const tree = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }) as unknown as Tree;
  const found: Expression[] = [];
  const built: Place[] = [];
  for (const node of nodesOf(tree)) {
    const { line = 0, column = 0 } = node.loc?.start ?? {};
    const { regex, callee, key, value } = node as {
      readonly regex?: { readonly pattern: string; readonly flags: string };
      readonly callee?: { readonly name?: string };
      readonly key?: { readonly name?: string };
      readonly value?: { readonly value?: unknown };
    };
    if (node.type === 'Literal' && regex !== undefined)
      found.push({ file, line, source: regex.pattern, flags: regex.flags });
    else if (node.type === 'Property' && key?.name === 'pattern' && typeof value?.value === 'string')
      found.push({ file, line, source: value.value, flags: 'u' });
    else if (/^(?:New|Call)Expression$/.test(node.type) && callee?.name === 'RegExp')
      built.push(`${file}:${line}:${column + 1}`);
  }
  return { found, built };
}

/** The file of this repository that calls, and its position; undefined when a package does. */
function callerIn(src: string): Place | undefined {
  const frame = new Error().stack?.split('\n').find((line, at) => at > 0 && !line.includes(import.meta.filename));
  const [, path = '', line, column] = /(?:file:\/\/)?(\/[^\s:()]+):(\d+):(\d+)/.exec(frame ?? '') ?? [];
  if (!path.startsWith(`${src}/`)) return undefined;
  return `${path.slice(src.length + 1)}:${Number(line)}:${Number(column)}`;
}

/** Records the expressions that `src` builds while its modules are imported. */
async function builtOnImport(src: string, files: readonly string[]): Promise<Map<Place, Expression[]>> {
  const found = new Map<Place, Expression[]>();
  const Original = RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args, made) {
      const expression = Reflect.construct(target, args, made === globalThis.RegExp ? target : made) as RegExp;
      const place = callerIn(src);
      if (place !== undefined) {
        const [file = '', line] = place.split(':');
        const all = found.get(place) ?? [];
        found.set(place, [...all, { file, line: Number(line), source: expression.source, flags: expression.flags }]);
      }
      return expression;
    },
  });
  try {
    for (const file of files) {
      if (STARTS.test(file)) continue;
      // Modules that only run on a worker thread reject here; expressions that they build are then reported as unseen.
      await import(pathToFileURL(join(src, file)).href).catch(() => undefined);
    }
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

/**
 * Every regular expression of `src` (an absolute path), and the places that build one at run time, which the import did
 * not record.
 */
export async function expressionsOf(src: string): Promise<{ found: readonly Expression[]; unseen: readonly Place[] }> {
  const files = globSync('**/*.ts', { cwd: src, exclude: ['**/tests/**', '**/node_modules/**', 'client/**'] }).sort();
  const literals = files.map((file) => written(src, file));
  const built = await builtOnImport(src, files);
  return {
    found: [...literals.flatMap(({ found }) => found), ...[...built.values()].flat()],
    unseen: literals.flatMap(({ built: places }) => places).filter((place) => !built.has(place)),
  };
}
