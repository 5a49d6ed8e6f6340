import type { Domain } from '../../language/grammar.ts';
import { rulesOf } from './rules.ts';
import type { Source } from './selecting.ts';
import { answering, type Free, type Request } from './setting.ts';

type Piece = 'first' | 'last' | 'initial' | 'last-initial';
type Written = 'upper' | 'lower' | 'as is';
/** The pieces of a name in their order, and what stands between and behind them. */
interface Form {
  readonly pieces: readonly { readonly of: Piece; readonly case: Written }[];
  readonly between: string;
  readonly behind: string;
}

const FIRST = '(?:first|given|christian) ?names?|forenames?|firstname|vornamen?';
const LAST = '(?:last|family) ?names?|surnames?|lastname|nachnamen?';
const INITIAL = '(?:the )?(?:first )?(?:initials?|letter)(?: of (?:the |their )?(?:first name|forename))?';
const DESCRIBED = new RegExp(
  `^(?:their |the |just )*(${INITIAL}|${FIRST}|${LAST})( ?, ?|\\.? | ?[._-] ?|,? (?:and |then |followed by |plus )+(?:the |their )*)(${INITIAL}|${FIRST}|${LAST})(\\.?)(?: (?:only|order|form|format))?$`,
  'i',
);
/** A name that stands for all: "j.smith", "Smith, John". */
const SAMPLES: readonly (readonly [RegExp, Piece])[] = [
  [/^(?:smith|doe|bloggs|jones|lastname|surname|last)$/i, 'last'],
  [/^(?:john|jane|joe|anna?|firstname|first)$/i, 'first'],
  [/^(?:j|f)$/i, 'initial'],
  [/^(?:s|d|l)$/i, 'last-initial'],
];
const SAMPLE = /^([a-z]+)(\. |\.|, |_|-| |)([a-z]+?)(\.?)$/i;
const JOINED = /^([jf])(smith|doe|lastname|surname)$/i;

const writtenAs = (word: string): Written =>
  word.length > 1 && word === word.toUpperCase() ? 'upper' : word === word.toLowerCase() ? 'lower' : 'as is';

function pieceOf(word: string): Piece | undefined {
  if (new RegExp(`^(?:${LAST})$`, 'i').test(word)) return 'last';
  if (new RegExp(`^(?:${FIRST})$`, 'i').test(word)) return 'first';
  return new RegExp(`^(?:${INITIAL})$`, 'i').test(word) ? 'initial' : undefined;
}

/** The form that words describe, as "surname, first name", or that a sample has, as "j.smith". */
function formOf(text: string): Form | undefined {
  const said = text.trim().replace(/^["“](.*)["”]$/, '$1');
  const [, one = '', link = '', other = '', end = ''] = DESCRIBED.exec(said) ?? [];
  const [first, second] = [pieceOf(one), pieceOf(other)];
  if (first !== undefined && second !== undefined && first !== second) {
    const kept = (word: string): Written => (writtenAs(word) === 'upper' ? 'upper' : 'as is');
    const between = /[a-z]/i.test(link) || link.trim() === '' ? ' ' : link.replace(/^ ?, ?$/, ', ');
    const dotted = first === 'initial' && between === ' ' ? '. ' : between;
    return {
      pieces: [
        { of: first, case: kept(one) },
        { of: second, case: kept(other) },
      ],
      between: dotted,
      behind: end,
    };
  }
  const parts = SAMPLE.exec(said);
  const [, a = '', sign = '', b = '', behind = ''] = JOINED.exec(said)?.toSpliced(2, 0, '') ?? parts ?? [];
  const of = (word: string): Piece | undefined => SAMPLES.find(([sample]) => sample.test(word))?.[1];
  const [own, more] = [of(a), of(b)];
  const isLast = (piece: Piece | undefined): boolean => piece === 'last' || piece === 'last-initial';
  if (own === undefined || more === undefined || isLast(own) === isLast(more)) return undefined;
  return {
    pieces: [
      { of: own, case: writtenAs(a) },
      { of: more, case: writtenAs(b) },
    ],
    between: sign,
    behind,
  };
}

/** The first and last names of all, each of which has both. */
function namesIn({ text }: Source): readonly (readonly [first: string, last: string])[] | undefined {
  const lines = text.trim().split('\n');
  const turned =
    lines.every((line) => /^[^,;]+, [^,;]+$/.test(line.trim())) && lines.every((line) => !/ .* .* .*,/.test(line));
  const single = lines.length > 1 || (turned && !/\S \S.*,|, \S+ \S/.test(text));
  const all = single ? lines : text.trim().split(/[,;] (?:and )?| and /);
  const names = all.map((one) => {
    const [last, first] = turned && single ? one.split(/, /) : [];
    const words = one.trim().split(/ +/);
    return first !== undefined && last !== undefined
      ? ([first.trim(), last.trim()] as const)
      : ([words.slice(0, -1).join(' '), words.at(-1) ?? ''] as const);
  });
  return names.every(([first, last]) => /^\p{L}/u.test(first) && /^\p{L}/u.test(last)) ? names : undefined;
}

const cased = (text: string, to: Written): string =>
  to === 'upper' ? text.toUpperCase() : to === 'lower' ? text.toLowerCase() : text;

function formed(source: Source, form: Form | undefined): Request | undefined {
  const names = source.text.includes('{{') ? undefined : namesIn(source);
  if (form === undefined || names === undefined) return undefined;
  const all = names.map(([first, last]) => {
    const texts = { first, last, initial: first.slice(0, 1), 'last-initial': last.slice(0, 1) };
    const [one, other] = form.pieces.map((piece) => cased(texts[piece.of], piece.case));
    return `${one}${form.between}${other}${form.behind}`;
  });
  return answering(all.join(source.text.includes('\n') ? '\n' : form.between.includes(',') ? '; ' : ', '));
}

const rule = rulesOf<Record<'listing', Source>>();

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
      'LIST (only|just)? the? …:form <listing>',
      (values) => {
        const [{ text }, source] = values.slice(-2) as unknown as readonly [Free, Source];
        return formed(source, formOf(text));
      },
    ),
    rule(
      'request -0.1 = (put|write|show|list|give me|turn)? WHAT? (the first name|first name|first names|given name|forename) first ,? <listing>',
      ([source]) =>
        /^[^,\n]+, [^,\n]+$/m.test(source.text) ? formed(source, formOf('first name last name')) : undefined,
    ),
  ],
};
