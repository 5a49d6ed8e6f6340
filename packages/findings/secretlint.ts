import { createRequire } from 'node:module';
import type { SecretLintRuleContext, SecretLintRuleCreator } from '@secretlint/types';
import type { Match } from './finding.ts';
import { type Grams, type Words, wordsOf } from './grams.ts';
import { isPlaceholder } from './tokens.ts';

/**
 * Rules that are left out: comments in a text that switch rules off, which a stranger could write, and keys of Google in
 * files, which `tokens.ts` finds in texts.
 */
const LEFT_OUT = new Set(['@secretlint/secretlint-rule-filter-comments', '@secretlint/secretlint-rule-gcp']);
/** Messages about what is no secret. */
const PUBLIC = new Set(['AWSAccountID']);

const URL_WORDS = '://';
/** The words of which one is in all that a rule finds, as its patterns say in version 13.1.0; a rule that is not here is always asked. */
export const RULE_WORDS: Readonly<Record<string, string>> = {
  aws: 'A3T AKIA AGPA AIDA AROA AIPA ANPA ANVA ASIA SECRET',
  privatekey: 'PRIVATE',
  npm: 'x-oauth-basic _authToken npm_',
  basicauth: URL_WORDS,
  slack: 'xox xapp hooks.slack.com',
  sendgrid: 'SG.',
  shopify: 'shppa_ shpca_ shpat_ shpss_',
  stripe: 'k_live_ k_test_',
  github: 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_',
  gitlab: 'glpat-',
  grafana: 'glc_ glsa_',
  openai: 'T3BlbkFJ',
  anthropic: 'sk-ant-api0',
  groq: 'gsk_',
  huggingface: 'hf_',
  linear: 'lin_api_',
  notion: 'ntn_',
  '1password': 'ops_ey',
  'database-connection-string': URL_WORDS,
  'hashicorp-vault': 'hvs. hvb. hvr.',
  vercel: 'vcp_ vci_ vca_ vcr_ vck_',
  databricks: 'dapi',
  docker: 'dckr_pat_',
  figma: 'figd_',
  cloudflare: 'cfk_ cfut_ cfat_',
  tailscale: 'tskey-',
};

interface Rule {
  readonly create: SecretLintRuleCreator['create'];
  readonly words: Words;
  readonly why: string;
}

let rules: readonly Rule[] | undefined;

/** Loaded on first use, because it takes 20 ms. */
function load(): readonly Rule[] {
  const preset = '@secretlint/secretlint-rule-preset-recommend';
  rules ??= (createRequire(import.meta.url)(preset) as { rules: readonly SecretLintRuleCreator[] }).rules
    .filter(({ meta }) => !LEFT_OUT.has(meta.id))
    .map((rule) => {
      const name = rule.meta.id.replace('@secretlint/secretlint-rule-', '');
      const why = `This looks like a secret of the kind "${name.replaceAll('-', ' ')}".`;
      return { create: rule.create, words: wordsOf(RULE_WORDS[name]?.split(' ') ?? []), why };
    });
  return rules;
}

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
export function secretlintSecrets(text: string, grams: Pick<Grams, 'mayHave'>): Match[] {
  const found: Match[] = [];
  const source = { filePath: 'message.txt', ext: '.txt', contentType: 'text', content: text } as const;
  for (const { create, words, why } of load()) {
    if (!grams.mayHave(words)) continue;
    const context = contextOf(({ message, range: [start, end] }) => {
      if (!PUBLIC.has(message.messageId) && !isPlaceholder(text.slice(start, end)))
        found.push({ start, length: end - start, why });
    });
    // Its other fields are for files.
    void create(context, {}).file?.(source as never);
  }
  return found;
}
