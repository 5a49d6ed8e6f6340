import type { Millis } from '@mailroom/behavior/values/clock';
import type { Clause } from '../clause.ts';
import { local } from '../words/dates.ts';
import { lengthOf } from '../words/durations.ts';
import { once, type Timed, timingLast } from './when.ts';

const AHEAD =
  /^(?:about |around )?(the (?:day|week)|(?:an?|half an?|one|two|three|four|five|six|seven|ten|fifteen|twenty|thirty|\d{1,3})(?: and a half)?[ -]?(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?)(?: and a half)?(?: and (?:\d{1,2}|ten|fifteen|twenty|thirty) min(?:ute)?s?)?) (before|prior to|ahead of|after) (?=\S)/i;
/** Whether a text begins with a length before something, so that no other time in it is when it is due. */
export const isAhead = (text: string): boolean => AHEAD.test(text);

const SEVERAL =
  /^[^,]{1,40}? (?:before|after|ahead)(?:,| and| or|,? as well as) .{1,60}?\b(?:before|after|ahead of|prior to)\b/i;
/** Whether a text begins with several lengths before one thing: "a week before and a day before the party". */
export const areAhead = (text: string): boolean => SEVERAL.test(text);

const EVENT =
  /^((?:my|our|the|an?|his|her|their|this|today['’]s|tomorrow['’]s|(?:mon|tues|wednes|thurs|fri|satur|sun)day['’]s) )?(.*)$/i;
const ABOUT = /(?:,? (?:to|that|about|so that)|[:,;]) /i;
const CLOCK =
  /(?:^|\s)(?:at |starting at |@ ?)?(\d{1,2}(?::\d\d)? ?[ap]\.?m\.?|\d{1,2}:\d\d|noon|midday|midnight|(?<=at )\d{1,2})(?=\s|$)/i;
/** When it takes place, said behind it: "an hour before kick off, its at 19:45 tonight". */
const TOLD =
  /^(.{3,80}?), (?:which|that|it)(?:['’]?s| is| starts| begins| takes place) ((?:on |at )?[^,]{2,30}?)(?=,? (?:to|that|about) |$)/i;
/** A name for something that takes place: a few words, none of which limits or adds anything. */
const NOUN = /^[\p{L}'’-]+(?: (?:with |of |for |at the )?[\p{L}'’-]+){0,3}$/u;
const LIMITS =
  /\b(?:unless|except|if|only|not|no|or|and|but|when|until|till|every|each|before|after|between|from|maybe|either|once|twice|thrice)\b/i;

/**
 * A time before or after something whose time the text names: "an hour before my 5pm meeting", "15 minutes before my flight
 * at 18:45 to check in", "two days before the party on 3 May". `rest`: what it is about, or the thing itself. Undefined for
 * other texts, and where a word of it is not understood.
 */
export function aheadOf(written: string, moment: Pick<Clause, 'now' | 'time_zone'>): Timed | undefined {
  const [all, thing, time = ''] = TOLD.exec(written) ?? [];
  const text = all === undefined ? written : `${thing} ${time}${written.slice(all.length)}`;
  const [lead, said = '', side = ''] = AHEAD.exec(text) ?? [];
  const length = lead === undefined ? undefined : lengthOf(said.replace('-', ' ').replace(/^the /i, '1 '));
  if (lead === undefined || length === undefined || length.business > 0) return undefined;
  const tail = text.slice(lead.length);
  const cut = ABOUT.exec(tail);
  const event = tail.slice(0, cut?.index ?? tail.length).trim();
  const [, owner = '', eventName = ''] = EVENT.exec(event) ?? [];
  const clock = CLOCK.exec(eventName);
  const without =
    clock === null
      ? eventName
      : `${eventName.slice(0, clock.index)} ${eventName.slice(clock.index + clock[0].length)}`.trim();
  const last = timingLast(`x ${without.replace(/\s+/g, ' ')}`, moment);
  const named = /day['’]s|morrow/i.test(owner) ? owner.trim().replace(/['’]s$/, '') : last?.words;
  const noun = (last === undefined ? without : last.rest.replace(/^x ?/, '')).replace(/\s+/g, ' ').trim();
  if (!NOUN.test(noun) || LIMITS.test(noun) || (last?.timing.rule ?? undefined) !== undefined) return undefined;
  // Without a time of the day only whole days can be counted.
  if (clock === null && (named === undefined || length.has_time)) return undefined;
  const eventTime = once([named, clock === null ? undefined : `at ${clock[1]}`].filter(Boolean).join(' '), moment);
  const start = eventTime?.timing.at === undefined ? undefined : Temporal.Instant.from(eventTime.timing.at);
  if (eventTime === undefined || start === undefined) return undefined;
  const zoned = start.toZonedDateTimeISO(eventTime.timing.time_zone);
  const due: Millis = (/after/i.test(side) ? zoned.add(length.duration) : zoned.subtract(length.duration))
    .epochMilliseconds;
  const words = all ?? lead + event;
  const rest = cut === null ? (thing?.slice(lead.length) ?? event) : tail.slice(cut.index);
  return {
    timing: { at: local(due, eventTime.timing.time_zone), time_zone: eventTime.timing.time_zone },
    words,
    rest,
    exact: true,
  };
}
