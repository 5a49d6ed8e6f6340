import { isAddedLine } from '@mailroom/behavior/values/added-line';
import type { Step } from '../plan/index.ts';
import { bareOf } from './bare.ts';
import { isContext } from './context.ts';
import { isClosing, isGreeting, isPolite } from './courtesy.ts';
import { hasNoEffects, type Planned, type PlanningParts } from './plan.ts';
import { DETERMINERS, FINITE, isStatement, PREPOSITIONS, PRONOUNS, wordsOf } from './statements.ts';

const MAX_LINES = 200;
/** The most lines of a signature: a name, a company, a department, an address. */
const MAX_SIGNED = 5;
const MARK = /^\(?p\.? ?(?:p\.? ?)?s[.:,–-]{0,2}[ \t](?=\S)/i;
/** How what is said begins that is no name, company or office. */
const SAYS =
  /^(?:only|not|no|please|but|oh|oops|sorry|wait|actually|make|leave|skip|ignore|use|round|remember|mind)\b/i;
/** What offices add below all of their mail. */
const FOOTER =
  /\b(?:the environment|confidential|intended (?:recipient|only|solely)|addressees?|legally privileged|viruses)\b/i;
const FENCED = /^[ \t]*(?:```|~~~|>)/m;

/** What is said below the end of a mail, and the mail without it. */
interface Postscript {
  readonly rest: string;
  readonly said: string;
}

const CLOSED_WORDS: readonly ReadonlySet<string>[] = [DETERMINERS, PRONOUNS, FINITE, PREPOSITIONS];
/** Whether a line says something; names, companies and offices begin with a capital letter. */
const says = (line: string): boolean => {
  const text = line.replace(/^\(|\)$/g, '');
  const words = wordsOf(text);
  const isPhrase = /^\p{Ll}/u.test(text) && words.some((word) => CLOSED_WORDS.some((those) => those.has(word)));
  return words.length > 2 && (isPhrase || SAYS.test(text) || text.split(/(?<=[.!?]) +/).some(isStatement));
};

/**
 * What is said behind “PS”, or below a closing and a signature: "Best, Ann", and then "make it 14 instead". Undefined where
 * nothing is.
 */
function postscriptIn(body: string): Postscript | undefined {
  const lines = body.trim().split('\n', MAX_LINES + 1);
  if (lines.length < 2 || lines.length > MAX_LINES || FENCED.test(body)) return undefined;
  const at = lines.findIndex((line, place) => place > 0 && isMarked(line.trim()));
  const begin = at > 0 ? at : belowClosing(lines);
  if (begin === undefined) return undefined;
  const said = lines.slice(begin).join(' ').trim().replace(MARK, '');
  return FOOTER.test(said) ? undefined : { rest: lines.slice(0, begin).join('\n').trimEnd(), said };
}

const isMarked = (line: string): boolean => MARK.test(line) && wordsOf(line).length > 2;

/** The line below the last closing and the names under it that says something. */
function belowClosing(lines: readonly string[]): number | undefined {
  const isEnd = (line: string): boolean => isClosing(line) || (isPolite(line) && !isGreeting(line));
  const end = lines.findLastIndex((line, at) => at > 0 && isEnd(line.trim()));
  if (end < 0) return undefined;
  const below = lines.findIndex((line, at) => at > end && says(line.trim()));
  const signed = lines.slice(end + 1, below).filter((line) => line.trim() !== '');
  return below < 0 || signed.length > MAX_SIGNED || isAddedLine((lines[below] ?? '').trim()) ? undefined : below;
}

const TALK =
  /^(?:(?:(?:there(?:['’]s| is)|it(?:['’]s| is)) )?no (?:hurry|rush)|(?:i )?hope (?:you|all|everyone|the|this))\b(?![^.!?]*\b(?:but|only|just|not)\b)[^.!?:\d]*[.!]?$/i;

/** Whether a postscript says nothing that changes the request. */
const isBeside = (said: string, request: string): boolean =>
  said
    .split(/(?<=[.!?]) +/)
    .every((sentence) => isPolite(sentence) || TALK.test(sentence) || isContext(sentence, request));

/** Whether a postscript is one of a letter that is worked on, or of words that are sent or kept. */
function isOfText({ task, input }: Step, said: string, parts: PlanningParts): boolean {
  const text = Object.values(input).find((one) => typeof one === 'string' && one.replace(/\s+/g, ' ').includes(said));
  return typeof text === 'string' && (!hasNoEffects(task, parts) || text.split('\n').some(isGreeting));
}

/** Whether steps are those of the request and more: "round it to tens". */
const isContinued = (steps: readonly Step[], more: readonly Step[]): boolean =>
  more.length > steps.length && JSON.stringify(more.slice(0, steps.length)) === JSON.stringify(steps);

type Plan<P> = (body: string, parts: PlanningParts) => P;

/**
 * The plan of a mail with a postscript, or the question about it: one that changes the request is never passed over.
 * Undefined where there is none, and where it is part of what the mail is about.
 */
export function besidePostscript(
  body: string,
  parts: PlanningParts,
  {
    planOf,
    planWhole,
    ofCorrected,
  }: { planOf: Plan<Planned>; planWhole: Plan<Planned>; ofCorrected: Plan<Planned | undefined> },
): Planned | undefined {
  const { rest, said } = postscriptIn(body) ?? {};
  if (rest === undefined || said === undefined) return undefined;
  const planned = planOf(rest, { ...parts, written: rest });
  if (planned.kind !== 'plan') return undefined;
  const request = bareOf(rest);
  if (isBeside(said, request)) return planned;
  const corrected = ofCorrected(`${request}\n${said}`, parts);
  if (corrected !== undefined && JSON.stringify(corrected) !== JSON.stringify(planned)) return corrected;
  const continued = planOf(`${request}\n${said}`, { ...parts, written: `${request}\n${said}` });
  if (continued.kind === 'plan' && isContinued(planned.steps, continued.steps)) return continued;
  const whole = planWhole(body, parts);
  if (whole.kind === 'plan' && whole.steps.some((step) => isOfText(step, said, parts))) return whole;
  const question = `I do not understand “${said}”.`;
  return { kind: 'unclear', at: 0, text: said, question, suggestions: [], steps: [] };
}
