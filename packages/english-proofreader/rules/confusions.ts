import type { Token } from '../tokens.ts';
import { isAdjective, isNoun, isOne, isWord, type Rule, replace, type Sentence, words } from './rule.ts';

/** "I think your making a mistake": the only verb of its clause; "Your being late has cost us" has another. */
const isDoing = (sentence: Sentence, at: number): boolean =>
  isOne(sentence[at - 1], CLAUSE_OPENERS) &&
  /ing$/.test(sentence[at + 1]?.lower ?? '') &&
  sentence[at + 1]?.pos === 'VERB' &&
  !isNoun(sentence[at + 2]) &&
  !sentence.slice(at + 2).some(({ pos }) => pos === 'AUX' || pos === 'VERB');
const CLAUSE_OPENERS = words('think know hope believe if when because says said that heard guess but');

/** "your welcome", "your going" → "you're". */
export const yourYoure: Rule = {
  id: 'your-youre',
  kind: 'confused_word',
  words: 'your',
  fixes: { 'Your welcome.': "You're welcome." },
  leaves: ["You're your own worst enemy at times.", 'Your welcome speech was short and funny.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'your' || token.locked) continue;
      const next = sentence[i + 1];
      const after = sentence[i + 2];
      // "on your right".
      if (sentence[i - 1]?.pos === 'ADP' && next?.lower === 'right') continue;
      // "Don't outstay your welcome".
      if (sentence[i - 1]?.pos === 'VERB' && next?.lower === 'welcome') continue;
      // "your Not To Exceed date", "keeping your cool".
      if (next !== undefined && /^\p{Lu}/u.test(next.text)) continue;
      // "when your free.", "if your tired,".
      const state =
        isAdjective(next) &&
        /^[.,!?;]$/.test(after?.text ?? '.') &&
        isOne(sentence[i - 1], words('when if because that think hope know until while since sure')) &&
        !isOne(next, words('own best worst better favorite favourite first last new old right left next usual'));
      const sure =
        state ||
        (isOne(
          next,
          words(
            'welcome right wrong not gonna a an the so very too always here there sure able late early sorry allowed',
          ),
        ) &&
          !isNoun(after)) ||
        isDoing(sentence, i);
      if (
        sure &&
        next !== undefined &&
        !(next.lower === 'right' && !(after === undefined || /^[.,!?]$/.test(after.text))) &&
        !(next.lower === 'not' && after?.text === '-') &&
        !(
          /^(?:going|being|doing|trying|early|late|very|able|here|so|sorry|wrong)$/.test(next.lower) &&
          after === undefined &&
          next.lower === 'being'
        )
      ) {
        if (
          next.lower === 'welcome' &&
          !(after === undefined || /^[.,!?]$/.test(after.text) || /^(?:to|for|in|here|any)$/.test(after.lower))
        )
          continue;
        if (/^(?:very|early|late)$/.test(next.lower) && after?.pos === 'ADJ') continue;
        yield replace(token, token, "you're", '“you’re” is “you are”; “your” says whose.');
      }
    }
  },
};

/** Corrects "you're car" to "your car", only before nouns that cannot describe a person. */
export const itsIts: Rule = {
  id: 'its-its',
  kind: 'confused_word',
  words: 'its',
  fixes: { 'Its the best coffee here!': "It's the best coffee here!" },
  leaves: ["The snake sheds its skin when it's grown too big.", 'She says its roof leaks.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'its' || token.locked) continue;
      const next = sentence[i + 1];
      const after = sentence[i + 2];
      if (next === undefined || !next.spaced) continue;
      // "its not inconsiderable virtues", "to its going out of business".
      if (next.lower === 'not' && /^(?:in|un|im)/.test(after?.lower ?? '')) continue;
      if (next.lower === 'going' && sentence[i - 1]?.pos === 'ADP') continue;
      const contraction =
        isOne(
          next,
          words(
            'not a an the been going very too so because important difficult easy hard possible impossible like never always already just that what how why when my your our their',
          ),
        ) &&
        !(next.lower === 'very' && after?.lower === 'own') &&
        !(isOne(next, words('important difficult easy hard like possible impossible')) && isNoun(after)) &&
        !(isOne(next, words('like going')) && after?.pos === 'NOUN');
      const begins =
        i === 0 ||
        /^(?:PUNCT|CCONJ|SCONJ)$/.test(sentence[i - 1]?.pos ?? '') ||
        /^(?:and|but|because|that|if|think|know|so|when|also)$/.test(sentence[i - 1]?.lower ?? '');
      if (contraction && (begins || /^(?:not|a|an|the|been|going|because)$/.test(next.lower)))
        yield replace(token, token, "it's", '“it’s” is “it is” or “it has”; “its” says whose.');
    }
  },
};

