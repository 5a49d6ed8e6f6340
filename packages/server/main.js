// @ts-check
// Plain JavaScript: a first file in TypeScript would make every start load the compiler that removes types.
import { constants, enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Only modules that are imported after this benefit. The folder is filled at install, see commands/compile-cache.ts.
let folder = fileURLToPath(new URL('../../build/compile-cache', import.meta.url));
if (enableCompileCache(folder).status === constants.compileCacheStatus.FAILED) {
  folder = join(tmpdir(), 'node-compile-cache');
  enableCompileCache(folder);
}
// Threads find the cache only by their environment.
process.env.NODE_COMPILE_CACHE ??= folder;

const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
