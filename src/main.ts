import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Exchanges live as long as a commit: in V8's usual 16 MB for the young most of them are copied, some into the old, before
// they end. The space grows as it is used.
setFlagsFromString('--max-semi-space-size=64');
// Compiled code is kept between starts; only what is imported after this line gains from it.
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
