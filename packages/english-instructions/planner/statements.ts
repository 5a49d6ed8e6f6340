const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words with which a sentence begins that states something, and never one that orders something. */
export const PRONOUNS = words(
  `i we he she they it you there this that these those someone somebody nobody everyone everybody everything nothing people
i'm i've i'd i'll im we're we've we'd we'll he's she's it's its that's there's they're they've you're you've who`,
);
export const DETERMINERS = words(
  'the a an my our his her their your some many most several all both each every no this that these those another',
);
export const ADVERBS = words(
  `and but so well because since as today yesterday tomorrow tonight now currently recently lately sometimes usually often
unfortunately sadly luckily apparently actually here soon again always never still somehow finally meanwhile suddenly maybe just really honestly right`,
);
export const PREPOSITIONS = words(
  'in on at for after before during with from since by near under as to because of behind around between within about while although though',
);
/** Verbs of statements, and words behind which one stands. */
export const FINITE = words(
  `is are was were am be been has have had do does did will would can could shall should may might must isn't aren't wasn't weren't
hasn't haven't hadn't don't doesn't didn't won't wouldn't can't cannot couldn't keeps keep kept wants want needs need says say said
comes come came goes go went gets get got looks look seems seem asks ask tells tell told thinks think thought loves love likes
hates gave gives set sent made makes make left lost found ran runs run won wins sold sells bought buys broke breaks fell falls
began begins starts opens closes took takes meets meet met knows know knew wrote writes reads sits stands stood works work
lives live teaches taught brought brings ate eats saw sees heard hears felt feels spent speaks spoke plays play sings sang rose
grows grew drew draws drives drove flies flew hangs hung builds built bet helps help believes stay stays stayed`,
);
export const isVerb = (word: string): boolean => FINITE.has(word) || /^\p{L}{2,}(?:ed|['’]s)$/u.test(word);
export const CLOSED =
  /^(?:the|an?|my|our|his|her|their|your|its|this|that|these|those|it|us|me|them|to|in|on|at|for|with|by|from|about|into|through|again|soon|here)$/;

/** The words of a text in lower case. */
export const wordsOf = (text: string): readonly string[] =>
  (text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\d]+(?:['-][\p{L}\d]+)*/gu) ?? []) as readonly string[];

/** Where the subject begins behind what says when, where or why something is so; -1 where none does. */
export function subjectIn(all: readonly string[]): number {
  let at = 0;
  while (ADVERBS.has(all[at] ?? '')) at++;
  const [one = '', , three = ''] = all.slice(at);
  // "Last night we talked", "every year the club meets".
  if (/^(?:last|this|next|every|each|these|those)$/.test(one) && (PRONOUNS.has(three) || DETERMINERS.has(three)))
    return at + 2;
  const isDoing = /\p{L}{3}ing$/u.test(one) && !FINITE.has(all[at + 1] ?? '');
  if (!PREPOSITIONS.has(one) && !isDoing) return at;
  const behind = all.slice(at + 1, at + 9);
  const pronoun = behind.findIndex((word, index) => PRONOUNS.has(word) && !(index === 0 && DETERMINERS.has(word)));
  if (pronoun >= 0) return at + 1 + pronoun;
  const noun = behind.findIndex(
    (word, index) => index > (DETERMINERS.has(behind[0] ?? '') ? 1 : 0) && DETERMINERS.has(word),
  );
  return noun < 0 ? -1 : at + 1 + noun;
}

const OF_DATA = /\b(?:numbers|words|lines|lists?|values|figures|items|entries|rows)\b/;

/** Whether a text states something beyond doubt, and orders nothing. */
export const isStatement = (text: string): boolean => {
  const all = wordsOf(text);
  return all.length > 2 && states(all) && all.slice(1, 6).some((word) => FINITE.has(word));
};
/** Whether a sentence states something: it has a subject and a verb, and begins as no order does. */
export function states(all: readonly string[]): boolean {
  const at = subjectIn(all);
  const subject = all[at] ?? '';
  // "Can't decide what to eat."
  if (
    /^(?:can't|cannot|couldn't|am|don't (?:know|understand|remember)|didn't|haven't|got|forgot|no idea|not sure) /.test(
      all.join(' '),
    )
  )
    return true;
  if (at < 0 || subject === '') return false;
  // "Here are the points", "below are the arrears".
  if (/^(?:here|below|attached|following) (?:is|are)\b/.test(all.join(' '))) return true;
  if (/^one of (?:the|my|our|us|them)\b/.test(all.slice(at).join(' ')))
    return all.slice(at).some((word) => FINITE.has(word)) && !OF_DATA.test(all.join(' '));
  if (/^(?:mr|mrs|ms|dr|prof)$/.test(subject)) return all.slice(at + 2, at + 10).some(isVerb);
  if (/^(?:today|tomorrow|yesterday)$/.test(all[at - 1] ?? '') && /^(?:is|was|will)$/.test(subject)) return true;
  const isNamed = !PRONOUNS.has(subject) && !DETERMINERS.has(subject);
  if (PRONOUNS.has(subject) && !DETERMINERS.has(subject)) return all.length > at + 1;
  const rest = all.slice(at + 1, at + 9);
  const verb = /^(?:from|of|in|at)$/.test(rest[0] ?? '')
    ? (rest.slice(2, 6).find((word) => FINITE.has(word)) ?? '')
    : (rest
        .slice(
          /[^s]s$/.test(rest[0] ?? '') &&
            FINITE.has(rest[1] ?? '') &&
            rest.some((word) => /^(?:me|my|us|our)$/.test(word))
            ? 1
            : 0,
        )
        .find((word) => !ADVERBS.has(word)) ?? '');
  // A name or a noun without an article stands right before its verb.
  if (isNamed)
    return (
      at === 0 &&
      FINITE.has(verb) &&
      !isVerb(subject) &&
      !/^(?:what|how|which|when|where|why|who|whose|if|unless|please|not|only|let|whoever|whatever|whichever)$/.test(
        subject,
      )
    );
  return rest.some(
    (word, index) => isVerb(word) || (index > 0 && /s$|\p{L}{3}/u.test(word) && CLOSED.test(rest[index + 1] ?? '')),
  );
}
