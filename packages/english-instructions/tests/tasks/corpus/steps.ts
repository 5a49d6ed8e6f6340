/** Instructions by the input of the steps that they mean, as JSON. */
export const STEPS: readonly (readonly [says: string, ...steps: readonly object[]])[] = [
  ['solve 3x - 7 = 14', { expression: 'solve(3 * x - 7 = 14, x)' }],
  ['find y if 5y + 2 = 27', { expression: 'solve(5 * y + 2 = 27, y)' }],
  ['if 4n = 30, what is n', { expression: 'solve(4 * n = 30, n)' }],
  ['solve 2(x + 1) = 10 for x', { expression: 'solve(2 * (x + 1) = 10, x)' }],
  ['what is x in x^2 = 49', { expression: 'solve(x^2 = 49, x)' }],
  ['12 to the power of 3', { expression: '12^3' }],
  ['what is 2 to the 10', { expression: '2^10' }],
  ['240 euros without the 19% VAT', { expression: '240 / 1.19', currency: 'EUR' }],
  ['what does a 120 dollar jacket cost at 25% off', { expression: '120 - 25%', currency: 'USD' }],
  ['price of a 60 euro shirt after a 20% discount', { expression: '60 - 20%', currency: 'EUR' }],
  ['2h 45m + 1h 30m', { expression: '(2 h + 45 min) + (1 h + 30 min)' }],
  ['10 gallons (UK) in litres', { from: '10 imperial gallons', to: 'litres' }],
  ['how many gallons is 20 litres? (US)', { from: '20 litres', to: 'US gallons' }],
  ['what will the date be in 100 days', { what: 'add', date: 'today', length: '100 days' }],
  ['the last friday of next month', { what: 'day', date: 'the last friday of december 2026' }],
  ['is racecar a palindrome', { op: 'palindrome', text: 'racecar' }],
  ['are "listen" and "silent" anagrams', { op: 'anagram', text: 'listen', other: 'silent' }],
  ['is dusty an anagram of study', { op: 'anagram', text: 'dusty', other: 'study' }],
  [
    'does "abc-123" match ^[a-z]+-\\d+$',
    { code: "new RegExp(\"^[a-z]+-\\\\d+$\", '').test(input) ? 'yes' : 'no'", input: 'abc-123' },
  ],
  [
    'test /^\\d{5}$/ against 12345',
    { code: "new RegExp(\"^\\\\d{5}$\", '').test(input) ? 'yes' : 'no'", input: '12345' },
  ],
  [
    'find everything that matches [A-Z]+\\d in: A1, x2, B3',
    { code: 'input.match(new RegExp("[A-Z]+\\\\d", \'g\')) ?? []', input: 'A1, x2, B3' },
  ],
];
