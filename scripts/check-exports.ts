import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Fails on a file, an export or an exported type of a package that no program uses; tests do not count as use. */

/** Exports that only tests use, or that are complete on purpose, and why. Keys: a file or folder, or `file:name`. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['packages/english-proofreader/dialect.ts:inferDialect', 'its cases are tested one by one, without a whole text'],
  ['packages/english-proofreader/offensive.ts:isOffensive', 'tests look for such words in what is offered'],
  [
    'packages/server/core/mail-in/approvals/decision-words.ts:decisionIn',
    'words are tested one by one, without a mail',
  ],
  ['packages/findings/secrets.ts:secretsIn', 'the search of all forms is compared with that of those that may match'],
  ['packages/findings/tokens.ts:TOKENS', 'secrets of each form are generated'],
  ['packages/findings/passwords.ts:KINDS', 'names of each kind are generated'],
  ['packages/findings/secretlint.ts:RULE_WORDS', 'a test holds them to the rules of the library'],
  ['packages/steps/host.ts:limitsOf', 'tests share the planner threads of their services'],
  ['packages/server/core/outgoing/deliver.ts:DeliveryLog', 'tests read what is logged'],
  ['packages/server/core/sign-in/agent-token.ts:audienceOf', 'hostile audiences are tested without a token for each'],
  ['packages/server/core/sign-in/sign-in.ts:CODE_TRIES', 'tests use up the tries of a code'],
  ['packages/server/commands/help.ts:settingsTable', 'a test holds docs/settings.md to it'],
  ['packages/server/http/mount.ts:Handed', 'tests mount a server of their own'],
  ['packages/server/mail/writing/mx.ts:mxHosts', 'the order of servers is tested without connections'],
  ['packages/server/model/model.ts:MODEL_STEPPED', 'the name of a channel that programs around the service listen to'],
  ['packages/server/model/model.ts:ModelStepped', 'what is published on that channel'],
  ['packages/server/net/guarded-fetch.ts:FetchFailed', 'tests tell a failed request from a refused one'],
  ['packages/server/net/guarded-fetch.ts:FetchRefused', 'tests tell a refused request from a failed one'],
  ['packages/server/store/postgres/migrate.ts:SCHEMA', 'the database of a release is kept as SQL'],
  ['packages/server/store/sqlite/connection.ts:assertDurable', 'tests take the settings away that make writes durable'],
  ['packages/server/store/sqlite/deletion.ts:untilHour', 'times of day are tested without waiting for them'],
  ['packages/english-instructions/tasks/plans/rules.ts:checkRule', 'hostile rules are tested without a plan for each'],
  ['packages/server/http/markdown.ts:MARKDOWN_ALLOWS', 'tests compare what is rendered with what is allowed'],
  ['packages/server/transports/web/new/line.ts:firstSentence', 'its cases are tested without a page, and its time'],
  ['packages/server/transports/web/schema-form.ts:schemaFields', 'forms of all schemas are tested without a page'],
  ['packages/workers/pool.ts:WORKER_REPLACED', 'the name of a channel that programs around the service listen to'],
]);

interface Issue {
  readonly file: string;
  readonly [kind: string]: string | readonly { readonly name: string; readonly line?: number }[];
}

const ROOT = join(import.meta.dirname, '..');
const knip = join(ROOT, 'node_modules/knip/bin/knip.js');
const run = spawnSync(process.execPath, [knip, '--production', '--no-progress', '--reporter', 'json'], {
  cwd: ROOT,
  encoding: 'utf8',
});
// It ends with 1 when it found something.
if (run.status !== 0 && run.status !== 1) throw new Error(`knip failed:\n${run.stderr}${run.stdout}`);

const problems: string[] = [];
const needed = new Set<string>();
for (const { file, ...kinds } of (JSON.parse(run.stdout) as { readonly issues: readonly Issue[] }).issues) {
  for (const [kind, found] of Object.entries(kinds)) {
    for (const { name, line = 1 } of found as readonly { readonly name: string; readonly line?: number }[]) {
      const exceptions = [...EXCEPTIONS.keys()].filter(
        (one) => one === `${file}:${name}` || one === file || (one.endsWith('/') && file.startsWith(one)),
      );
      for (const one of exceptions) needed.add(one);
      if (exceptions.length > 0) continue;
      problems.push(
        kind === 'files'
          ? `${file}: no program imports this file. Remove it.`
          : `${file}:${line}: no other file uses "${name}". Remove it, or its "export".`,
      );
    }
  }
}
for (const one of EXCEPTIONS.keys()) {
  if (!needed.has(one)) problems.push(`scripts/check-exports.ts: the exception "${one}" is not needed. Remove it.`);
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} problems with exports.\n`);
  process.exitCode = 1;
} else process.stdout.write(`Every export is used, but for ${EXCEPTIONS.size} exceptions.\n`);
