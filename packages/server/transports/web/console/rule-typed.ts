import type { NewRule, RulesView } from '../../../core/entities/rules.ts';
import { textsOf } from './fields.ts';

/** The fields with a text, or one a line. */
const LISTS = ['from', 'to', 'subject', 'body', 'finding', 'label'] as const;
type ListName = (typeof LISTS)[number];
const TEXTS = [...LISTS, 'was', 'id', 'add_labels', 'forward_to', 'assign'] as const;

/**
 * What was typed of a rule; `was` is its id before, '' for a new one, and `assign` the id of a member. Lists have an
 * entry a line.
 */
export interface TypedRule extends Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly has: boolean;
  /** '' for either. */
  readonly verified: '' | 'yes' | 'no';
  readonly channel: readonly string[];
  readonly review: boolean;
  readonly unanswered: boolean;
  readonly done: boolean;
}

export const blankRule: TypedRule = readRule(new URLSearchParams());

export function typedOf({ id, if: conditions, then }: RulesView[number]): TypedRule {
  const listed = (name: ListName | 'channel'): readonly string[] => [conditions[name] ?? []].flat();
  const lists = Object.fromEntries(LISTS.map((name) => [name, listed(name).join('\n')])) as Record<ListName, string>;
  return {
    ...lists,
    was: id,
    id,
    has: conditions.has !== undefined,
    verified: conditions.verified === undefined ? '' : conditions.verified ? 'yes' : 'no',
    channel: listed('channel'),
    add_labels: (then.label ?? []).join(', '),
    forward_to: then.forward_to ?? '',
    assign: then.assign ?? '',
    review: then.review === true,
    unanswered: then.answer === false,
    done: then.done === true,
  };
}

export function readRule(form: URLSearchParams): TypedRule {
  const verified = form.get('verified');
  return {
    ...textsOf(form, TEXTS),
    has: form.has('has'),
    verified: verified === 'yes' || verified === 'no' ? verified : '',
    channel: form.getAll('channel'),
    review: form.has('review'),
    unanswered: form.has('unanswered'),
    done: form.has('done'),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** The rule that was typed, unchecked. */
export function ruleOf(typed: TypedRule): NewRule {
  const lists = Object.fromEntries(
    LISTS.map((name) => [name, linesOf(typed[name])] as const).filter(([, entries]) => entries.length > 0),
  );
  const labels = typed.add_labels.split(/[\s,]+/).filter((one) => one !== '');
  return {
    id: typed.id,
    if: {
      ...lists,
      ...(typed.has && { has: 'attachment' }),
      ...(typed.verified !== '' && { verified: typed.verified === 'yes' }),
      ...(typed.channel.length > 0 && { channel: [...typed.channel] }),
    } as NewRule['if'],
    then: {
      ...(labels.length > 0 && { label: [...new Set(labels)] }),
      ...(typed.forward_to !== '' && { forward_to: typed.forward_to }),
      ...(typed.assign !== '' && { assign: typed.assign }),
      ...(typed.review && { review: true }),
      ...(typed.unanswered && { answer: false }),
      ...(typed.done && { done: true }),
    },
  };
}

/** Rules as they are written: without what the service says of them. */
export const givenRules = (shown: RulesView): readonly NewRule[] =>
  shown.map((rule) => {
    const { forward_confirmed: _, forward_stopped: __, ...given } = rule;
    return given;
  });
