import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config.ts';
import { shapeErrors } from '../core/ports/behavior/check.ts';
import type { Host, MakeBehavior } from '../core/ports/behavior/host.ts';
import type { Behavior } from '../core/ports/behavior.ts';
import type { MissingBehavior } from '../core/reports/health.ts';
import { showBehaviors } from '../transports/web/looks.ts';
import type { Base, Later } from './base.ts';
import { makeHost } from './host.ts';
import type { ServiceOptions } from './options.ts';
import type { SignIn } from './sign-in.ts';

/** The behaviors of this repository, by the names of their folders. */
const HERE = new URL('../behaviors/', import.meta.url);
/** The modules that a folder without a package.json may begin with. */
const ENTRIES = ['index.ts', 'index.js'];

/** A behavior that `BEHAVIORS` names and that is not there. */
interface BrokenBehavior extends MissingBehavior {
  readonly error: Error;
}

interface LoadedBehaviors {
  readonly behaviors: readonly Behavior[];
  readonly broken: readonly BrokenBehavior[];
}

type Imported = { readonly make: MakeBehavior } | { readonly broken: BrokenBehavior };

/** The module of a folder's path or a package's name. Throws when there is none. */
function moduleOf(name: string): string {
  if (!/^[./~]|^[a-z]:/i.test(name)) {
    const here = new URL(`${name}/index.ts`, HERE);
    return existsSync(here) ? here.href : import.meta.resolve(name);
  }
  const path = resolve(name);
  if (!statSync(path).isDirectory()) return pathToFileURL(path).href;
  const entry = ENTRIES.map((file) => join(path, file)).find((file) => existsSync(file));
  if (entry === undefined) throw new Error(`${path} has no ${ENTRIES.join(' or ')}`);
  return pathToFileURL(entry).href;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

async function importBehavior(name: string): Promise<Imported> {
  const broken = (reason: BrokenBehavior['reason'], error: unknown): Imported => ({
    broken: { name: basename(name), reason, error: asError(error) },
  });
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

/** Imports the behaviors that `BEHAVIORS` names; they are made by what it resolves to. Never rejects. */
export async function importBehaviors({
  BEHAVIORS,
}: Pick<Config, 'BEHAVIORS'>): Promise<(host: Host) => Promise<LoadedBehaviors>> {
  const imported = await Promise.all(BEHAVIORS.map(importBehavior));
  return async (host) => {
    const behaviors: Behavior[] = [];
    const broken: BrokenBehavior[] = [];
    for (const [place, module] of imported.entries()) {
      if ('broken' in module) {
        broken.push(module.broken);
        continue;
      }
      const name = basename(BEHAVIORS[place] as string);
      const fail = (reason: BrokenBehavior['reason'], error: unknown): void =>
        void broken.push({ name, reason, error: asError(error) });
      try {
        const behavior = await module.make(host);
        if (behavior === undefined) continue;
        const errors = shapeErrors(behavior);
        if (errors.length > 0) fail('not a behavior', new Error(errors.join(' ')));
        else if (behaviors.some((other) => other.name === behavior.name))
          fail('named twice', new Error(`There is a behavior "${behavior.name}" already.`));
        else behaviors.push(behavior);
      } catch (error) {
        fail('failed to start', error);
      }
    }
    return { behaviors, broken };
  };
}

/** Makes the behaviors that were imported; one that is not there is logged and shown on the status page. */
export async function makeBehaviors(
  app: Base & SignIn,
  options: Pick<ServiceOptions, 'behaviors' | 'shared'>,
  imported: ReturnType<typeof importBehaviors>,
  stack: AsyncDisposableStack,
  later: () => Later,
) {
  const host = makeHost(app, stack, later, options.shared);
  const { behaviors, broken } = await (await imported)(host);
  app.health.missing = broken;
  for (const { name, reason, error } of broken)
    app.log.error(
      { behavior: name, reason, err: error },
      'a behavior is not there; its addresses answer with an error',
    );
  const all = [...behaviors, ...(options.behaviors ?? [])];
  showBehaviors(all);
  for (const behavior of all) if (behavior.close !== undefined) stack.defer(() => behavior.close?.());
  return all;
}
