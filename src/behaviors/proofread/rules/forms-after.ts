import { baseOf, gerund, isPlural, participle, past, plural, thirdPerson } from '../forms.ts';
import { frequency, pairFrequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isCountable } from './nouns.ts';
import { headOf } from './quantity.ts';
import { isAdverb, isNoun, isOne, isWord, MODALS, type Rule, replace, type Sentence, words } from './rule.ts';

const BE = words("am is are was were be been being 'm 're");
/** Verbs that are hardly ever nouns or adjectives. */
const VERBS = words(
  'build situate locate create make take give send write sell publish produce develop choose break steal teach tell throw catch bring buy begin eat forget hide know pay ride speak spend forbid ban describe explain introduce improve reduce remove replace provide protect prepare prevent achieve add allow apply compare consider destroy discover follow include invest join lose manage obtain organize organise perform receive require solve accept agree announce arrange attend attract become carry charge collect complete confirm connect deliver deny depend detect determine discuss divide employ encourage establish examine expect express happen hire identify ignore inform install invite invent learn maintain mention notice offend persuade prefer recommend recognize recover refuse reject remember repair satisfy separate strengthen suffer suggest surround translate understand upload visit wake weaken',
);
const ALSO_NOUNS = words('build visit charge ban ride throw catch wake separate complete');
const OBJECT = /^(?:DET|PRON|NOUN|PROPN|NUM)$/;

const skip = (sentence: Sentence, from: number): number => {
  let at = from;
  while (
    isOne(sentence[at], words("not n't never always already also just often recently finally still ever")) ||
    (isAdverb(sentence[at]) && /ly$/.test(sentence[at]?.lower ?? ''))
  )
    at += 1;
  return at;
};

/** "was build in", "should be ban", "is situate in": after "be" the participle follows. */
export const participleAfterBeing: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, BE)) continue;
    const at = skip(sentence, i + 1);
    const verb = sentence[at];
    if (!isWord(verb) || !VERBS.has(verb.lower) || verb.text !== verb.lower) continue;
    if (
      /^(?:agree|happen|depend|become|prefer|know|understand|remember|suffer|separate|complete|expect)$/.test(
        verb.lower,
      )
    )
      continue;
    const next = sentence[at + 1];
    if (
      next !== undefined &&
      !/^(?:[.,;!?]|by|in|as|for|with|from|at|on|to|and|or|two|three|twice|before|after|yesterday|today|last|because|when)$/.test(
        next.lower,
      )
    )
      continue;
    // "All he did was take it", "What we do is build".
    if (sentence.slice(0, i).some((word) => /^(?:all|what|thing|things|do|did|does)$/.test(word.lower))) continue;
    const before = sentence[i - 1];
    if (before === undefined || !/^(?:NOUN|PRON|PROPN|AUX|PART)$/.test(before.pos)) continue;
    if (
      ALSO_NOUNS.has(verb.lower) &&
      next?.lower !== 'by' &&
      next?.lower !== 'in' &&
      next?.lower !== 'two' &&
      !/^(?:be|been|being)$/.test(token.lower)
    )
      continue;
    const right = participle(verb.lower);
    if (right !== verb.lower)
      yield replace(verb, verb, right, 'verb_form', `After “${token.text}” the participle “${right}” follows.`);
  }
};

/** "we have agree on", "has strengthen my wish": the participle after "have". */
export const participleAfterHaving: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!(isOne(token, words('have has had having')) || token.lower === "'ve")) continue;
    const at = skip(sentence, i + 1);
    const verb = sentence[at];
    if (!isWord(verb) || !(VERBS.has(verb.lower) || (token.lower === 'having' && i === 0 && verb.pos === 'VERB')))
      continue;
    if (ALSO_NOUNS.has(verb.lower) && token.lower !== 'having') continue;
    const next = sentence[at + 1];
    if (next !== undefined && !/^(?:DET|PRON|ADP|PUNCT|ADV|NUM|SCONJ|CCONJ|ADJ|NOUN)$/.test(next.pos)) continue;
    // "have them write it", "had to".
    if (/^(?:to|let|n't)$/.test(sentence[i - 1]?.lower ?? '') && token.lower === 'have') continue;
    const right = participle(verb.lower);
    if (baseOf(verb.lower) !== verb.lower || right === verb.lower) continue;
    yield replace(verb, verb, right, 'verb_form', `“${token.text}” is followed by the participle “${right}”.`);
  }
};

