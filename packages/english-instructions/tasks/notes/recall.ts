import { closed } from '@mailroom/behavior/values/closed';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { Type } from 'typebox';
import type { Clause, Reading } from '../clause.ts';
import { task } from '../task.ts';
import { isOfWorld } from '../words/world.ts';
import { INSTRUCTION_LENGTH, KEPT, notesOf, spokenName } from './name.ts';

const Input = closed({
  'query?': Type.String({ description: "A note's name, or words in its name or text; all notes without it." }),
});
const One = closed({ name: Type.String(), text: Type.String() });
const Output = closed({
  result: Type.Union([Type.String(), Type.Array(One)], {
    description: 'The text of the one note that was found, the list of several, or a sentence that there is none.',
  }),
  found: Type.Integer({ minimum: 0, description: 'How many notes, up to 100.' }),
});

const NOTES = '(?:saved |stored |own |other )?(?:notes?|memos?|memory|memories)';
const ABOUT = '(?:about|on|for|called|named|titled|of|regarding|with)';

/** The beginning "what is my", without things that other tasks know. */
const MINE =
  "(?:what|who|where|when)(?: is| was| are| were|['’]s|s) my (?!(?:name|age|ip|time ?zone|bmi|schedules?|reminders?|alarms?|timers?|agenda|plans?)\\b)";

/** Words that no name contains. */
const LINKS = '(?!of |in |on |at |for |from |to |with |between |by |about |like |today |tomorrow |now )';
const THING = `(?:the (?!(?:temperature|time|date|point|matter|difference|best|worst|most|latest|current|meaning|world)\\b)|(?!(?:today|yesterday|tomorrow|it|that|there)['’])[\\p{L}-]+['’]s )${LINKS}[\\p{L}'’-]+(?: ${LINKS}[\\p{L}'’-]+){0,3}? ?`;
/** A thing of someone: "Bob's birthday". */
const OWNED = `(?!(?:today|yesterday|tomorrow|it|that|there|what|who|world)['’])[\\p{L}-]+['’]s ${LINKS}[\\p{L}'’-]+(?: ${LINKS}[\\p{L}'’-]+){0,2}`;
/** What asks for notes, each behind its certainty; a group is what they are about, and the first that fits is used. */
const FORMS = [
  `1 (?:recall|list|show|read|tell|give|print|get|see|display|view|open|find)(?: me)?(?: out)?(?: all| everything in)?(?: of)?(?: my| the| your)? ${NOTES}(?: (?:you have|i have|so far|again|please|to me))*`,
  `0.95 (?:what|which)(?: are| is| were)?(?: all)?(?: of)?(?: my| the)? ${NOTES}(?: (?:do|did) (?:i|you) have(?: (?:so far|saved|stored))?| (?:have|are|there|so|far|saved|stored)){0,3}`,
  '0.95 (?:what|which things)(?: all| else)? (?:did i|have i|do i have|had i|did you|have you|do you) (?:(?:ask|asked?|told|tell|had|have) you to (?:remember|note|save|keep)(?: down)?|(?:asked?|told|tell) you|(?:got |get )?(?:remember(?:ed)?|saved?|stored?|noted?|noted? down|kept)(?: for me)?|know about me)(?: so far| again)?',
  "0.95 (?:tell|show|list|give)(?: me)? (?:all|everything|what)(?: that| of what)? (?:you (?:remember|know about me|have (?:saved|stored|noted)|noted)|i (?:asked|told) you(?: to (?:remember|note|save))?|i(?:['’]ve| have)? (?:saved|stored|noted))(?: so far)?",
  '0.8 (?:recall|list|show)(?: me)? everything',
  `0.95 (?:recall|list|show|read|tell|give|print|get|see|display|view|open|find|look up|pull up|fetch|bring up)(?: me)?(?: out)?(?: all)?(?: of)?(?: my| the| any| your| every)? ${NOTES}(?: i (?:have|made|took|saved))?(?: ${ABOUT})? (.+)`,
  `0.95 (?:do|did|have) (?:i|you) (?:have|got|save|make|take|made|keep|kept)?(?: me)?(?: any| a| some| my)? ?${NOTES} ${ABOUT} (.+)`,
  `1 (?:search|look (?:up|for)|find|check|look|query)(?: in| through)?(?: my| the)? ${NOTES} (?:for|about|on) (.+)`,
  `0.95 (?:is there |are there |do (?:i|you) have |have (?:i|you) got )?(?:anything|something|any)(?: (?:in|among) (?:my|the|your))? ${NOTES} ${ABOUT} (.+)`,
  `1 (?:search|look (?:up|for)|find|check)(?: for)? (.+?) (?:in|from) (?:my|the) ${NOTES}`,
  `0.85 (?:recall|show|read|give|get|open|find|print)(?: me)? (?:my|the) (.{1,100}?) ${NOTES}`,
  '0.95 (?:what|which things) (?:did i|have i|do i|had i) (?:tell|told|say|said|ask|asked|note|noted|save|saved|write|wrote|mention|mentioned|store|stored|remember)(?: to)?(?: you)?(?: to remember)?(?: down)? (?:about|on|for|of|regarding|under|as) (.+)',
  '0.9 what (?:do|did|can) you (?:know|remember|recall|have(?: saved| stored| noted)?|got|tell me)(?: about| on| of| under| as)? (.+)',
  '0.7 what did i (?:call|save|store|note)(?: as)? (.+)',
  '0.85 (?:do|can) you (?:still )?(?:remember|recall|know) (?:what )?(.+?)(?: is| was| are)?(?: again)?',
  '0.95 remind me (?:again )?(?:what|who|where|when) (.+?) (?:is|was|are|were)(?: again)?',
  "0.9 remind me (?:again )?(?:what|who|where|when)(?: is| was| are|['’]s) (.+)",
  '0.95 recall(?: what)? (.+?)',
  // "My door code and the time" may be two things.
  `0.9 ${MINE}(?!.*\\b(?:and|then|or)\\b)([\\p{L}'’ -]{2,60}?)(?: again)?`,
  `0.85 ${MINE}([\\p{L}'’ -]{2,60}?)(?: again)?`,
  "0.6 (?:tell|give|show)(?: me)? my (?!(?:schedules?|reminders?|alarms?|timers?|agenda|plans?)\\b)([\\p{L}'’ -]{2,60})",
  "0.8 what (?:was|were) ([\\p{L}'’ -]{2,60}?) again",
  // "The door code" and "Ann's number" belong to someone; "the capital of France" and "the weather" are not notes.
  `0.5 what(?: is| was| are|['’]s) (${THING}|(?:the )?(?:[\\p{L}-]+ )?${KEPT}(?: (?:of|for|to|at) [\\p{L}'’ -]{2,40}?)?)(?: (?:that )?i (?:gave|told|sent|mentioned|showed)(?: to)? you(?: [\\p{L} ]{2,30})?)?(?: again)?`,
  // "When is Bob's birthday", "where is the spare key".
  `0.5 (?:when|where|who)(?: is| was| are|['’]s) (${OWNED})(?: again)?`,
  `0.5 where(?: is| was| are|['’]s) ((?:the )?(?:[\\p{L}-]+ )?${KEPT})(?: again)?`,
  `0.95 (?:what|which|any) ${NOTES} (?:do|did) (?:i|you) have ${ABOUT} (.+)`,
].map((form) => {
  const [sure = ''] = form.split(' ', 1);
  return [new RegExp(`^(?:${form.slice(sure.length + 1)})$`, 'iu'), Number(sure)] as const;
});
const FIRST =
  /^(?:recall|what|(?:what|who|where)s|which|who|where|when|list|show|read|tell|give|print|get|see|display|view|open|find|look|pull|fetch|bring|do|did|have|can|search|check|query|remind|is|are|anything|something|any)\b/i;
