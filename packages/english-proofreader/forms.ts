import { frequency } from './frequency.ts';

/** Irregular verbs by base: base, past, past participle, and further correct forms. */
const IRREGULAR =
  'arise arose arisen|awake awoke awoken|be was been|bear bore borne born|beat beat beaten|become became become|begin began begun|bend bent bent|bet bet bet|bind bound bound|bite bit bitten|bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built|burst burst burst|buy bought bought|catch caught caught|choose chose chosen|cling clung clung|come came come|cost cost cost|creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|flee fled fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got got|give gave given|go went gone|grind ground ground|grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known|lay laid laid|lead led led|leave left left|lend lent lent|let let let|lie lay lain|lose lost lost|make made made|mean meant meant|meet met met|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|shine shone shone|shoot shot shot|show showed shown|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|speak spoke spoken|spend spent spent|spin spun spun|split split split|spread spread spread|stand stood stood|steal stole stolen|stick stuck stuck|strike struck struck|swear swore sworn|sweep swept swept|swim swam swum|swing swung swung|take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown|understand understood understood|wake woke woken|wear wore worn|weep wept wept|win won won|withdraw withdrew withdrawn|write wrote written|bid bid bid|broadcast broadcast broadcast|cast cast cast|fling flung flung|foresee foresaw foreseen|kneel knelt knelt|light lit lit|mistake mistook mistaken|overcome overcame overcome|oversee oversaw overseen|overtake overtook overtaken|shed shed shed|shrink shrank shrunk|slay slew slain|sling slung slung|spit spat spat|spring sprang sprung|sting stung stung|stink stank stunk|stride strode stridden|string strung strung|strive strove striven|thrust thrust thrust|tread trod trodden|undergo underwent undergone|undertake undertook undertaken|undo undid undone|weave wove woven|wind wound wound|withhold withheld withheld|withstand withstood withstood|wring wrung wrung|uphold upheld upheld|slit slit slit|behold beheld beheld|beset beset beset|beget begot begotten|mislead misled misled|misunderstand misunderstood misunderstood|rebuild rebuilt rebuilt|redo redid redone|remake remade remade|repay repaid repaid|resell resold resold|retell retold retold|rewrite rewrote rewritten|rethink rethought rethought|overhear overheard overheard|override overrode overridden|overthrow overthrew overthrown|unwind unwound unwound|upset upset upset|forsake forsook forsaken|foretell foretold foretold|outgrow outgrew outgrown|befall befell befallen|prove proved proven proved|burn burned burned burnt|learn learned learned learnt|dream dreamed dreamed dreamt|lean leaned leaned leant|leap leaped leaped leapt|spell spelled spelled spelt|spoil spoiled spoiled spoilt|smell smelled smelled smelt';

const pasts = new Map<string, readonly [past: string, participle: string]>();
const baseOfIrregular = new Map<string, string>();
for (const line of IRREGULAR.split('|')) {
  const [base, past, participle, ...others] = line.split(' ') as [string, string, string, ...string[]];
  pasts.set(base, [past, participle]);
  for (const form of [past, participle, ...others]) if (!baseOfIrregular.has(form)) baseOfIrregular.set(form, base);
}
for (const form of ['am', 'is', 'are', 'were']) baseOfIrregular.set(form, 'be');
baseOfIrregular
  .set('has', 'have')
  .set('does', 'do')
  .set('goes', 'go')
  .set('lay', 'lay')
  .set('saw', 'see')
  .set('gotten', 'get')
  .set('wound', 'wind')
  .set('uses', 'use')
  .set('used', 'use')
  .set('using', 'use');

/** The past by participle, for irregular participles that are no other form of the verb: "seen", "saw". */
export const PAST_OF_PARTICIPLE: ReadonlyMap<string, string> = new Map(
  [...pasts].flatMap(([base, [past, participle]]) =>
    participle === past || participle === base || base === 'be' ? [] : [[participle, past] as const],
  ),
);

const VOWEL = /[aeiou]/;

