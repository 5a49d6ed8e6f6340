/** Words that no name contains, each with the standard term that stands for it. */
export const NAME_TERMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    letter: 'submission',
    letters: 'submissions',
    park: 'suspend',
    parked: 'suspended',
    nobody: 'none',
    somebody: 'someone by role: caller, owner, sender',
    whoever: 'caller, client, sender, owner or guest',
    most: 'max',
    bite: 'batch, chunk or page',
    bites: 'batches, chunks or pages',
    hub: 'bus',
    ear: 'subscriber',
    hear: 'subscribe or on',
    heard: 'notified',
    news: 'events',
    peers: 'cluster or nodes',
    breath: 'yieldToEventLoop',
    hindrance: 'problem',
    fault: 'error',
    faults: 'errors',
    mend: 'fix',
    mended: 'fixed',
    anew: 'again or retry',
    lend: 'yield or release',
    lent: 'yielded or released',
    mailing: 'delivery',
    facts: 'hot statements',
    reach: 'context or services',
    desk: 'the plain name of what it does',
    pane: 'conversation',
    storable: 'well-formed',
    surroundings: 'context',
    once: 'idempotency',
    tell: 'publish, notify or log',
    told: 'published, notified or logged',
    came: 'result or outcome',
  }),
);

/** Words that no comment uses, each with what to write in its place. */
export const COMMENT_TERMS: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b/i, 'the caller, client, sender, owner or guest'],
  [/\b(?:some|no)body\b/i, 'the caller, client, sender, owner or guest, or "none"'],
  [/\banew\b/i, '"again" or "from the start"'],
  [/\b(?:goes|go|going|went) on\b/i, '"continues"'],
  [/\b(?:bite|bites)\b/i, '"batch", "chunk" or "page"'],
  [/\bmend(?:ed|s)?\b/i, '"fix"'],
  [/\b(?:hub|ear|peers|hindrance|lent|lend|parked?)\b/i, 'the term of the glossary'],
];

/** Where such a word is the right one, and why. */
const EXCEPTIONS: readonly { readonly word: string; readonly files: RegExp; readonly why: string }[] = [
  {
    word: 'letter',
    files: /(?:proofread|planner|language|tasks|distance|spelling|texts?|chance)/,
    why: 'a letter of the alphabet',
  },
  {
    word: 'letters',
    files: /(?:proofread|planner|language|tasks|distance|spelling|texts?|chance)/,
    why: 'letters of the alphabet',
  },
  { word: 'mend', files: /types\.generated/, why: 'a field of the JSON of /problems' },
  { word: 'most', files: /(?:proofread|planner|tasks\/text)/, why: 'the English word "most", which is read there' },
  {
    word: 'once',
    files: /(?:tasks|planner|oidc\/provider|at-once|limiters|compress)/,
    why: 'a single time, as in English',
  },
];

/** Whether `word` is the right one in that file. */
export const isException = (file: string, word: string): boolean =>
  EXCEPTIONS.some((one) => one.word === word && one.files.test(file));
