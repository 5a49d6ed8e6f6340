import type { Behavior } from '@mailroom/behavior';
import type { FormWords } from '@mailroom/behavior/looks';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Html } from '../../../http/html.ts';
import type { ErrorLink } from '../schema-form.ts';
import { behaviorForm } from '../task-form.ts';
import { wordsOf } from '../words.ts';
import { LINE, needsOf, prefixOf, type Typed } from './typed.ts';

export const LINE_LABEL = 'One line about it';

/** The fields of a behavior's settings on this page, and a link to each field that is wrong. */
export function settingsFields(
  behavior: Behavior,
  typed: Pick<Typed, 'settings'>,
  errors: readonly FieldError[],
): { readonly fields: Html; readonly links: readonly ErrorLink[] } {
  const { form, more, nothing } = wordsOf(behavior);
  return behaviorForm(behavior, typed.settings.get(behavior.name), {
    prefix: prefixOf(behavior),
    errors,
    words: withNeeds(form, needsOf(behavior)),
    more,
    nothing,
  });
}

/** What is wrong with what was typed, each with a link to its field. */
export function errorLinks(typed: Typed, errors: readonly FieldError[]): readonly ErrorLink[] {
  const wrong = errors.find(({ pointer }) => pointer === LINE)?.message;
  const line = wrong === undefined ? [] : [{ href: '#line', text: `${LINE_LABEL}: ${wrong}` }];
  return [...line, ...settingsFields(typed.behavior, typed, errors).links];
}

const withNeeds = (words: FormWords, needs: Readonly<Record<string, string>>): FormWords => ({
  ...words,
  ...Object.fromEntries(Object.entries(needs).map(([pointer, need]) => [pointer, { ...words[pointer], need }])),
});
