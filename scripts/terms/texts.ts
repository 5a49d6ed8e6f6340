import { parseSync, Visitor } from 'oxc-parser';

/** A name that a file declares, or a comment in it, with its line (from 1). */
export interface Text {
  readonly line: number;
  readonly text: string;
}

interface Named {
  readonly type: string;
  readonly name?: unknown;
  readonly start: number;
}

/** The words of a name in camelCase, PascalCase, snake_case or kebab-case, in lower case. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** The names that a TypeScript or JavaScript file declares, and its comments. Names it only uses are declared elsewhere. */
export function textsOf(
  file: string,
  source: string,
): { readonly names: readonly Text[]; readonly comments: readonly Text[] } {
  const { program, comments } = parseSync(file, source);
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (offset: number): number => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const names: Text[] = [];
  const add = (node: unknown): void => {
    const { type, name, start } = (node ?? { type: '' }) as Named;
    if ((type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string') {
      names.push({ line: lineOf(start), text: name });
    } else if (type === 'AssignmentPattern') add((node as { left: unknown }).left);
    else if (type === 'RestElement') add((node as { argument: unknown }).argument);
    else if (type === 'TSParameterProperty') add((node as { parameter: unknown }).parameter);
    else if (type === 'ArrayPattern') for (const one of (node as { elements: readonly unknown[] }).elements) add(one);
    else if (type === 'ObjectPattern') {
      for (const one of (node as { properties: readonly { type: string; value?: unknown }[] }).properties) {
        add(one.type === 'Property' ? one.value : one);
      }
    }
  };
  const named = ({ id }: { readonly id?: unknown }): void => add(id);
  const keyed = ({ key, computed }: { readonly key: unknown; readonly computed?: boolean }): void => {
    if (computed !== true) add(key);
  };
  const called = ({ id, params }: { readonly id?: unknown; readonly params: readonly unknown[] }): void => {
    add(id);
    for (const one of params) add(one);
  };
  new Visitor({
    VariableDeclarator: named,
    ClassDeclaration: named,
    TSInterfaceDeclaration: named,
    TSTypeAliasDeclaration: named,
    FunctionDeclaration: called,
    FunctionExpression: called,
    ArrowFunctionExpression: called,
    PropertyDefinition: keyed,
    MethodDefinition: keyed,
    TSPropertySignature: keyed,
    TSMethodSignature: keyed,
    CatchClause: ({ param }) => add(param),
  }).visit(program);
  return { names, comments: comments.map(({ value, start }) => ({ line: lineOf(start), text: value })) };
}
