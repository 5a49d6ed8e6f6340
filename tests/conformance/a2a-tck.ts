/**
 * The A2A TCK against an address of this service, for `run.ts`: FOLDER is a checkout of the branch `1.0-dev` of
 * https://github.com/a2aproject/a2a-tck; `a2a.md` beside this file says what it needs, and explains each failure.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../harness/service.ts';
import { openProxy } from './proxy.ts';

const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';
const PACKAGES =
  'python3-pytest python3-pytest-asyncio python3-httpx python3-grpcio python3-protobuf python3-jsonschema libprotobuf-dev protobuf-compiler protobuf-compiler-grpc';
const GET = 'git clone --depth 1 --branch 1.0-dev https://github.com/a2aproject/a2a-tck';

const given = process.argv[2] ?? process.env.A2A_TCK;
if (given === undefined || !existsSync(join(given, 'run_tck.py'))) {
  console.error(
    `Name the folder of the A2A TCK: npm run conformance -- FOLDER\n  ${GET}\n  apt-get install ${PACKAGES}`,
  );
  process.exit(1);
}
const expected = new Set(
  readFileSync(new URL('a2a.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => /^- `([^`]+)`/.exec(line)?.[1] ?? []),
);

/** A copy of the TCK with stubs for the protobuf that is installed, since those that come with it may be newer. */
function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'mailroom-tck-'));
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.includes('/.git') });
  const proto = readFileSync(join(copy, 'specification/a2a.proto'), 'utf8')
    .replace(/import "google\/api\/[^"]+";\n/g, '')
    // The annotations of HTTP are in a package that Debian does not have.
    .replace(/option \(google\.api\.\w+\) = (?:"[^"]*"|\{(?:[^{}"]|"[^"]*"|\{(?:[^{}"]|"[^"]*")*\})*\});/g, '')
    .replace(/\[\s*\(google\.api\.field_behavior\)[^\]]*\]/g, '');
  const stubs = join(copy, 'specification/generated');
  mkdirSync(stubs, { recursive: true });
  writeFileSync(join(stubs, 'a2a.proto'), proto);
  const plugin = spawnSync('which', ['grpc_python_plugin'], { encoding: 'utf8' }).stdout.trim();
  const run = spawnSync(
    'protoc',
    [
      '-I',
      stubs,
      '-I',
      '/usr/include',
      `--python_out=${stubs}`,
      `--grpc_out=${stubs}`,
      `--plugin=protoc-gen-grpc=${plugin}`,
      'a2a.proto',
    ],
    { encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(`protoc made no stubs: ${run.stderr}\nIt needs: apt-get install ${PACKAGES}`);
  // Debian's pytest is older than it asks for, and runs it all the same.
  const settings = join(copy, 'pyproject.toml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^minversion = .*$/m, ''));
  return copy;
}

const folder = copyOf(given);
await using proxy = await openProxy();
const service = await startService({
  main: join(import.meta.dirname, './tck-main.ts'),
  env: { BASE_URL: proxy.url, WEBHOOK_NETWORKS: '127.0.0.1' },
});
let report = '';
try {
  proxy.to({ port: service.port, key: service.ownerKey });
  const creation = await fetch(`${service.url}/api/v1/namespaces/agents/mailboxes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.ownerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ local_part: 'tck', behavior: { name: 'tck' } }),
  });
  if (creation.status !== 201) throw new Error(await creation.text());
  const file = join(folder, 'report.xml');
  const child = spawn(
    PYTHON,
    [
      '-m',
      'pytest',
      'tests/compatibility',
      // They need a package that Debian does not have, and there is no gRPC here.
      '--ignore=tests/compatibility/grpc',
      `--sut-host=${proxy.url}/a2a/tck@agents.mailroom.localhost`,
      '--webhook-host=127.0.0.1',
      '-p',
      'no:cacheprovider',
      '--tb=line',
      '-q',
      `--junitxml=${file}`,
      ...process.argv.slice(3),
    ],
    { cwd: folder, stdio: 'inherit' },
  );
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  report = readFileSync(file, 'utf8');
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

const cases = [...report.matchAll(/<testcase classname="([^"]+)" name="([^"]+)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs)];
const nameOf = ([, file = '', name = '']: readonly string[]): string =>
  `${file.split('.').slice(2).join('.')}.${name}`.replaceAll('&gt;', '>');
const failed = cases.filter(([, , , inside = '']) => /<(failure|error)\b/.test(inside)).map(nameOf);
const skipped = cases.filter(([, , , inside = '']) => inside.includes('<skipped')).length;
const passed = cases.length - failed.length - skipped;
console.log(`${passed} passed, ${failed.length} failed, ${skipped} skipped`);
const unexpected = failed.filter((name) => !expected.has(name));
for (const name of unexpected) console.log(`not expected to fail: ${name}`);
for (const name of expected) if (!failed.includes(name)) console.log(`expected to fail, but did not: ${name}`);
if (unexpected.length > 0 || passed === 0) process.exitCode = 1;