const WANTS = words(
  'aim aims aimed want wants wanted need needs needed try tries tried have has had able going order hope decide decided plan plans planned refuse manage managed expect want like easily easy hard difficult important necessary possible ready how way allows allow allowed me us him them you people',
);

/** "aims to investigating", "can easily to tracks", "before to run". */
export const baseAfterAnyTo: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (token.lower !== 'to' || token.locked || i === 0) continue;
    const before = sentence[i - 1] as Token;
    const verb = sentence[i + 1];
    if (!isWord(verb) || !/^(?:VERB|NOUN)$/.test(verb.pos)) continue;
    const base = baseOf(verb.lower);
    if (isAdverb(before) && MODALS.has(sentence[i - 2]?.lower ?? '') && verb.pos === 'VERB' && base !== 'be') {
      const modal = sentence[i - 2]?.text;
      yield {
        start: before.end,
        end: token.end,
        replacement: '',
        kind: 'verb_form',
        explanation: `“${modal}” is followed by the verb without “to”.`,
      };
      yield replace(verb, verb, base, 'verb_form', `“${modal}” is followed by the base form “${base}”.`);
      continue;
    }
    if (/^(?:before|after)$/.test(before.lower) && verb.lower === base && verb.pos === 'VERB') {
      const right = gerund(base);
      yield {
        start: token.start,
        end: verb.end,
        replacement: right,
        kind: 'verb_form',
        explanation: `After “${before.text}” a verb takes the form “${right}”.`,
      };
      continue;
    }
    if (base === verb.lower || frequency(base) < 3_000_000 || !WANTS.has(before.lower)) continue;
    const next = sentence[i + 2];
    const isGerund =
      verb.lower.endsWith('ing') &&
      /^(?:aim|aims|aimed|want|wants|wanted|need|needs|try|tries|tried|decide|decided|plan|plans|planned|hope|able|refuse|order|how|ready|manage|managed)$/.test(
        before.lower,
      );
    const isThird =
      verb.lower === thirdPerson(base) &&
      (verb.pos === 'VERB' || /^(?:DET|PRON)$/.test(next?.pos ?? '')) &&
      !/^(?:me|us|him|them|you|people)$/.test(before.lower);
    const isPast =
      verb.lower === past(base) &&
      past(base) !== base &&
      verb.pos === 'VERB' &&
      /^(?:DET|PRON|ADP)$/.test(next?.pos ?? '') &&
      next !== undefined &&
      !/ed$/.test(verb.lower);
    if (!isGerund && !isThird && !isPast) continue;
    yield replace(verb, verb, base, 'verb_form', `“to” is followed by the base form “${base}”.`);
  }
};

const FIRST_AND_MANY = words('i you we they');

/** "I will prepare it and sends you a copy", "He opened the door and see": verbs that "and" joins have one form. */
export const joinedVerbs: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (token.lower !== 'and' || token.locked || i < 2 || sentence[i - 1]?.text === ',') continue;
    const at = skip(sentence, i + 1);
    const verb = sentence[at];
    const next = sentence[at + 1];
    if (
      !isWord(verb) ||
      verb.pos !== 'VERB' ||
      (!OBJECT.test(next?.pos ?? '') && !/^(?:ADP|ADV)$/.test(next?.pos ?? ''))
    )
      continue;
    const base = baseOf(verb.lower);
    if (frequency(base) < 3_000_000 || base === 'be') continue;
    const first = sentence.slice(0, i);
    const helper = first.findLastIndex((word) => isOne(word, MODALS) || word.lower === "'ll" || word.lower === 'to');
    if (helper > 0 && sentence[helper]?.lower !== 'to' && isOne(sentence[helper - 1], FIRST_AND_MANY)) {
      const between = sentence.slice(helper + 1, i);
      // A subject of its own, or a clause in between: what "and" joins is not clear.
      if (
        between.some(
          (word) =>
            word.pos === 'SCONJ' || word.pos === 'AUX' || /^(?:who|which|that|and|i|he|she|we|they)$/.test(word.lower),
        )
      )
        continue;
      if (
        base === verb.lower ||
        /ing$/.test(verb.lower) ||
        /^(?:DET|ADP|PRON|ADV|NOUN)$/.test(next?.pos ?? '') === false
      )
        continue;
      if (!between.some((word) => word.pos === 'VERB')) continue;
      const isThird = verb.lower === thirdPerson(base) && /^(?:DET|PRON)$/.test(next?.pos ?? '');
      const isThirdNoun = verb.lower === thirdPerson(base) && isNoun(next) && !isPlural(verb.lower);
      const isPast = verb.lower === past(base) && /^(?:DET|PRON)$/.test(next?.pos ?? '');
      if (isThird || isThirdNoun || isPast)
        yield replace(
          verb,
          verb,
          base,
          'verb_form',
          `“${sentence[helper]?.text}” is followed by the base form “${base}”, behind “and” as well.`,
        );
      continue;
    }
    if (verb.lower !== base || past(base) === base || helper >= 0) continue;
    const told = pastVerb(first);
    if (told === undefined) continue;
    yield replace(
      verb,
      verb,
      past(base),
      'verb_form',
      `“${told.text}” tells what happened, and so does “${past(base)}”.`,
    );
  }
};

