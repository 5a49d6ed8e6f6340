import { frequency, PAIR_SCALE, pairFrequency } from './frequency.ts';
import type { Finding } from './harper.ts';
import { INFORMAL } from './informal.ts';

/** Rules that join two words. */
const JOINS = new Set(['CompoundNouns', 'MergeWords', 'DisjointPrefixes']);

/** Whether books write the words as one more often than as two ("homework", not "schoolteachers"); hyphens are kept. */
function joinsWell(original: string, replacement: string): boolean {
  const [first, second, ...more] = original.toLowerCase().split(/\s+/);
  if (first === undefined || second === undefined || first.length < 2 || more.length > 0 || /[A-Z]{2}/.test(original))
    return false;
  const joined = frequency(replacement.toLowerCase());
  // "the red one", "a quick step", "Ponce de Leon".
  if (
    /[A-Z]/.test(original) ||
    first === 'pro' ||
    /^(?:one|go|set|burst|town)$/.test(second) ||
    /^(?:quick|black|red|dead|life|summer|wide)$/.test(first)
  )
    return false;
  if (!/^[a-z]/.test(original) || /^(?:up|under|over|out|down|on|off|in|back|data|every)$/.test(first)) return false;
  const pairs = pairFrequency(first, second) / PAIR_SCALE;
  return joined > (pairs === 0 ? 100_000 : 1_000_000) && joined > 5 * pairs;
}

