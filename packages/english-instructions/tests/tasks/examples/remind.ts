import type { Example } from '../harness.ts';

const once = (text: string, at: string, time_zone = 'UTC') => ({ text, at, time_zone });
const again = (text: string, rule: string, time_zone = 'UTC') => ({ text, rule, time_zone });

/** On Friday, November 20, 2026, at 8:00 UTC. */
export const REMIND: readonly Example[] = [
  // Clocks in words, and a day before the order.
  {
    says: 'Remind me tomorrow at half past ten in the morning to email the string quartet',
    input: once('email the string quartet', '2026-11-21T10:30:00+00:00'),
  },
  {
    says: 'remind me tomorrow at a quarter to three in the afternoon to call Bo',
    input: once('call Bo', '2026-11-21T14:45:00+00:00'),
  },
  { says: 'remind me at ten to eleven to call Bo', input: once('call Bo', '2026-11-20T10:50:00+00:00') },
  { says: 'every second tuesday remind me at 9 to water it', input: again('water it', '0 9 * * 2 every 2 weeks') },
  { says: 'on 3 May remind me at 5pm that rent is due', input: once('rent is due', '2027-05-03T17:00:00+00:00') },
  { says: 'remind me in an hour and a half to leave', input: once('leave', '2026-11-20T09:30:00+00:00') },
  // As people write it.
  {
    says: 'Remind me in half an hour to take the pizza out',
    input: once('take the pizza out', '2026-11-20T08:30:00+00:00'),
  },
  { says: 'hey remind me to call my mom tonight at 7pm', input: once('call my mom', '2026-11-20T19:00:00+00:00') },
  {
    says: 'Remind me on Monday morning that the plumber is coming',
    input: once('the plumber is coming', '2026-11-23T09:00:00+00:00'),
  },
  {
    says: "don't let me forget the dentist on Dec 3 at 10:15",
    input: once('the dentist', '2026-12-03T10:15:00+00:00'),
  },
  { says: 'I need a reminder every evening at 9 to take my pills', input: again('take my pills', '0 21 * * *') },
  { says: 'set an alarm for 6:45 tomorrow', input: once('This is your alarm.', '2026-11-21T06:45:00+00:00') },
  { says: 'set a 5 minute timer', input: once('Time is up!', '2026-11-20T08:05:00+00:00') },
  { says: 'ping me an hour from now about the deploy', input: once('the deploy', '2026-11-20T09:00:00+00:00') },
  { says: 'Every Sunday night remind me to put the bins out', input: again('put the bins out', '0 22 * * 0') },
  {
    says: 'remind me a week from today to renew the domain',
    input: once('renew the domain', '2026-11-27T09:00:00+00:00'),
  },
  // In the intended form.
  { says: 'remind me tomorrow at 9 to call Ann', input: once('call Ann', '2026-11-21T09:00:00+00:00') },
  { says: 'remind me in 20 minutes: check the oven', input: once('check the oven', '2026-11-20T08:20:00+00:00') },
  { says: 'remind me every Friday at 17:00 to send the report', input: again('send the report', '0 17 * * 5') },
  { says: 'in 2 hours remind me to stretch', input: once('stretch', '2026-11-20T10:00:00+00:00') },
  { says: 'remind me to pay rent on the 1st at noon', input: once('pay rent', '2026-12-01T12:00:00+00:00') },
  { says: 'remind me to take out the trash every Tuesday at 20:00', input: again('take out the trash', '0 20 * * 2') },
  { says: 'remind me every Friday to call Ann at 17:00', input: again('call Ann', '0 17 * * 5') },
  { says: 'remind me tomorrow at 17h30 to leave', input: once('leave', '2026-11-21T17:30:00+00:00') },
  { says: 'remind me tomorrow at 9h to leave', input: once('leave', '2026-11-21T09:00:00+00:00') },
  { says: 'remind me @ 5pm to leave', input: once('leave', '2026-11-20T17:00:00+00:00') },
  { says: 'remind me tomorrow to call Ann at 5pm', input: once('call Ann', '2026-11-21T17:00:00+00:00') },
  { says: 'remind me: call Ann tomorrow at 9', input: once('call Ann', '2026-11-21T09:00:00+00:00') },
  { says: 'remind me to call Ann: tomorrow at 9', input: once('call Ann', '2026-11-21T09:00:00+00:00') },
  { says: 'wake me up at 6:30', input: once('Wake up!', '2026-11-21T06:30:00+00:00') },
  { says: 'remind me of this tomorrow at 8', it: 'the list', input: once('{{1}}', '2026-11-21T08:00:00+00:00') },
  {
    says: 'remind me next Tuesday at 14:30 Berlin time about the call',
    input: once('the call', '2026-11-24T14:30:00+01:00', 'Europe/Berlin'),
  },
  {
    says: 'every weekday at 8:45 in New York remind me to join',
    input: again('join', '45 8 * * 1-5', 'America/New_York'),
  },
  { says: 'remind me on the last day of each month to send invoices', input: again('send invoices', '0 9 L * *') },
  {
    says: 'remind me at 8 in the evening to water the plants',
    input: once('water the plants', '2026-11-20T20:00:00+00:00'),
  },
  {
    says: 'remind me on 2026-12-24T18:00:00Z to light the candles',
    input: once('light the candles', '2026-12-24T18:00:00+00:00'),
  },
  { says: 'remind me twice a day to drink water', asks: '“twice a day” says how often' },
  {
    says: 'remind me twice a day at 9 and 17 to drink water',
    input: again('drink water', '0 9,17 * * *'),
  },
  { says: 'remind me 10 minutes before the meeting', asks: 'When should I remind you' },
  { says: 'remind me to call Ann', asks: 'When should I remind you' },
  { says: 'remind me at 25h to sleep', asks: 'I cannot read “at 25h' },
  { says: 'remind me after 2h to stretch', input: once('stretch', '2026-11-20T10:00:00+00:00') },
  { says: 'remind me tomorrow', asks: 'What should I remind you of?' },
  { says: 'remind me', asks: 'Of what, and when' },
  // The hour may be in the morning or in the afternoon.
  {
    says: 'remind me at 5 to call Ann',
    input: { ...once('call Ann', '2026-11-21T05:00:00+00:00'), hour: 5 },
    result:
      'I will remind you on Saturday, November 21, 2026, at 05:00 (UTC): call Ann (I took “5” as the morning: for the afternoon, say “5 pm”.)',
  },
  {
    says: 'remind me to stretch every day at 4:30',
    input: { ...again('stretch', '30 4 * * *'), hour: 4 },
  },
  { says: 'remind me at 05:00 to call Ann', input: once('call Ann', '2026-11-21T05:00:00+00:00') },
  { says: 'remind me in 5 hours to call Ann', input: once('call Ann', '2026-11-20T13:00:00+00:00') },
  { says: 'wake me up at 6', input: once('Wake up!', '2026-11-21T06:00:00+00:00') },
  { says: 'I want a reminder every Monday at 9 to swim', input: again('swim', '0 9 * * 1') },
  {
    says: 'remind me every other Monday at 9 to water the plants',
    input: again('water the plants', '0 9 * * 1 every 2 weeks'),
  },
  {
    says: 'remind me every third day at 8 to water the fern',
    input: again('water the fern', '0 8 * * * every 3 days'),
  },
  { says: 'remind me daily at 9 until Tuesday to stretch', input: again('stretch', '0 9 * * * until 2026-11-24') },
  { says: 'remind me an hour before my 5pm meeting', input: once('my 5pm meeting', '2026-11-20T16:00:00+00:00') },
  {
    says: 'remind me 30 minutes before my 3pm call tomorrow',
    input: once('my 3pm call tomorrow', '2026-11-21T14:30:00+00:00'),
  },
  {
    says: 'remind me 15 minutes before my flight at 18:45 to check in',
    input: once('check in', '2026-11-20T18:30:00+00:00'),
  },
  {
    says: "remind me half an hour before tomorrow's 9am meeting to print the slides",
    input: once('print the slides', '2026-11-21T08:30:00+00:00'),
  },
  {
    says: 'remind me two days before the party on 12 December',
    input: once('the party on 12 December', '2026-12-10T09:00:00+00:00'),
  },
  { says: 'remind me 2 hours before the flight tomorrow', asks: 'When should I remind you' },
  { says: 'remind me an hour before every meeting', asks: 'When should I remind you' },
  { says: 'remind me an hour before my meeting at 3pm or 4pm', asks: 'When should I remind you' },
  {
    says: 'remind me an hour before my meeting on Friday at 3pm unless it is canceled',
    asks: 'I remind at a time and nothing else',
  },
];
