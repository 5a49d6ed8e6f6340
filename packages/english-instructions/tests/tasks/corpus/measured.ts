/** What is asked of lines with values, and what the answer says. At Friday 2026-11-20, 08:00 UTC. */
export const MEASURED: readonly (readonly [says: string, answer: RegExp])[] = [
  // What a sign in figures means, and lengths of time.
  ['Our newsletter opens are below, could you sum them up?\n\nJan: 12,304\nFeb: 11,096', /\*\*23,400\*\*/],
  ['total, they are in h:mm\n\nshift one 6:50\nshift two 7:25', /^14 h 15 min$/],
  ['Add up these laps\n\nfirst 1:52\nsecond 1:49', /^3:41$/],
  ['sum of these:\n\nKoffer 1.199,00 €\nTasche 89,50 €', /€1,288\.50/],
  ['total of my account\n\ndeposit 800.00\nwithdrawal (120.50)', /\*\*679\.5\*\*/],
  ['combined weight of the crates?\n\n#7 1.2 kg\n#8 650 g', /1\.85 kg/],
  ['how long did the set take in all?\n\nwarm-up: 12 min\nmain: 1 h 5 min', /^1 h 17 min$/],
  ['add up the hours\n\nMon 9:00-17:30\nTue 9:15-18:00', /^17 h 15 min$/],
  // Lines that are no rows, and a total that is there already.
  ['Sum up the tickets:\n\nadult 24.50\nchild 12.00\nTotal 36.50', /\*\*36\.5\*\*/],
  ['add these up\n# north\nA 10\nB 20\n\n# south\nC 30', /\*\*60\*\*/],
  ['average\n| oak | 12 |\n| elm | 18 |', /\*\*15\*\*/],
  // One of them, some of them, their order.
  ['Which one is the earliest?\n\n2027-04-02\n2026-12-30', /^2026-12-30$/],
  ['which ferry goes first?\n\nBlue 09:40\nRed 09:15', /^Red 09:15$/],
  ['the two dearest ones?\n\nlamp $40\nrug $210\nvase $55', /rug \$210\n- vase \$55/],
  ['who ran the longest?\n\nMo 42:10\nJo 1:03:05', /^Jo 1:03:05$/],
  ['second lowest?\n\n8\n3\n5', /^5$/],
  ['show those with at least 2 h\n\nMia 1 h 50 min\nNed 2 h\nOla 3 h', /Ned 2 h\n- Ola 3 h/],
  ['how many are over $1,000?\n\nroof $4,200\ndoor $950\nfloor $1,750', /\*\*2\*\*/],
  ['list the dates after 1 May 2026\n\n2026-12-01\n2026-04-24\n2026-06-01', /2026-12-01\n- 2026-06-01/],
  ['sort by date, newest first\n\n1 March 2026 audit\n9 April 2026 fair', /fair\n- 1 March/],
  ['average of the first two\n\ntea 4\ncake 6\njam 11', /\*\*5\*\*/],
  // Figures of some of them and of two.
  ['how much did Ola pay?\n\nOla 29\nMax 31\nOla 45', /\*\*74\*\*/],
  ['total for March and April\n\nMarch 4\nApril 5\nMay 9', /\*\*9\*\*/],
  ["what's left of 900 after these?\n\nband 400\nhall 350", /\*\*150\*\*/],
  ['what share of the total is fuel?\n\nfuel 30\ntolls 90', /\*\*25%\*\*/],
  ['how much more did May bring than April?\n\nApril 1,150\nMay 1,420', /\*\*270\*\*/],
  ['cumulative sum please\n\nMon 4\nTue 6', /- Mon: 4\n- Tue: 10/],
  [
    'How much goes to Travel in total?\n\nwhat,group,cost\ntrain,Travel,"1,080"\nhall,Rent,900\nbus,Travel,45',
    /\*\*1,125\*\*/,
  ],
  ['My gauge readings: 12, 31, 27. Which is the highest?', /^31$/],
];

/** What looks alike, and is asked about: another figure, another unit, one that is not there, two meanings. */
export const NOT_MEASURED: readonly string[] = [
  'total?\n\nroom €80\nbus $12',
  'total?\n\nflour 500 g\nmilk 1 l',
  'total?\n\nbox 2 kg\nbag 3',
  'sum these\n\npine 1 204 kg\noak 2 350 kg',
  'total\n\nlap 1,62\nlap 2,60',
  'total?\n\n€1.204\n€2.310',
  'which is the earliest?\n\n03/04/2026\n04/03/2026',
  'which came first?\n\nfair 5 December\ngala 2 January',
  'sum these up\n\npears 12\napples ten-ish\nplums 8',
  'total\n\ntea 4.00\ncake 6.00\nTotal 11.00',
  "what's the average?\n\n4:35\n3:10\n6:16",
  'top 2\n\nfirst 1:52\nsecond 1:49\nthird 1:55',
  'total in lbs\n\nbox 4 kg\nbag 3 kg',
  'total in dollars\n\nrent €400\nfood €300',
  'how much did Dora pay?\n\nOla 29\nMax 31\nOla 45',
  'total these and email it to Bob\n\ntea 4\ncake 5',
  'sum of these plus 10%\n\ntea 4\ncake 5',
  'is the total over 100?\n\ntea 40\ncake 50',
  'add up the hours\n\nMon 9:00-5:30\nTue 9:15-6:00',
  'sum of the dates\n\n2026-01-02\n2026-01-05',
];
