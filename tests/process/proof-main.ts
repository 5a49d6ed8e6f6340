// The service for proofs: as it is, with the behaviors `gated` and `stumbling`, which share the folder GATES with the test;
// NODE_NAME tells its processes apart. DEFECT puts in a fault that a proof is to find, FAIL_AT a write at which it kills
// itself.
import { enableCompileCache } from 'node:module';

// As src/main.ts does: it is started often.
enableCompileCache();
await import('./proof/run.ts');