/** The verb of a clause in the past with a subject that begins it, and no other verb but pasts. */
function pastVerb(clause: Sentence): Token | undefined {
  const [first] = clause;
  if (
    first === undefined ||
    clause.some(
      (word) =>
        word.pos === 'AUX' ||
        /^(?:PART|SCONJ)$/.test(word.pos) ||
        isOne(word, words('do does did let lets make made help helped see saw watch watched hear heard had have has')),
    )
  )
    return undefined;
  const subject = clause.findIndex((word) => /^(?:i|he|she|it|we|they)$/.test(word.lower));
  if (subject < 0 || subject > 3) return undefined;
  const verbs = clause.slice(subject).filter((word) => word.pos === 'VERB');
  const isPast = (word: Token): boolean => {
    const base = baseOf(word.lower);
    return word.lower === past(base) && past(base) !== base;
  };
  const verb = clause[subject + 1];
  return verb !== undefined && verb.pos === 'VERB' && isPast(verb) && verbs.every((word) => isPast(word))
    ? verb
    : undefined;
}

const SENSES = /^(?:tast(?:e|es|ed)|smell(?:s|ed)?|sound(?:s|ed)?|look(?:s|ed)?|feel|feels|felt)$/;
const FELT = words(
  'amazingly tiredly beautifully terribly nicely happily sadly angrily deliciously wonderfully awfully horribly strangely weirdly fantastically',
);

/** "it tastes amazingly", "he looks tiredly". */
export const adjectiveAfterSense: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const adverb = sentence[i + 1];
    if (!SENSES.test(token.lower) || token.locked || adverb === undefined || !isOne(adverb, FELT)) continue;
    const next = sentence[i + 2];
    if (next !== undefined && !/^[.,!;?]$|^(?:and|but|today|to)$/.test(next.lower)) continue;
    const right = adverb.lower
      .replace(/ically$/, 'ic')
      .replace(/bly$/, 'ble')
      .replace(/ily$/, 'y')
      .replace(/ly$/, '');
    yield replace(
      adverb,
      adverb,
      right,
      'verb_form',
      `“${token.text}” says how something is, so the adjective “${right}” follows.`,
    );
  }
};

/** "prefer stay", "recommend to schedule it", "I am used to work". */
export const verbPatterns: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const next = sentence[i + 1];
    const after = sentence[i + 2];
    if (token.locked || next === undefined) continue;
    if (
      /^prefers?$/.test(token.lower) &&
      next.pos === 'VERB' &&
      isWord(next) &&
      baseOf(next.lower) === next.lower &&
      /^(?:PRON|NOUN|AUX|PART|ADV|PROPN)$/.test(sentence[i - 1]?.pos ?? '') &&
      after !== undefined
    ) {
      yield replace(next, next, `to ${next.lower}`, 'verb_form', `“${token.text}” is followed by “to” and the verb.`);
    } else if (
      /^(?:recommend|recommends|recommended|suggest|suggests|suggested|consider|avoid|avoids)$/.test(token.lower) &&
      next.lower === 'to' &&
      after?.pos === 'VERB' &&
      isWord(after) &&
      baseOf(after.lower) === after.lower &&
      isOne(sentence[i - 1], words("i we they you he she it would n't always strongly highly also to"))
    ) {
      const right = gerund(after.lower);
      yield {
        start: next.start,
        end: after.end,
        replacement: right,
        kind: 'verb_form',
        explanation: `“${token.text}” is followed by the form “${right}”.`,
      };
    } else if (
      /^(?:'m|am|is|was|'s|'re|are|were)$/.test(token.lower) &&
      isOne(sentence[i - 1], words('i we he she')) &&
      next.lower === 'used' &&
      after?.lower === 'to'
    ) {
      const verb = sentence[i + 3];
      if (!isWord(verb) || verb.pos !== 'VERB' || baseOf(verb.lower) !== verb.lower) continue;
      const right = gerund(verb.lower);
      yield replace(verb, verb, right, 'verb_form', `What someone “is used to” takes the form “${right}”.`);
    }
  }
};

