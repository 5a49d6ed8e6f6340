import { createRequire } from 'node:module';
import type { SecretLintRuleContext, SecretLintRuleCreator } from '@secretlint/types';
import type { Match } from './finding.ts';
import { isPlaceholder } from './tokens.ts';

/**
 * Rules that are left out: comments in a text that switch rules off, which a stranger could write, and keys of Google in
 * files, which `tokens.ts` finds in texts.
 */
const LEFT_OUT = new Set(['@secretlint/secretlint-rule-filter-comments', '@secretlint/secretlint-rule-gcp']);
/** Messages about what is no secret. */
const PUBLIC = new Set(['AWSAccountID']);

let rules: readonly SecretLintRuleCreator[] | undefined;

/** Loaded on first use, because it takes 20 ms. */
function load(): readonly SecretLintRuleCreator[] {
  rules ??= (
    createRequire(import.meta.url)('@secretlint/secretlint-rule-preset-recommend') as {
      rules: readonly SecretLintRuleCreator[];
    }
  ).rules.filter(({ meta }) => !LEFT_OUT.has(meta.id));
  return rules;
}

/** `@secretlint/secretlint-rule-github` → `github`. */
const serviceOf = (id: string): string => id.replace('@secretlint/secretlint-rule-', '').replaceAll('-', ' ');

/** What a rule finds is reported to its context, with the id of the message in place of its text, which may hold the secret. */
const contextOf = (report: SecretLintRuleContext['report']): SecretLintRuleContext => ({
  sharedOptions: {},
  createTranslator: () => (messageId, data) => ({ message: '', messageId: String(messageId), data }),
  report,
  ignore: () => undefined,
});

/**
 * Secrets that the recommended rules of secretlint find. The rules are called here and not by its core, which is
 * asynchronous and keeps a list of every call.
 */
export function secretlintSecrets(text: string): Match[] {
  const found: Match[] = [];
  const source = { filePath: 'message.txt', ext: '.txt', contentType: 'text', content: text } as const;
  for (const rule of load()) {
    const why = `This looks like a secret of the kind "${serviceOf(rule.meta.id)}".`;
    const context = contextOf(({ message, range: [start, end] }) => {
      if (!PUBLIC.has(message.messageId) && !isPlaceholder(text.slice(start, end)))
        found.push({ start, length: end - start, why });
    });
    // Its other fields are for files.
    void rule.create(context, {}).file?.(source as never);
  }
  return found;
}