/** Longer verbs that double the last consonant, as "stop, stopped" does. */
const DOUBLING =
  /^(?:[^aeiou]*|qu)[aeiou][bdgklmnprt]$|^(?:admit|begin|commit|compel|control|equip|forget|forbid|occur|omit|permit|prefer|refer|regret|submit|transfer|upset)$/;
const doubles = (verb: string): boolean => DOUBLING.test(verb) && !/[wxy]$/.test(verb);

/** The third person singular of a verb, or the regular plural of a noun. */
function withS(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /^(?:go|do|undergo|echo|veto|hero|potato|tomato)$/.test(word) ? `${word}es` : `${word}s`;
}

/** "go" → "goes". */
export const thirdPerson = (base: string): string => (base === 'be' ? 'is' : base === 'have' ? 'has' : withS(base));

/** "stop" → "stopped", "go" → "went". */
export function past(base: string): string {
  const irregular = pasts.get(base);
  return irregular === undefined ? regularPast(base) : irregular[0];
}

/** "go" → "gone". */
export function participle(base: string): string {
  const irregular = pasts.get(base);
  return irregular === undefined ? regularPast(base) : irregular[1];
}

function regularPast(base: string): string {
  if (base.endsWith('e')) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  return doubles(base) ? `${base}${base.at(-1)}ed` : `${base}ed`;
}

