/** What an instruction about numbers is read as: the expressions of its steps, or `from → to` of conversions. */
export const QUANTITIES: Readonly<Record<string, readonly string[]>> = {
  // Terms compose.
  '42 + 105': ['forty two plus a hundred and five', 'what is forty-two added to 105?'],
  '12 * 3 / 4': ['three quarters of a dozen'],
  '(8 - 2)^2': ['(8 - 2) squared', 'the square of (8 - 2)'],
  'mean(40, 55)': ['the average of the two highest of 10, 40, 55', 'mean of the 2 largest numbers in: 10, 40, 55'],
  'prod(1, 3, 5)': ['the product of the first 3 odd numbers', 'multiply the odd numbers from 1 to 5'],
  'sum(2, 3, 5, 7)': ['sum of the primes between 1 and 10', 'add up the first four primes'],
  'round(22 / 7, 2)': ['22 divided by 7 rounded to 2 decimals', 'round 22 over 7 to two decimal places'],
  'ceil(17 / 4)': ['17 divided by 4 rounded up'],
  'round(2749 / 50) * 50': ['round 2749 to the nearest 50'],
  '375 / 25': ['how many 25s in 375', 'what do i have to multiply 25 by to get 375', 'what number times 25 gives 375?'],
  '60 - 17': ['what number plus 17 makes 60', '17 plus what is 60', 'how much do I need to add to 17 to get 60'],
  '100 mod 7': ["what's left over if 100 is divided by 7", 'the remainder when i share 100 sweets among 7 kids'],
  'ceil(47.2 / 5) * 5': ['round 47.2 up to the nearest 5', 'round up 47.2 to the nearest 5'],
  'prod(3, 4, 5) - sum(6, 7)': ['product of 3, 4 and 5 minus the sum of 6 and 7'],
  'median(12, 5, 9)': ['middle number of 12 5 9', 'median, 12 5 9'],
  '3 * 20 + 10': ['how many is three score and ten'],
  'sqrt(144) mod 1 == 0': ['is 144 a perfect square'],
  // Shares, and back again.
  '240 / 1.2': [
    'remove 20% VAT from 240',
    '240 is 20% more than what?',
    'the total with 20% tax is 240, what is the net price?',
  ],
  '68 - 15%': ['15% off 68', '68 minus a 15% discount', 'what is 68 after a 15% reduction'],
  '(90 - 72) / 72 * 100': ['by how many percent is 90 more than 72?', 'percentage change from 72 to 90'],
  '500 * (1 + 3%)^4': ['500 at 3% interest for 4 years'],
  '[8% * 50, 8% * 75]': ['8% of 50 and 75'],
  // Rates.
  '15.25 * 6': ['an hourly rate of 15.25 for 6 hours', '15.25 euros per hour for 6 hours'],
  '310 * 12': ['I pay 310 a month. How much is that a year?'],
  '7 * 0.4': ['seven apples at 40 cents each'],
  '55 - 20': ['what is 20 less than 55'],
  '3 / 8': ["what's 3/8 as a decimal"],
  '1500000 / 300000': ['1.5M divided by 300k'],
  // One for each.
  '[4 + 3, 9 + 3]': ['add 3 to each of 4 and 9'],
  // Yes or no.
  '5 / 8 > 0.6': ['is 5/8 greater than 0.6?', 'Is 5/8 more than 0.6'],
  '91 mod 7 == 0': ['is 91 divisible by 7?'],
  'isPrime(91)': ['is 91 prime?'],
  // Conversions.
  '4 km → miles|9 km → miles': ['convert 4 and 9 km to miles'],
  '2 miles → km|2 miles → m': ['2 miles to km and to m'],
  '6 feet 1 inch → cm': ['6 feet 1 inch in cm', 'how many cm is 6 feet 1 inch?'],
};
