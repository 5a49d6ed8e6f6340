import { join } from 'node:path';
import { expressionsOf } from './linear-text/expressions.ts';
import { costOf, superLinear } from './linear-text/super-linear.ts';

/** Maximum CPU time of one expression on the longest text that it reads, in ms. */
const MAX_MS = 20;

/**
 * Fails when a regular expression of a package may take more than linear time and the length of its input is not bounded.
 */
const { found, unseen } = await expressionsOf(join(import.meta.dirname, '../packages'));
// Imported late: it imports modules of the packages, and expressions built by modules that are already loaded are not recorded.
const { BOUNDED, BUILT_LATER } = await import('./linear-text/bounded.ts');
const errors: string[] = [];
const used = new Set<object>();
for (const { file, line, source, flags } of found) {
  const findings = superLinear(source, flags);
  if (findings.length === 0) continue;
  const description = `packages/${file}:${line}: /${source.length > 100 ? `${source.slice(0, 100)}…` : source}/${flags}`;
  const runs = [...new Set(findings.map(({ character }) => JSON.stringify(character)))].join(', ');
  const exception = BOUNDED.find((one) => one.file === file && source.startsWith(one.begins));
  if (exception !== undefined) used.add(exception);
  if (findings.some(({ steep }) => steep)) errors.push(`${description} is exponential, or nearly, in runs of ${runs}.`);
  else if (exception === undefined) errors.push(`${description} is not linear in runs of ${runs}.`);
  else {
    const ms = costOf(source, flags, findings, exception.length);
    if (ms > MAX_MS) errors.push(`${description} takes ${Math.round(ms)} ms for ${exception.length} characters.`);
  }
}
const later = new Set(Object.keys(BUILT_LATER));
for (const place of unseen) {
  const [file = '', line] = place.split(':');
  if (!later.has(file))
    errors.push(`packages/${file}:${line}: This expression is built at run time, where it is not seen.`);
}
for (const one of BOUNDED) {
  if (!used.has(one)) errors.push(`scripts/linear-text/bounded.ts: There is no ${one.file} /${one.begins}…/ any more.`);
}
for (const file of later) {
  if (!unseen.some((place) => place.startsWith(`${file}:`)))
    errors.push(`scripts/linear-text/bounded.ts: ${file} builds no expression at run time any more.`);
}
if (errors.length > 0) {
  errors.push('Make it linear (docs/decisions/0020), or say in scripts/linear-text/bounded.ts what bounds its input.');
  process.stderr.write(`${errors.join('\n')}\n`);
} else process.stdout.write(`${found.length} regular expressions are linear, or bounded.\n`);
// Imported modules may keep the process alive.
process.exit(errors.length > 0 ? 1 : 0);
