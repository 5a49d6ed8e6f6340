import type { Context, Incoming } from '@mailroom/behavior';
import { ZONE_NOTE, zoneOf } from '@mailroom/english-instructions/tasks/words/zones';
import { withSettings } from '../owner/outside.ts';
import type { Settings } from '../owner/settings.ts';

/** Without such a word or sign no instruction depends on a time zone, and the note is not looked up. */
const TIMELY =
  /\d|\b(?:time|clock|zone|now|today|tomorrow|tonight|yesterday|morning|afternoon|evening|noon|midnight|date|(?:mon|tues|wednes|thurs|fri|satur|sun)?day|week|month|year|hour|minute|every|daily|weekly|monthly|remind|wake|alarm|timer|schedule|christmas|easter)/i;

/** The context with the time zone that the sender asked to remember, in place of that of the mailbox. */
export async function inOwnZone(context: Context<Settings>): Promise<Context<Settings>> {
  const { owner, notes } = context.services;
  const note = owner === undefined ? undefined : await notes.get(owner, ZONE_NOTE);
  const zone = note === undefined ? undefined : zoneOf(note.text.trim());
  return zone === undefined ? context : withSettings(context, { ...context.settings, time_zone: zone });
}

/** Whether a message may depend on a time zone. */
export const isTimely = ({ body }: Pick<Incoming, 'body'>): boolean => TIMELY.test(body.slice(0, MAX_LOOKED));
const MAX_LOOKED = 4_000;
