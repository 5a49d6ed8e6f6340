import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder, removeFolder } from '../harness/service.ts';

// The parser imports its schema without the attribute that Node.js asks for.
const hooks = registerHooks({
  load: (url, context, nextLoad) =>
    url.endsWith('.json') ? nextLoad(url, { ...context, importAttributes: { type: 'json' } }) : nextLoad(url, context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
hooks.deregister();

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const manifest: {
  readonly scripts: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
} = JSON.parse(read('package.json'));
const manifests: (typeof manifest)[] = globSync(['packages/*/package.json', 'packages/behaviors/*/package.json'], {
  cwd: ROOT,
}).map((file) => JSON.parse(read(file)));
/** Every package of others that one of this repository names. */
const packages: Record<string, string> = Object.assign(
  {},
  ...[manifest, ...manifests].flatMap(({ dependencies, devDependencies }) => [dependencies, devDependencies]),
);

for (const name of globSync('.github/workflows/*.yml', { cwd: ROOT })) {
  test(`${name} is a workflow, and calls scripts that there are`, async () => {
    const { context, value } = parseWorkflow({ name, content: read(name) }, new NoOperationTraceWriter());
    assert.ok(value !== undefined);
    const { jobs } = await convertWorkflowTemplate(context, value);
    assert.deepEqual(
      context.errors.getErrors().map(({ message }) => message),
      [],
    );
    const commands = jobs
      .flatMap((job) => ('steps' in job ? job.steps : []))
      .map((step) => ('run' in step ? String(step.run) : ''));
    const called = commands
      .flatMap((text) => [...text.matchAll(/\bnpm (?:run (?:--silent )?)?([a-z:]+)/g)])
      .map(([, script = '']) => script);
    assert.ok(
      called.includes('check') &&
        called.includes('test') &&
        called.includes('test:programs') &&
        called.includes('bench'),
    );
    assert.deepEqual(
      called.filter((script) => script !== 'ci' && !(script in manifest.scripts)),
      [],
    );
  });
}

test('the parser rejects a workflow with a key that there is not', () => {
  const content = read('.github/workflows/ci.yml').replace('runs-on:', 'runs:');
  const { context } = parseWorkflow({ name: 'ci.yml', content }, new NoOperationTraceWriter());
  assert.notEqual(context.errors.getErrors().length, 0);
});

test('Node.js is named once: the version file has that of the package', () => {
  assert.equal(read('.node-version').trim(), manifest.dependencies.node);
});

test('dependencies are pinned, and Renovate groups those that there are and merges none by itself', () => {
  assert.deepEqual(
    Object.entries(packages).filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
  const config: { automerge: boolean; packageRules: Record<string, unknown>[] } = JSON.parse(read('renovate.json'));
  assert.equal(config.automerge, false);
  assert.doesNotMatch(JSON.stringify(config.packageRules), /automerge/);
  for (const { matchPackageNames = [], matchDepNames = [] } of config.packageRules) {
    for (const name of [...(matchPackageNames as string[]), ...(matchDepNames as string[])]) {
      const plain = name.replace(/^!/, '').replace(/\*\*$/, '');
      assert.ok(
        Object.keys(packages).some((one) => (name.endsWith('**') ? one.startsWith(plain) : one === plain)),
        name,
      );
    }
  }
});

test('the ratios of a change are those of its runs to those of its base', () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  const output = (ratios: readonly string[]): string =>
    ratios
      .map(
        (ratio) =>
          `## hello: a sync hello\n\n${ratio < '0.4' ? 'MISS' : 'pass'}  at least 0.40 of raw: ${ratio}, in rounds 1–2\n`,
      )
      .join('\n');
  writeFileSync(join(folder, 'base'), output(['0.50', '0.48', '0.52']));
  writeFileSync(
    join(folder, 'head'),
    `${output(['0.39', '0.41'])}## start: starts\n\npass  within 1 s: 1,730 ms at most\n`,
  );
  const script = join(ROOT, 'scripts', 'bench-ratios.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [script, join(folder, 'base'), join(folder, 'head')], {
    encoding: 'utf8',
  });
  assert.deepEqual(
    stdout.trim().split('\n').slice(2),
    ['| hello: at least 0.40 of raw | 0.5 | 0.4 | 0.80 |', '| start: within 1 s |  | 1730 | new |'],
    stderr,
  );
});
