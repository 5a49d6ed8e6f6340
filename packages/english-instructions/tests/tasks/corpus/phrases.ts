/** Requests about a text, a list or a table below them, in phrases with relative clauses, and in chains. At Friday 2026-11-20, 08:00 UTC. */
export const PHRASES: readonly (readonly [says: string, answer: RegExp])[] = [
  // Which lines: one of several words, one and not the other, what they have.
  [
    'Show me the rows of this list that mention tea or milk:\ngreen tea\nrye bread\noat milk',
    /^- green tea\n- oat milk$/,
  ],
  [
    'From the visitors below I only need those that end in Smith or Lee.\n\nAnn Smith\nBob Roy\nCy Lee',
    /^- Ann Smith\n- Cy Lee$/,
  ],
  ['Drop the lines that start with ; or # please\n; note\nx = 1\n# more', /^`x = 1`$/],
  ['which lines contain neither rain nor snow?\nrain today\nsun\nsnow later', /^- sun$/],
  ['lines containing tea but not milk:\ntea\ntea with milk', /^- tea$/],
  ['keep the lines with a date:\n12 May dinner\nno plan', /^- 12 May dinner$/],
  ['Delete every line that has a link\nsee https://a.example\nplain', /^`plain`$/],
  ['list the words in this note that are longer than six letters: bring umbrellas and coats', /^- umbrellas$/],
  // What is put around some of them, and taken away.
  ['put a semicolon at the end of every line except the last one:\nx\ny\nz', /x;\ny;\nz(?!;)/],
  ['add "> " in front of every line that contains Bob:\nBob\nAnn', /> Bob\nAnn/],
  ['Put each line between <p> and </p>\nhello\nthere', /<p>hello<\/p>\n<p>there<\/p>/],
  ['Comment these out, i.e. put -- in front of each line:\nselect 1\nselect 2', /-- ?select 1\n-- ?select 2/],
  ['Strip whatever is in square brackets, brackets included: see note [3] and [4] there', /^`see note and there`$/],
  ['Remove the stars at the end:\none *\ntwo *', /^one\ntwo$/],
  ['how long is this if you leave out the spaces: tea for two', /\*\*9\*\* characters/],
  ['cut each line off after 3 characters:\nabcdef\nuvwxyz', /^- abc\n- uvw$/],
  // Numbers, sides and forms.
  ['Number these stops, beginning with 7:\nAvon\nBath', /7\. Avon\n8\. Bath/],
  ['Swap the two sides of each line\nuno = one\ndue = two', /one = uno\ntwo = due/],
  ['Exchange what is before and after the colon:\ncat: chat\ndog: chien', /chat: cat\nchien: dog/],
  ['what would this heading be in kebab-case: Opening Hours In May', /opening-hours-in-may/],
  [
    'Turn the table below into CSV\n\n| town | note |\n| --- | --- |\n| Bath | old, warm |',
    /town,note\nBath,"old, warm"/,
  ],
  ['I need this as JSON:\n| town | n |\n|---|---|\n| Bath | 2 |', /"town": "Bath",\n {4}"n": 2/],
  ['I want these names to be in capitals:\nann\nbob', /ANN\nBOB/],
  // Two lists by their names.
  [
    'Who is on the guest list but not on the seating plan?\nGuests: Ann, Bob, Cy\nSeating: Cy, Ann',
    /^(?!.*(?:Ann|Cy))[\s\S]*- Bob$/,
  ],
  [
    'Which tools are missing from the van?\nVan: saw, tape\nShed: saw, drill, tape',
    /^(?!.*(?:saw|tape))[\s\S]*- drill$/,
  ],
  // Chains.
  [
    'Take the towns below, remove the duplicates, sort them and tell me how many are left\n\nUlm\nBonn\nUlm',
    /- Bonn\n- Ulm\n[\s\S]*\*\*2\*\*/,
  ],
  [
    'Put double quotes around each of these and join them with commas, I want to paste it into a query:\nA1\nB2',
    /"A1", "B2"/,
  ],
  ['sort the list below, then number it:\nUlm\nBonn', /1\. Bonn\n2\. Ulm/],
  ['keep the first two and drop the rest:\na\nb\nc', /^- a\n- b$/],
  ['I want these towns deduplicated, sorted and numbered:\nUlm\nBonn\nUlm', /1\. Bonn\n2\. Ulm/],
  ['give me the list sorted and without duplicates:\nUlm\nBonn\nUlm', /- Bonn\n- Ulm$/],
  ['Number these lines but sort them first:\nUlm\nBonn', /1\. Bonn\n2\. Ulm/],
  ['Before you sort these, remove the ones that start with x:\nxa\nUlm\nBonn', /- Bonn\n- Ulm$/],
  ['add a line "Trier" at the end of this list:\nUlm\nBonn', /Ulm\nBonn\nTrier/],
  ['the longest and the shortest word: the elephant ate it', /elephant[\s\S]*it/],
  ['what date is this timestamp: 1700000000', /2023/],
  ['The register holds 1101, what is this binary number in decimal?', /13/],
  // Dates, lengths and bases.
  ['how long is it from 9:20 to 11:05 in hrs n mins', /1 hour and 45 minutes/],
  ['Which day is halfway between 1 March 2027 and 5 March 2027?', /March 3, 2027/],
  ['when is the last working day of this year', /December 31, 2026/],
  ['which calendar week are we in at present', /47/],
  ['0x1F plus 0x01, and give me the answer in hex', /20/],
  // Amounts of India, whole shares, and where a thing stands in an order.
  ['The trust has 12.5 lakh rupees to be shared equally among 50 schools. How much does each school get?', /25,?000/],
  ['What is 20% of 5 lakh', /1,?00,?000/],
  ['2.5 crore plus 10 lakhs', /26,?000,?000/],
  ['The fund has 40 k euros, shared equally among 5 teams. How much does each team get?', /8,?000/],
  [
    'I have 90 sweets and share them among 7 kids. How many does each get and how many are left?',
    /\*\*12\*\*[\s\S]*\*\*6\*\*/,
  ],
  [
    'Sort these by price, the cheapest comes last:\nscrew 0.12\ndrill 6.40\nanchor 0.35',
    /drill[\s\S]*anchor[\s\S]*screw/,
  ],
  ['Remove the blank lines.\nfirst\n\nsecond\n\n\nthird', /^first\nsecond\nthird$/m],
  ['which of these are under 20\nsku,on_hand\nTAPE-2,34\nWRAP-18,12\nLBL-4,19', /^- WRAP-18,12\n- LBL-4,19$/],
  ['sort the rows by price descending: item,price\npear,2.50\nfig,3.25', /\|\s*fig[\s\S]*pear|item,price\nfig/],
  ['Could you sort these surnames from A to Z for the register?\nPatel\nAhmed', /^- Ahmed\n- Patel$/],
];