/** What “than” can belong to. */
const isCompared = (token: Token): boolean =>
  /^(?:more|less|fewer|other|rather|else|better|worse|as|different|differently|sooner|prefer|preferred)$/.test(
    token.lower,
  ) ||
  (/er$/.test(token.lower) && /^(?:ADJ|ADV)$/.test(token.pos));

/** "better then", "more … then" → "than"; ", than we talk" → "then". */
export const thenThan: Rule = {
  id: 'than-in-comparison',
  kind: 'confused_word',
  words: 'then than',
  fixes: { "If it rains, than we'll stay at home.": "If it rains, then we'll stay at home." },
  leaves: ['If you are taller, then you should stand at the back.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const opens = i === 0 || sentence[i - 1]?.text === ',';
      const follows = isOne(
        sentence[i + 1],
        words('we i he she they it you click press open go select choose run add save restart everyone'),
      );
      if (
        token.lower === 'than' &&
        !token.locked &&
        opens &&
        (follows || (i === 0 && sentence[1]?.lower === 'the')) &&
        !sentence.slice(0, i).some(isCompared)
      )
        yield replace(token, token, 'then', 'A comparison takes “than”; “then” means at that time or after that.');
      if (token.lower !== 'then' || token.locked) continue;
      const previous = sentence[i - 1];
      if (!isWord(previous)) continue;
      const comparative =
        (/(?:er|ier)$/.test(previous.lower) &&
          previous.pos === 'ADJ' &&
          !/^(?:other|after|later|earlier|former|never|ever)$/.test(previous.lower)) ||
        /^(?:more|less|rather|better|worse|fewer|other)$/.test(previous.lower);
      const next = sentence[i + 1];
      // "older then than I do today", "happier then because", "richer then and now".
      if (
        isOne(next, words('than because when and but or if as')) ||
        sentence.slice(i + 1).some(({ lower }) => lower === 'than')
      )
        continue;
      const distant =
        sentence
          .slice(Math.max(0, i - 4), i - 1)
          .some((word) => /^(?:more|less|fewer|better|rather)$/.test(word.lower)) &&
        /^(?:NOUN|ADJ|ADV)$/.test(previous.pos) &&
        next !== undefined &&
        (/^(?:PRON|DET|NUM)$/.test(next.pos) || isNoun(next)) &&
        (!/^(?:we|i|you|they|he|she|it)$/.test(next.lower) || sentence[i + 2]?.pos === 'AUX');
      // "I would rather stay home then go out".
      const rather = sentence.slice(0, i).findLastIndex((word) => word.lower === 'rather');
      const preferred =
        rather > 0 &&
        i - rather <= 7 &&
        /^(?:would|'d)$/.test(sentence[rather - 1]?.lower ?? '') &&
        !sentence.slice(rather, i).some((word) => word.pos === 'PUNCT' || word.pos === 'CCONJ') &&
        /^(?:VERB|NOUN|ADP|PRON|DET)$/.test(next?.pos ?? '');
      if (
        preferred ||
        (comparative && next !== undefined && !/^[.,]$/.test(next.text) && !(previous.lower === 'rather' && false)) ||
        distant
      )
        yield replace(token, token, 'than', 'A comparison takes “than”; “then” means at that time.');
    }
  },
};

