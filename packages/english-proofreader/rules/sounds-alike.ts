import { baseOf, isPlural } from '../forms.ts';
import { pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { nounPhraseEnd } from './noun-phrase.ts';
import { isCountable } from './nouns.ts';
import {
  ARTICLES,
  BE,
  DO,
  isNoun,
  isOne,
  MODALS,
  POSSESSIVES,
  type Rule,
  replace,
  type Sentence,
  SUBJECT_PRONOUNS,
  skipBackAdverbs,
  words,
} from './rule.ts';

const isPart = (token: Token | undefined, parts: string): boolean => words(parts).has(token?.pos ?? 'PUNCT');
const startsObject = (token: Token | undefined): boolean =>
  isOne(token, ARTICLES) || isOne(token, POSSESSIVES) || isPart(token, 'DET PRON');
const isHelp = (token: Token | undefined): boolean =>
  isOne(token, MODALS) || isOne(token, DO) || isOne(token, words("'ll ca wo please"));

/** The word before `at`, without adverbs and “not”. */
const placeBefore = (sentence: Sentence, at: number): number => (at === 0 ? -1 : skipBackAdverbs(sentence, at - 1));

const isRather = (sentence: Sentence, end: number): boolean =>
  sentence.slice(0, end).some((word) => isOne(word, words('rather')));

/** Where a base form stands: “can _ it”, “don't _ it”, “to _ it”, “did you _ it”. */
function isForBase(sentence: Sentence, at: number): boolean {
  const last = placeBefore(sentence, at);
  const lead = sentence[last];
  const isNot = isOne(sentence[last - 1], words('not'));
  if (isOne(lead, words('to'))) return isNot || startsObject(sentence[at + 1]) || isPart(sentence[at + 1], 'PROPN');
  if (isOne(lead, words('than then'))) return isRather(sentence, last);
  if (isPart(sentence[last - 1], 'DET ADJ') && last > 0) return false;
  const question = isOne(lead, SUBJECT_PRONOUNS) && isHelp(sentence[last - 1]);
  return (isHelp(lead) || question) && !/^[-–]$/.test(sentence[at + 1]?.text ?? '');
}

/** Where a verb follows its subject, and an object the verb: “we _ the bikes”, “the wind _ it over”. */
function isForPast(sentence: Sentence, at: number): boolean {
  const subject = sentence[at - 1];
  const short = at === 1 ? subject?.pos === 'PROPN' : at === 2 && startsObject(sentence[0]) && isNoun(subject);
  const pronoun = isOne(subject, words('i he she we they who')) && !isPart(sentence[at - 2], 'AUX');
  return (short || pronoun) && startsObject(sentence[at + 1]);
}

const isForParticiple = (sentence: Sentence, at: number): boolean =>
  isOne(sentence[placeBefore(sentence, at)], words("have has had 've")) &&
  (startsObject(sentence[at + 1]) || isPart(sentence[at + 1], 'ADP PUNCT SCONJ'));

/** Where a verb without an object ends a clause that has said its subject: “my phone _.” */
function isForEnd(sentence: Sentence, at: number): boolean {
  const alone = isOne(sentence[at - 1], words('i he she we they it'));
  const named = isNoun(sentence[at - 1]) && startsObject(sentence[at - 2]);
  const first = alone ? at - 1 : at - 2;
  const opens = first === 0 || /^(?:CCONJ|PUNCT|SCONJ)$/.test(sentence[first - 1]?.pos ?? '');
  return (alone || (named && opens)) && isPart(sentence[at + 1], 'PUNCT ADP SCONJ ADV');
}

const isAfterDeterminer = (sentence: Sentence, at: number): boolean =>
  isOne(sentence[at - 1], ARTICLES) || isOne(sentence[at - 1], POSSESSIVES);

/** Where more than enough is named: “was already _ dark”. */
function isForDegree(sentence: Sentence, at: number): boolean {
  const [degree, next] = [sentence[at + 1], sentence[at + 2]];
  const lead = sentence[at - 1];
  const states = [lead, sentence[placeBefore(sentence, at)]].some((word) => isOne(word, BE) || isOne(word, STATES));
  return (
    states &&
    isPart(degree, 'ADJ ADV') &&
    pairFrequency('too', degree?.lower ?? '') > pairFrequency('to', degree?.lower ?? '') &&
    isPart(next, 'PUNCT ADP PART SCONJ CCONJ ADV')
  );
}

/** Where something is compared: “rather walk _ wait”, “older _ my sister”. */
const isForThan = (sentence: Sentence, at: number): boolean =>
  isRather(sentence, at) &&
  isPart(sentence[at + 1], 'VERB NOUN') &&
  sentence[at - 1]?.text !== ',' &&
  !isPart(sentence[at - 1], 'CCONJ');

/** Where a time begins: “long _ we spoke”. */
const isForSince = (sentence: Sentence, at: number): boolean =>
  isOne(sentence[at - 1], words('long ever been years weeks months days')) &&
  (isOne(sentence[at + 1], SUBJECT_PRONOUNS) || startsObject(sentence[at + 1]));

/** Where a noun stands: “the _ was”, “my _ of”. */
const isForNoun = (sentence: Sentence, at: number): boolean =>
  (isOne(sentence[at - 1], words('a an the this that my your his her our their every any')) ||
    (isPart(sentence[at - 1], 'ADJ') && startsObject(sentence[at - 2]))) &&
  isPart(sentence[at + 1], 'PUNCT ADP AUX');

/** Where it is said how something is: “is very _”. */
function isForState(sentence: Sentence, at: number): boolean {
  let last = at - 1;
  while (isOne(sentence[last], words("very so too to really quite not n't rather all"))) last -= 1;
  const degree = last < at - 1 && isOne(sentence[at - 1], words('very so too really'));
  const states = isOne(sentence[last], BE) || isOne(sentence[last], STATES);
  return (states || degree) && isPart(sentence[at + 1], 'PUNCT ADP PART SCONJ');
}
const STATES = words("'s 're 'm feel feels felt look looks looked seem seems seemed get gets got went became");

/** The noun of the phrase that begins at `at`, where the phrase ends what it belongs to: “our _ old house.” */
function closedPhrase(sentence: Sentence, at: number): Token | undefined {
  const end = nounPhraseEnd(sentence, at);
  const next = end === undefined ? undefined : sentence[end + 1];
  const closes =
    isPart(next, 'PUNCT ADP CCONJ SCONJ NUM') || isOne(next, words('last next this yesterday today every a an the'));
  return end !== undefined && closes ? sentence[end] : undefined;
}

/** Where “are” says whose: before one thing, or behind the verb of a clause that has its subject. */
function isForOur(sentence: Sentence, at: number): boolean {
  const head = closedPhrase(sentence, at + 1);
  const lead = sentence[at - 1];
  if (head === undefined || lead === undefined || !(isPart(lead, 'VERB ADP') || isOne(lead, words('to')))) return false;
  if (sentence.at(-1)?.text === '?' || sentence.slice(0, at).some((word) => isOne(word, ASKING))) return false;
  if (!isPlural(head.lower)) return isCountable(head.lower, 0.01);
  const first = sentence.findIndex((word) => isOne(word, SUBJECT_PRONOUNS));
  const opens = first === 0 || /^(?:CCONJ|PUNCT|SCONJ)$/.test(sentence[first - 1]?.pos ?? '');
  const verb = sentence.slice(first + 1, at).every((word) => isPart(word, 'VERB AUX PART ADV'));
  return lead.pos === 'VERB' && (isOne(sentence[at - 2], words('to not')) || (first >= 0 && opens && verb));
}
const ASKING = words('what who which where that how whose all');

/** Where “there” says whose: “to _ old house”, “forgot _ keys”. */
function isForTheir(sentence: Sentence, at: number): boolean {
  const lead = sentence[at - 1];
  const head = closedPhrase(sentence, at + 1);
  if (head === undefined || !(isPlural(head.lower) || isCountable(head.lower))) return false;
  if (isOne(lead, words('to in at with of for between near by from into on about'))) return true;
  return lead?.pos === 'VERB' && !isOne(lead, STAYING) && !/ing$/.test(lead.lower);
}
const STAYING = words(
  'go goes went come comes came live lives lived stay stays stayed sit sits sat stand stood work works worked meet met see saw find found seen is are was were be been get got have had has eat ate arrived arrive stop stopped buy bought sleep slept say said think know',
);

/** Where a choice begins: “asked _ she”, “not sure _ the team can”, “_ or not”. */
function isForWhether(sentence: Sentence, at: number): boolean {
  const [lead, next, second] = [sentence[at - 1], sentence[at + 1], sentence[at + 2]];
  if (
    isPart(lead, 'DET NOUN PROPN') ||
    isOne(lead, words('what of in for with if this that')) ||
    isOne(lead, POSSESSIVES)
  )
    return false;
  if (next?.lower === 'or' && second?.lower === 'not') return lead !== undefined && !isPart(lead, 'ADJ');
  const known = isOne(lead, DOUBTING);
  if (isPart(lead, 'ADJ') && !known) return false;
  if (isOne(next, words('i you he she it we they there')))
    return isPart(second, 'AUX VERB ADV') && next?.lower !== 'it';
  return (
    known &&
    (isOne(next, ARTICLES) ||
      isOne(next, POSSESSIVES) ||
      (next?.lower === 'to' && second?.pos === 'VERB') ||
      next?.lower === 'it')
  );
}
const DOUBTING = words(
  'certain sure unsure clear unclear ask asked asks know knows knew wonder wondered discuss discussed decide decided remember see tell me us him her on is',
);

const UNREAL = words('would could might should');

/** “Were late” states something: no subject follows, and nothing is asked. */
function isForWeAre(sentence: Sentence, at: number): boolean {
  const next = sentence[at + 1];
  if (at > 0 || sentence.at(-1)?.text === '?' || sentence.some((word) => isOne(word, UNREAL))) return false;
  const degree = isOne(next, words('not very so too almost still also just all'));
  const complement = degree ? sentence[at + 2] : next;
  if (isOne(complement, words('it for all any of one')) || isPart(complement, 'PUNCT')) return false;
  if (isPart(complement, 'ADP ADV') || (complement?.pos === 'VERB' && /ing$/.test(complement.lower)))
    return complement?.lower !== 'there' || degree;
  return (
    isPart(complement, 'ADJ') && isPart(sentence[sentence.indexOf(complement as Token) + 1], 'PUNCT ADP ADV SCONJ PART')
  );
}

const OPENERS = words(
  'and but or so because if when while since before after until though although that think know hope believe say says said guess sure glad sorry afraid heard',
);
const BEFORE_DOING = words('not now still already just all both always never probably really also only');
/** How people are, where no noun follows: “your welcome to stay”. */
const BEING = words(
  'gone stuck welcome invited supposed allowed ready late sure sorry glad happy tired hungry able busy asleep away afraid wrong alone aware lost married bored excited interested used worried finished',
);
/** What someone who stands somewhere does: “there, waiting for us”. */
const POSTURES = words('standing sitting lying hanging waiting looking hiding sleeping living being working staying');

/** Where someone is or does something, and no other verb of the clause follows: “know _ moving the office”, “before _ gone”. */
function isForAre(sentence: Sentence, at: number): boolean {
  const lead = sentence[at - 1];
  const listed = /^(?:and|or|but)$/.test(lead?.lower ?? '') && sentence[at - 2]?.text !== ',';
  if (listed || !(lead === undefined || /^[,;:.]$/.test(lead.text) || isOne(lead, OPENERS))) return false;
  let next = at + 1;
  while (isOne(sentence[next], BEFORE_DOING)) next += 1;
  const [doing, after] = [sentence[next], sentence[next + 1]];
  if (sentence.at(-1)?.text === '?' && at === 0) return false;
  const rest = sentence.slice(next + 1);
  const end = rest.findIndex(({ pos, text }) => /^(?:SCONJ|CCONJ)$/.test(pos) || /^[,;:.]$/.test(text));
  const clause = end < 0 ? rest : rest.slice(0, end);
  const goesOn = clause.some(
    ({ pos, lower }, n) =>
      (pos === 'AUX' || (pos === 'VERB' && baseOf(lower) !== lower && !/ing$/.test(lower))) &&
      clause[n - 1]?.lower !== 'to',
  );
  if (goesOn || (sentence[at]?.lower === 'where' && rest.some(({ pos }) => pos === 'AUX'))) return false;
  if (isOne(doing, BEING)) return isPart(after, 'PUNCT ADP PART SCONJ CCONJ');
  if (!isPart(doing, 'VERB NOUN') || doing === undefined || !/...ing$/.test(doing.lower) || !doing.spaced) return false;
  if (sentence[at]?.lower === 'there' && isOne(doing, POSTURES)) return false;
  if (isOne(lead, words('since before after until like'))) return false;
  const verbal = pairFrequency('are', doing.lower) * 3 > pairFrequency('the', doing.lower);
  const object = startsObject(after) && (doing.pos === 'VERB' || verbal);
  return object || (verbal && isPart(after, 'ADP PART ADV PUNCT ADJ') && after?.lower !== 'of');
}

/** Where someone is asked for: “know _ driving”. */
const isForWhoIs = (sentence: Sentence, at: number): boolean =>
  sentence[at + 1]?.pos === 'VERB' &&
  /ing$/.test(sentence[at + 1]?.lower ?? '') &&
  (isPart(sentence[at + 2], 'PUNCT ADP DET PART CCONJ') ||
    isOne(sentence[at + 2], words('tonight today tomorrow now'))) &&
  !sentence.slice(at + 2, at + 8).some(({ pos }) => pos === 'AUX') &&
  !isPart(sentence[at - 1], 'NOUN PROPN');

/** Behind a verb of moving, before what is passed: “jumped _ the window”. */
const isForThrough = (sentence: Sentence, at: number): boolean =>
  isPart(sentence[at - 1], 'VERB') && (startsObject(sentence[at + 1]) || isPart(sentence[at + 1], 'NOUN'));

/** Where a clause about the noun before begins: “a shop _ sells tea”. */
const isForThat = (sentence: Sentence, at: number): boolean =>
  isNoun(sentence[at - 1]) &&
  !isOne(sentence[at - 1], words('matter idea question clue time')) &&
  (isPart(sentence[at - 2], 'ADJ DET NUM') || startsObject(sentence[at - 2])) &&
  isPart(sentence[at + 1], 'VERB AUX') &&
  !sentence.slice(0, at).some((word) => isOne(word, TELLING));
const TELLING = words(
  'ask asks asked tell tells told show shows showed teach taught explain explained know knows see sees saw learn wonder remember remind give gives gave no and or',
);

type Place = readonly [stands: (sentence: Sentence, at: number) => boolean, what: string, pairs: string];

/** What stands where, and the words that do not, each with the one that is meant. */
const PLACES: readonly Place[] = [
  [
    isForBase,
    'a verb in its base form',
    'waist>waste meat>meet bare>bear breath>breathe advice>advise bye>buy steel>steal loose>lose proof>prove belief>believe weight>wait sale>sell seam>seem choice>choose success>succeed analysis>analyze heel>heal rite>write loath>loathe death>die growth>grow arrival>arrive decision>decide explanation>explain solution>solve invitation>invite',
  ],
  [
    isForPast,
    'a verb',
    'road>rode herd>heard maid>made through>threw new>knew scent>sent cent>sent blue>blew sea>see sole>sold eight>ate flue>flew waist>waste',
  ],
  [isForParticiple, 'a participle', 'herd>heard scene>seen maid>made scent>sent throne>thrown lead>led'],
  [isForNoun, 'a noun', 'seen>scene prove>proof conscious>conscience'],
  [isAfterDeterminer, 'a noun', 'cite>site lessen>lesson breathe>breath believe>belief choose>choice succeed>success'],
  [isForEnd, 'a verb', 'dyed>died past>passed road>rode'],
  [isForDegree, 'the word for more than enough', 'to>too'],
  [isForThan, 'the word that compares', 'then>than'],
  [isForSince, 'the word that begins a time', 'sense>since'],
  [isForState, 'an adjective', 'lose>loose week>weak pail>pale fare>fair grate>great board>bored tiered>tired'],
  [isForOur, 'the word that says whose', 'are>our'],
  [isForTheir, 'the word that says whose', 'there>their'],
  [isForWhether, 'the word that leaves a choice', 'weather>whether'],
  [isForWeAre, '“we are”', "were>we're"],
  [isForAre, 'a short form with “are”', "their>they're there>they're your>you're where>we're"],
  [isForWhoIs, '“who is”', "whose>who's"],
  [isForThat, 'the word that begins a clause about it', 'what>that'],
  [isForThrough, 'a preposition', 'threw>through'],
];

const byWord = new Map<string, [right: string, place: Place][]>();
for (const place of PLACES)
  for (const pair of place[2].split(' ')) {
    const [wrong = '', right = ''] = pair.split('>');
    byWord.set(wrong, [...(byWord.get(wrong) ?? []), [right, place]]);
  }

/** "Don't waist it", "we road our bikes", "the cite was closed": by what may stand there. */
export const soundsAlike: Rule = {
  id: 'sounds-alike',
  kind: 'confused_word',
  words: [...byWord.keys()].join(' '),
  fixes: {
    "Don't waist your money on it.": "Don't waste your money on it.",
    'We road our bikes to the lake.': 'We rode our bikes to the lake.',
    'The cite was closed for repairs.': 'The site was closed for repairs.',
    'His face went very pail.': 'His face went very pale.',
  },
  leaves: [
    'The road to the sea was closed, and the scent of pine was strong.',
    'He lost weight to look good, but his waist did not change.',
    'The members were on the board for a week.',
    'They loved the scene by the sea.',
  ],
  *find(sentence) {
    for (const [at, token] of sentence.entries()) {
      if (token.locked || (token.text !== token.lower && !token.first)) continue;
      const found = byWord.get(token.lower)?.find(([, [stands]]) => stands(sentence, at));
      if (found === undefined) continue;
      const [right, [, what]] = found;
      yield replace(token, token, right, `Here ${what} belongs: “${right}”, not “${token.lower}”.`);
    }
  },
};
