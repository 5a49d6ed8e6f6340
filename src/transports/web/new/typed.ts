import { randomUUID } from 'node:crypto';
import type { Behavior } from '../../../core/behavior.ts';
import type { NewMailbox } from '../../../core/mailbox.ts';
import type { Call } from '../../../http/route.ts';
import { readSettings } from '../schema-form.ts';

/** All that was typed on the way to an address. */
export interface Typed {
  readonly name: string;
  readonly local: string;
  /** One that this build has. */
  readonly behavior: Behavior;
  /** Of each behavior, so that looking at another one loses nothing. */
  readonly settings: ReadonlyMap<string, unknown>;
  /** The message to try it with, and the one that was tried before. */
  readonly body: string;
  readonly tried: string;
  /** What makes a second click the same request. */
  readonly once: string;
}

/** Every field of a behavior's settings begins with this. */
export const prefixOf = (behavior: Pick<Behavior, 'name'>): string => `settings.${behavior.name}`;

const TEXT_MOST = 200;

/** What a form holds. */
export function typedOf(form: URLSearchParams, behaviors: readonly Behavior[]): Typed {
  const behavior = chosen(form.get('behavior'), behaviors);
  return {
    name: (form.get('name') ?? '').trim().slice(0, TEXT_MOST),
    local: (form.get('local') ?? '').trim().slice(0, TEXT_MOST),
    behavior,
    settings: new Map(behaviors.map((one) => [one.name, readSettings(one.settings, form, prefixOf(one))])),
    body: form.get('body') ?? '',
    tried: form.get('tried') ?? '',
    once: form.get('once') || randomUUID(),
  };
}

/** What a link holds: an address to begin with, a behavior. */
export function typedOfLink(query: Call['query'], behaviors: readonly Behavior[]): Typed {
  const fields = new URLSearchParams();
  for (const name of ['name', 'local', 'behavior']) {
    const value = query[name];
    if (typeof value === 'string' && !value.includes('\0')) fields.set(name, value);
  }
  const typed = typedOf(fields, behaviors);
  return { ...typed, local: typed.local || (fields.has('local') ? '' : localOf(typed.behavior)) };
}

const chosen = (name: string | null, behaviors: readonly Behavior[]): Behavior =>
  behaviors.find((behavior) => behavior.name === name) ?? (behaviors[0] as Behavior);

/** By custom an address is called as what it does. */
const localOf = ({ name }: Behavior): string => name;

const DISPLAY_NAME = /^(?=.*\S)[^\p{Cc}]{1,100}$/u;

/** The mailbox that is wanted. Whoever gives a name of their own is called by it on their page too. */
export function mailboxOf({ local, behavior, settings }: Typed): NewMailbox {
  const own = settings.get(behavior.name) as { readonly [name: string]: unknown };
  const { name } = own;
  return {
    local_part: local,
    behavior: { name: behavior.name, settings: own },
    ...(typeof name === 'string' && DISPLAY_NAME.test(name) ? { display_name: name } : {}),
  };
}
