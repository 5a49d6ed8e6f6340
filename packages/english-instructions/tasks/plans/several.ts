import { CLOCK, type Moment, once, RULE, type Timed, timing, timingFirst } from './when.ts';

const DAY_NAME = '(?:(?:this|next|coming) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)';
const A_CLOCK = '(?:\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]\\.?m\\b\\.?)?|noon|midday|midnight)';
const DAYS_AT = new RegExp(
  `^(?:(?:at |@ ?)?(${A_CLOCK}),? )?((?:on )?${DAY_NAME}(?:(?:, (?:and )?| and | & )(?:on )?${DAY_NAME})+)(?:,? (?:at |@ ?)(${A_CLOCK}))?(?=[\\s,:]|$)`,
  'i',
);
const DAY_AT = new RegExp(
  `^((?:on )?${DAY_NAME} (?:at |@ ?))(${A_CLOCK}(?:(?:, (?:and )?| and | & )(?:at )?${A_CLOCK})+)(?=[\\s,:]|$)`,
  'i',
);
const AND = /, (?:and )?| and | & /i;
const CLOCK_LAST = new RegExp(`^(.*\\S) (?:at|@) ?(${A_CLOCK})$`, 'i');
const CLOCK_FIRST = new RegExp(`^(?:at |@ ?)?${A_CLOCK},? ((?:on )?\\S.*)$`, 'i');

const PART_OF_DAY = /^(?:in the )?(?:morning|afternoon|evening|night)$/i;
const PART_LAST = /^(.*\S) (?:in the )?(?:morning|afternoon|evening|night)$/i;

/** A clock or a part of the day behind a day and another is of that day: "tomorrow at 9 and at 5pm". */
function ofSameDay(said: Timed, before: Timed | undefined, moment: Moment): Timed {
  const words = said.words.trim();
  const previous = before?.words ?? '';
  const [, day] =
    CLOCK.test(words) || PART_OF_DAY.test(words)
      ? (CLOCK_LAST.exec(previous) ?? PART_LAST.exec(previous) ?? CLOCK_FIRST.exec(previous) ?? [])
      : [];
  const whole = day === undefined ? undefined : once(`${day} ${words}`, moment);
  return whole === undefined ? said : { ...said, ...whole };
}

const ALSO = /^(?:,? (?:and|&)|,) (?:again |then )?/i;
const MAX_TIMES = 10;
/** Times one behind another: "today at 6pm and tomorrow at 7am", "on 3 and 4 May at noon". */
function chained(
  text: string,
  moment: Moment,
): { readonly timings: readonly Timed[]; readonly rest: string } | undefined {
  const found: Timed[] = [];
  let rest = text;
  for (let lead: string | undefined = ''; lead !== undefined; lead = ALSO.exec(rest)?.[0]) {
    const next: Timed | undefined = timingFirst(rest.slice(lead.length), moment);
    const pair = next && ofSameDay(next, found.at(-1), moment);
    if (found.length > 0 && pair === undefined) break;
    if (pair?.timing.at === undefined || pair.refused === true || found.length === MAX_TIMES) return undefined;
    found.push(pair);
    rest = pair.rest;
  }
  const [, , clock] = CLOCK_LAST.exec(found.at(-1)?.words ?? '') ?? [];
  const timings = found.map((one) => {
    const whole = one.exact || clock === undefined ? undefined : once(`${one.words} at ${clock}`, moment);
    return { ...one, ...whole, words: one.words, rest };
  });
  const different = new Set(timings.map(({ timing: { at } }) => at)).size;
  return found.length > 1 && different === found.length ? { timings, rest } : undefined;
}

/** Two rules with times of their own: "every morning at 7 and every evening at 9". */
function twoRules(text: string, moment: Moment): ReturnType<typeof chained> {
  if (!RULE.test(text) || timingFirst(text, moment)?.refused !== true) return undefined;
  for (const { 0: and, index } of text.slice(0, 120).matchAll(/,? and /g)) {
    const first = timing(text.slice(0, index), moment);
    const behind = text.slice(index + and.length);
    const second = [behind, `every ${behind}`].map((one) => timingFirst(one, moment)).find((one) => one?.timing.rule);
    const both = [first, second].flatMap((one) =>
      one?.timing.rule !== undefined && one.exact && one.refused !== true ? [{ ...one, rest: second?.rest ?? '' }] : [],
    );
    if (both.length === 2) return { timings: both, rest: second?.rest ?? '' };
  }
  return undefined;
}

/** Several single times at the beginning of a text: "Friday and Saturday at 8pm", "tomorrow at 9 and 17:00". */
export function severalFirst(
  text: string,
  moment: Moment,
): { readonly timings: readonly Timed[]; readonly rest: string } | undefined {
  const [days = '', before, named = '', behind] = DAYS_AT.exec(text) ?? [];
  const [clocks = '', day = '', hours = ''] = days === '' ? (DAY_AT.exec(text) ?? []) : [];
  const words = days + clocks;
  const dayClock = before ?? behind;
  if (words === '') return chained(text, moment) ?? twoRules(text, moment);
  if (before !== undefined && behind !== undefined) return undefined;
  const phrases =
    days === ''
      ? hours.split(AND).map((hour) => day + hour.replace(/^at /i, ''))
      : named.split(AND).map((one) => (dayClock === undefined ? one : `${one} at ${dayClock}`));
  const times = phrases.map((one) => once(one, moment));
  const rest = text.slice(words.length);
  const found = times.flatMap((one) => (one === undefined ? [] : [{ ...one, words, rest }]));
  const different = new Set(found.map(({ timing: { at } }) => at)).size;
  if (different !== phrases.length) return undefined;
  // In "on Monday and Friday to train at 6pm" the clock at the end is that of each day.
  const [, thing = '', clock = ''] = (dayClock === undefined && days !== '' && CLOCK_LAST.exec(rest)) || [];
  const whole = clock === '' ? undefined : severalFirst(`${words} at ${clock}`, moment);
  return whole === undefined
    ? { timings: found, rest }
    : {
        timings: whole.timings.map((one) => ({ ...one, words: rest.slice(thing.length).trim(), rest: thing })),
        rest: thing,
      };
}

const DAYS_LAST = new RegExp(
  ` ((?:on )?${DAY_NAME}(?:(?:, (?:and )?| and | & )(?:on )?${DAY_NAME})+(?:,? (?:at |@ ?)${A_CLOCK})?)$`,
  'i',
);

/** Several days at the end of a text: "to run on Monday and Thursday at 7". */
export function severalLast(text: string, moment: Moment): ReturnType<typeof severalFirst> {
  const words = text.length > 1_000 ? undefined : DAYS_LAST.exec(text)?.[1];
  const found = words === undefined ? undefined : severalFirst(words, moment);
  return found?.rest === '' && words !== undefined
    ? { ...found, rest: text.slice(0, -words.length).trim() }
    : undefined;
}
