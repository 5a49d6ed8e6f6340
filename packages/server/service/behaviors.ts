import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Behavior } from '@mailroom/behavior';
import { shapeErrors } from '@mailroom/behavior/check';
import type { Host, MakeBehavior } from '@mailroom/behavior/host';
import type { Config } from '../config.ts';
import type { MissingBehavior } from '../core/reports/health.ts';
import { showBehaviors } from '../transports/web/looks.ts';
import type { Base, Later } from './base.ts';
import { makeHost } from './host.ts';
import type { ServiceOptions } from './options.ts';
import type { SignIn } from './sign-in.ts';

/** The packages of this repository are below it, and may be named without. */
const SCOPE = '@mailroom/';
/** The modules that a folder without a package.json may begin with. */
const ENTRIES = ['index.ts', 'index.js'];

/** A behavior that `BEHAVIORS` names and that is not there. */
interface BrokenBehavior extends MissingBehavior {
  readonly error: Error;
}

interface Broken {
  readonly broken: Omit<BrokenBehavior, 'name'>;
}

type Imported = { readonly make: MakeBehavior } | Broken;

const broken = (reason: BrokenBehavior['reason'], error: unknown): Broken => ({
  broken: { reason, error: error instanceof Error ? error : new Error(String(error)) },
});

function packaged(name: string): string {
  try {
    return import.meta.resolve(SCOPE + name);
  } catch {
    return import.meta.resolve(name);
  }
}

/** The module of a folder's path or a package's name. Throws when there is none. */
function moduleOf(name: string): string {
  if (!/^[./~]|^[a-z]:/i.test(name)) return packaged(name);
  const path = resolve(name);
  if (!statSync(path).isDirectory()) return pathToFileURL(path).href;
  const entry = ENTRIES.map((file) => join(path, file)).find((file) => existsSync(file));
  if (entry === undefined) throw new Error(`${path} has no ${ENTRIES.join(' or ')}`);
  return pathToFileURL(entry).href;
}

async function importBehavior(name: string): Promise<Imported> {
  let module: string;
  try {
    module = moduleOf(name);
  } catch (error) {
    return broken('not found', error);
  }
  try {
    const { default: make } = (await import(module)) as { readonly default?: unknown };
    if (typeof make === 'function') return { make: make as MakeBehavior };
    return broken('not a behavior', new Error('Its default export is no function.'));
  } catch (error) {
    return broken('failed to start', error);
  }
}

/** Imports the behaviors that `BEHAVIORS` names. Never rejects. */
export const importBehaviors = ({ BEHAVIORS }: Config): Promise<readonly Imported[]> =>
  Promise.all(BEHAVIORS.map(importBehavior));

/** Makes the behaviors that were imported; one that is not there is logged and shown on the status page. */
export async function makeBehaviors(
  app: Base & SignIn,
  options: Pick<ServiceOptions, 'behaviors' | 'shared'>,
  imported: readonly Imported[],
  stack: AsyncDisposableStack,
  later: () => Later,
): Promise<readonly Behavior[]> {
  const { config, health, log } = app;
  const host = makeHost(app, stack, later, options.shared);
  const behaviors: Behavior[] = [];
  const broken: BrokenBehavior[] = [];
  for (const [place, module] of imported.entries()) {
    const result = 'broken' in module ? module : await makeBehavior(module.make, host, behaviors);
    if (result !== undefined && 'broken' in result)
      broken.push({ name: basename(config.BEHAVIORS[place] as string), ...result.broken });
    else if (result !== undefined) behaviors.push(result.behavior);
  }
  health.missing = broken;
  for (const { name, reason, error } of broken)
    log.error({ behavior: name, reason, err: error }, 'a behavior is not there; its addresses answer with an error');
  const all = [...behaviors, ...(options.behaviors ?? [])];
  showBehaviors(all);
  for (const behavior of all) if (behavior.close !== undefined) stack.defer(() => behavior.close?.());
  return all;
}

/** Undefined for a behavior that is not to be offered here. */
async function makeBehavior(
  make: MakeBehavior,
  host: Host,
  others: readonly Behavior[],
): Promise<{ readonly behavior: Behavior } | Broken | undefined> {
  try {
    const behavior = await make(host);
    if (behavior === undefined) return undefined;
    const errors = shapeErrors(behavior);
    if (errors.length > 0) return broken('not a behavior', new Error(errors.join(' ')));
    const isTaken = others.some(({ name }) => name === behavior.name);
    return isTaken ? broken('named twice', new Error(`There is a behavior "${behavior.name}" already.`)) : { behavior };
  } catch (error) {
    return broken('failed to start', error);
  }
}
