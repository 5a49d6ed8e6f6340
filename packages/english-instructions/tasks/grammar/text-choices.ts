import type { Domain } from '../../language/grammar.ts';
import { type Extracted, extract } from '../text/extract.ts';
import type { Part } from '../text/parts.ts';
import { rulesOf } from './rules.ts';
import { distinct, done, not, parts, type Source, whole } from './selecting.ts';
import { asks, type Request } from './setting.ts';
import { cased, counted, SEVERAL } from './text-asks.ts';

/** One of those that are found in a text; those of a result are not known yet. */
function foundAt(what: Extracted, { text }: Source, at: number): Request | undefined {
  const part = text.includes('{{') ? undefined : extract(text, what).at(at > 0 ? at - 1 : at);
  return part === undefined ? undefined : asks('text', { op: 'say', text: part });
}

/** A text with signs in place of all but its end. */
const masked = ({ text }: Source, end: number): Request | undefined => {
  const signs = text.match(/[\p{L}\p{N}]/gu) ?? [];
  let hidden = signs.length - end;
  return text.includes('{{') || hidden <= 0
    ? undefined
    : asks('text', { op: 'say', text: text.replace(/[\p{L}\p{N}]/gu, (sign) => (hidden-- > 0 ? '*' : sign)) });
};

const rule = rulesOf<Record<'longest', number> & { found: Extracted; sign: string }>();
const WORDS: readonly Part[] = ['words', 'items', 'lines', 'sentences'];

/** Which of several are meant, and what is done with each of them. */
export const TEXT_CHOICES: Domain = {
  lexicon: {
    longest: { most: -1, 'fewest|least': 1 },
    MASK: 'mask|hide|censor|redact|star out|blank out|x out|replace with stars|anonymize|obscure',
    ALLOF:
      'everything|all|all of it|all digits|all the digits|all numbers|all characters|all the characters|all letters',
    THOSE: 'everything|all|anything|those|the ones|all numbers|all the numbers|numbers|the numbers|any numbers|values',
    DATED: 'dates|times|emails|links|days|months|amounts|prices|emojis',
  },
  rules: [
    rule('request 0.1 = CAPITALIZE (each|every|all|all the|each of the) <part> :? <listing>', ([of, source]) =>
      WORDS.includes(of) ? cased(source, 'each') : undefined,
    ),
    rule('request 0.1 = LIST? take? the? <ordinal> <found> (in|of|from|out of)? WHAT? <place>', ([at, what, source]) =>
      foundAt(what, source, at),
    ),
    rule(
      'request = (which|what) (of these|of them|of the following|one|item|word|name)? (has|have|is with) the <longest> LONG <place> ENDSIGN?',
      ([at, source]) =>
        SEVERAL.test(source.text) ? done(source, parts('items', { by: 'length', at }), 'list') : undefined,
    ),
    rule(
      'request = REMOVE THOSE <valued-test> (in|from|out of|off)? WHAT? :? <list:several> ENDSIGN?',
      ([test, { items }]) =>
        done({ text: items.map(({ expr }) => expr).join(', ') }, parts('numbers', { where: [not(test)] }), 'list'),
    ),
    rule('request = (add|put|append) <exact> (to the end of|at the end of|behind|after) <place>', ([after, { text }]) =>
      asks('text', { op: 'say', text: text + after }),
    ),
    rule(
      'request = COUNT (unique|different|distinct) (ones|items|values|things) :? <listing> ENDSIGN?',
      'COUNT (unique|different|distinct) : <listing> ENDSIGN?',
      'COUNT (unique|different|distinct) <topic> (are|do) (there|here|we have|i have|you see) here? ENDSIGN? :? <listing>',
      (values) => {
        const source = values.at(-1) as Source;
        return SEVERAL.test(source.text) && !source.text.includes('?')
          ? { steps: [...distinct('items', source).steps, ...(counted({ text: '{{+2}}' }, 'items')?.steps ?? [])] }
          : undefined;
      },
    ),
    rule(
      'request = MASK ALLOF (but|except|apart from|besides) the? last <number:whole> (digits|characters|letters|numbers|ones)? <place>',
      ([n, source]) => masked(source, whole(n)),
    ),
  ],
};
