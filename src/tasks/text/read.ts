import { withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause, Reading } from '../clause.ts';
import { readLayout, readReplace, readTemplate, readTrim } from './read-edits.ts';
import { readDiff, readJoin, readPart, readReverse, readSort, readSplit, readUnique } from './read-lists.ts';
import { readCase, readCount, readExtract, readSay, readSlug } from './read-words.ts';
import { MAX_INSTRUCTION, surest } from './reading.ts';

const READERS = [
  readCase,
  readCount,
  readSort,
  readUnique,
  readReverse,
  readExtract,
  readReplace,
  readSplit,
  readJoin,
  readPart,
  readDiff,
  readSlug,
  readTrim,
  readTemplate,
  readLayout,
  readSay,
];

/** Words without which no reader knows an instruction, so that most others are ruled out quickly. */
const ANY =
  /case|casing|caps\b|capital|letters|how many|how often|count|number|amount|occurrences|instances|length|how long|sort|order|arrange|alphabet|rank|organi[sz]e|dup|unique|uniq|distinct|double|repeat|revers|flip|invert|mirror|backward|back to front|links?\b|url|web|mail|figures|digits|dates|hash|mentions|handles|usernames|replace|substitute|swap|change|switch|exchange|remove|delete|strip|take out|drop|rid of|cut|erase|split|break|separate|chop|explode|divide|token|join|glue|con|combine|merge|string|first|last|top|bottom|final|truncate|shorten|trim|limit|clip|crop|restrict|diff|compare|new\b|slug|clean|tidy|normali|collapse|squeeze|spac|fill|populate|complete|render|use\b|apply|pad|wrap|flow|say|echo|answer|reply|respond|write back|tell/i;

/** How the task understands an instruction. */
export function readText(clause: Clause): Reading | undefined {
  const { text } = clause;
  if (text.length > MAX_INSTRUCTION || !ANY.test(text)) return undefined;
  const plain = withoutTrailing(text, '?!.').trim();
  return plain === '' ? undefined : surest(READERS.map((read) => read(plain, clause)));
}
