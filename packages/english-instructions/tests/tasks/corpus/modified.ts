/** Operations on lists and texts that are limited or changed, and what the answer says. */
export const MODIFIED: readonly (readonly [says: string, answer: RegExp])[] = [
  // Numbers that are left out of a list, or the only ones that count.
  ['Add 15, 22, 8 and 31 but not the 8', /\*\*68\*\*/],
  ['average of 5, 9, 1 and 20 excluding the highest', /\*\*5\*\*/],
  ['mean of 4, 8, 15, 16 leaving out the lowest and the highest', /\*\*11\.5\*\*/],
  ['product of 2, 3, 4 except the first', /\*\*12\*\*/],
  ['add up 1, 2, 3, 4, 5, 6 but only the even ones', /\*\*12\*\*/],
  ['sum these except the negative ones: 4, -3, 8', /\*\*12\*\*/],
  ['Test scores are 71, 88, 93, 64, 79. What is the average without the lowest one?', /\*\*82\.75\*\*/],
  ['sum of the whole numbers from 1 to 50 except the multiples of 10', /\*\*1,125\*\*/],
  ['how many numbers from 1 to 100 can be divided by 3 but not by 9', /\*\*22\*\*/],
  ['numbers from 1 to 30 divisible by 3 but not by 2', /^- 3\n- 9\n- 15\n- 21\n- 27$/],
  ['list the primes that are at most 11', /^- 2\n- 3\n- 5\n- 7\n- 11$/],
  ['population standard deviation of 10, 12, 23, 23, 16, 23, 21, 16', /\*\*4\.89898\*\*/],
  ['population variance of 1, 2, 3, 4', /\*\*1\.25\*\*/],
  // Words and signs that stay, and parts that do not count.
  ['lowercase everything except the word NASA: WE VISITED NASA IN MAY', /^`we visited NASA in may`$/],
  ['uppercase all but the words and, of: bread and butter of old', /^`BREAD and BUTTER of OLD`$/],
  ["Remove all punctuation but not the apostrophes: It's late, isn't it? Yes!", /^`It's late isn't it Yes`$/],
  ['remove all punctuation except commas: a, b. c!', /^`a, b c`$/],
  ["How many letters are in 'good morning', not counting the spaces?", /\*\*11\*\*/],
  ['How many lines does this have if you skip the empty ones?\nmilk\n\nbread\n\n\njam', /\*\*3\*\* lines/],
  ['sort these except the banana: apple, fig, banana, cherry', /^- apple\n- cherry\n- fig$/],
  ['every other word starting with the first one: red blue green yellow', /^- red\n- green$/],
  ['every third word starting with the second: a b c d e f', /^- b\n- e$/],
  // What is found, but for some of it.
  ['pull out all numbers except the year: In 2024 we sold 315 bikes and 48 scooters', /^- 315\n- 48$/],
  ['extract all numbers except those over 100: 5 and 200 and 17', /^- 5\n- 17$/],
  ['get all emails except the ones that end with .org: a@b.org, c@d.com', /^- c@d\.com$/],
  ['take the email addresses out of this: Write to a@b.example or call 555', /^- a@b\.example$/],
  ['list the keys except id: {"id":7,"color":"red"}', /"color"(?![\s\S]*"id")/],
  ['a.b[1].c from {"a":{"b":[{"c":"x"},{"c":"y"}]}}', /^`y`$/],
  ['Sum the amount column, but only the rows that are paid:\namount,status\n40,paid\n25,open\n60,paid', /\*\*100\*\*/],
  ['sum the amount column without the open ones:\namount,status\n40,paid\n25,open\n60,paid', /\*\*100\*\*/],
  // In any case, and in the order that is meant.
  ['sort alphabetically ignoring case: banana, Cherry, apple', /^- apple\n- banana\n- Cherry$/],
  ["ignoring case, how often does the letter e appear in 'The Eleventh hour'", /\*\*4\*\*/],
  ['how often does the word the appear in "The cat and the dog", ignoring case', /\*\*2\*\*/],
  ['Reverse the order of the words, not the letters: one fine day', /^`day fine one`$/],
  ['join with a dash between, no spaces: alpha beta gamma', /^`alpha-beta-gamma`$/],
  ['join these with a comma, no spaces: a, b, c', /^`a,b,c`$/],
  ['split at the slashes and put each part on its own line: north/south', /^- north\n- south$/],
  ['pad 47 with leading zeros so it has 6 digits', /^`000047`$/],
];

/** Limits that leave nothing out, or of which it is not clear what they leave out. */
export const NOT_MODIFIED: readonly string[] = [
  'sum 3, 4, 5 without the 9',
  'average of 3, 3, 9 without the lowest',
  'sum of 5, 6 and 7 minus 2',
  'extract the numbers except the year: we sold 315 bikes and 48 scooters',
  'extract the numbers except the year: in 2023 and 2024 we sold 48 scooters',
  'sort these except the kiwi: apple, fig, banana',
  'list the keys except size: {"id":7,"color":"red"}',
  'how many numbers from 1 to 20 but not by 3',
  'join with the: alpha, beta',
  'get all emails except mine: a@b.org, c@d.com',
];