const NOT_ALL = words(
  'day night morning afternoon evening week month year time weekend summer winter spring autumn season life way hope power money work part kind sort thing right order over round around about but alone along together else world season long well good bad other manner credit glory attention sense reason doubt mankind humanity content access data information weather water food traffic fun news stuff knowledge use control trade business property land income material matter damage liability interest responsibility risk loss cost tax support care energy blame evidence respect love hell heaven nature art music history society text code output input traffic communication advice research software hardware equipment judgment judgement',
);

/** "all participant", "all public place", "which of the two option", "two knife". */
export const pluralAfterAll: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    const number = isOne(token, words('two three four five six seven eight nine ten'));
    if (!number && token.lower !== 'all') continue;
    if (token.locked || sentence[i + 1]?.spaced === false) continue;
    const from = !number && isOne(sentence[i + 1], words('the my our your his her their these')) ? i + 2 : i + 1;
    const found = headOf(sentence, from);
    if (found === undefined || found.index - from > 1 || isPlural(sentence[from]?.lower ?? '')) continue;
    if (!number && sentence[i - 1]?.pos === 'AUX') continue;
    const { head, index } = found;
    const next = sentence[index + 1];
    if (
      NOT_ALL.has(head.lower) ||
      NOT_ALL.has(sentence[from]?.lower ?? '') ||
      isPlural(head.lower) ||
      head.lower.endsWith('s')
    )
      continue;
    if (
      next !== undefined &&
      !/^(?:[.,;:!?)]|and|or|in|on|at|of|for|from|with|to|is|are|was|were|has|have|will|can|who|which|that|must|should|by|i|we|you|he|she|they|because|when)$/.test(
        next.lower,
      )
    )
      continue;
    if (next?.text === ',' && number && /^(?:NOUN|ADJ)$/.test(sentence[index + 2]?.pos ?? '')) continue;
    if (
      number &&
      /^(?:one|or|and|the|a|an|-|,)$/.test(sentence[i - 1]?.lower ?? '') &&
      sentence[i - 1]?.lower !== 'the'
    )
      continue;
    // "all the country is": the whole of it.
    if (
      from === i + 2 &&
      next !== undefined &&
      !/^(?:who|which|that|i|we|you|he|she|they|have|are|were)$/.test(next.lower)
    )
      continue;
    if (!number && index === from && from === i + 1 && !isCountable(head.lower, 0.06)) continue;
    if (
      !isCountable(head.lower, 0.02) &&
      !(number && frequency(head.lower) > 1_000_000 && pairFrequency('a', head.lower) > 0)
    )
      continue;
    const many = plural(head.lower);
    yield replace(head, head, many, 'plural', `“${token.text}” means more than one, so the plural “${many}” follows.`);
  }
};

/** "most of the existing method": of several. */
export const pluralAfterMost: Rule = function* (sentence) {
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, words('most many some several few both two three')) || sentence[i + 1]?.lower !== 'of') continue;
    if (!isOne(sentence[i + 2], words('the these those my our your their'))) continue;
    const found = headOf(sentence, i + 3);
    if (found === undefined || found.index > i + 4 || isPlural(found.head.lower)) continue;
    if (isPlural(sentence[i + 3]?.lower ?? '')) continue;
    const { head, index } = found;
    const many =
      /^(?:many|several|few|both|two|three)$/.test(token.lower) || isOne(sentence[i + 2], words('these those'));
    if (!isCountable(head.lower, many ? 0.02 : 0.1) || NOT_ALL.has(head.lower)) continue;
    if (!many && index === i + 3) continue;
    if (isNoun(sentence[index + 1]) || sentence[index + 1]?.pos === 'PROPN') continue;
    const right = plural(head.lower);
    yield replace(head, head, right, 'plural', `“${token.text} of” takes a plural: “${right}”.`);
  }
};

