import { group, type Patterns } from '../pattern.ts';

/** Verbs for which time or effort is spent. */
const EFFORTS =
  'go,do,take,use,buy,work,study,play,read,watch,eat,drink,say,see,look,learn,find,help,call,ask,write,speak,talk,clean,cook,drive,walk,run,travel,move,live,stay,wait,leave,lose,open,close,pay,spend,send,tell,think,understand,choose,change,prepare,improve,sleep,swim,sing,dance,sell,start,visit,try,fix,answer,explain,remember';
const TIME = 'hours|hour|days|weeks|minutes|months|years|time|evening|day|weekend|afternoon';

/** Forms in -ing where learners take “to” or a base form. */
export const GERUNDS: readonly Patterns[] = [
  group('verb_form', 'Here the verb takes the form “$2”.', [
    `without|despite to_*>*ing`,
    `without *>*ing the|a|an|my|your|his|her|our|their|it|them|him|me|us|any|anything|something|this|that`,
    `instead of *>*ing DET|PRON|ADV|ADP|home|PART`,
    `!too busy to_*>*ing $|DET|PRON|on|with|for|in`,
    `i|you|we|they feel|felt like to_*>*ing`,
    `have|has|had difficulty|difficulties to_*>*ing`,
    `spend|spent|spends NUM|much|many|more|several|all|my|his|her|our|some ${TIME} to_{${EFFORTS}}>{:ing} $|DET|PRON|NOUN|in|with|on|about|for`,
    `spend|spent|spends DET whole|entire|long ${TIME} to_{${EFFORTS}}>{:ing}`,
    `spend|spent|spends a lot of ${TIME} to_{${EFFORTS}}>{:ing}`,
    `would you mind to_*>*ing`,
    `no use to_*>*ing`,
    `am|'m|is|are|been|was|were thinking to_*>about_*ing`,
    `i|we|he|she|they used to *ing>*`,
    `good|bad|great|better at|in *>*ing $|and|or`,
    `sorry|apologize|apologise for *>*ing late|DET|PRON|so|ADV`,
    `thanks|thank|you for *>*ing me|us|my|our|the|so|in|with|to`,
    "n't|not|cannot help to_{laugh,think,feel,notice,wonder,smile,cry,worry}>{:ing}",
  ]),
];
