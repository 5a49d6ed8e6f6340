import type { Domain } from '../../language/grammar.ts';
import { todayIn } from '../words/dates.ts';
import { lengthOf } from '../words/durations.ts';
import { ZONE_NOTE } from '../words/zones.ts';
import { rulesOf } from './rules.ts';
import { asks, type Moment, type Request, type Setting } from './setting.ts';
import { each } from './text-words.ts';
import { when } from './times.ts';

/** The time between two others without a pause in it, as a calculation. */
function lessPause(a: Moment, b: Moment, length: string, setting: Setting): Request | undefined {
  const [from, to] = [when(a.text, setting), when(b.text, setting)];
  const pause = lengthOf(length);
  if (from === undefined || to === undefined || pause === undefined) return undefined;
  const minutes = ((to.at - from.at) / 60_000 + 1_440) % 1_440 || 1_440;
  return asks('calculate', { expression: `${Math.floor(minutes / 60)} h + ${minutes % 60} min - ${length}` });
}

/** The day on which something was done: without a year the last one. */
function lastTime(date: Moment, setting: Setting): Moment | undefined {
  const found = date.length === undefined ? when(date.text, setting, 'past') : undefined;
  return found === undefined || /\d{4}/.test(date.text)
    ? found && date
    : { text: todayIn(found.at, found.time_zone).toString() };
}

/** What several times from one to another last together. */
function together(all: readonly (readonly [Moment, Moment])[], setting: Setting): Request | undefined {
  const minutes = all.map(([a, b]) => {
    const [from, to] = [when(a.text, setting), when(b.text, setting)];
    return from === undefined || to === undefined ? Number.NaN : ((to.at - from.at) / 60_000 + 1_440) % 1_440;
  });
  const length = (one: number): string => `${Math.floor(one / 60)} h + ${one % 60} min`;
  return minutes.every(Number.isInteger) && minutes.length > 1
    ? asks('calculate', { expression: minutes.map(length).join(' + ') })
    : undefined;
}

const rule = rulesOf<{
  stretches: readonly (readonly [Moment, Moment])[];
  begun: Moment;
  deadline: Moment;
  'due-hour': Moment;
  stretch: readonly [Moment, Moment];
  year: number;
  places: readonly string[];
}>();

