import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { COMMENT_TERMS, isException, NAME_TERMS } from './terms/terms.ts';
import { textsOf, wordsOf } from './terms/texts.ts';

const ROOT = join(import.meta.dirname, '..');

/** Fails when a name, a CSS class or a comment uses a private word for which the project has a standard term. */
const problems: string[] = [];
const checkName = (file: string, line: number, name: string): void => {
  for (const word of wordsOf(name)) {
    const term = NAME_TERMS.get(word);
    if (term !== undefined && !isException(file, word)) {
      problems.push(`${file}:${line}: "${name}" says "${word}"; use ${term}.`);
    }
  }
};
const files = globSync(['{packages,tests,bench,scripts,examples}/**/*.ts', 'packages/server/**/assets/**/*.js'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**', '**/*.d.ts'],
});
for (const file of files.filter((one) => !one.startsWith('scripts/terms/'))) {
  const { names, comments } = textsOf(file, readFileSync(join(ROOT, file), 'utf8'));
  checkName(file, 1, basename(file));
  for (const { line, text } of names) checkName(file, line, text);
  for (const { line, text } of comments) {
    for (const [pattern, term] of COMMENT_TERMS) {
      const [word] = pattern.exec(text) ?? [];
      if (word === undefined || isException(file, word.toLowerCase())) continue;
      problems.push(`${file}:${line}: the comment says "${word}"; use ${term}.`);
    }
  }
}
const sheets = globSync('packages/server/**/assets/*.css', { cwd: ROOT });
for (const file of sheets) {
  for (const [at, line] of readFileSync(join(ROOT, file), 'utf8').split('\n').entries()) {
    for (const [, name = ''] of line.matchAll(/\.([a-z][\w-]*)/g)) checkName(file, at + 1, name);
  }
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} private words; see scripts/terms/terms.ts.\n`);
  process.exitCode = 1;
} else process.stdout.write(`${files.length + sheets.length} files use the standard terms.\n`);
