import { randomUUID } from 'node:crypto';
import type { NewMailbox } from '../../../core/entities/mailbox.ts';
import type { Behavior } from '../../../core/ports/behavior.ts';
import type { FieldError } from '../../../core/values/error.ts';
import type { Call } from '../../../http/route.ts';
import { readBehavior } from '../task-form.ts';
import { lineFor } from './line.ts';

/** All that was typed on the way to an address. */
export interface Typed {
  readonly name: string;
  readonly local: string;
  /** One that this build has. */
  readonly behavior: Behavior;
  /** Of each behavior, so that looking at another one loses nothing. */
  readonly settings: ReadonlyMap<string, unknown>;
  /** What it is, in one line of its owner's. */
  readonly line: string;
  /** It stands in the directory; else only those who have its link find it. */
  readonly listed: boolean;
  /** The message to try it with, and the one that was tried before. */
  readonly body: string;
  readonly tried: string;
  /** What makes a second click the same request. */
  readonly idempotency: string;
}

/** Every field of a behavior's settings begins with this. */
export const prefixOf = (behavior: Pick<Behavior, 'name'>): string => `settings.${behavior.name}`;

const MAX_TEXT = 200;

/** What a form holds. */
export function typedOf(form: URLSearchParams, behaviors: readonly Behavior[]): Typed {
  const behavior = chosen(form.get('behavior'), behaviors);
  return {
    name: (form.get('name') ?? '').trim().slice(0, MAX_TEXT),
    local: (form.get('local') ?? '').trim().slice(0, MAX_TEXT),
    behavior,
    settings: new Map(behaviors.map((one) => [one.name, readBehavior(one, form, prefixOf(one))])),
    line: (form.get('line') ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim(),
    listed: form.get('visibility') === 'listed',
    body: form.get('body') ?? '',
    tried: form.get('tried') ?? '',
    idempotency: form.get('once') || randomUUID(),
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
export function mailboxOf({ local, behavior, settings, line, listed }: Typed): NewMailbox {
  const own = settings.get(behavior.name) as { readonly [name: string]: unknown };
  const { name } = own;
  return {
    local_part: local,
    // What the behavior says of itself is for programs that choose one.
    description: line || lineFor(behavior, own),
    behavior: { name: behavior.name, settings: own },
    visibility: listed ? 'listed' : 'unlisted',
    ...(typeof name === 'string' && DISPLAY_NAME.test(name) ? { display_name: name } : {}),
  };
}

/** As `core/mailbox` has it of a description. */
const MAX_LINE = 300;

/** What the fields of a behavior say here beside its own words: what is needed here though its schema leaves it open. */
export const needsOf = ({ name }: Pick<Behavior, 'name'>): Readonly<Record<string, string>> =>
  name === 'hello' ? { '/name': 'Required, or an introduction', '/introduction': 'Required, or a name' } : {};

/** What an address cannot be made with, though each of its settings is right. */
export function errorsOf({ behavior, settings, line }: Typed): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { length } = Array.from(line);
  if (length > MAX_LINE)
    errors.push({ pointer: LINE, message: `This has ${length} characters; ${MAX_LINE} are allowed.` });
  const { name, introduction } = settings.get(behavior.name) as { readonly [name: string]: unknown };
  // It would only say the address it was written to.
  if (behavior.name === 'hello' && isBlank(name) && isBlank(introduction))
    errors.push({ pointer: '/behavior/settings/name', message: 'Write a name or an introduction.' });
  return errors;
}

/** Where a fault of the line is said to be. */
export const LINE = '/description';

const isBlank = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value.trim() === '');
