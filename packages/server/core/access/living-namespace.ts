import { lowerCase } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import type { Namespace } from '../entities/namespace.ts';
import type { Store } from '../ports/store.ts';

/** The namespace of this name. AppError `namespace_not_found`, `namespace_gone`. */
export async function livingNamespace(store: Store, name: string): Promise<Namespace> {
  const namespace = await store.namespaces.byName(lowerCase(name));
  if (namespace === undefined)
    throw new AppError('namespace_not_found', `There is no namespace "${name.slice(0, 100)}" here.`);
  if (namespace.deleted_at !== null)
    throw new AppError('namespace_gone', `The namespace ${namespace.name} was deleted by its owner.`);
  return namespace;
}
