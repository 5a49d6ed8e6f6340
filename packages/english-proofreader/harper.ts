import { fileURLToPath } from 'node:url';
import { type BinaryModule, type Lint, LocalLinter } from 'harper.js';
import { DIALECTS, type Dialect } from './dialect.ts';
import { mayHavePhrases, PHRASE_RULES } from './harper-phrases.ts';
import { LEFT_OUT } from './harper-rules.ts';

/** A finding of Harper, with its place in UTF-16 code units. */
export interface Finding {
  readonly rule: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly suggestions: readonly string[];
}

/** One linter per dialect, created with the first text of that dialect. */
const linters = new Map<Dialect, Promise<LocalLinter>>();
/** Linters without the rules about phrases, which take half of the time and apply to few texts. */
const withoutPhrases = new Map<Dialect, Promise<LocalLinter>>();
/** Linters for single words, which share the binary's dictionary and take a quarter of the time. */
const spellers = new Map<Dialect, Promise<LocalLinter>>();

async function makeLinter(dialect: Dialect, wanted: (rule: string) => boolean): Promise<LocalLinter> {
  const linter = new LocalLinter({ binary: await binary(), dialect: DIALECTS.indexOf(dialect) });
  const config = await linter.getDefaultLintConfig();
  for (const rule of Object.keys(config)) if (!wanted(rule)) config[rule] = false;
  await linter.setLintConfig(config);
  return linter;
}

const leftOut: ReadonlySet<string> = new Set(LEFT_OUT);
const notLeftOut = (rule: string): boolean => !leftOut.has(rule);
const notOfPhrases = (rule: string): boolean => notLeftOut(rule) && !PHRASE_RULES.has(rule);
const ofWords = (rule: string): boolean => notLeftOut(rule) && /Spell|Capital|Orthographic|ProperNoun/.test(rule);

/** The WebAssembly binary. Harper takes a URL's path for a file name, so a path with blanks needs the inlined binary. */
async function binary(): Promise<BinaryModule> {
  const url = new URL(import.meta.resolve('harper.js/slimBinary'));
  if (url.pathname === fileURLToPath(url)) return (await import('harper.js/slimBinary')).slimBinary;
  return (await import('harper.js/slimBinaryInlined')).slimBinaryInlined;
}

function linterFor(dialect: Dialect, cache = linters, wanted = notLeftOut): Promise<LocalLinter> {
  let linter = cache.get(dialect);
  if (linter === undefined) {
    linter = makeLinter(dialect, wanted);
    cache.set(dialect, linter);
  }
  return linter;
}

/** The names of Harper's rules that are used. */
export async function ruleNames(): Promise<string[]> {
  const config = await (await linterFor('american')).getLintConfig();
  return Object.keys(config).filter(notLeftOut);
}

/** Harper's findings, unfiltered. */
export async function lint(text: string, dialect: Dialect): Promise<Finding[]> {
  const linter = await (mayHavePhrases(text) ? linterFor(dialect) : linterFor(dialect, withoutPhrases, notOfPhrases));
  const groups = await linter.organizedLints(text, { language: 'markdown' });
  const findings: Finding[] = [];
  for (const [rule, lints] of Object.entries(groups)) {
    for (const found of lints) {
      findings.push(read(rule, found, text));
      found.free();
    }
  }
  return findings;
}

function read(rule: string, found: Lint, text: string): Finding {
  // Harper 2.10 counts UTF-16 code units, as JavaScript does; a lone surrogate is one.
  const span = found.span();
  const { start, end } = span;
  span.free();
  const original = text.slice(start, end);
  const suggestions = found.suggestions().map((suggestion) => {
    const kind = suggestion.kind();
    const given = suggestion.get_replacement_text();
    suggestion.free();
    return kind === 1 ? '' : kind === 2 ? original + given : given;
  });
  return { rule, kind: found.lint_kind(), start, end, message: found.message(), suggestions };
}

const spelled = new Map<string, boolean>();
const MAX_SPELLED = 20_000;

/** Whether the dialect's dictionary has a word or a few words; results are cached, because they never change. */
export async function isSpelled(word: string, dialect: Dialect): Promise<boolean> {
  const key = `${dialect} ${word}`;
  const known = spelled.get(key);
  if (known !== undefined) return known;
  const linter = await linterFor(dialect, spellers, ofWords);
  const lints = await linter.lint(`The ${word}.`, { language: 'plaintext' });
  let right = true;
  for (const found of lints) {
    if (found.lint_kind() === 'Spelling' || found.lint_kind() === 'Capitalization') right = false;
    found.free();
  }
  if (spelled.size >= MAX_SPELLED) spelled.clear();
  spelled.set(key, right);
  return right;
}
