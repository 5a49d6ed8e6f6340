import type { Domain } from '../../language/grammar.ts';
import { CALENDARS } from './calendars.ts';
import { CHANCE } from './chance.ts';
import { CONVERSIONS } from './conversions.ts';
import { DATE_FORMS } from './date-forms.ts';
import { DAY_SERIES } from './day-series.ts';
import { DOCUMENTS } from './documents.ts';
import { ENCODINGS } from './encodings.ts';
import { EQUATIONS } from './equations.ts';
import { FOLLOW_UPS } from './follow-ups.ts';
import { GROWTH } from './growth.ts';
import { JSON_QUERIES } from './json-queries.ts';
import { JSON_TEXTS } from './json-texts.ts';
import { KNOWN_LISTS } from './known-lists.ts';
import { LABELLED } from './labelled.ts';
import { LISTS } from './lists.ts';
import { MODIFIERS } from './modifiers.ts';
import { NAME_FORMS } from './name-forms.ts';
import { NOTES } from './notes.ts';
import { NUMBERS } from './numbers.ts';
import { OMISSIONS } from './omissions.ts';
import { PAGES } from './pages.ts';
import { PART_REQUESTS } from './part-requests.ts';
import { PARTS } from './parts.ts';
import { PATTERNS } from './patterns.ts';
import { RATES } from './rates.ts';
import { RATIOS } from './ratios.ts';
import { RECORDS } from './records.ts';
import { REQUESTS } from './requests.ts';
import { ROUNDING } from './rounding.ts';
import { SAME_LETTERS } from './same-letters.ts';
import { SECRETS } from './secrets.ts';
import { SEQUENCES } from './sequences.ts';
import { SHAPES } from './shapes.ts';
import { SHARES } from './shares.ts';
import { SPEEDS } from './speeds.ts';
import { TABLES } from './tables.ts';
import { TEXT_CHOICES } from './text-choices.ts';
import { TEXT_EDITS } from './text-edits.ts';
import { TEXT_FILTERS } from './text-filters.ts';
import { TEXT_ORDERS } from './text-orders.ts';
import { TEXT_REQUESTS } from './text-requests.ts';
import { TEXT_SPANS } from './text-spans.ts';
import { TEXT_TURNS } from './text-turns.ts';
import { TEXTS } from './texts.ts';
import { TIME_AGES } from './time-ages.ts';
import { TIME_FACTS } from './time-facts.ts';
import { TIME_REQUESTS } from './time-requests.ts';
import { TIMES } from './times.ts';
import { TOPICS } from './topics.ts';
import { UNITS } from './units.ts';

/** All domains of the language; of two readings that score the same, the earlier one stands. */
export const DOMAINS: readonly Domain[] = [
  NUMBERS,
  ROUNDING,
  LISTS,
  KNOWN_LISTS,
  OMISSIONS,
  SHARES,
  TOPICS,
  RATIOS,
  GROWTH,
  EQUATIONS,
  UNITS,
  SPEEDS,
  RATES,
  SEQUENCES,
  CONVERSIONS,
  TIMES,
  TIME_REQUESTS,
  TIME_FACTS,
  DAY_SERIES,
  CALENDARS,
  TIME_AGES,
  DATE_FORMS,
  PARTS,
  PART_REQUESTS,
  TEXT_REQUESTS,
  TEXTS,
  TEXT_CHOICES,
  TEXT_EDITS,
  TEXT_SPANS,
  TEXT_FILTERS,
  TEXT_ORDERS,
  TEXT_TURNS,
  MODIFIERS,
  SHAPES,
  ENCODINGS,
  TABLES,
  DOCUMENTS,
  JSON_TEXTS,
  JSON_QUERIES,
  RECORDS,
  LABELLED,
  FOLLOW_UPS,
  CHANCE,
  PATTERNS,
  NAME_FORMS,
  PAGES,
  NOTES,
  SAME_LETTERS,
  SECRETS,
  REQUESTS,
];
