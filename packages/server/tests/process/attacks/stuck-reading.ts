// Preloaded into a service: its threads of `do` are those of `stuck-worker.ts`.
import { registerHooks } from 'node:module';

const WORKER = '/behaviors/do/threads/worker.ts';
const STUCK = new URL('./stuck-worker.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith(WORKER) && context.parentURL !== STUCK ? next(STUCK, context) : next(specifier, context),
});
