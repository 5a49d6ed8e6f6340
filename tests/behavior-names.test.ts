import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';

const SRC = resolve(import.meta.dirname, '../packages/server');
/** Each folder of packages/behaviors/ with an index.ts is a behavior. */
const NAMES = globSync('*/index.ts', { cwd: resolve(SRC, '../behaviors') }).map((file) => dirname(file));

/** Literals that are no behavior's name although they are the same word, by `file text`, and what they are. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['model/wire.ts assistant', 'the role of a model in a conversation'],
  ['core/entities/delivery.ts agent', 'a kind of delivery: to the program behind an address'],
  ['core/answers/push.ts agent', 'that kind of delivery'],
  ['transports/web/console/behavior-change.ts do', 'the buttons of a form'],
  ['transports/web/new/address-page.ts do', 'the buttons of a form'],
  ['transports/web/new/done-page.ts do', 'the buttons of a form'],
  ['transports/web/assets/keys.js do', 'the buttons of a form'],
  ['transports/oidc/grants.ts agent', 'the client of tokens that agents sign themselves'],
]);
/** The list of the operator's first mailboxes. */
const HOUSE = 'service/house.ts';

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** A name in JSON or in a query, within a longer text. */
const WITHIN = new RegExp(`"(?:name|behavior)" ?: ?"(${NAMES.join('|')})"|behavior=(${NAMES.join('|')})\\b`);
/** Names that are no common word as the key of an object. */
const KEYS = new Set(NAMES.filter((name) => !['agent', 'auth'].includes(name)));

/** What a source has that is worth parsing. */
const ANY = new RegExp(`['"\`](?:${NAMES.join('|')})['"\`]|${WITHIN.source}|\\b(?:${[...KEYS].join('|')}):`);

/** The buttons of forms are called `do`: `form.get('do')`. */
function isFormField(node: Node, parent: Node | undefined): boolean {
  const { callee } = (parent ?? {}) as { readonly callee?: { readonly property?: { readonly name?: string } } };
  return node.value === 'do' && /^(?:get|set|field)$/.test(callee?.property?.name ?? '');
}

/** The behaviors that a source names in its literals, and as keys of its objects. */
function namesIn(file: string, source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node, parent: Node | undefined): void => {
    const { type, value } = node;
    const text = type === 'TemplateElement' ? (value as { readonly cooked?: string }).cooked : value;
    if ((type === 'Literal' || type === 'TemplateElement') && typeof text === 'string') {
      const [, json, query] = WITHIN.exec(text) ?? [];
      const whole = NAMES.includes(text) && !isFormField(node, parent) ? text : undefined;
      const name = whole ?? json ?? query;
      if (name !== undefined) found.push(name);
    }
    const { key, computed } = node as Node & { readonly key?: Node; readonly computed?: boolean };
    if (type === 'Property' && parent?.type === 'ObjectExpression' && !computed && key?.type === 'Identifier')
      if (KEYS.has(key.name as string)) found.push(key.name as string);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, node);
  };
  if (ANY.test(source)) visit(parseSync(file, source).program as unknown as Node, undefined);
  return found;
}

test('the server names no behavior, but for the list of its first mailboxes', () => {
  const used = new Set<string>();
  const files = globSync('**/*.{ts,js}', { cwd: SRC, exclude: ['tests/**'] });
  const found = files.flatMap((path) => {
    const file = path.replaceAll('\\', '/');
    if (file === HOUSE) return [];
    return namesIn(file, readFileSync(join(SRC, file), 'utf8'))
      .map((name) => `${file} ${name}`)
      .filter((one) => !OTHERS.has(one) || !used.add(one));
  });
  assert.deepEqual(found, []);
  assert.deepEqual(
    [...OTHERS.keys()].filter((one) => !used.has(one)),
    [],
    'these exceptions are not needed',
  );
});

test('the check can fail: it finds a name compared, in a list, as a key, in JSON and in a query', () => {
  assert.ok(NAMES.length >= 6, NAMES.join());
  const wrong = `
    if (mailbox.behavior === 'do') run();
    const kinds = ['hello', \`proofread\`];
    const words = { assistant: 'Assists' };
    const body = \`{"local_part":"\${local}","behavior":{"name":"agent"}}\`;
    const url = '/mailboxes?behavior=auth';`;
  assert.deepEqual(namesIn('wrong.ts', wrong), ['do', 'hello', 'proofread', 'assistant', 'agent', 'auth']);
  const right = `call.form.get('do'); const of = { agent: 1 }; const text = 'say hello'; const auth = behavior.issuer;`;
  assert.deepEqual(namesIn('right.ts', right), []);
});
