import { enableCompileCache } from 'node:module';

// Caches compiled code between starts; only modules imported after this line benefit.
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