/** What is told in one clause and asked in another: when something ends or begins, how long it is, and when clocks change. */
export const TIME_FACTS: Domain = {
  lexicon: {
    APART: each('|,|.|;|:|-|–|—|?|!|...', '|so|and|then|but|and then|and so|so then|now').slice(1),
    LENGTHWISE:
      'sleep|of sleep|a night|long|of driving|of work|in total|altogether|away|door to door|by car|by bus|by train|by bike|on foot|to get there|to drive there|to walk there|to cycle there|to get here|to drive|to walk|to travel|in the air|drive|flight|ride|of flight|later|after opening|from opening|after purchase|from purchase|from that date|from that day|from then|after that|after that day|of cover|from the date of purchase|max|maximum|at most|to get home|to do|to cook|to bake',
    HOWLONG:
      'how long|how many hours|how much time|how many hours and minutes|what is the duration|whats the duration|duration|total time|what is the total|journey time|travel time|flight time|what is that in hours|how long in hours|in hours',
    ITIS: 'is it|is that|is this|was it|was that|did it take|does it take|does it last|did it last|in total|total|altogether|am i away|is the shift|did i sleep|do i sleep|did i work|do i work|did i get|do i get|will it take|have i worked|did we work|was i there|was i out|is the journey|is the flight|is the trip|is the meeting|is that in total|between them|apart are they|apart are those|does that make|is there between them',
    ACTIVITY:
      'bake|bake it|cook|cook it|roast|boil|simmer|marinate|charge|soak|chill|freeze|park|leave it|leave it in|keep it in|meeting|nap|nap of|wait|wait of|timer',
    ACQUIRED:
      'issued|bought|purchased|got|opened|signed|started|renewed|made|ordered|dated|borrowed|received|delivered|planted|pregnant|hired|rented|installed|took out|joined|collected|sent|posted|applied|leased|froze|sowed|cooked|moved in|gave notice',
    USED: 'use|return|send|give|bring|keep|stay|take|pay|cancel|exchange|eat|finish|hand|submit|move out|renew|harvest|wait|claim',
    COVER:
      'warranty|guarantee|visa|return window|return policy|returns policy|contract|trial|free trial|cooling-off period|cooling off period|notice period|notice|lease|membership|subscription|grace period|window|cover|quarantine|loan|shelf life|probation|probation period|limit|return period|waiting period|turnaround|lead time|delivery|delivery time|policy|pass|deadline',
    LASTDAY:
      'last day|deadline|due date|expiry date|end date|last date|return date|cut-off date|expiration date|final day|last possible day|expiry|best before date|last day to return it',
    BEGUNAT:
      'clocked on|signed in|started|start|began|arrived|clocked in|came|went to bed|fell asleep|set off|left|left home|went in|got in|got there|arrived at work|went to sleep|dozed off',
    ENDEDAT:
      'off|out|signed out|finished|finish|ended|left|stopped|clocked out|end|got up|woke up|arrived|got home|got back|came home|came out|was home|arrived home|clocked off|got there|arrived there',
    DEPARTS:
      'sleep|go to sleep|go to bed|nod off|goes in|went in|goes in the oven|goes on|went on|kicks off|leaves|leave|left|departs|depart|starts|start|started|begins|begin|began|goes|go|sets off|set off|boards|takes off|is|opens|clocked in|woke up|fell asleep|am leaving|am starting|is leaving|is starting',
    TAKES:
      'takes|take|took|lasts|last|lasted|needs|need|is|runs|run|goes on for|go on for|work|works|worked|is valid for|is valid|valid for|is good for|drive|drives|walk|ride|fly|travel|sleep|slept|for|will take|will last|stay|stays|with a duration of|duration',
    ARRIVES:
      'arrives|lands|ends|finishes|arrive|get there|be there|land|end|finish|done|be done|finished|be finished|over|be over|back|be back|be home|home|get home|get back|ready|be ready|get off|stop|close|get in|there|free|be free|wake up|get here|be here|come home|come back|go home|get up|be up',
    SETSOFF:
      'go in|go in the oven|start cooking|start it|put it in|put it on|be in bed|leave|start|go|set off|depart|begin|leave home|be off|get up|wake up|leave the house|take off|go to bed|head out',
    SUBJECT:
      'i|we|you|he|she|it|they|this|that|my|the|a|an|our|his|her|their|flight|train|bus|movie|film|meeting|class|lesson|concert|game|call|show|shift|work|lunch|dinner|exam|course|match|appointment|event|party|trip|ferry|plane',
    MUST: 'do|does|will|is|am|are|would|can|should|must|shall|did|was|were|have to|need to',
    EXPIRE:
      'expire|expires|run out|end|be over|be up|expired|lapse|up|expiring|go off|need renewing|need to be renewed',
    SAIDTIME:
      "it is|it's|its|if it is|if it's|when it is|when it's|the time is|call is at|meeting is at|call at|meeting at",
    LESSBREAK:
      'without the lunch|without lunch|without the break|without the lunch break|without breaks|without the pause|not counting the lunch|not counting the break|excluding the lunch|excluding the break|excluding lunch|minus the lunch|minus the break|without it',
    TIMESHEET: each(
      'timesheet|time sheet|hours|my hours|my shifts|shifts|what hours|how many hours|how long|total hours|hours worked|total time|total|working hours|working time|work hours|add up the hours|i worked|we worked|i work|worked|i was at work|my shift was|time worked|sum the hours',
      '|did i work|do i work|i worked|did we work|have i worked|is that|is it|in total|worked|is',
    ),
    BREAK: 'break|lunch|lunch break|pause|breaks|rest|unpaid|unpaid break|breaks in total|coffee break',
    turning: {
      'go back|fall back|turn back|change back|are set back|move back|be set back|get set back|are put back|going back':
        'back',
      'go forward|go forwards|spring forward|move forward|turn forward|are set forward|get set forward|are put forward':
        'forward',
      'change|change next|changed|get changed|switch|are changed|get set': '',
    },
    SUMMERTIME:
      'daylight saving time|daylight savings time|daylight saving|daylight savings|dst|summer time|summertime|bst',
    WINTERTIME: 'winter time|wintertime|standard time',
    'turning-point': {
      'start|begin|starts|begins|started': 'forward',
      'end|ends|stop|finish|stops|ended|over': 'back',
    },
  },
  rules: [
    // When it ends, or begins, from what is said about it.
    rule(
      'begun = (if|when)? SUBJECT DEPARTS? (from|again|at)? <date:timed>',
      '-0.1 = #2 (if|when)? SUBJECT …:thing DEPARTS (at|from)? <date:timed>',
    ),
    rule(
      'lasting = APART? (which|it|that)? TAKES? (about)? <length> LENGTHWISE?',
      'APART? SUBJECT TAKES (about)? <length> LENGTHWISE?',
      '-0.1 = #2 APART? SUBJECT …:thing TAKES (about)? <length> LENGTHWISE?',
    ),
    rule('asks-when = APART? (when|what time|at what time|until when|by when|till when|how late|around what time)'),
    rule('asks-end = APART? when (is it)? ARRIVES'),
    // What was given on a day and is valid for a time.
    rule(
      'begun = SUBJECT? ACQUIRED (it|them|this|that)? (on|from|since)? <date:untimed>',
      '#2 (my|the|a|our) …:thing (was|were)? ACQUIRED (on)? <date:untimed>',
      ([date], s) => lastTime(date, s),
    ),
    rule(
      'asks-end = <asks-when> (does|will|is|do) (it|that|this|they) EXPIRE',
      '<asks-when> MUST SUBJECT (have to|need to|be able to)? USED (it|them|this|that)? (back|by)?',
      'APART? (what is|whats|when is|whens)? (the|my)? LASTDAY',
      '-0.2 = <asks-when>',
      () => true,
    ),
    rule('lasting -0.1 = #2 APART …:thing TAKES (about)? <length> LENGTHWISE?'),
    rule(
      'lasting -0.1 = APART? (with|has|for|within|valid for|good for|due in|in|on|allow|comes with|it has)? (a|an|the)? <length> COVER',
    ),
    rule('lasting -0.05 = APART? (then)? <length> LENGTHWISE?'),
    rule(
      'asks-end = <asks-when> MUST SUBJECT (be)? ARRIVES (there|it|home|in)?',
      '-0.1 = <asks-when> MUST SUBJECT …:thing ARRIVES (there|it|home|in)?',
    ),
    rule('asks-start = <asks-when> MUST SUBJECT (have to|need to)? SETSOFF (there|it|home)?'),
    rule(
      'request = TAKES? ACTIVITY? for? about? <length> LENGTHWISE? (from|starting|starting at|beginning at|starting from) <date:timed> <asks-end> ENDSIGN?',
      '#23 (my|the|a|our|an) …:thing (due|lasts|valid|good|back|is due|must be returned|has) (in|for|back in)? <length> APART <begun> <asks-end> ENDSIGN?',
      '#12 SUBJECT? (have|got|have got|on|had|need)? (a|an|my|the|our) <length> COVER (from|starting|starting on|since|as of|beginning|dated) <date> <asks-end> ENDSIGN?',
      ([length, { text }]) => asks('time', { what: 'add', date: text, length }),
    ),
    rule('request = #2 (my|the|a|our|this|an) …:thing TAKES <date:asks> <asks-end> ENDSIGN?', ([{ text, length }]) =>
      length === undefined ? undefined : asks('time', { what: 'add', date: text, length }),
    ),
    rule('request = <begun> <lasting> <asks-end> ENDSIGN?', ([{ text }, length]) =>
      asks('time', { what: 'add', date: text, length }),
    ),
    rule(
      'request = (if|when)? SUBJECT? (have to|need to|must|want to|should|has to)? ARRIVES (in|home|there)? <deadline> <lasting> <asks-start> ENDSIGN?',
      '#21 <lasting> APART? SUBJECT (is|are|starts|begins|is served) <deadline> <asks-start> ENDSIGN?',
      '#21 <lasting> APART? SUBJECT? (have to|need to|must|want to|should|has to|got to|gotta) ARRIVES (in|home|there)? <deadline> <asks-start> ENDSIGN?',
      ([{ text }, length]) => asks('time', { what: 'add', date: text, length: `-${length}` }),
    ),
    rule('deadline = (by|in|before|at|for|by about)? <date:timed>', '(by|for) <due-hour>'),
    rule('due-hour = <number:hour>', ([{ plain }]) => ({ text: `${plain}:00`, timed: true })),
    // A length before or after a time that is told, and then what it is.
    // From one time to another, without a part of it.
    rule(
      'stretch = (from|between)? <date:timed> (to|until|till|-|–|and) <date:timed>',
      'SUBJECT? BEGUNAT (work|working)? at? <date:timed> APART? SUBJECT? ENDEDAT (work|working)? at? <date:timed>',
      ([a, b]) => [a, b],
    ),
    rule('pause -0.1 = (minus|less|without|excluding) (a|an|my|the)? <length> (of|for)? …:thing'),
    rule('pause = (with|and|,|including|had|and had|taking)? (a|an|my|the)? <length> (of|for)? (a|my|the)? BREAK'),
    rule(
      'request = (how long|how many hours|how much time|hours)? (is it|is|did i work|do i work|have i worked|from)? (i|we|he|she)? (worked|work|working|works|am working|shift|my shift|shift from|was at work)? <stretch> ,? <pause> APART? (how long|how many hours|how much|how much time|how long is that|how many hours is that|how many hours did i work|how long did i work|how many hours do i work|how long do i work|hours worked|working hours|working time)? LESSBREAK? ENDSIGN?',
      ([[a, b], length], s) => lessPause(a, b, length, s),
    ),
    // When the clocks are changed.
    rule('year-in = (in|of|for|this)? <year>', ([year]) => String(year)),
    rule('changing-clocks = (the|our|their)? (clocks|clock|hour|time) <turning>', ([to]) => to),
    rule('changing-clocks = SUMMERTIME <turning-point>?', ([to = '']) => to),
    rule('changing-clocks = WINTERTIME <turning-point>', ([to]) => (to === 'back' ? 'forward' : 'back')),
    rule(
      'request = (when|on what date|what date|what day|on which day|on what day) (do|does|will|did|is|are|next) (we|they|you)? <changing-clocks> (next|again|there)? <places>? <year-in>? ENDSIGN?',
      '#132 (when|on what date|what date|what day|on which day|on what day) (do|does|will|did|is|are|next) <changing-clocks> (next|again|there)? <year-in> <places> ENDSIGN?',
      '#21 (does|do|did|will) <places> (have|use|observe|do|has) <changing-clocks> ENDSIGN?',
      ([to, places, year]) =>
        asks('time', {
          what: 'clocks',
          ...(to !== '' && { to }),
          ...(places !== undefined && { place: places[0] as string }),
          ...(year !== undefined && { date: year }),
        }),
    ),
    rule('request = (is|was|will|does|did) <date> FALL? (a|on a|an|on)? <weekday> (this year)?', ([{ text }, name]) =>
      asks('time', { what: 'weekday', date: text, to: name }),
    ),
    rule('request = how many <counted> ago (was|is) <date>', ([unit, { text }]) =>
      asks('time', { what: 'since', date: text, unit }),
    ),
    rule('request -0.3 = (how many|the number of)? <counted> THERE? UNTIL …:thing (on|at) <date>', ([unit, , date]) =>
      asks('time', { what: 'until', date: date.text, unit }),
    ),
    rule(
      'request = (how many|number of|the number of) days (are there|are|does|has|have)? in? <year> have?',
      ([year]) => asks('time', { what: 'month_days', date: String(year) }),
    ),
    rule('stretches = <stretch> (and|,|, and|+|plus|;|then|and then) <stretch>', (both) => both),
    rule('request = TIMESHEET? :? (from)? <stretches> APART? TIMESHEET? <asks-length>? ENDSIGN?', ([all], s) =>
      together(all, s),
    ),
    rule('asks-length = APART? HOWLONG ITIS? ENDSIGN?'),
    rule('asks-length -0.1 = APART? HOWLONG MUST (the|my|our|a)? …:thing (last|take|for|there|away)? ENDSIGN?'),
    rule('request -0.05 = <stretch> <asks-length>', ([[a, b]]) =>
      asks('time', { what: 'between', date: a.text, to: b.text }),
    ),
    rule('request = DAYOFYEAR (is it|is today|are we on|for|of|on|is)? <date>?', ([date]) =>
      asks('time', { what: 'year_day', date: date?.text ?? 'today' }),
    ),
    rule('request = is it LEAPYEAR (this year|now)?', () => asks('time', { what: 'leap', date: 'this year' })),
    // The sender's own zone, which is kept as a note.
    rule(
      'request = (remember that|note that|fyi)? (my|our) ZONE (is|=|:) <zone> time?',
      '(set|change|switch|update) (my|the|our)? ZONE (to|as) <zone> time?',
      "(use|i use|i am on|i am in|i'm in|i'm on|im in|we are in|i live in) the? <zone> ZONE (for me|from now on)?",
      ([zone]) => asks('remember', { name: ZONE_NOTE, text: zone }),
    ),
    rule("request = (what is|what's|whats|which is|tell me|show me) (my|our) ZONE (set to|is)?", () =>
      asks('recall', { query: ZONE_NOTE }),
    ),
    // In another place.
    rule(
      'request = <begun> <asks-there> ENDSIGN?',
      '-0.1 = SAIDTIME? <date:timed> (here|my time|our time|for me|for us)? <asks-there> ENDSIGN?',
      ([{ text }, to]) => asks('convert', { from: text, to }),
    ),
    rule(
      'asks-there = APART? (is|=)? (what time|what hour|which hour|when|which time|what|whats|how late) (is|will|would|does)? (that|it|this)? (be|start|begin)? (for|to)? RELATIVE? (for|to)? (me|us|you|them|someone|people|a colleague|colleagues|our guys|our colleagues|my colleagues|the team|our team|my friend|my friends|our people|the others|the colleagues|friends)? (here)? (in|for|at) <zone> time? NOWADAYS?',
    ),
  ],
};
