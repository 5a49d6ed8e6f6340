import { enableCompileCache } from 'node:module';

// Compiled code is kept between starts; only what is imported after this line gains from it.
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
