import { randomUUID } from 'node:crypto';
import type { Behavior } from '@mailroom/behavior';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import type { NewMailbox } from '../../../core/entities/mailbox.ts';
import type { Call } from '../../../http/route.ts';
import { readBehavior } from '../task-form.ts';
import { lineFor } from './line.ts';

/** Everything that was typed so far. */
export interface Typed {
  readonly name: string;
  readonly local: string;
  /** A behavior of this build. */
  readonly behavior: Behavior;
  /** Settings of every behavior, so that switching between behaviors loses nothing. */
  readonly settings: ReadonlyMap<string, unknown>;
  /** The owner's description in one line. */
  readonly line: string;
  /** Whether it is in the directory; otherwise only a link leads to it. */
  readonly listed: boolean;
  /** The message for the preview. */
  readonly body: string;
  /** The message of the latest preview. */
  readonly tried: string;
  /** The idempotency key, which makes a second click the same request. */
  readonly idempotency: string;
}

/** The prefix of the names of a behavior's settings fields. */
export const prefixOf = (behavior: Pick<Behavior, 'name'>): string => `settings.${behavior.name}`;

const MAX_TEXT = 200;

/** Reads the form. */
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

/** Reads the query of a link: an address and a behavior to begin with. */
export function typedOfLink(query: Call['query'], behaviors: readonly Behavior[]): Typed {
  const fields = new URLSearchParams();
  for (const name of ['name', 'local', 'behavior']) {
    const value = query[name];
    if (typeof value === 'string' && !value.includes('\0')) fields.set(name, value);
  }
  const typed = typedOf(fields, behaviors);
  return { ...typed, local: typed.local || (fields.has('local') ? '' : localOf(typed.behavior)) };
}

/** The behavior that a link asks for and this service does not offer. */
export function absentBehavior({ behavior }: Call['query'], behaviors: readonly Behavior[]): string | undefined {
  const offered = behaviors.some(({ name }) => name === behavior);
  return typeof behavior === 'string' && behavior !== '' && !offered ? behavior.slice(0, MAX_TEXT) : undefined;
}

const chosen = (name: string | null, behaviors: readonly Behavior[]): Behavior =>
  behaviors.find((behavior) => behavior.name === name) ?? defaultBehavior(behaviors);

/**
 * The behavior that a form begins with: the first one that answers without a program of the owner. AppError `unavailable`
 * when there is none at all.
 */
export function defaultBehavior(behaviors: readonly Behavior[]): Behavior {
  const first = behaviors.find(({ answered }) => answered === undefined) ?? behaviors[0];
  if (first !== undefined) return first;
  throw new AppError(
    'unavailable',
    'No address can be made here now: none of the behaviors that answer messages is loaded. The page /status names them.',
  );
}

/** The default local part is the name of the behavior. */
const localOf = ({ name }: Behavior): string => name;

const DISPLAY_NAME = /^(?=.*\S)[^\p{Cc}]{1,100}$/u;

/** The requested mailbox. A name in the settings also becomes its display name. */
export function mailboxOf({ local, behavior, settings, line, listed }: Typed): NewMailbox {
  const fields = settings.get(behavior.name) as { readonly [name: string]: unknown };
  const { name } = fields;
  return {
    local_part: local,
    // The behavior's own description is written for programs that choose a behavior.
    description: line || lineFor(behavior, fields),
    behavior: { name: behavior.name, settings: fields },
    visibility: listed ? 'listed' : 'unlisted',
    ...(typeof name === 'string' && DISPLAY_NAME.test(name) ? { display_name: name } : {}),
  };
}

/** The limit of a description, as in `core/entities/mailbox`. */
const MAX_LINE = 300;

/** Which fields are required here though the schema leaves them optional. */
export const needsOf = ({ looks }: Pick<Behavior, 'looks'>): Readonly<Record<string, string>> =>
  looks?.needs?.words ?? {};

/** Errors that validation of the settings does not find. */
export function errorsOf({ behavior, settings, line }: Typed): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { length } = Array.from(line);
  if (length > MAX_LINE)
    errors.push({ pointer: LINE, message: `This has ${length} characters; ${MAX_LINE} are allowed.` });
  const given = settings.get(behavior.name) as { readonly [name: string]: unknown };
  const { words = {}, missing = '' } = behavior.looks?.needs ?? {};
  const pointers = Object.keys(words);
  // Without any of them it would have nothing to say.
  if (pointers.length > 0 && pointers.every((pointer) => isBlank(given[pointer.slice(1)])))
    errors.push({ pointer: `/behavior/settings${pointers[0]}`, message: missing });
  return errors;
}

/** The pointer of errors in the description. */
export const LINE = '/description';

const isBlank = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value.trim() === '');
