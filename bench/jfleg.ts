// Scores proofreading on a folder with dev.src, dev.ref0 … dev.ref3 and gleu.mjs (JFLEG, Napoles et al. 2017):
//   node bench/jfleg.ts FOLDER [--harper] [--out FILE]
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { check } from '@mailroom/english-proofreader/check';
import { applyEdits, settle } from '@mailroom/english-proofreader/edits';
import { lint } from '@mailroom/english-proofreader/harper';

interface Scorer {
  gleu(sources: string[][], answers: string[][], references: string[][][]): number;
  detok(line: string): string;
  tok(line: string): string;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    harper: { type: 'boolean', default: false },
    out: { type: 'string' },
    split: { type: 'string', default: 'dev' },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('usage: node bench/jfleg.ts FOLDER [--harper] [--out FILE] [--split dev]');

const lines = (name: string): string[] => readFileSync(join(folder, name), 'utf8').replace(/\n$/, '').split('\n');
const words = (line: string): string[] => line.trim().split(/\s+/).filter(Boolean);
const { gleu, detok, tok } = (await import(pathToFileURL(resolve(folder, 'gleu.mjs')).href)) as Scorer;

async function harperAlone(text: string): Promise<string> {
  const findings = await lint(text, 'american');
  const proposals = findings.flatMap(({ start, end, suggestions: [replacement] }) =>
    replacement === undefined
      ? []
      : [{ start, end, replacement, kind: 'grammar' as const, rule: 'bench', explanation: '' }],
  );
  return applyEdits(text, settle(text, proposals));
}

async function ours(text: string): Promise<string> {
  return applyEdits(text, (await check(text, 'american')).edits);
}

const sources = lines(`${values.split}.src`);
const references = [0, 1, 2, 3].map((n) => lines(`${values.split}.ref${n}`).map(words));
const answers: string[] = [];
const started = performance.now();
for (const source of sources) {
  const text = detok(source);
  const corrected = await (values.harper ? harperAlone : ours)(text);
  answers.push(corrected === text ? source : tok(corrected));
}
const perSentence = (performance.now() - started) / sources.length;
const score = gleu(sources.map(words), answers.map(words), references);
if (values.out !== undefined) writeFileSync(values.out, `${answers.join('\n')}\n`);
console.log(`GLEU ${score.toFixed(2)}  ${sources.length} sentences, ${perSentence.toFixed(1)} ms each`);
