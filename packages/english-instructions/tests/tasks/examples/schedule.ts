import type { Example } from '../harness.ts';

const once = (instructions: string, at: string, time_zone = 'UTC') => ({ op: 'add', instructions, at, time_zone });
const again = (instructions: string, rule: string, time_zone = 'UTC') => ({ op: 'add', instructions, rule, time_zone });

/** On Friday, November 20, 2026, at 8:00 UTC. */
export const SCHEDULE: readonly Example[] = [
  // As people write it.
  { says: 'Every morning at 7 send me a random fact', input: again('send me a random fact', '0 7 * * *') },
  {
    says: 'Check https://example.com/status every 5 minutes',
    input: again('Check https://example.com/status', '*/5 * * * *'),
  },
  {
    says: 'each Monday and Wednesday at 10am: ask bob@acme.example how it goes',
    input: again('ask bob@acme.example how it goes', '0 10 * * 1,3'),
  },
  {
    says: 'tomorrow at 8am, email ann@acme.example saying "Good morning"',
    input: once('email ann@acme.example saying "Good morning"', '2026-11-21T08:00:00+00:00'),
  },
  { says: 'Could you run this every night at 11:30 pm: calculate 2^10', input: again('calculate 2^10', '30 23 * * *') },
  { says: 'On the 15th of every month at 9, list my notes', input: again('list my notes', '0 9 15 * *') },
  { says: 'Twice a day tell me a joke', asks: '“Twice a day” says how often' },
  { says: 'show my reminders for tomorrow', input: { op: 'list', only: 'reminders', on: 'tomorrow' } },
  { says: 'what do I have planned?', input: { op: 'list' } },
  { says: 'Stop reminding me to take my pills', input: { op: 'cancel', query: 'take my pills', only: 'reminders' } },
  { says: 'turn off the alarm at 6', input: { op: 'cancel', query: '6', only: 'reminders' } },
  { says: 'run "calculate 2+2" tomorrow at 9', input: once('calculate 2+2', '2026-11-21T09:00:00+00:00') },
  { says: 'Send bob@acme.example "hi" every Monday at 9', input: again('Send bob@acme.example "hi"', '0 9 * * 1') },
  {
    says: 'email ann@acme.example "Good luck" tomorrow at 8',
    input: once('email ann@acme.example "Good luck"', '2026-11-21T08:00:00+00:00'),
  },
  // In the intended form.
  {
    says: 'every weekday at 9 in Berlin, calculate 2+2',
    input: again('calculate 2+2', '0 9 * * 1-5', 'Europe/Berlin'),
  },
  { says: 'every 15 minutes fetch https://example.com/', input: again('fetch https://example.com/', '*/15 * * * *') },
  { says: 'on the first Monday of each month at 8:30: roll a die', input: again('roll a die', '30 8 * * 1#1') },
  { says: 'tomorrow at noon run: calculate 2+2', input: once('calculate 2+2', '2026-11-21T12:00:00+00:00') },
  { says: 'at 18:00 today do: roll a die', input: once('roll a die', '2026-11-20T18:00:00+00:00') },
  { says: 'daily at 7am Tokyo time: flip a coin', input: again('flip a coin', '0 7 * * *', 'Asia/Tokyo') },
  { says: 'fetch https://example.com/ every hour', input: again('fetch https://example.com/', '0 * * * *') },
  { says: 'schedule a coin flip for tomorrow at 9', input: once('a coin flip', '2026-11-21T09:00:00+00:00') },
  { says: 'schedule: calculate 2+2 every day at 9', input: again('calculate 2+2', '0 9 * * *') },
  { says: '0 9 * * 1-5: calculate 2+2', input: again('calculate 2+2', '0 9 * * 1-5') },
  {
    says: 'in 10 minutes, fetch https://example.com/',
    input: once('fetch https://example.com/', '2026-11-20T08:10:00+00:00'),
  },
  {
    says: 'every Friday at 17:00 run',
    data: '1. calculate 2+2\n2. send it to ann@acme.example',
    input: again('1. calculate 2+2\n2. send it to ann@acme.example', '0 17 * * 5'),
  },
  { says: 'every hour run', data: 'return 1', language: 'js', input: again('```js\nreturn 1\n```', '0 * * * *') },
  { says: 'every day at 9', asks: 'What should I do every day at 9?' },
  { says: 'list my schedules', input: { op: 'list' }, result: 'Nothing is planned.' },
  { says: 'show all reminders', input: { op: 'list', only: 'reminders' } },
  { says: 'cancel the reminder about Ann', input: { op: 'cancel', query: 'Ann', only: 'reminders' } },
  { says: 'cancel sch_abc123', input: { op: 'cancel', id: 'sch_abc123' } },
  {
    says: 'cancel all reminders',
    input: { op: 'cancel', all: true, only: 'reminders' },
    result: 'No reminder was planned.',
  },
  { says: 'delete my daily report schedule', input: { op: 'cancel', query: 'daily report' } },
  { says: 'cancel the schedule', asks: 'Which one shall I cancel?' },
  { says: 'I would like a new password every Monday at 06:00', input: again('a new password', '0 6 * * 1') },
  { says: 'we need to see the time in Tokyo every weekday at 9', input: again('the time in Tokyo', '0 9 * * 1-5') },
];
