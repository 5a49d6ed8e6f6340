/** What is asked of the things in a message, by what they are and by the words that ask. */
/**
 * A message in lower case in which a sign and a number stand for each thing: `D0` for a day, `E0` for one that is
 * computed, `T0` for a time, `L0` for a length of time, `A0` for an amount with a unit, `M0` for money, `P0` for a
 * percentage, `N0` for a number, `C0` for a calculation, `U0` for a unit, `Z0` for a place.
 */
export interface Slotted {
  readonly bare: string;
  /** The signs in their order: "DL". */
  readonly signs: string;
  /** What was written for each. */
  readonly of: (sign: string) => string;
  /** The message in other words, where it is said in those. */
  readonly text?: string;
}

/** A way to ask about some things: what it is about, the words that ask, and the plain instructions for it. */
export interface Law {
  readonly signs: RegExp;
  readonly asks: RegExp;
  readonly says: (slotted: Slotted, asked: RegExpExecArray) => string | undefined;
  /** Words beside those of every question that may stand in this one. */
  readonly also?: RegExp;
  /** Whether what has the amounts may be named where it is asked. */
  readonly loose?: true;
}

/** Both ends of a time are counted. */
export const INCLUSIVE =
  /,? ?(?:(?:and )?(?:with )?both(?: (?:days|dates|ends))? (?:included|inclusive|counted)|inclusive(?:ly)?|(?:counting|including|with) (?:both(?: (?:days|dates|ends))?|the first and (?:the )?last(?: day)?)|(?:the )?first and (?:the )?last(?: day)? (?:included|inclusive|count(?:ed)?))/;
const NO_WEEKENDS =
  /,? ?(?:without|excluding|not counting|leaving out|except|ignoring|skipping|omitting|minus) (?:the |any |all )?(?:weekends|saturdays (?:and|or) sundays)/;
const UNIT =
  '(?:(?:working|business|week|full|whole|calendar|complete|office) ?)?(?:days?|weeks?|months?|years?|nights?|hours?|minutes?|seconds?)';
const UNITS = new RegExp(
  `\\b(?:how many |(?:the )?(?:number|amount|count) of |in |^(?=.*(?:left|remaining|to go)))(${UNIT}(?: and ${UNIT})?)\\b`,
);
/** The unit that is asked for, with what is to be left out and counted. */
function unitIn(bare: string): { readonly unit: string; readonly more: string } | undefined {
  const named = UNITS.exec(bare)?.[1]
    ?.replace(/^(?:full|whole|calendar|complete) /, '')
    .replace('office', 'working');
  if (named === undefined) return undefined;
  const weekdays = NO_WEEKENDS.test(bare);
  if (weekdays && !/days?$/.test(named)) return undefined;
  return { unit: weekdays ? 'working days' : named, more: INCLUSIVE.test(bare) ? ' inclusive' : '' };
}
const COUNTING = new RegExp(
  `${UNITS.source}|${INCLUSIVE.source}|${NO_WEEKENDS.source}|\\bhow (?:much )?long(?:er)?\\b|\\b(?:between|until|till|before|left|remain(?:s|ing)?|through|lies?|pass|elapse|apart|start|end|begin|finish|since|passed|past|gone by)\\b`,
  'u',
);