const ASKING = words(
  'ask asked asks asking know knows wonder wondered wondering tell told explain explained show showed understand see remember',
);

/** "She asked me where was the station", "What time we are leaving?": the order of questions, and of questions in sentences. */
export const wordOrder: Rule = function* (sentence) {
  const question = sentence.at(-1)?.text === '?';
  if (question) {
    const [first] = sentence;
    const at = first?.lower === 'what' && sentence[1]?.lower === 'time' ? 2 : 1;
    const subject = sentence[at];
    const help = sentence[at + 1];
    if (!isOne(first, words('where when why how what')) || (first?.lower === 'what' && at === 1)) return;
    if (
      !isOne(subject, words('i you we they he she')) ||
      !isOne(help, words('am is are was were can could will would should must have'))
    )
      return;
    if (subject === undefined || help === undefined || !help.spaced) return;
    if (sentence.slice(at + 2).some((word) => word.pos === 'AUX' || word.text === ',')) return;
    yield {
      start: subject.start,
      end: help.end,
      replacement: `${help.lower} ${subject.text}`,
      kind: 'grammar',
      explanation: `In a question “${help.text}” stands before “${subject.text}”.`,
    };
    return;
  }
  for (const [i, token] of sentence.entries()) {
    if (!isOne(token, words('where what when how why')) || token.locked) continue;
    const asking = isOne(sentence[i - 1], words('me us him her them you')) ? sentence[i - 2] : sentence[i - 1];
    const be = sentence[i + 1];
    if (!isOne(asking, ASKING) || be === undefined || !isOne(be, words('is are was were'))) continue;
    const from = sentence[i + 2];
    if (!isOne(from, words('the my your his her our their this that'))) continue;
    const found = headOf(sentence, i + 3);
    if (found === undefined || found.index > i + 4 || found.head.lower === 'matter') continue;
    const next = sentence[found.index + 1];
    if (next !== undefined && !/^(?:[.,;]|and|but|because|so)$/.test(next.lower)) continue;
    const phrase = sentence
      .slice(i + 2, found.index + 1)
      .map((word) => word.text)
      .join(' ');
    yield {
      start: be.start,
      end: found.head.end,
      replacement: `${phrase} ${be.lower}`,
      kind: 'grammar',
      explanation: `What someone asks or knows has the order of a statement: “${phrase} ${be.lower}”.`,
    };
  }
};

const TIME =
  /^(?:night|week|month|year|summer|winter|spring|autumn|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/;

/** "Last summer we go", "Yesterday I see": a time that is over takes the past. */
export const pastAfterTime: Rule = function* (sentence) {
  const [first, second] = sentence;
  if (first === undefined || first.locked) return;
  const from = first.lower === 'yesterday' ? 1 : first.lower === 'last' && TIME.test(second?.lower ?? '') ? 2 : 0;
  if (from === 0) return;
  const at = sentence[from]?.text === ',' ? from + 1 : from;
  const subject = sentence[at];
  if (!isOne(subject, words('i he she it we they'))) return;
  const verb = sentence[skip(sentence, at + 1)];
  if (!isWord(verb)) return;
  const base =
    verb.pos === 'VERB' || /^(?:is|are|am|has|have|do|does)$/.test(verb.lower) ? baseOf(verb.lower) : undefined;
  if (base === undefined || frequency(base) < 3_000_000) return;
  const right = base === 'be' ? (/^(?:we|they)$/.test(subject?.lower ?? '') ? 'were' : 'was') : past(base);
  if (
    /^(?:am|is|are)$/.test(verb.lower) ||
    ((verb.lower === base || verb.lower === thirdPerson(base)) && right !== base)
  )
    yield replace(
      verb,
      verb,
      right,
      'verb_form',
      `“${first.text}” names a time that is over, so the past “${right}” follows.`,
    );
};
