/**
 * Short English texts as people send them to a proofreader, some with mistakes. All differ, because a linter caches
 * sentences that it has seen.
 */
const LENGTH = 150;

const WORDS: Readonly<Record<string, readonly string[]>> = {
  who: words(
    'my manager|our landlord|the new intern|her brother|a customer|the whole team|your colleague|the editor|his teacher|our neighbor|the committee|a reviewer|the driver|my cousin|the accountant|their lawyer|the nurse|an engineer|the baker|our supplier',
  ),
  did: words(
    'send|read|forget|write|check|copy|lose|print|change|explain|accept|finish|mention|answer|review|correct|approve|share|translate|sign',
  ),
  what: words(
    'report|invoice|letter|contract|recipe|ticket|summary|draft|agenda|manual|budget|schedule|proposal|receipt|survey|poem|catalog|diary|permit|menu',
  ),
  how: words(
    'quickly|carefully|twice|in a hurry|without asking|again|by mistake|on purpose|at last|too late|in silence|by hand|overnight|with pride|in public|as agreed|for free|by phone|with help|in time',
  ),
  when: words(
    'yesterday|on Monday|last week|this morning|in April|before lunch|after the meeting|at noon|on Friday|in winter|during the break|at midnight|since March|every day|two weeks ago|next spring|over the weekend|at dawn|in the evening|on Sunday',
  ),
  place: words(
    'in Boston|at the office|in the kitchen|near the station|at home|by the river|in the library|on the train|at the market|in Lisbon|behind the school|at the airport|in the garden|on the third floor|at the clinic|in Oslo|by the window|at the border|in the cellar|on the roof',
  ),
  wrong: words(
    'recieve|definately|seperate|occured|untill|wich|adress|beleive|goverment|tommorow|neccessary|wierd|truely|publically|begining|calender|concious|embarass|existance|foriegn',
  ),
  thing: words(
    'weather|project|printer|coffee|garden|elevator|meeting|website|music|traffic|bicycle|lecture|kitchen|holiday|machine|novel|concert|bridge|harbor|museum',
  ),
  like: words(
    'fine|noisy|expensive|empty|strange|lovely|cold|crowded|slow|quiet|famous|broken|modern|dark|simple|cheap|busy|bright|old|useful',
  ),
};

const SENTENCES = words(
  'I think {who} {did} the {what} {how}, but the {thing} was {like} {when}.|' +
    'He dont know why {who} would {did} a {what} {place} {when}.|' +
    'Please {did} the {what} and {did} the other {what} {how} {when}.|' +
    'Their going to {did} an {what} {place}, so {who} will {wrong} it {when}.|' +
    'The {thing} {place} is {like} and {like}, as {who} said {when}.|' +
    'There is many {like} things about the {thing} that {who} did not {did}.|' +
    'We could of {did} the {what} {how} if the {thing} had been {like}.|' +
    'It is {wrong} that {who} and {who} meet {place} {when} to {did} the {what}.|' +
    'When the {thing} got {like}, {who} put the {what} away {how}.|' +
    'Neither the {what} nor the {thing} were {like} enough for {who} {when}.|' +
    '{who} have a {like} {thing} {place}, and its {what} is {wrong} {like}.|' +
    'You should {did} the {what} to {who} {when}, even if the {thing} is to {like}.',
);

function words(text: string): readonly string[] {
  return text.split('|');
}

/** A small random number generator (mulberry32): the same seed makes the same texts. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` texts of 150 characters, cut off at the end. Another seed makes other texts. */
export function texts(count: number, seed: number): string[] {
  const random = chance(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const sentence = (): string => {
    const filled = pick(SENTENCES).replace(/\{(\w+)\}/g, (_, kind: string) => pick(WORDS[kind] ?? []));
    return filled.charAt(0).toUpperCase() + filled.slice(1);
  };
  const texts = new Set<string>();
  while (texts.size < count) {
    let text = sentence();
    while (text.length < LENGTH) text += ` ${sentence()}`;
    texts.add(text.slice(0, LENGTH));
  }
  return [...texts];
}
