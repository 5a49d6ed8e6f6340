import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What `npm start` passes to Node.js: its flags, then `src/main.js`. Code that was compiled with other flags is not used.
 * @throws when the script `start` of package.json does not run node.
 */
export function startArguments(root: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  const program = words.indexOf('node');
  if (program === -1) throw new Error(`The script "start" of package.json does not run node: ${scripts.start}`);
  return words.slice(program + 1);
}