/** Words that are confused with one another, each with what distinguishes it. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['loose', 'lose'],
  ['weather', 'whether'],
  ['advice', 'advise'],
  ['quite', 'quiet'],
  ['form', 'from'],
  ['affect', 'effect'],
  ['except', 'accept'],
  ['thing', 'think'],
  ['think', 'thing'],
  ['life', 'live'],
  ['live', 'life'],
  ['safe', 'save'],
  ['save', 'safe'],
  ['true', 'truth'],
  ['weak', 'week'],
  ['week', 'weak'],
  ['were', 'where'],
  ['where', 'were'],
  ['fell', 'feel'],
  ['felt', 'feel'],
  ['there', 'their'],
  ['then', 'than'],
  ['than', 'then'],
  ['hole', 'whole'],
  ['peace', 'piece'],
  ['no', 'know'],
  ['now', 'know'],
  ['know', 'now'],
  ['our', 'or'],
  ['or', 'our'],
  ['of', 'off'],
  ['off', 'of'],
  ['by', 'buy'],
  ['buy', 'by'],
  ['hear', 'here'],
  ['here', 'hear'],
  ['right', 'write'],
  ['write', 'right'],
  ['past', 'passed'],
  ['passed', 'past'],
  ['breath', 'breathe'],
  ['desert', 'dessert'],
  ['believe', 'belief'],
  ['belief', 'believe'],
  ['choice', 'choose'],
  ['choose', 'choice'],
  ['success', 'succeed'],
  ['succeed', 'success'],
  ['an', 'and'],
  ['on', 'one'],
  ['one', 'on'],
  ['sad', 'said'],
  ['leave', 'live'],
  ['live', 'leave'],
  ['bad', 'bed'],
  ['may', 'many'],
  ['many', 'may'],
  ['way', 'why'],
  ['tree', 'three'],
  ['though', 'through'],
  ['through', 'though'],
  ['thought', 'though'],
  ['lost', 'lots'],
  ['fill', 'feel'],
  ['price', 'prize'],
  ['principal', 'principle'],
  ['lead', 'led'],
  ['cause', 'because'],
  ['out', 'our'],
  ['out', 'are'],
  ['use', 'us'],
  ['us', 'use'],
  ['sale', 'sell'],
  ['sell', 'sale'],
  ['start', 'star'],
  ['gas', 'has'],
  ['any', 'and'],
  ['whose', "who's"],
  ['rise', 'raise'],
  ['knew', 'new'],
  ['new', 'knew'],
  ['mach', 'much'],
  ['red', 'read'],
  ['ship', 'cheap'],
  ['were', 'we'],
  ['me', 'my'],
  ['you', 'your'],
  ['they', 'the'],
  ['the', 'they'],
  ['is', 'it'],
  ['in', 'is'],
  ['if', 'of'],
  ['for', 'four'],
  ['two', 'too'],
  ['to', 'too'],
  ['to', 'two'],
  ['which', 'witch'],
  ['pray', 'prey'],
  ['plan', 'plane'],
  ['fan', 'fun'],
  ['dead', 'death'],
  ['death', 'dead'],
  ['different', 'difference'],
  ['difference', 'different'],
  ['important', 'importance'],
  ['importance', 'important'],
  ['health', 'healthy'],
  ['healthy', 'health'],
  ['safe', 'safety'],
  ['high', 'height'],
  ['long', 'length'],
  ['strong', 'strength'],
  ['difficult', 'difficulty'],
  ['beauty', 'beautiful'],
  ['economic', 'economy'],
  ['success', 'successful'],
  ['educate', 'education'],
  ['easy', 'easily'],
  ['good', 'well'],
];
const others = new Map<string, string[]>();
for (const [word, other] of PAIRS) others.set(word, [...(others.get(word) ?? []), other]);
