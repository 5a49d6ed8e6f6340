import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folders } from '@mailroom/workers/modules/packages';
import { ROOT } from './lanes.ts';

const CODE = /\.(?:[cm]?[jt]s)$/;
/** A text in quotation marks that may be the path of a file. */
const QUOTED = /['"]([\w./@-]{1,200})['"]/g;
/** A path in parts, below the root of the repository or the folder of the file. */
const JOINED = /\b(?:join|resolve)\((ROOT|import\.meta\.dirname)((?:,\s*'[\w./@-]+')+)/g;

const git = (...args: readonly string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);

/**
 * The files that changed since the commit, also those that are not committed or are new, as paths from the root.
 * @throws when git does not know the commit.
 */
export function changedSince(commit: string): ReadonlySet<string> {
  const since = execFileSync('git', ['merge-base', commit, 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  return new Set([
    ...git('diff', '--name-only', '-z', since),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
}

const SCOPE = '@mailroom/';
const packages = folders(ROOT);

/** The file of a package of this repository that is imported by its name. */
function moduleFile(path: string): string | undefined {
  if (!path.startsWith(SCOPE)) return undefined;
  const [name = '', ...parts] = path.slice(SCOPE.length).split('/');
  const folder = packages.get(name);
  return folder && `${fileURLToPath(folder)}/${parts.length === 0 ? 'index' : parts.join('/')}.ts`;
}

/** Folders of which a name is a part of a path to something in them. */
const WHOLE = new Set([join(ROOT, 'tests'), join(ROOT, 'packages')]);
/** A module that loads others by name, and the folder that they are in. */
const LOADER = 'packages/server/service/behaviors.ts';
const LOADED = 'packages/behaviors/';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
const below = (folder: string, path: string): boolean => path.startsWith(folder + sep);

/** What a file imports, starts as a thread or a process, or reads, as far as it names it: files, and whole folders. */
function namedBy(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const folder = join(ROOT, dirname(file));
  const quoted = [...text.matchAll(QUOTED)].map(([, path = '']) => path);
  const joined = [...text.matchAll(JOINED)].map(([, base, parts = '']) =>
    join(base === 'ROOT' ? ROOT : folder, ...[...parts.matchAll(QUOTED)].map(([, part = '']) => part)),
  );
  const files = quoted.map(
    (path) => moduleFile(path) ?? (path.startsWith('.') ? resolve(folder, path) : join(ROOT, path)),
  );
  const folders = files.filter((_, place) => /^\.{1,2}\/.*\/$/.test(quoted[place] ?? ''));
  const named = [...files.filter(isFile), ...folders, ...joined]
    .filter((path) => below(ROOT, path) && !below(join(ROOT, 'node_modules'), path) && !WHOLE.has(path))
    .flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      const name = relative(ROOT, path).replaceAll(sep, '/');
      return found === undefined ? [] : [found.isDirectory() ? `${name}/` : name];
    });
  return file === LOADER ? [...named, LOADED] : named;
}

/** Those of `files` that are among `changed`, or name such a file or its folder, or a file that does so in turn. */
export function reaching(files: readonly string[], changed: ReadonlySet<string>): string[] {
  const paths = [...changed];
  const named = new Map<string, readonly string[]>();
  return files.filter((first) => {
    const seen = new Set([first]);
    // A set that grows is iterated to its end.
    for (const file of seen) {
      if (changed.has(file) || (file.endsWith('/') && paths.some((path) => path.startsWith(file)))) return true;
      if (!CODE.test(file)) continue;
      if (!named.has(file)) named.set(file, namedBy(file));
      for (const next of named.get(file) ?? []) seen.add(next);
    }
    return false;
  });
}
