import { gerund } from '../../forms.ts';
import type { Patterns } from '../pattern.ts';

/** Verbs that learners put behind a preposition, or behind “worth”, “busy” and the like, as “to” and a base form. */
const VERBS =
  'go do make take use buy have get work study play read watch eat drink be say see look learn find help call ask write speak talk clean cook drive walk run travel move live stay wait leave lose open close pay spend send tell think understand choose change prepare improve sleep swim sing dance sell start visit try fix answer explain remember'.split(
    ' ',
  );
/** Verbs that say what time or effort is for: "spent much time to have it translated". */
const OF_PURPOSE = /^(?:be|have|make|get)$/;
const TIME = 'hours|hour|days|weeks|minutes|months|years|time|evening|day|weekend|afternoon';

/** Forms in -ing where learners take “to” or a base form. */
export const GERUNDS: readonly Patterns[] = [
  {
    kind: 'verb_form',
    why: 'Here the verb takes the form “$2”.',
    lines: VERBS.flatMap((verb) => {
      const right = gerund(verb);
      const toVerb = `to_${verb}>${right}`;
      return [
        `without|despite ${toVerb}`,
        `without ${verb}>${right} DET|PRON|anything|something`,
        `instead of ${verb}>${right} DET|PRON|ADV|ADP|,|home|PART`,
        `busy ${toVerb} $|DET|PRON|on|with|for|in`,
        `i|you|we|they feel|felt like ${toVerb}`,
        ...(OF_PURPOSE.test(verb)
          ? []
          : [
              `have|has|had difficulty|difficulties ${toVerb}`,
              `spend|spent|spends NUM|much|many|more|several|all|my|his|her|our|some ${TIME} ${toVerb} $|DET|PRON|NOUN|in|with|on|about|for`,
              `spend|spent|spends DET whole|entire|long ${TIME} ${toVerb}`,
              `spend|spent|spends a lot of ${TIME} ${toVerb}`,
            ]),
        `would you mind ${toVerb}`,
        `no use ${toVerb}`,
        `am|'m|is|are|been|was|were thinking ${toVerb.replace('>', '>about_')}`,
        `i|we|he|she|they used to ${right}>${verb}`,
        `good|bad|great|better at|in ${verb}>${right} $|and|or`,
        `sorry|apologize|apologise for ${verb}>${right} late|DET|PRON|so|ADV`,
        `thanks|thank|you for ${verb}>${right} me|us|my|our|the|so|in|with|to`,
      ];
    }),
  },
  {
    kind: 'verb_form',
    why: 'Here the verb takes the form “$2”.',
    lines: ['laugh', 'think', 'feel', 'notice', 'wonder', 'smile', 'cry', 'worry'].map(
      (verb) => `n't|not|cannot help to_${verb}>${gerund(verb)}`,
    ),
  },
];