const PLACE_ASKED =
  /\b(?:(?:what|which)(?:'s| is)?(?: the)? (?:local )?(?:time|hour)|when|how late|what (?=T\d+ is)|(?:what|where) (?:do|does|would|will) (?:the|their|our|my|your)? ?clocks?|clocks? (?:show|say|read|be)|(?:the|local) time|(?:convert|translate|express|switch|change|turn)|(?:that|it) (?:would|will) be|would that be)\b/;
/** The place of a time, which stands beside it, and the one in which it is asked for. */
function placesOf({ bare, signs, of }: Slotted): string | undefined {
  const marks = [...bare.matchAll(/[TZD]\d+/g)].map(([mark]) => mark);
  const places = marks.filter((mark) => mark.startsWith('Z'));
  const time = marks.find((mark) => mark.startsWith('T')) as string;
  const day = marks.find((mark) => mark.startsWith('D'));
  const zoned = /\b(?!am\b|pm\b|a\b|p\b|m\b|noon|mid|on\b|the\b|of\b)\p{L}{2,}/u.test(of(time).replace(MONTH, ''));
  const near = bare.split(/[.?!;:] |, | [-–—] /).find((clause) => clause.includes(time)) ?? '';
  // A day that is told elsewhere may be another one.
  if (day !== undefined && !near.includes(day) && !bare.slice(bare.lastIndexOf('. ') + 1).includes(day))
    return undefined;
  const own = zoned ? [] : places.filter((place) => near.includes(place));
  const from = own.length === 1 || places.length === 1 ? own[0] : undefined;
  const [to, more] = places.filter((place) => place !== from);
  if (to === undefined || more !== undefined || (zoned && signs.length > 3)) return undefined;
  if (from === undefined && places.length > 1) return undefined;
  // "9 am in London" alone names one place.
  if (!new RegExp(`\\b(?:in|to|into|for|at) (?:the )?${to}`).test(bare)) return undefined;
  const where = from === undefined ? '' : ` ${of(from)} time`;
  return `what time is ${of(time)}${where}${day === undefined ? '' : ` on ${of(day)}`} in ${of(to)}`;
}
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*/giu;

const BORN = /\b(?:born|birth ?day|birth ?date|date of birth|dob|birth)\b/;
const bornOf = (bare: string, sign: string): string | undefined =>
  new RegExp(`(?:${BORN.source})[^A-Z]{0,20}(${sign}\\d+)`).exec(bare)?.[1] ??
  new RegExp(`(${sign}\\d+)[^A-Z.?!]{0,20}(?:${BORN.source})`).exec(bare)?.[1];
const AGED =
  /\b(?:how old|(?:what|which|at what) age|(?:the |my |his |her |their )?age|years old|in (?:full )?years(?: and months)?|turn(?:s|ed)?|become|reach(?:es)?|be)\b/;
const OF_BIRTH =
  /\b(?:born|birth ?day|birth ?date|date of birth|dob|birth|if|when|whose|given|married|wed|founded|established|started|anniversary|old|ages?|years?|months?|full)\b/;
const YEAR = /^(?:1[89]|20)\d\d$/;

const BACK = /\b(?:back|backwards?|before|earlier|prior to|ahead of|in advance of|previous to|preceding)\b/;
const ONWARD =
  /\b(?:after|later|past|from then|from|following|on from|forward|onwards?|since|as of|starting|counting|adding|add|hence)\b/;
const RUNS =
  /\b(?:lasts?|lasting|takes?|finish(?:es|ed)?|done|valid|runs?|running|good|payable|due|within|expires?|expiry|ends?|ended|runs? out|run out|over|up|last day|final day|deadline|latest|until when|by when|payment|pay|paid|start(?:s|ed|ing)?|began|begins?|beginning|issued|bought|signed|dated|arriv(?:e|es|ed|ing)|warranty|guarantee|contract|invoice|visa|lease|trial|period)\b/;
const DATE_ASKED =
  /\b(?:(?:what|which|on what|on which|at what)(?: will| is| would)?(?: the)? (?:date|day)|(?:the|a|give the|name the) (?:date|day)|date|when|count|go|move|day|days)\b/;
const together = (...all: readonly RegExp[]): RegExp => new RegExp(all.map(({ source }) => source).join('|'), 'u');
const SHIFT_ASKED = together(DATE_ASKED, BACK, ONWARD, RUNS, NO_WEEKENDS);

/** A length of time before or after a day. */
function shifted({ bare, of }: Slotted): string | undefined {
  const [day] = /D\d+/.exec(bare) ?? [];
  const [length] = /L\d+/.exec(bare) ?? [];
  if (day === undefined || length === undefined) return undefined;
  const [back, on] = [BACK.test(bare), ONWARD.test(bare)];
  const way = back ? 'before' : on || RUNS.test(bare) ? 'after' : undefined;
  // "Back from" is back, and "before … after" is neither.
  if (way === undefined || (back && on && !/\bback(?:wards?)? from\b|\bback\b[^A-Z]*L\d+ from\b/.test(bare)))
    return undefined;
  if (NO_WEEKENDS.test(bare) && !/working|business/i.test(of(length))) return undefined;
  return `what date is ${of(length)} ${way} ${of(day)}`;
}

/** The hours of several times together, as a number. */
function inDecimals(times: readonly string[]): string | undefined {
  const minutes = times
    .map((time) => /^(\d{1,2}):(\d\d)$/.exec(time))
    .map((found) => Number(found?.[1]) * 60 + Number(found?.[2]));
  const lasting = minutes.flatMap((from, at) => (at % 2 === 0 ? ((minutes[at + 1] ?? 0) - from + 1_440) % 1_440 : []));
  return lasting.every(Number.isInteger) ? `(${lasting.join(' + ')}) / 60` : undefined;
}

const one =
  (said: (of: string, slotted: Slotted) => string | undefined): Law['says'] =>
  (slotted) =>
    said(slotted.of(/[A-Z]\d+/.exec(slotted.bare)?.[0] ?? ''), slotted);
const two =
  (said: (a: string, b: string, slotted: Slotted) => string | undefined): Law['says'] =>
  (slotted) => {
    const [a, b] = [...slotted.bare.matchAll(/[A-Z]\d+/g)].map(([mark]) => slotted.of(mark));
    return a === undefined || b === undefined ? undefined : said(a, b, slotted);
  };

export const LAWS: readonly Law[] = [
  // Places.
  { signs: /^(?=.*Z)[ZD]{0,2}T[ZD]{0,3}$/, asks: PLACE_ASKED, says: placesOf },
  {
    signs: /^ZZ$/,
    asks: /\b(?:how many hours|how much time|how far|separates?|(?:the )?(?:time|hour)s? difference|difference)\b/,
    also: /\b(?:ahead|behind|between|apart|differ|zones?|in|hours|than|later|earlier)\b/,
    says: two((a, b) => `time difference between ${a} and ${b}`),
  },
  {
    signs: /^Z$/,
    asks: /\b(?:(?:what|which)(?:'s| is)?(?: the)? (?:local |current |exact )?time|(?:current|local|exact) time|time now|(?:the )?time (?:is it )?(?:right )?now|clocks?)\b/,
    also: /\b(?:over|show|say|local|moment)\b/,
    says: one((place) => `what time is it in ${place}`),
  },
  // The calendar.
  {
    signs: /^[DE]$/,
    asks: /\b(?:(?:(?:what|which)(?: sort of| kind of)? )?day of the week|week ?day|(?:what|which)(?: sort of| kind of)? day)\b/,
    also: /\b(?:land|lands|landed|occur|occurs)\b/,
    says: one((day) => `what weekday is ${day}`),
  },
  {
    signs: /^[DE]$/,
    asks: /\bweekend\b/,
    also: /\b(?:whether|if|during|part)\b/,
    says: one((day) => `is ${day} a weekend`),
  },
  {
    signs: /^D[DE]{1,2}$/,
    asks: /\b(?:is|was|will|does|did|falls?|fell|whether|if)\b/,
    also: /\b(?:or|whether|if|true|sure)\b/,
    says: ({ bare, of }) => {
      const [day = '', ...named] = [...bare.matchAll(/[DE]\d+/g)].map(([mark]) => of(mark));
      return named.every((name) => /^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*$/iu.test(name))
        ? named.length === 1
          ? `is ${day} a ${named[0]}`
          : `what weekday is ${day}`
        : undefined;
    },
  },
  {
    signs: /^[DE]$/,
    asks: /(?<!of the )\b(?:(?:calendar|iso) )*week(?: number| no\.?)?\b/,
    also: /\b(?:number|iso|calendar|year|belongs?|lies?|part)\b/,
    says: one((day) => `iso week of ${day}`),
  },
  {
    signs: /^D$/,
    asks: /\b(?:which|what)? ?day (?:number|of the year)\b/,
    also: /\b(?:number|in the year|of the year|day|year)\b/,
    says: one((day) => `day of the year of ${day}`),
  },
  {
    signs: /^[DE]$/,
    asks: /\bquarter\b/,
    also: /\b(?:year|lies?|belongs?|part)\b/,
    says: one((day) => `which quarter is ${day} in`),
  },
  {
    signs: /^N?$/,
    asks: /\bnext leap year(?: (?:after this (?:N0|year)|from now|coming up))?\b/,
    says: () => 'next leap year',
  },
  // Ages.
  {
    signs: /^D$/,
    asks: AGED,
    also: OF_BIRTH,
    says: one((day, { bare }) =>
      !BORN.test(bare)
        ? undefined
        : /\b(?:years and months|months)\b/.test(bare)
          ? `how many years and months between ${day} and today`
          : /\b(?:when|year|turn|reach)\b/.test(bare)
            ? undefined
            : `how old is someone born on ${day}`,
    ),
  },
  {
    signs: /^DD$/,
    asks: AGED,
    also: OF_BIRTH,
    says: ({ bare, of }) => {
      const born = bornOf(bare, 'D');
      const other = [...bare.matchAll(/D\d+/g)].map(([mark]) => mark).find((mark) => mark !== born);
      // The day that is asked about stands where it is asked.
      return born === undefined ||
        !new RegExp(`(?:old|age|be|years)\\b[^.?!;]*${other}|${other}[^.;]*(?:old|age)\\b`).test(bare)
        ? undefined
        : `how old will he be on ${of(other ?? '')} if he was born on ${of(born)}`;
    },
  },
  {
    signs: /^D$/,
    asks: /\b(?:when|what (?:date|day)|on (?:what|which) (?:date|day)|(?:what|which) year)\b/,
    also: together(OF_BIRTH, /\b(?:\d{1,3}(?:st|nd|rd|th)|birthday|its|celebrates?|have)\b/),
    says: one((day, { bare }) => {
      const [, years] = /\b(\d{1,3})(?:st|nd|rd|th) (?:birthday|anniversary)\b/.exec(bare) ?? [];
      return years === undefined || !/\b(?:born|founded|established|married|started|opened)\b/.test(bare)
        ? undefined
        : `what date is ${years} years after ${day}`;
    }),
  },
  {
    signs: /^(?:DN|ND)$/,
    asks: /\b(?:when|(?:what|which) (?:year|date|day)|by when)\b/,
    also: together(OF_BIRTH, AGED),
    says: ({ bare, of }) => {
      const [day = '', years = ''] = [/D\d+/, /N\d+/].map((mark) => of(mark.exec(bare)?.[0] ?? ''));
      return /\b(?:turns?|be|become|reach|celebrate)\b/.test(bare) &&
        /\b(?:born|birth|dob|founded|established|married)\b/.test(bare) &&
        !YEAR.test(years)
        ? `what date is ${years} years after ${day}`
        : undefined;
    },
  },
  {
    signs: /^NN$/,
    asks: AGED,
    also: OF_BIRTH,
    says: ({ bare, of }) => {
      const born = bornOf(bare, 'N');
      const other = [...bare.matchAll(/N\d+/g)].map(([mark]) => mark).find((mark) => mark !== born);
      return born === undefined || other === undefined || !YEAR.test(of(born)) || !YEAR.test(of(other))
        ? undefined
        : `how old is he in ${of(other)} if he was born in ${of(born)}`;
    },
  },
  // Days before and after others.
  {
    signs: /^E$/,
    asks: /\b(?:count|go|move|step|back|backwards?)\b/,
    also: DATE_ASKED,
    says: one((day, { bare }) =>
      /\bback/.test(bare) && / after /.test(day) ? `what is the date ${day.replace(' after ', ' before ')}` : undefined,
    ),
  },
  { signs: /^E$/, asks: DATE_ASKED, also: RUNS, says: one((day) => `what is the date ${day}`) },
  { signs: /^(?:LD|DL)$/, asks: SHIFT_ASKED, says: shifted },
  {
    signs: /^L$/,
    asks: /\bin L\d+(?:'s?)?(?: time)?|\bL\d+ from (?:now|today)|\b(?:what|which)(?: will| is)?(?: the)? (?:date|day)|\bdate\b/,
    says: one((length, { bare }) =>
      /\b(?:date|day)\b/.test(bare) && /\bin L|from (?:now|today)/.test(bare)
        ? `what date is ${length} from today`
        : undefined,
    ),
  },
  {
    signs: /^[DE][DE]$/,
    asks: COUNTING,
    also: /\b(?:from|to|and|holiday|vacation|trip|stay|project|there|total|if|checks?|checking|leaves?|leaving|arrives?|arriving|departs?|departing|comes?|goes)\b/,
    says: two((from, to, { bare }) => {
      const { unit, more } = unitIn(bare) ?? {};
      // "We moved it to Saturday. How many days is it until 5 December?" counts from today.
      if (/[.!;] [^A-Z]{0,60}\b(?:is it|are there|are left) (?:until|till|to) [DE]1\b/.test(bare)) return undefined;
      if (unit === undefined || /\bborn\b|\b(?:from|between) (?:today|now)\b/.test(bare)) return undefined;
      return unit.includes(' and ') && more !== '' ? undefined : `how many ${unit} between ${from} and ${to}${more}`;
    }),
  },
  {
    signs: /^[DE]$/,
    asks: COUNTING,
    says: one((day, { bare }) => {
      const { unit, more } = unitIn(bare) ?? {};
      return unit === undefined || more !== '' || !/\b(?:until|till|before|to|from (?:today|now))\b/.test(bare)
        ? undefined
        : `how many ${unit} until ${day}`;
    }),
  },
  // Times of a day.
  {
    signs: /^TT$/,
    asks: /\b(?:how long|how many (?:hours|minutes)|how much time|(?:the )?(?:travel|journey|total|working|driving|flight)? ?(?:time|duration|length)|(?:the )?(?:hours|minutes)|in (?:decimal )?(?:hours|minutes))\b/,
    also: /\b(?:(?:the )?next (?:day|morning)|departs?|leaves?|arrives?|gets? in|between|until|till|lies?|slept|sleep|went|bed|got|up|woke|worked|work|if|start(?:ed|s)?|end(?:ed|s)?|finish(?:ed|es)?|passes|apart|lasts?|takes?)\b/,
    says: two((from, to, { bare }) => {
      if (/\b(?:flight|fly|flies|plane|lands?)\b/.test(bare)) return undefined;
      const unit = /\b(hours|minutes)\b/.exec(bare)?.[1];
      return unit === undefined ? `how long from ${from} to ${to}` : `how many ${unit} between ${from} and ${to}`;
    }),
  },
  {
    signs: /^NN$/,
    asks: /\bhow long\b/,
    says: two((from, to, { bare }) =>
      [from, to].every((time) => /^\d{1,2}\.\d\d$/.test(time)) && /\bfrom N0 to N1/.test(bare)
        ? `how long from ${from.replace('.', ':')} to ${to.replace('.', ':')}`
        : undefined,
    ),
  },
  {
    signs: /^TTL$/,
    asks: /\b(?:how long|how many hours|how much time|(?:the |my )?(?:working )?(?:hours|time))\b/,
    also: /\b(?:less|minus|without|excluding|unpaid|breaks?|lunch|pause|(?:night |day )?shift|if|takes?|with|from|to|until|till|a|worked|work|timesheet|after|taking|off|deducting|subtracting)\b/,
    loose: true,
    says: ({ bare, of }) => {
      const [from = '', to = '', pause = ''] = [...bare.matchAll(/[A-Z]\d+/g)].map(([mark]) => of(mark));
      return /\b(?:breaks?|lunch|pause)\b/.test(bare) &&
        /\b(?:less|minus|without|excluding|unpaid|deducting|subtracting|taking off|L\d+ off)\b/.test(bare)
        ? `how long is it from ${from} to ${to} minus a ${pause.replace(/s$/, '')} break`
        : undefined;
    },
  },
  {
    signs: /^T{2,}$/,
    asks: /\b(?:sum|add|total)(?: up)?\b/,
    also: /\b(?:up|together|durations?|lengths?|times|hours|\(?h+:mm\)?|h:mm|h+|mm|sum|total|format|above|below)\b/,
    says: ({ bare, of }) => {
      const all = [...bare.matchAll(/T\d+/g)].map(([mark]) => /^(\d{1,2}):(\d\d)$/.exec(of(mark)));
      return /\b(?:durations?|lengths?|h+:mm)\b/.test(bare) && all.every((time) => time !== null)
        ? all.map((time) => `${time?.[1]} hours ${time?.[2]} minutes`).join(' + ')
        : undefined;
    },
  },
  {
    signs: /^(?:TT){2,3}$/,
    asks: /\b(?:how long|how many hours|how much time|(?:the )?total(?: time| hours)?|(?:the )?hours|in (?:decimal )?hours)\b/,
    also: /\b(?:again|from|to|until|till|then|altogether|in total|all|together|and|worked|work|decimal)\b/,
    says: ({ bare, of }) => {
      const all = [...bare.matchAll(/T\d+/g)].map(([mark]) => of(mark));
      const stretches = all.flatMap((time, at) => (at % 2 === 0 ? `${time} to ${all[at + 1]}` : []));
      if (!/T\d+ (?:to|until|till|-) T\d+/.test(bare)) return undefined;
      return /\bdecimal\b/.test(bare) ? inDecimals(all) : `${stretches.join(' and ')} in hours`;
    },
  },
  {
    signs: /^(?:LT|TL)$/,
    asks: /\b(?:by when|when|(?:at |by )?what time)\b/,
    also: /\b(?:start|begin|leave|set off|get up|put|go|switch|turn|oven|off|latest)\b/,
    says: ({ bare, of }) => {
      const [length = '', time = ''] = [/L\d+/, /T\d+/].map((mark) => of(mark.exec(bare)?.[0] ?? ''));
      return /\b(?:needs?|takes?|requires?|cooks? for|bakes? for) (?:about )?L\d/.test(bare)
        ? `${length} before ${time}`
        : undefined;
    },
  },
];