/** "make" → "making". */
export function gerund(base: string): string {
  if (base.endsWith('ie')) return `${base.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(base) && base !== 'be') return `${base.slice(0, -1)}ing`;
  return doubles(base) || base === 'begin' ? `${base}${base.at(-1)}ing` : `${base}ing`;
}

const listed = (word: string): boolean => frequency(word) > 500_000;

/**
 * The base of a verb's form ("goes", "went", "going"), or the word itself; the word list decides where spelling is
 * ambiguous.
 */
export function baseOf(form: string): string {
  const irregular = baseOfIrregular.get(form);
  if (irregular !== undefined) return irregular;
  if (pasts.has(form)) return form;
  // "need", "succeed": no past of "nee".
  if (form.endsWith('eed') && !/(?:agr|fr|decr|rant|refer)eed$/.test(form)) return form;
  for (const [ending, make] of ENDINGS) {
    if (!form.endsWith(ending) || form.length < ending.length + 2) continue;
    const stem = form.slice(0, -ending.length);
    const found = make(stem)
      .filter((base) => VOWEL.test(base) || base.endsWith('y'))
      .filter(listed);
    const fitting = found.filter((base) => [thirdPerson(base), regularPast(base), gerund(base)].includes(form));
    const best = (fitting.length > 0 ? fitting : found).sort((a, b) => frequency(b) - frequency(a))[0];
    if (best !== undefined) return best;
  }
  return form;
}

const undouble = (stem: string): string[] => (stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : []);
const ENDINGS: readonly (readonly [string, (stem: string) => string[]])[] = [
  ['ies', (stem) => [`${stem}y`, `${stem}ie`]],
  ['es', (stem) => [`${stem}e`, stem]],
  ['s', (stem) => (/[su]$/.test(stem) ? [] : [stem])],
  ['ied', (stem) => [`${stem}y`]],
  ['ed', (stem) => [`${stem}e`, stem, ...undouble(stem)]],
  ['ying', (stem) => [`${stem}y`, `${stem}ie`]],
  ['ing', (stem) => [`${stem}e`, stem, ...undouble(stem)]],
];

const PLURALS: Readonly<Record<string, string>> = Object.fromEntries(
  'child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|goose geese|life lives|wife wives|knife knives|leaf leaves|half halves|shelf shelves|thief thieves|wolf wolves|self selves|criterion criteria|phenomenon phenomena|analysis analyses|crisis crises|basis bases|hypothesis hypotheses|thesis theses'
    .split('|')
    .map((line) => line.split(' ')),
);
/** Plurals that are read but not written: "formulae", "persons", "fishes". */
const OTHER_PLURALS =
  'bacterium bacteria|fungus fungi|stimulus stimuli|radius radii|alumnus alumni|cactus cacti|focus foci|locus loci|nucleus nuclei|syllabus syllabi|curriculum curricula|memorandum memoranda|stratum strata|spectrum spectra|symposium symposia|automaton automata|schema schemata|larva larvae|vertebra vertebrae|alga algae|antenna antennae|formula formulae|nebula nebulae|alumna alumnae|matrix matrices|index indices|vertex vertices|appendix appendices|genus genera|corpus corpora|quantum quanta|polyhedron polyhedra|mitochondrion mitochondria|erratum errata|addendum addenda|millennium millennia|plateau plateaux|bureau bureaux|louse lice|ox oxen|brother brethren|person persons|fish fishes|equilibrium equilibria|concerto concerti|aorta aortae';
const SINGULARS = new Map([
  ...OTHER_PLURALS.split('|').map((line) => line.split(' ').toReversed() as [string, string]),
  ...Object.entries(PLURALS).map(([singular, plural]) => [plural, singular] as const),
]);

/** Nouns that are the same in singular and plural, or end in an s that is no plural. */
const UNCHANGED = new Set(
  'aids corps summons gallows barracks innings sheep deer fish series species means aircraft offspring salmon trout headquarters crossroads news mathematics physics economics politics ethics athletics gymnastics diabetes measles lens bus gas glass class pass business process success access address congress progress stress focus virus status campus bonus census chorus circus genius corpus census plus this his us as is was has does yes thus less unless across always perhaps sometimes besides afterwards towards nowadays overseas indoors outdoors upstairs downstairs'.split(
    ' ',
  ),
);

const NOT_MEN = /(?:human|german|roman|norman|ottoman|shaman|talisman|caiman)$/;

/** Nouns whose compounds have the same plural: "bookshelves", "grandchildren". */
const COMPOUNDED = ['child', 'wife', 'knife', 'shelf', 'wolf', 'leaf'] as const;

/** "city" → "cities". */
export function plural(singular: string): string {
  if (UNCHANGED.has(singular) && !/(?:ss|us)$/.test(singular)) return singular;
  const last = COMPOUNDED.find((noun) => singular.endsWith(noun));
  if (last !== undefined) return `${singular.slice(0, -last.length)}${PLURALS[last]}`;
  return (
    // “constructor” is a word too.
    (Object.hasOwn(PLURALS, singular) ? PLURALS[singular] : undefined) ??
    (singular.endsWith('man') && !NOT_MEN.test(singular) ? `${singular.slice(0, -2)}en` : withS(singular))
  );
}

/** "cities" → "city"; undefined when it is no plural. */
export function singular(word: string): string | undefined {
  const irregular = SINGULARS.get(word);
  if (irregular !== undefined) return irregular;
  const last = COMPOUNDED.find((noun) => word.endsWith(PLURALS[noun] as string));
  if (last !== undefined) {
    const compound = `${word.slice(0, -(PLURALS[last] as string).length)}${last}`;
    if (frequency(compound) > 0) return compound;
  }
  // "horsemen", but not "specimen"; "omen" is too short to be a plural of its kind.
  if (word.length > 5 && word.endsWith('men')) {
    const man = `${word.slice(0, -2)}an`;
    return frequency(man) > 0 && !NOT_MEN.test(man) ? man : undefined;
  }
  if (UNCHANGED.has(word) || /(?:ss|us|is)$/.test(word) || !word.endsWith('s') || word.length < 4) return undefined;
  const stem = word.slice(0, -1);
  const found = [
    stem,
    ...(word.endsWith('ies') ? [`${word.slice(0, -3)}y`] : []),
    ...(word.endsWith('es') ? [stem.slice(0, -1)] : []),
  ].filter((base) => frequency(base) > 0 && plural(base) === word);
  return found.sort((a, b) => frequency(b) - frequency(a))[0];
}

/** Whether a word is one of the plurals that no list of words has. */
export const isIrregularPlural = (word: string): boolean => SINGULARS.has(word);

export const isPlural = (word: string): boolean =>
  /^(?:people|police|cattle)$/.test(word) || singular(word) !== undefined;
