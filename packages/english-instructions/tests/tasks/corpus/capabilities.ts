/** Capabilities in other words than those of their rules, and what the answer says. */
export const CAPABILITIES: readonly (readonly [says: string, answer: RegExp])[] = [
  // Counting.
  ['how many characters including spaces: "a b, c"', /\*\*6\*\* characters/],
  ['how many letters are in supercalifragilistic lol', /\*\*20\*\* letters/],
  ['count up how many words are in this paragraph: the quick brown fox', /\*\*4\*\* words/],
  ['How many of the following words end in "ing"? running, swim, jumping, walk', /\*\*2\*\*/],
  ['How frequently does "na" turn up in banana', /\*\*2\*\*/],
  [
    'My slogan may have no more than four words, so please tell me how many there are in this one: fresh bread daily',
    /\*\*3\*\* words/,
  ],
  ['how many rows does this table have\na,b\n1,2\n3,4', /\*\*2\*\*/],
  // Parts.
  ['the two shortest words, the shortest one first: seven a three no', /a\n- no/],
  ['list the words containing hyphens: a well-known fact', /well-known/],
  ['Cut everything after the first 10 characters: abcdefghijklmnop', /abcdefghij(?!k)/],
  ['The first sentence is all I want: It rains. We stay in.', /It rains\.(?! We)/],
  ['For the form at my bank I must enter digits 2 to 4 of 987654, which are they?', /876/],
  // What is found.
  ['pick the sums of money out of this: taxi $18.40 and a room for 99 euros', /\$18\.40\n- 99 euros/],
  ['Collect the hashtags, each only once: #a #b #a', /#a\n- #b$/],
  ["I'm writing invitations and need just the addresses: ann@x.example, bob@y.example", /ann@x.*\n- bob@y/],
  // JSON and tables.
  ['JSON object from key: value lines\ncolor: red\nsize: S', /"color": "red",\n {2}"size": "S"/],
  ['The parser expects these ids as a JSON array: 7, 8, 9', /\[\s*7,\s*8,\s*9\s*\]/],
  ['what is the mail of the last user in {"users":[{"mail":"a@x.example"},{"mail":"b@x.example"}]}', /b@x\.example/],
  ['list the keys in alphabetical order: {"zip":1,"city":2}', /city\n- zip/],
  [
    'average of the scores, rounded to one decimal: [{"n":"A","score":7},{"n":"B","score":8},{"n":"C","score":8}]',
    /7\.7/,
  ],
  ['item,price\nrug,40.50\nlamp,10\n\nWhat do the prices add up to?', /50\.5/],
  ['guest,town\nRossi,Rome\nMeier,Graz\n\nwhich guests come from Rome?', /Rossi/],
  // Encodings.
  ['the text is hex, make it readable: 48 65 6c 6c 6f', /Hello/],
  ['aGVsbG8= is base64, what does it say?', /hello/],
  ['MD5 of the word hello, in capitals', /5D41402ABC4B2A76B9719D911017C592/],
  ['"tea time" in base64 but without the = at the end', /dGVhIHRpbWU(?!=)/],
  // Regular expressions.
  [String.raw`Check whether "AB-2048" is in line with the pattern ^[A-Z]{2}-\d{4}$`, /yes/],
  [String.raw`We check postcodes with ^\d{5}$ in our shop, so does 8021 pass?`, /no/],
  [String.raw`which of these codes do not match ^K\d+$: K12, 9K, K7`, /9K(?![\s\S]*K7)/],
  [String.raw`how many matches does \b\d{2}\b have in: aa 12 bb 345 cc 7 dd 89`, /2/],
  ['test against the whole string: does "abc1" match [a-z]+', /no/],
  [String.raw`replace \s+ by a single underscore in "a  b c"`, /a_b_c/],
  // Names.
  ['put these names into the form LASTNAME Firstname: Ann Lee, Bob Ray', /LEE Ann, RAY Bob/],
  ['make usernames like j.smith for: Laura Vega, Nils Holm', /l\.vega, n\.holm/],
  ['the first initial and the surname of Ann Lee', /A\. Lee/],
  ['initials of these two, with full stops between the letters: Ann Lee, Bob Ray', /A\.L\., B\.R\./],
  ['Kebab-case, but leave the numbers out: Room 12 Plan B', /room-plan-b/],
  ['The linter wants camelCase, so how do I write total price', /totalPrice/],
  // Names with amounts.
  ['Tot up what we paid:\nwater 38.70\ngas 10', /48\.7/],
  ['name the tallest and the shortest child:\nBen 131\nCleo 142\nDev 127', /Cleo[\s\S]*Dev/],
  ['lowest temperature of the week:\nMon 5\nTue -2\nWed 3', /^Tue -2$/],
  ['difference between the highest and the lowest:\na 1\nb 2\nc 5', /\*\*4\*\*/],
  ['which cost the most and how much in total:\na 1\nb 2', /^b 2[\s\S]*\*\*3\*\*/],
  ['running total:\na 1\nb 2', /- a: 1\n- b: 3/],
  ['what is the second highest:\na 1\nb 2\nc 3', /^b 2$/],
  ['mean lap time in seconds:\nlap 1: 62\nlap 2: 60', /61/],
  ['Sum these up, but leave the deposit out:\nrent 800\ndeposit 1600\ngas 60', /860/],
];

/** Texts that look like these and mean another thing, or two. */
export const NOT_CAPABILITIES: readonly string[] = [
  // A form of the result, or words of the text.
  'sha1 of abc in capitals',
  'upper case md5 of Lisbon',
  'kebab-case without the first word: Room Plan B',
  'decode this from base64 twice: aGVsbG8=',
  // A part is named, and no text.
  'from the second line take the first word:\na b\nc d',
  'count the letters including spaces: a b c',
  'the last 4 digits only if there are 8: 12345678',
  'json array of the first two: a, b, c',
  'turn this into a JSON array of numbers: a, 1',
  'My letter should stay under 300 words. How many does it have now?',
  'get the phone numbers out of the contract I attached, one below the other',
  'convert this table to use semicolons:\na,"b,c"\n1,2',
  // Another figure than those that are asked for.
  'average of the two highest:\na 1\nb 2\nc 3',
  'weighted average:\na 1\nb 2',
  'is the total over budget:\na 1\nb 2',
  'total in hours:\nrun 30 min\nswim 45 min',
  'total without the deposit and the rent:\nrent 1\ndeposit 2\ngas 3',
  // More than one pattern or text, and a denial.
  'does "abc" match ^a and ^b',
  'does ^a match b or c',
  'is "foo" matched by ^f.o$ but not by bar',
  'does "abc" not match ^a',
  'does two words match ^[a-z]+$',
  'does "abc" match ^[a-z]+$ 3 times',
  'check the first word against ^[A-Z]: Anna met bob',
  // No form of names, and names without one.
  'put these into the form Town Street: a b, c d',
  'make usernames like j.smith for: Laura',
  'put these names into the form LASTNAME Firstname: Ludwig van Beethoven',
];
