import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf } from '@mailroom/english-proofreader/choose';
import { ruleNames } from '@mailroom/english-proofreader/harper';
import { RULES } from '@mailroom/english-proofreader/rules/index';

/**
 * `npm run rules`: writes the ids of the proofreader's rules, against which settings are checked, and their page in the docs,
 * from the rules. With `--check` it writes nothing, and fails where one of the two is stale.
 */
const ROOT = join(import.meta.dirname, '..');
const IDS = join(ROOT, 'packages/english-proofreader/rule-ids.ts');
const PAGE = join(ROOT, 'docs/proofreading.md');
/** What stands before it is written by hand. */
const MARK = '\n## Rules of this service\n';
const check = process.argv.includes('--check');

/** What is read beside the own rules and Harper's. */
const SPELLING: Readonly<Record<string, string>> = {
  spelling: 'Words that no dictionary has, where one word is meant.',
  'capital-of-name': 'Names in small letters.',
  'spelling-of-dialect': 'Spellings of another English than the one that is set.',
};

const harper = (await ruleNames()).map((rule) => idOf({ rule })).sort();
const rules = [...new Map(RULES.map((rule) => [rule.id, rule])).values()].sort((a, b) => a.id.localeCompare(b.id));
const ids = [...rules.map(({ id }) => id), ...Object.keys(SPELLING), ...harper];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const example = (fixes: Readonly<Record<string, string>> | undefined): string => {
  const [first] = Object.entries(fixes ?? {});
  return first === undefined ? '' : `${cell(first[0])} → ${cell(first[1])}`;
};

const page = `
## Rules of this service

| id | kind | example |
| --- | --- | --- |
${rules.map(({ id, kind, doubt, fixes }) => `| \`${id}\` | ${kind?.replace('_', ' ') ?? ''}${doubt ? ', as a doubt' : ''} | ${example(fixes)} |`).join('\n')}

## Spelling

| id | finds |
| --- | --- |
${Object.entries(SPELLING)
  .map(([id, finds]) => `| \`${id}\` | ${finds} |`)
  .join('\n')}

## Rules of Harper

What each finds is in [Harper's list](https://writewithharper.com/docs/rules), by the same names in capitals.

${harper.map((id) => `\`${id}\``).join(' ')}
`;

const stale: string[] = [];
function keep(file: string, text: string): void {
  if (readFileSync(file, 'utf8') === text) return;
  stale.push(file);
  if (!check) writeFileSync(file, text);
}

keep(
  IDS,
  `/** The ids of all rules, without the rules, which are large; written by \`npm run rules\`. */\nexport const RULE_IDS: readonly string[] =\n  '${ids.join(' ')}'.split(\n    ' ',\n  );\n`,
);
const [written = ''] = readFileSync(PAGE, 'utf8').split(MARK);
keep(PAGE, `${written.trimEnd()}\n${page}`);
if (check && stale.length > 0) {
  console.error(`Stale: ${stale.join(', ')}. Run: npm run rules`);
  process.exitCode = 1;
}