const HELPING =
  /\b(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|will|would|shall|should|may|might|must)\b|['’](?:s|re|ve|m|d|ll)\b/i;

const CLAUSE_END = /[.,;:!?\n]/;

/** Whether the second word may be the verb of its clause, which seems to have no other: "the sun sets at six". */
function isVerbBehindNoun(text: string, start: number, end: number): boolean {
  if (!/[^s]s$/i.test(text.slice(start, end))) return false;
  const lead =
    text
      .slice(Math.max(0, start - 200), start)
      .split(CLAUSE_END)
      .at(-1) ?? '';
  const [behind = ''] = text.slice(end, end + 200).split(CLAUSE_END);
  return !HELPING.test(lead) && !HELPING.test(behind);
}

/**
 * The end of a sentence before a word, on its line or the one above. An exclamation in quotation marks or brackets does not
 * end its sentence: “Oh!” he said.
 */
const AFTER_SENTENCE = /(?:(\p{L}+|[\d)\]%]|[`’”"])\.["'”’)\]]*|\p{L}[!?])[ \t]*(?:\r?\n)?[ \t]*["“‘(]?$/u;
/** The beginning of the text or of a paragraph without a list sign. */
const AT_PARAGRAPH = /(?:^|\n[ \t]*\r?\n)[^\p{L}\p{N}\n*•–+#>|=~.:;,-]*$/u;
/** First words of sentences that do not begin an entry of a change log. */
const CLAUSE_OPENERS =
  /^(?:the|a|an|i|we|you|he|she|it|they|this|that|these|those|there|my|your|his|her|our|their|however|and|but|so|if|when|while|because|although|as|many|some|most|people|yesterday|today)$/;
const ABBREVIATION =
  /^(?:\p{L}|inc|ltd|co|corp|etc|vs|dr|mr|mrs|ms|st|no|vol|fig|approx|dept|est|jr|sr|prof|gen|rev|eg|ie|resp|incl|ca|al|cf|sec|ed|eds|min|max|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|ave|blvd)$/iu;

/** Whether a word that Harper would capitalize begins a sentence; list items, labels and continued sentences are left alone. */
function beginsSentence(text: string, start: number, end: number): boolean {
  if (
    frequency(text.slice(start, end).toLowerCase()) === 0 ||
    /^(?:[-._/:=(*\]]\S|\*\*)/.test(text.slice(end, end + 2))
  )
    return false;
  // A term above its indented definition.
  if (/^[^\n.!?]{0,30}\n[ \t]+\S/.test(text.slice(end, end + 60)) && /(?:^|\n)[ \t]*$/.test(text.slice(0, start)))
    return false;
  const lead = text.slice(Math.max(0, start - 60), start);
  const sentence = AFTER_SENTENCE.exec(lead);
  if (sentence !== null && /\s/.test(sentence[0])) {
    // “Oh! the Duchess”, “P = NP? problem”.
    if (/(?:[“"‘(—–,;:!?]\s*\p{L}+!|\p{Lu}{2}\?)["'”’)]*\s*["“‘(]?$/u.test(lead)) return false;
    const word = sentence[1] ?? 'word';
    return !ABBREVIATION.test(word) && !/(?:^|\n)\s*\d+\.\s*$/.test(lead) && !/\.\.\s*$/.test(lead);
  }
  const before = AT_PARAGRAPH.exec(text.slice(0, start));
  if (before === null) return false;
  const above = text.slice(0, before.index).trimEnd();
  if (above !== '' && !/[.!?]["'”’)]*$/.test(above)) return false;
  if (!text.includes('\n') && CLAUSE_OPENERS.test(text.slice(start, end)) && text.split(/\s+/, 7).length > 6)
    return true;
  const [paragraph = ''] = text.slice(start).split(/\n[ \t]*\r?\n/, 1);
  return /[.!?]["'”’)]*\s*$|[.!?]\s+\p{Lu}/u.test(paragraph);
}

/** Corrects "ipod" and "NIce" but not "IDEs", which has capitals of its own. */
const isMiswritten = (original: string, replacement: string): boolean =>
  (/^[a-z]+$/.test(original) && !INFORMAL.has(original)) ||
  (/^[A-Z]{2}[a-z]+$/.test(original) &&
    !/^[A-Z]{2}s$/.test(original) &&
    frequency(replacement.toLowerCase()) > 10_000_000);

/** Whether there are two spaces between words in a text that aligns nothing with spaces, as tables do. */
function isStraySpace(text: string, start: number, end: number): boolean {
  const lead = text.slice(Math.max(0, start - 2), start);
  if (
    text.length > 600 ||
    text.slice(start, end).trim() !== '' ||
    !/[a-z][a-z,;]$/.test(lead) ||
    !/^[a-z]/i.test(text.charAt(end))
  )
    return false;
  const runs = text.match(/[^\s.!?:] {2,}\S| {4}|\t/g) ?? [];
  return runs.length <= MAX_STRAY_SPACES;
}

const MAX_STRAY_SPACES = 3;

/** An object before a verb whose subject stands before it. */
const BEHIND_SUBJECT =
  /\b(?:us|them|me|him) $|\b(?:with|of|to|for|from|by|about|between|around|behind|near|at|than|like) (?:you|her) $|\b(?:who|that|which|whoever) (?:\w{1,20} ){1,2}(?:you|it|her) $/i;

const FOUNDED_THINGS =
  'company firm business start-?up city town school university club party magazine newspaper bank state church movement order organi[sz]ation institute society charity studio label'.split(
    ' ',
  );
/** What people found, behind the verb. */
const FOUNDED = new RegExp(
  String.raw`^\s+(?:the|a|an|this|that|his|her|their|our|its|any|another)\s+(?:[\w-]+\s+){0,2}(?:${FOUNDED_THINGS.join('|')})\b`,
  'i',
);

const CLAUSE_LEADS = [
  '^',
  String.raw`[\p{P}\n]`,
  String.raw`\b(?:that|and|but|or|because|cause|so|if|when|then|than|as|like|since|while|though|although|until|whether|where|what|how|why|who|here|now|maybe|think|thinks|thought|know|knows|say|says|said|hope|guess|believe|mean|means|sure|feel|feels|looks|see|hear|heard|wish|bet|swear|hey|hi|no|yes|well|oh)`,
];
/** Words behind which “it's” is no possessive: they end a clause or take one as their object. */
const BEFORE_CLAUSE = new RegExp(`(?:${CLAUSE_LEADS.join('|')}) {0,2}["“‘(]?$`, 'iu');

/** A noun and the subject of a clause about it, before "did" or "had": "the things he", "all they", "what we". */
const DESCRIBED = String.raw`(?:\b(?:what|all|everything|whatever|(?:the|that|those|these|few|first|last|only|best|every|no|any) (?:[\w']+ ){0,3}[\w']+)(?: (?:that|which|who|i|you|he|she|it|we|they|ever))* (?:i|you|he|she|it|we|they|whose \w+ it|that \w+)(?: ever)?) `;
const RELATIVE = new RegExp(`${DESCRIBED}(?:did )?$`, 'i');
const HAD = new RegExp(`${DESCRIBED}(?:(?:had|has|have|was|were) )?$`, 'i');

/** Rules with what has to stand around their finding, or must not; each showed more wrong corrections than right ones without. */
const AROUND: Readonly<
  Record<string, { before?: RegExp; notBefore?: RegExp; after?: RegExp; notAfter?: RegExp; original?: RegExp }>
> = {
  // "part (i)", "i = 0", "from i to x", "The letter i is": a numeral or a name.
  CapitalizePersonalPronouns: {
    notBefore: /[(["“]$|\b(?:in|to|from|the|letter|and|of|with|index|variable|where|let|for)\s+$/i,
    notAfter: /^\s*[=)\]<>+*/]|^\s+(?:to|is|stands|equals|through)\b|^[.,;:]/,
  },
  // "The work he did did no good".
  RepeatedWords: { original: /^(?!(?:did|do|does|is|that) )/i },
  // "Everything you did went wrong": a clause that describes what stands before it.
  DidPast: {
    notBefore: RELATIVE,
    after:
      /^\s+(?:the|an?|my|your|his|her|its?|our|their|this|that|to|in|at|on|with|for|not|me|him|us|them|you|any|anything)\b|^[.,?!]|^$/i,
  },
  // "Some one hundred people", "polished every one.", "any body parts".
  Someone: { notAfter: /^[\s-]+(?:hundred|thousand|million|way|of)\b/ },
  Everyone: { notAfter: /^(?:[.,;!?]|\s+of\b)/ },
  Anybody: { notAfter: /^\s+(?:parts?|fluids?|heat|weight|language|hair|odou?r)\b/ },
  Somebody: { notAfter: /^\s+(?:parts?|fluids?|heat|weight|language|hair|odou?r)\b/ },
  // "a slight cant", "this cant".
  Cant: { notBefore: /\b(?:a|the|this|that|of|slight|mere|such|no|political|religious)\s+$/i },
  // "What we discussed about noon".
  Discuss: { notBefore: /\bwhat (?:we|they|you|i|he|she) $/i },
  // "happier then because she was young".
  ThenThan: { notAfter: /^\s+(?:and|because|when|but|or|if|as|than)\b/i },
  // "Hey, it's Tim", "I think it's paper".
  ItsPossessive: { notBefore: BEFORE_CLAUSE },
  // "each commit with its SHA-1", "its not inconsiderable virtues", "to its going out of business".
  ItsContraction: {
    notBefore: /\b(?:to|of|by|with|from|for|about|on|in|at|against|despite|given|into)\s+$/i,
    notAfter: /^\s+(?:[\p{Lu}\d`]|not (?:in|un|im)\w+|\w+ (?:torn|broken|lost|gone|\w+ed),)/u,
  },
  // "his wife and their two children", "Having their carefully crafted work rejected".
  TheirToTheyre: { after: /^\s+\w+ing\s+(?:at|to|on|in|for|with|a|the|not|now|here|home|today|tomorrow)\b/i },
  // "of what new course", "us new rights".
  PronounKnew: {
    original: /^new$/,
    before: /\b(?:I|we|they|he|she)\s+$/i,
    after: /^\s+(?:that|it|him|her|he|she|they|the|about|what|how|nothing|everything|you|them)\b/i,
  },
  // "so great in the world".
  GoodAt: { notAfter: /^\s+(?:the|that|this|these|those|my|our|your|his|her|its|their|all|a|an|every|some)\b/i },
  // "one of whom had".
  WhomSubjectOfVerb: { before: /\w\s+$/, notBefore: /\b(?:of|with|to|for|by|from|in|on|than)\s+$/i },
  // "Everyone is broke".
  // "The book I had went missing": a clause that describes what stands before it.
  SimplePastToPastParticiple: { original: /^(?!(?:broke|did)$)/i, notBefore: HAD },
  // "good will of the victim".
  ModalOf: {
    original: /^(?!will\b)/i,
    notBefore: /\b(?:what|all|whatever|as much as|everything)\s+\w+\s+$/i,
    notAfter: /^\s+(?:necessity|course|his|her|the|its|their|my|our|your)\b/,
  },
  // "those interested above all in quality".
  InterestedIn: { original: /^(?!above)/i, notAfter: /^\s+(?:all|first|last|least|most|times|once|home|work)\b/ },
  // "unable to be is dull".
  SingleBe: { notBefore: /\b(?:to|not)\s+be$|\bwhat\s+\w+(?:\s+\w+)?$/i },
  // "this kind of data structure".
  ThisTypeOfThing: { original: /^(?!data)/i },
  // "the General Will gave rise".
  WillNonLemma: { original: /^w/ },
  // "make it self-lighting".
  Itself: { notAfter: /^-/ },
  // "You know where their offices are".
  ThereToTheir: {
    notBefore: /\b(?:is|are|was|were|people|those|over|out|from|in|here|get|go|up|down|back|not|or)\s+$/i,
    notAfter: /^\s+(?:is|are|was|were|has|have|had|will|would|can|could|to|for|in|on|at|with|and|or|as)\b/i,
  },
};

const fits = (text: string, { rule, start, end }: Finding, original: string): boolean => {
  const around = Object.hasOwn(AROUND, rule) ? AROUND[rule] : undefined;
  if (around === undefined) return true;
  const lead =
    text
      .slice(Math.max(0, start - 40), start)
      .split(/[.!?]\s/)
      .at(-1) ?? '';
  const after = text.slice(end, end + 30);
  return (
    (around.original?.test(original) ?? true) &&
    (around.before?.test(lead) ?? true) &&
    !(around.notBefore?.test(lead) ?? false) &&
    (around.after?.test(after) ?? true) &&
    !(around.notAfter?.test(after) ?? false)
  );
};

/** Whether a finding of Harper's is a slip rather than a right use that it takes for one. */
export function isLikely(text: string, finding: Finding, original: string, replacement: string): boolean {
  const { rule, start, end } = finding;
  if (!fits(text, finding, original)) return false;
  if (rule === 'SentenceCapitalization') return beginsSentence(text, start, end);
  if (rule === 'Spaces') return isStraySpace(text, start, end);
  if (rule === 'OrthographicConsistency') return isMiswritten(original, replacement);
  if (rule === 'AnA') return isArticle(text, start, end);
  // "The color's are fine": the apostrophe is wrong, not the verb.
  if (rule === 'SingleBe' && /\w['’]s\s*$/.test(text.slice(0, start))) return false;
  // "I am wrote to ask": "writing" may be meant.
  if (rule === 'SimplePastToPastParticiple' && /\bI(?:['’]m| am) $/.test(text.slice(Math.max(0, start - 6), start)))
    return false;
  // "Your the best", "Its the best": "you're" and "it's" are meant.
  if (rule === 'TheMy' && /^(?:your|its|their) the$/i.test(original)) return false;
  // "He didn't found the company": to found, not to find.
  if (rule === 'DidPast' && /found$/i.test(original) && FOUNDED.test(text.slice(end, end + 60))) return false;
  // "They came too the next day": also.
  if (
    /^too\b/i.test(original) &&
    /^\W*(?:the )?(?:next|following|other|last|same|year|day)\b/.test(text.slice(end, end + 20))
  )
    return false;
  // "every one of them": each.
  if (/^(?:every|any|no|some) one$/i.test(original) && /^\s+of\b/.test(text.slice(end, end + 5))) return false;
  // "with us was", "the man that called us was", "who told you was": the subject stands before.
  if (rule === 'PronounInflectionBe' && BEHIND_SUBJECT.test(text.slice(Math.max(0, start - 40), start))) return false;
  // "Were are you?": where.
  if (rule === 'SingleBe' && /(?:^|[.!?] )(?:were|we['’]re)$/i.test(text.slice(Math.max(0, start - 7), start)))
    return false;
  // "How was you're weekend?"
  if (rule === 'PronounInflectionBe' && /^ you['’]re\b/i.test(text.slice(end, end + 7))) return false;
  // "to and fro"; "the re-establishment"; "the world wide web".
  if (rule === 'ForNoun' && /\bto and $/i.test(text.slice(Math.max(0, start - 8), start))) return false;
  if (rule === 'There' && text.charAt(end) === '-') return false;
  // "Aren't there more?"
  if (rule === 'ThereToTheir' && /\b(?:are|were)n['’]t $/i.test(text.slice(Math.max(0, start - 9), start)))
    return false;
  if (rule === 'Worldwide' && /^\s+web\b/i.test(text.slice(end, end + 6))) return false;
  // "a black top-hat".
  if (JOINS.has(rule))
    return text.charAt(end) !== '-' && joinsWell(original, replacement) && !isVerbBehindNoun(text, start, end);
  if (/^(?:that that|had had|her her|is is)$/i.test(original) && !/^is is$/i.test(original)) return false;
  // "really really", "yada yada": for emphasis; "W. W.": a name; "told you you should"; "panty-and-bra".
  if (rule === 'RepeatedWords' && !isSlipTwice(text, start, original)) return false;
  if (/\p{Lu}{2}/u.test(original)) return false;
  if (
    rule === 'ToTwoToo' &&
    /\bup $/.test(text.slice(Math.max(0, start - 3), start)) // "up to here"
  )
    return false;
  if (
    rule === 'ToTwoToo' &&
    (replacement === 'to'
      ? !/^ (?:the|a|an|my|our|your|his|her|their|be|do|go|get|have|make|see|buy|take|give|work|school|him|them|us|me)\b/.test(
          text.slice(end, end + 12),
        )
      : !beforeDegree(text, end) ||
        !/\b(?:is|are|was|were|be|been|get|gets|got|getting|way|far|bit|little|looks?|seems?|feels?|sounds?|not|just|much|['’](?:s|re|m))\s+$/i.test(
          text.slice(Math.max(0, start - 9), start),
        ))
  )
    return false;
  // "for they had stood there": a conjunction.
  if (
    rule === 'TheyToThem' &&
    !/\b(?:help|helps|helped|let|lets|make|makes|made|about|from|with) $/.test(
      text.slice(Math.max(0, start - 8), start),
    )
  )
    return false;
  // "to subscribed users": an adjective.
  if (
    rule === 'InflectedVerbAfterTo' &&
    !/\b(?:have|has|had|need|needs|want|wants|able|going) $/.test(text.slice(Math.max(0, start - 8), start))
  )
    return /^\s+(?:the|a|an|my|your|his|her|its|our|their|it|them|this|that)\b/.test(text.slice(end, end + 12));
  // "with respect to its clearing up", "Its being, he says".
  if (
    rule === 'ItsContraction' &&
    /^\s+(?:being|not|selected|\w+ed|(?!\w*thing\b)\w+ing)\b/i.test(text.slice(end, end + 20)) &&
    !/^\s+(?:been|going|raining|snowing|getting|working|not (?:a|an|the|so|very|that|as|my|your|our|fair|true|right|easy|good|bad|clear|possible|working|on|in|\w+ing)\b)/i.test(
      text.slice(end, end + 25),
    )
  )
    return false;
  if (rule === 'ItsPossessive' && (/^\s+(?:money|worth|time)\b/.test(text.slice(end, end + 10)) || /^I/.test(original)))
    return false;
  // "Who's going?": the capital is the sentence's.
  return !(original.charAt(0).toLowerCase() + original.slice(1) === replacement && /^\p{Lu}/u.test(original));
}

const EMPHATIC =
  /^(?:really|very|so|no|yes|yeah|ha|bye|now|well|there|please|many|long|far|much|never|again|yada|blah|knock|hear|oh|go|wait|ok|okay|too|big|way|more|old|poor|dear|pretty|night|ho|hey|hi|come|good|sorry|thanks) /i;

const STRANDED =
  /\b(?:what|which|whom?|whatever|that|as (?:you|i|we|they))\b[^.!?]*$|\b(?:referred|refer|applied|applying|connected) $/i;

/** A verb that ends a clause about a noun, or one with "in" or "on" of its own. */
const PHRASAL = 'go|goes|went|come|came|gets?|got|getting|take|took|turned|log|logged|put|moved';
const ENDS_CLAUSE = new RegExp(`(?:${DESCRIBED}[a-z]+(?: up)?|\\b(?:${PHRASAL})) $`, 'i');

/** Whether a word that stands there twice is a slip. */
const isSlipTwice = (text: string, start: number, original: string): boolean => {
  const lead = text.slice(Math.max(0, start - 80), start);
  // "whatever I need to to stay healthy": the end of a clause, and the next.
  if (/^to to$/i.test(original) && STRANDED.test(lead)) return false;
  if (EMPHATIC.test(original) || /^\w\./.test(original) || /-$/.test(lead)) return false;
  // "What it is is", "the hotel we stayed in in Rome": the end of a clause, and the next.
  if (/^is /i.test(original) || (/^(?:in|on|at) /i.test(original) && ENDS_CLAUSE.test(lead))) return false;
  // "told you you should".
  return !(
    /^you /i.test(original) &&
    /\b(?:tell|tells|told|bet|promise|promised|warn|warned|assure|ask|asked|wish)\s+$/i.test(lead)
  );
};

/** Accepts "too much" and "too expensive," but not "oversight to senior, mid, and junior". */
const beforeDegree = (text: string, end: number): boolean =>
  /^\s+(?:much|many|late|little|few|(?!again|sometimes|often)\w+[.!?]|\w+ (?:to|for)\b)/.test(
    text.slice(end, end + 25),
  );

/**
 * Whether "a" is an article rather than a letter, as in "node A" or “a is the so-and-so”, and the next word's sound is
 * clear.
 */
function isArticle(text: string, start: number, end: number): boolean {
  if (
    /\bA$/.test(text.slice(start, end)) &&
    !/(?:^|[.!?:]["”’)]*\s+|\n\s*|["“‘(])$/.test(text.slice(Math.max(0, start - 5), start))
  )
    return false;
  const next = text.slice(end, end + 20);
  // By sound: "a unanimous vote", "an onerous task".
  if (/^\s+(?:unanim|unary|ugand|ubiq)/i.test(next) && /^a$/i.test(text.slice(start, end))) return false;
  if (/^\s+(?:urchin|onerous|unidentif|utmost)/i.test(next) && /^an$/i.test(text.slice(start, end))) return false;
  if (
    /^\s+(?:(?:is|was|are|were|and|or|as|about|in|of|on|at|if|isn|also)\b|hotel|historic|heroic|\p{Lu}{2,}|[b-df-hj-np-tv-xz]{2,}\b|mbox|eu\w+|ewe|(?:hysteri|habitua|historica|hilario|hallucin|heredit)\w+)/u.test(
      next,
    )
  )
    return false;
  return /^\s+["“‘(*_]?\p{L}/u.test(next);
}
