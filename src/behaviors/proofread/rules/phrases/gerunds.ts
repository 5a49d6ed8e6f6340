import { group, type Patterns } from '../pattern.ts';

/** Verbs for which time or effort is spent. */
const EFFORTS =
  'go,do,take,use,buy,work,study,play,read,watch,eat,drink,say,see,look,learn,find,help,call,ask,write,speak,talk,clean,cook,drive,walk,run,travel,move,live,stay,wait,leave,lose,open,close,pay,spend,send,tell,think,understand,choose,change,prepare,improve,sleep,swim,sing,dance,sell,start,visit,try,fix,answer,explain,remember';
/** Verbs that learners put behind a preposition, or behind “worth”, “busy” and the like, as “to” and a base form. */
const VERBS = `${EFFORTS},be,have,make,get`;
const TIME = 'hours|hour|days|weeks|minutes|months|years|time|evening|day|weekend|afternoon';

/** Forms in -ing where learners take “to” or a base form. */
export const GERUNDS: readonly Patterns[] = [
  group('verb_form', 'Here the verb takes the form “$2”.', [
    `without|despite to_{${VERBS}}>{:ing}`,
    `without {${VERBS}}>{:ing} DET|PRON|anything|something`,
    `instead of {${VERBS}}>{:ing} DET|PRON|ADV|ADP|,|home|PART`,
    `busy to_{${VERBS}}>{:ing} $|DET|PRON|on|with|for|in`,
    `i|you|we|they feel|felt like to_{${VERBS}}>{:ing}`,
    `have|has|had difficulty|difficulties to_{${EFFORTS}}>{:ing}`,
    `spend|spent|spends NUM|much|many|more|several|all|my|his|her|our|some ${TIME} to_{${EFFORTS}}>{:ing} $|DET|PRON|NOUN|in|with|on|about|for`,
    `spend|spent|spends DET whole|entire|long ${TIME} to_{${EFFORTS}}>{:ing}`,
    `spend|spent|spends a lot of ${TIME} to_{${EFFORTS}}>{:ing}`,
    `would you mind to_{${VERBS}}>{:ing}`,
    `no use to_{${VERBS}}>{:ing}`,
    `am|'m|is|are|been|was|were thinking to_{${VERBS}}>about_{:ing}`,
    `i|we|he|she|they used to {${VERBS}:ing}>{}`,
    `good|bad|great|better at|in {${VERBS}}>{:ing} $|and|or`,
    `sorry|apologize|apologise for {${VERBS}}>{:ing} late|DET|PRON|so|ADV`,
    `thanks|thank|you for {${VERBS}}>{:ing} me|us|my|our|the|so|in|with|to`,
    "n't|not|cannot help to_{laugh,think,feel,notice,wonder,smile,cry,worry}>{:ing}",
  ]),
];
