/** What an instruction about dates and times is read as: the inputs of its steps. At Friday 2026-11-20, 08:00 UTC. */
export const TIMES: Readonly<Record<string, readonly string[]>> = {
  'day date=the second tuesday of march 2027': [
    'the second Tuesday of March 2027',
    "what's the date of the 2nd Tuesday in March 2027?",
  ],
  'day date=last day of april': ['the last day of April', 'when is the last day of April'],
  'add date=7:30 pm length=-45 minutes': [
    '45 minutes before the concert at 7:30 pm',
    'subtract 45 minutes from 7:30 pm',
  ],
  'add date=easter 2028 length=-2 weeks': [
    'two weeks before Easter 2028',
    'what is the date 2 weeks before Easter 2028?',
  ],
  'add date=today length=15 business days': ['what is the date 15 days from today without weekends'],
  'between date=9:15 to=17:40': ['my shift starts at 9:15 and ends at 17:40, how long is it'],
  'between date=today to=end of the month unit=business': [
    'how many days from today to the end of the month excluding weekends?',
  ],
  'until date=march 1 unit=days': ['how many days until March 1', 'in how many days is the 1st of March'],
  'until date=halloween unit=days|convert from={{+1}} days to=weeks and days': [
    'how many weeks and days until Halloween',
  ],
  'count date=may 2027 to=sunday': ['how many Sundays are there in May 2027?'],
  'before date=2027-02-03 to=2026-05-04': ['is 2027-02-03 before 2026-05-04?'],
  'weekend date=december 5': ['is December 5 on a weekend?', 'is December 5 a weekend day?'],
  'add date=now length=5 hours place=Lima': ['what time is it in 5 hours in Lima'],
};
