import type { Domain } from '../../language/grammar.ts';
import { rulesOf } from './rules.ts';
import type { Source } from './selecting.ts';
import { answering, type Free, type Request } from './setting.ts';

type Written = 'upper' | 'lower' | 'as is';
/** The pieces of a name in their order, and what stands between and behind them. */
interface Form {
  readonly pieces: readonly (readonly [of: Piece, written: Written])[];
  readonly between: string;
  readonly behind: string;
}

/** What the pieces of a name are called, and how they are shown in samples such as "j.smith". */
const CALLED = {
  last: '(?:last|family) ?names?|surnames?',
  first: '(?:first|given|christian) ?names?|forenames?',
  initial: '(?:first )?initials?(?: of (?:the |their )?(?:first name|forename))?',
};
const SHOWN = { last: 'smith|doe|bloggs|jones', first: 'john|jane|joe|anna?', initial: '[jf]' };
type Piece = keyof typeof CALLED;
const PIECES = Object.keys(CALLED) as readonly Piece[];
const ONE = `(${PIECES.map((of) => `${CALLED[of]}|${SHOWN[of]}`).join('|')})`;
const FORM = new RegExp(
  `^(?:their |the |just )*${ONE}( ?, ?|\\.? ?|[_-]|,? (?:and |then |followed by |plus )+(?:the |their )*)${ONE}(\\.?)(?: (?:only|order|form|format))?$`,
  'i',
);
const isOne = (all: string, word: string): boolean => new RegExp(`^(?:${all})$`, 'i').test(word);

/** The form that words describe, as "surname, first name", or that a sample has, as "j.smith". */
function formOf(text: string): Form | undefined {
  const [, one, link = '', other, behind = ''] = FORM.exec(text.trim().replace(/^["“](.*)["”]$/, '$1')) ?? [];
  if (one === undefined || other === undefined) return undefined;
  const [first, second] = [one, other].map((word): readonly [Piece | undefined, Written] => [
    PIECES.find((of) => isOne(CALLED[of], word) || isOne(SHOWN[of], word)),
    word.length > 1 && word === word.toUpperCase()
      ? 'upper'
      : PIECES.some((of) => isOne(SHOWN[of], word)) && word === word.toLowerCase()
        ? 'lower'
        : 'as is',
  ]);
  if (first?.[0] === undefined || second?.[0] === undefined || (first[0] === 'last') === (second[0] === 'last'))
    return undefined;
  const between = /[a-z]|^ $/i.test(link) ? ' ' : link.replace(/^ ?, ?$/, ', ');
  return {
    pieces: [first, second] as Form['pieces'],
    between: isOne(CALLED.initial, one) && between === ' ' ? '. ' : between,
    behind,
  };
}

/** The first and last names of all, each of which has both. */
function namesIn({ text }: Source): readonly (readonly [first: string, last: string])[] | undefined {
  const lines = text.trim().split('\n');
  const turned =
    lines.every((line) => /^[^,;]+, [^,;]+$/.test(line.trim())) &&
    lines.every((line) => line.slice(0, line.lastIndexOf(',')).split(' ').length <= 3);
  const single = lines.length > 1 || (turned && !/\S \S.*,|, \S+ \S/.test(text));
  const all = single ? lines : text.trim().split(/[,;] (?:and )?| and /);
  const names = all.map((one) => {
    const [last, first] = turned && single ? one.split(/, /) : [];
    const words = one.trim().split(/ +/);
    return first !== undefined && last !== undefined
      ? ([first.trim(), last.trim()] as const)
      : ([words.slice(0, -1).join(' '), words.at(-1) ?? ''] as const);
  });
  // Whether "van" is a part of the last name nothing says.
  return names.every(([first, last]) => /^\p{L}/u.test(first) && /^\p{L}/u.test(last) && !/ \p{Ll}/u.test(first))
    ? names
    : undefined;
}

const written = (text: string, as: Written): string =>
  as === 'upper' ? text.toUpperCase() : as === 'lower' ? text.toLowerCase() : text;

/** All names of a text in a form, as lines or as a list. */
function formed(source: Source, form: Form | undefined): Request | undefined {
  const names = source.text.includes('{{') ? undefined : namesIn(source);
  if (form === undefined || names === undefined) return undefined;
  const all = names.map(([first, last]) => {
    const texts = { first, last, initial: first.slice(0, 1) };
    return form.pieces.map(([of, as]) => written(texts[of], as)).join(form.between) + form.behind;
  });
  return answering(all.join(source.text.includes('\n') ? '\n' : form.between.includes(',') ? '; ' : ', '));
}

/** All names of a text in the form that words describe. */
export const named = (source: Source, form: string): Request | undefined => formed(source, formOf(form));

const rule = rulesOf<Record<'listing' | 'place', Source>>();

/** Full names in another form, that is described or shown. */
export const NAME_FORMS: Domain = {
  lexicon: {
    INFORMOF:
      'into the form|in the form|in the format|into the format|to the form|to the format|in this form|in the order|into the order|in the style|of the form|in the form of|in the pattern|as|like|into|in|to|in the form like|so that they read|so they read|so that they are',
    USERNAMES:
      'usernames|user names|logins|login names|accounts|account names|user ids|handles|mailbox names|nicknames',
    ROUNDABOUT: 'round|around|over|back|back into',
  },
  tests: { form: ({ text }: Free) => formOf(text) !== undefined },
  rules: [
    rule(
      'request -0.2 = (put|write|turn|convert|change|make|format|give me|show|list|rewrite|set|bring|transform|print|reorder|order|arrange) WHAT ROUNDABOUT? INFORMOF …:form <listing>',
      '(make|create|build|generate|give me|write|i need|form|derive) USERNAMES (like|as|of the form|in the form|in the form of|in the style|such as) …:form (for|from|of|out of)? WHAT? :? <listing>',
      'LIST (only|just)? the? …:form (of|for|from) WHAT? :? <listing>',
      'the …:form (of|for|from) WHAT? :? <listing>',
      'LIST (only|just)? the? …:form <place>',
      'the …:form <place>',
      (values) => {
        const [{ text }, source] = values.slice(-2) as unknown as readonly [Free, Source];
        return named(source, text);
      },
    ),
    rule(
      'request -0.1 = (put|write|show|list|give me|turn)? WHAT? (the first name|first name|first names|given name|forename) first ,? <listing>',
      ([source]) =>
        source.text.split('\n').some((line) => /^[^,]+, [^,]+$/.test(line))
          ? named(source, 'first name last name')
          : undefined,
    ),
  ],
};