const ALL = /^(?:everything|all|all (?:of )?(?:it|my notes|notes)|me|my notes|anything)$/i;
/** The kind that people add to a thing's own name. */
const KIND = / (?:notes?|memo)$/;

const about = (query: string, sure: number): Reading | undefined => {
  const name = ALL.test(query.trim()) ? '' : spokenName(query).replace(KIND, '');
  return { sure, input: name === '' ? {} : { query: name }, accounts: [query] };
};

/** A question about the note that was just stored, whatever its name is. */
const JUST_NOTED = /^what(?: is| was| are|['’]s) ([\p{L}'’ -]{2,60}?)(?: again)?$/iu;

function read({ text, data, after }: Clause): Reading | undefined {
  if (text.length > INSTRUCTION_LENGTH || !FIRST.test(text)) return undefined;
  if (/^recall$/i.test(text)) {
    if (data === undefined) return { sure: 0.9, input: {} };
    return data.length <= INSTRUCTION_LENGTH ? about(data, 1) : undefined;
  }
  // An instruction with data is about the data.
  if (data !== undefined) return undefined;
  const plain = withoutTrailing(text, `${BLANKS}?!.`);
  // "My rate" is a note, and "the exchange rate" is the world's.
  if (isOfWorld(plain) && !/\bmy\b/i.test(plain)) return undefined;
  for (const [form, sure] of FORMS) {
    const found = form.exec(plain);
    if (found !== null) return about(found[1] ?? '', sure);
  }
  const noted = after === 'remember' || after === 'forget' ? JUST_NOTED.exec(plain)?.[1] : undefined;
  return noted === undefined ? undefined : about(noted, 0.5);
}

/** Answers with stored notes. */
export const recall = task({
  name: 'recall',
  description: 'Says what was remembered: one note by its name or a word in it, or all of them.',
  input: Input,
  output: Output,
  effects: 'reads',
  repeatable: true,
  examples: ['what is my door code', 'recall report', 'list my notes'],
  read,
  async run({ query = '' }, context) {
    const all = query.trim() === '';
    const found = all ? await context.notes.find('') : await notesOf(query, context);
    const [first] = found;
    if (first === undefined) {
      const result = all ? 'I have no notes of yours.' : `I have no note about “${spokenName(query)}”.`;
      return { result, found: 0 };
    }
    if (found.length === 1 && !all) return { result: first.text, found: 1 };
    return { result: found.map(({ name, text }) => ({ name, text })), found: found.length };
  },
  says: ({ query = '' }) =>
    query.trim() === '' ? { does: 'Read all notes' } : { does: 'Read the notes about', text: query },
  show({ result }) {
    if (typeof result === 'string') return result;
    return result.map(({ name, text }) => `- **${name}**: ${text.replace(/\n/g, '\n  ')}`).join('\n');
  },
});
