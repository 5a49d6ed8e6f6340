/**
 * Importing this module makes the later imports of its thread faster: relative ones of `.ts` and `.mjs` files are resolved
 * by their URL alone, and those that the service makes of bundled packages lead to their bundles. Node looks for each of
 * 1,700 files and for the package that it belongs to, which takes a third of a start.
 */
import { registerHooks } from 'node:module';
import { folders, ROOT, readBundles } from './packages.ts';

const FORMATS = new Map([
  ['.ts', 'module-typescript'],
  ['.mjs', 'module'],
]);
const PACKAGES = '/node_modules/';
/** What the packages of this repository are imported by, each `@mailroom/NAME` or a file of it, `@mailroom/NAME/FILE`. */
const SCOPE = '@mailroom/';
const bundles = readBundles(ROOT);
const ours = folders(ROOT);

/** The file of a package of this repository; undefined for one of others. */
function fileOf(specifier: string): string | undefined {
  const slash = specifier.indexOf('/');
  const folder = ours.get(slash < 0 ? specifier : specifier.slice(0, slash));
  return folder && `${folder}/${slash < 0 ? 'index' : specifier.slice(slash + 1)}.ts`;
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (parentURL === undefined) return next(specifier, context);
    if (specifier.startsWith('.')) {
      const format = FORMATS.get(specifier.slice(specifier.lastIndexOf('.')));
      if (format !== undefined) return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
    }
    const file = specifier.startsWith(SCOPE) ? fileOf(specifier.slice(SCOPE.length)) : undefined;
    if (file !== undefined) return { url: file, format: 'module-typescript', shortCircuit: true };
    const bundle = bundles.get(specifier);
    // A package may have another version of its own.
    if (bundle === undefined || parentURL.includes(PACKAGES)) return next(specifier, context);
    return { url: bundle, format: 'module', shortCircuit: true };
  },
});
