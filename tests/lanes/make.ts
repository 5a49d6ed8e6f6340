// `npm test` runs this first: it writes a file for each process of the test runner in build/lanes/. Test files share a
// few processes (lanes), but for those that say on a line of their own why they cannot: `// Own process: …`. Those that
// name what they run on such a line, `// Other programs: …`, are for `npm run test:programs`, and those that say on one of
// which files they are the long form, `// Long form of: …`, for `npm run soak`.
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { changedSince, reaching } from './changed.ts';
import { CHANGED, FOLDER, LIST, LONG_FILE, PROGRAMS, ROOT } from './lanes.ts';

/** More than processors, because many tests wait for another process. */
const LANES = 5;
const APART = /^\/\/ Own process: ./m;

const WITH_PROGRAMS = /^\/\/ Other programs: ./m;
const programs = process.env[PROGRAMS] !== undefined;

const has = (file: string, line: RegExp): boolean => line.test(readFileSync(join(ROOT, file), 'utf8'));
const since = process.env[CHANGED];
const all = globSync(['tests/**/*.test.ts', 'packages/**/tests/**/*.test.ts'], {
  cwd: ROOT,
  exclude: ['**/node_modules'],
})
  .filter((file) => has(file, WITH_PROGRAMS) === programs && !has(file, LONG_FILE))
  .sort();
const files = since === undefined ? all : reaching(all, changedSince(since));
if (since !== undefined) console.log(`${files.length} of ${all.length} test files reach what changed since ${since}.`);
const apart = files.filter((file) => has(file, APART));
const shared = files.filter((file) => !apart.includes(file));
/** A lane takes files of one folder in one turn, because they use the same modules, models and dictionaries. */
const FILES_A_TURN = 12;
/** These start and kill processes: each takes longer than ten others. */
const PROCESSES = join('packages', 'server', 'tests', 'process');
const folderOf = (file: string): string =>
  file
    .split(sep)
    .slice(0, file.split(sep).indexOf('tests') + 2)
    .join(sep);
/** With what a file has in a folder of its own name. */
const partsOf = (file: string): readonly string[] =>
  globSync(file.replace(/\.test\.ts$/, '/*.ts'), { cwd: ROOT }).concat(file);
const sizeOf = (files: readonly string[]): number =>
  files.flatMap(partsOf).reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0);

const turns = [...Map.groupBy(shared, folderOf)].flatMap(([folder, files]) => {
  if (folder === PROCESSES) return files.map((file) => [file]);
  const count = Math.ceil(files.length / FILES_A_TURN);
  return Array.from({ length: count }, (_, at) => files.filter((_, index) => index % count === at));
});
// No lane begins a long turn when the others are done.
const isLong = ([first = '']: readonly string[]): boolean => folderOf(first) === PROCESSES;
turns.sort((a, b) => Number(isLong(b)) - Number(isLong(a)) || sizeOf(b) - sizeOf(a));

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
writeFileSync(LIST, JSON.stringify(turns));
// The runner starts them in the order of their names.
for (let at = 1; at <= LANES; at++) {
  writeFileSync(
    join(FOLDER, `1-lane-${at}.mjs`),
    "import '../../tests/lanes/untracked.ts';\nconst { runLane } = await import('../../tests/lanes/lane.ts');\nawait runLane();\n",
  );
}
for (const file of apart) {
  writeFileSync(join(FOLDER, `2-${file.replaceAll('/', '+')}.mjs`), `import '../../${file}';\n`);
}
