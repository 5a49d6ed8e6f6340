// The service with the behaviors `gated` and `stumbling`, which share the folder GATES with the test; NODE_NAME
// distinguishes its processes. DEFECT adds a bug that the tests must detect, FAIL_AT names a write at which it kills
// itself.
import { enableCompileCache } from 'node:module';

// As in packages/server/main.js, because it is started often.
enableCompileCache();
await import('./proof/run.ts');
