import { registerHooks } from 'node:module';

const FORMATS = new Map([
  ['.ts', 'module-typescript'],
  ['.mjs', 'module'],
]);

/**
 * Resolves relative imports of `.ts` and `.mjs` files by their URL alone, for all modules that this thread loads after it.
 * Node looks for each of these 1,200 files and for the package that it belongs to, which takes a sixth of a start.
 */
export function resolveByUrl(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const format = specifier.startsWith('.') ? FORMATS.get(specifier.slice(specifier.lastIndexOf('.'))) : undefined;
      if (format === undefined || context.parentURL === undefined) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
    },
  });
}