/** What looks alike and may mean something else. */
export const NOT_PHRASES: readonly string[] = [
  'convert RGB 255, 128, 0 to hex',
  'sort these and output as JSON array: b, a',
  'Keep only the digits and tell me how many there are: a1b22',
  'Sort these, I want to put them in one line:\nb\na',
  'Sort these, I need them in reverse order:\nb\na',
  'number them, but not the first:\nb\na',
  'Delete the lines that contain tea and milk.\n\ntea\nmilk\ntea and milk',
  'Which rows have no phone number?\n\nname,phone\nAnn,123\nBob,',
  'make a list of the cities without repeats\n\nname,city\nAnn,Rome\nBob,Bern',
  'Remove the text in brackets but keep the brackets: foo (a)',
  'remove the stars at the end:\na *\nb',
  'remove the commas at the start and the dots: ,a.b',
  'swap the two sides:\na = b\nc',
  'swap the sides:\n10:30 - lunch\n12:00 - talk',
  'swap the columns a and b:\na,b,c\n1,2,3',
  'number these from 10 to 20:\na\nb',
  'number the lines backwards from 5:\na\nb',
  'Sort these, i.e. put the longest first:\nbb\na',
  'Reverse these lines so that the first one is still first:\na\nb',
  'Who is on the invited list but not on the paid list?\n\nInvited: Ana, Boris\nConfirmed: Chloe, Ana',
  'Sort these and call Ann\n\nb\na',
  'how much is 0x1F plus 1, and give me the answer in hex',
  'Sort these by price. The anchor should be first.\nscrew 0.12\ndrill 6.40\nanchor 0.35',
  'Sort these by price. I want to see the dear ones before the cheap ones.\nscrew 0.12\ndrill 6.40',
  'remove the blank lines',
  'remove the comma lines',
];
