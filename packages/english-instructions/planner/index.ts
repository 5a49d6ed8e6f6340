import { forwardedIn } from '@mailroom/behavior/values/quoted-mail';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Step } from '../plan/index.ts';
import { askedSum } from '../tasks/clause.ts';
import { askedThing, inPlainWords } from '../tasks/notes/asked.ts';
import { statedIn } from '../tasks/notes/remember.ts';
import { passedOn } from '../tasks/passed-on.ts';
import { foretoldIn } from '../tasks/plans/foretold.ts';
import { isTableText } from '../tasks/table/seen.ts';
import { todayIn } from '../tasks/words/dates.ts';
import { isOfWorld } from '../tasks/words/world.ts';
import { withoutAsides } from './asides.ts';
import { bareOf, isSigned } from './bare.ts';
import { isContext } from './context.ts';
import { correctedIn } from './corrections.ts';
import { isPolite, plain } from './courtesy.ts';
import { cut, MAX_TEXT } from './cut.ts';
import { aboutFacts } from './facts.ts';
import { reordered } from './joined.ts';
import { hasJoined, takenStatement } from './judged.ts';
import { isListed } from './lines.ts';
import { measuredOf, rowsAsked } from './measured.ts';
import { modifiedIn } from './modified.ts';
import { isClear, isCorrected, NOTHING_PASTED } from './paraphrases.ts';
import { type Piece, shows } from './pieces.ts';
import { type Placed, placedIn } from './placed.ts';
import { hasNoEffects, type Planned, type PlanningParts, tooMany, zoned } from './plan.ts';
import { Planning, SURE_PASTED } from './planning.ts';
import { besidePostscript } from './postscript.ts';
import { bestOf, judgeOf } from './readings.ts';
import { orders, rewordings } from './rewordings.ts';
import { explainedIn, withForm, withoutClause, withoutEnd, withoutTalk } from './said.ts';
import { bySlots } from './slots.ts';
import { respelled } from './spelling.ts';
import { atEachAnd, atThen } from './split.ts';
import { askedOfTold } from './told.ts';
import { askedOfTimes } from './told-times.ts';

/** A longer message is more than an instruction with an aside. */
const MAX_ASIDE = 300;
const SIGN_FIRST = /^\s*[*+/×÷-] ?\d[\d.,]*%?\s*$/;

/** Makes a plan from a message in English without guessing. */
export function planOf(body: string, given: PlanningParts): Planned {
  const { written = body, plans = new Map<string, Planned>() } = given;
  const { before, max_steps, answers, pasted } = given;
  const key = JSON.stringify([body, written, before, max_steps, answers, pasted]);
  const planned = plans.get(key) ?? planNow(body, { ...given, written, plans });
  plans.set(key, planned);
  return planned;
}

function planNow(body: string, parts: PlanningParts): Planned {
  const isWhole = parts.answers === undefined && parts.pasted === undefined;
  const beside = isWhole ? besidePostscript(body, parts, { planOf, planWhole, ofCorrected }) : undefined;
  return beside ?? planWhole(body, parts);
}

function planWhole(body: string, parts: PlanningParts): Planned {
  const forwarded = parts.pasted === undefined ? forwardedIn(body) : undefined;
  if (forwarded !== undefined) return aboutForwarded(forwarded, parts);
  const sum = parts.answers === undefined && parts.pasted === undefined && !isListed(body) ? askedSum(body) : undefined;
  if (sum !== undefined) return new Planning(parts, planOf).one(sum);
  const isDone = (text: string): boolean =>
    [text, ...text.split('\n')].some((one) => planOf(one, { ...parts, written: one }).kind === 'plan');
  const isWhole = parts.answers === undefined && parts.pasted === undefined;
  const foretold = isWhole ? foretoldIn(bareOf(body), zoned(parts), isDone) : undefined;
  const told = foretold ?? (isWhole ? statedIn(bareOf(body), isDone) : undefined);
  const kept = told === undefined ? undefined : new Planning({ ...parts, written: told }, planOf).one(told);
  if (kept !== undefined && kept.kind !== 'unclear') return kept;
  const passed = isWhole ? passedOn(bareOf(body)) : undefined;
  if (passed !== undefined && !isDone(passed.body)) {
    const { to, body: data } = passed;
    const piece = { text: `send ${to}`, data, language: undefined, fenced: false, mark: undefined };
    return new Planning({ ...parts, written: `${piece.text}: ${data}` }, planOf).all([piece]);
  }
  const measured = parts.pasted === undefined ? aboutRows(body, parts) : undefined;
  if (measured !== undefined) return measured;
  const request = isWhole ? askedAbout(body, parts) : undefined;
  if (request !== undefined) return new Planning(parts, planOf).one(request);
  // After a result a sign is no list mark.
  if (parts.before && SIGN_FIRST.test(body)) return new Planning(parts, planOf).one(body.trim());
  const { pieces, doubt, endless } = cut(body, judgeOf(parts), parts.pasted);
  if (doubt !== undefined) {
    const own = inOwnWords(body, parts);
    if (own !== undefined) return own;
    const question = `Is “${doubt.text}” something to do, or part of the text above it? Put pasted text between lines of \`\`\`, or number the instructions.`;
    return { kind: 'unclear', at: -1, text: doubt.text, question, suggestions: [], steps: [] };
  }
  if (endless) {
    const detail = `This message has more than ${MAX_TEXT} characters of instructions, or too many instructions. Send it in parts, and put text to work on between lines of \`\`\`.`;
    return { kind: 'too_much', detail };
  }
  if (pieces.length > parts.max_steps) return tooMany(pieces.length, parts);
  const found = new Planning(parts, planOf).all(pieces);
  const taken = found.kind === 'plan' ? takenStatement(body.trim(), found.steps) : undefined;
  if (taken !== undefined) {
    const rest = body.replace(taken, '').trim();
    if (isWhole && isContext(taken, rest)) return planOf(rest, { ...parts, written: rest });
    const question = `I do not understand “${taken}”.`;
    return { kind: 'unclear', at: 0, text: taken, question, suggestions: [], steps: [] };
  }
  // "I cycled 18 km in 1.5 h, what was my speed" tells what a note need not say.
  if (found.kind === 'plan' && /\d/.test(body) && found.steps.every(({ task }) => task === 'recall'))
    return aboutTold(pieces, parts) ?? found;
  return found.kind === 'unclear'
    ? (aboutPlaced(body, parts) ??
        ofQuoted(body, parts) ??
        respelledAbout(body, parts) ??
        (isWhole ? (ofCorrected(body, parts) ?? besideTalk(body, parts)) : undefined) ??
        aboutTold(pieces, parts) ??
        besideAsides(body, parts) ??
        (isWhole ? (ofNotes(bareOf(body), parts) ?? ofThing(bareOf(body))) : undefined) ??
        inOwnWords(body, parts) ??
        found)
    : found;
}

/** The plan of what is asked about rows of values, above or below them. */
function aboutRows(body: string, parts: PlanningParts): Planned | undefined {
  const found = /\d/.test(body) && /[\n:]/.test(body) ? rowsAsked(bareOf(body), parts.now) : undefined;
  if (found === undefined || /```|~~~/.test(body)) return undefined;
  const piece = { text: found.said, data: found.data, language: undefined, fenced: false, mark: undefined };
  return measuredOf({ ...piece, it: undefined, ...zoned(parts) }) === undefined
    ? undefined
    : new Planning(parts, planOf).all([{ ...piece, text: found.said.replace(/\n/g, ' ') }]);
}

/** The plan of a mail without what is said around its request: a greeting, small talk, a reason. */
function besideTalk(body: string, parts: PlanningParts): Planned | undefined {
  const whole = body.trim();
  const bare = bareOf(body);
  // Behind words that are sent or kept everything may be a part of them.
  const front = whole.slice(Math.max(0, whole.indexOf(bare)));
  const waysOf = (text: string, before: boolean): readonly string[] => {
    const rest = withoutTalk(text, before);
    return [text, withoutClause(text), rest, withoutClause(rest), ...(before ? [] : [withoutEnd(rest)])];
  };
  const explained = explainedIn(bare);
  // A term that is known by itself may mean something else.
  if (explained !== undefined && planOf(explained.term, { ...parts, written: explained.term }).kind === 'unclear') {
    const planned = planOf(explained.meant, { ...parts, written: explained.meant });
    if (planned.kind === 'plan' && planned.steps.every(({ task }) => hasNoEffects(task, parts))) return planned;
  }
  const ways = [
    ...waysOf(bare, false).map((way) => [way, 'nothing'] as const),
    ...waysOf(front, true).map((way) => [way, 'all'] as const),
    // What is sent may have a closing of its own.
    ...(isSigned(front, bare) ? waysOf(bare, true) : []).map((way) => [way, 'remind'] as const),
  ];
  const plans = new Map<string, Planned | undefined>([whole, ''].map((way) => [way, undefined]));
  for (const [way, effects] of ways) {
    if (!plans.has(way)) plans.set(way, planOf(way, { ...parts, written: way }));
    const planned = plans.get(way);
    const mayDo = ({ task }: Step): boolean => task === 'recall' || task === effects || hasNoEffects(task, parts);
    if (planned?.kind === 'plan' && (effects === 'all' || planned.steps.every(mayDo))) return planned;
  }
  return ofForm(bare, parts);
}

/** The plan without effects of a request whose form stands in another sentence: "Our teacher wants it as JSON." */
function ofForm(text: string, parts: PlanningParts): Planned | undefined {
  const { ways, without = '' } = withForm(text) ?? { ways: [] };
  const plans = [...ways, without].map((way) => (way === '' ? undefined : planOf(way, { ...parts, written: way })));
  const plainly = JSON.stringify(plans.pop());
  return plans.find(
    (one) =>
      one?.kind === 'plan' &&
      JSON.stringify(one) !== plainly &&
      one.steps.every(({ task }) => hasNoEffects(task, parts)),
  );
}

/** The plan of a message with what it corrects; the words of a reminder stay, and nothing is sent or noted. */
function ofCorrected(body: string, parts: PlanningParts): Planned | undefined {
  const corrected = correctedIn(bareOf(body));
  const planned = corrected === undefined ? undefined : planOf(corrected, { ...parts, written: corrected });
  const isSafe = ({ task, input: { text } }: Step): boolean =>
    hasNoEffects(task, parts) || (task === 'remind' && typeof text === 'string' && body.includes(text));
  return planned?.kind === 'plan' && planned.steps.every(isSafe) ? planned : undefined;
}

/** The plan of a message about notes, in whatever words. */
function ofNotes(body: string, parts: PlanningParts): Planned | undefined {
  const plainly = inPlainWords(withoutTrailing(body, '?.! '));
  const planned = plainly === undefined ? undefined : new Planning(parts, planOf).one(plainly);
  return planned?.kind === 'plan' && planned.steps.every(({ task }) => task === 'recall' || task === 'forget')
    ? planned
    : undefined;
}

/** The plan of a message that only names a thing, of which a note may say more. */
function ofThing(body: string): Planned | undefined {
  const [asked = '', ...others] = body.split(/(?<=[.?!]) +/);
  const thing = others.every((one) => isContext(one, asked)) ? askedThing(asked) : undefined;
  return thing === undefined || isOfWorld(thing) || isOfWorld(`what is ${thing}`)
    ? undefined
    : { kind: 'plan', steps: [{ task: 'recall', input: { query: thing, guess: true } }] };
}

/** The instruction about what the sentences before it say. */
function askedAbout(body: string, parts: PlanningParts): string | undefined {
  if (isListed(body)) return undefined;
  const readings = new Map<string, ReturnType<typeof bestOf>>();
  return aboutFacts(body, (part) => {
    const { text } = part;
    if (!readings.has(text)) readings.set(text, bestOf({ ...part, it: undefined, ...zoned(parts) }, parts.tasks));
    return readings.get(text);
  });
}

/** The same where words of it have slips. */
function respelledAbout(body: string, parts: PlanningParts): Planned | undefined {
  if (parts.answers !== undefined || parts.pasted !== undefined) return undefined;
  const requests = respelled(body, []).map(({ text }) => askedAbout(text, parts));
  const [first] = requests;
  return first === undefined || requests.some((one) => one !== first)
    ? undefined
    : new Planning(parts, planOf).one(first);
}

const ORDERED = /^(?:multiply|divide|add|subtract|double|halve|triple|square|sum|take) .*\d/i;

/** The plan of what is asked about amounts and times in the same message, in which nothing else is to be done. */
function aboutTold(pieces: readonly Piece[], parts: PlanningParts): Planned | undefined {
  if (parts.answers !== undefined || parts.pasted !== undefined) return undefined;
  if (pieces.some(({ data, fenced }) => fenced || data?.includes('\n'))) return undefined;
  const message = pieces
    .map(({ text, data }) => (data === undefined ? plain(text) : `${plain(text)}: ${data}`))
    .join('. ');
  const sentences = message.split(/(?<=[.?!]) +/);
  while (sentences.length > 1 && isPolite(sentences.at(-1) as string)) sentences.pop();
  const told = sentences.join(' ');
  const texts = askedOfTold(told) ?? askedOfTimes(told, todayIn(parts.now, parts.time_zone));
  if (texts === undefined) return undefined;
  const clause = { language: undefined, data: undefined, it: undefined, ...zoned(parts) };
  // What is sent, kept or planned is more than a question.
  const acts = (text: string): boolean => {
    const best = bestOf({ ...clause, text }, parts.tasks);
    // What is calculated first is no part of a story.
    // "1.85 m each" is no rule of times.
    const isRule =
      isClear(best) && best.task.name === 'schedule' && 'input' in best.reading && best.reading.input.rule === text;
    return (
      isClear(best) && !isRule && (best.task.effects === 'none' ? ORDERED.test(text) : best.task.name !== 'recall')
    );
  };
  if (message.split(/[.?!;,] /).some((part) => acts(plain(part)))) return undefined;
  const instructions = texts.map((text) => ({ ...clause, text, fenced: false, mark: undefined }));
  const planned = new Planning({ ...parts, written: message }, planOf).all(instructions);
  return planned.kind === 'plan' ? planned : undefined;
}

/** The plan without effects of a message without what is said beside its instruction. */
function besideAsides(body: string, parts: PlanningParts): Planned | undefined {
  if (parts.answers !== undefined || parts.pasted !== undefined || body.length > MAX_ASIDE) return undefined;
  // Lines are lines.
  if (body.trim().includes('\n')) return undefined;
  const bare = withoutAsides(plain(body));
  const planned = bare === undefined ? undefined : planOf(bare, { ...parts, written: bare });
  return planned?.kind === 'plan' && planned.steps.every(({ task }) => hasNoEffects(task, parts)) ? planned : undefined;
}

const OF_THINGS: readonly string[] = ['calculate', 'convert', 'time', 'random', 'text'];
/** How the items of a result are to be written. */
const IN_LINES =
  /,? (?:(?:each|one|every one)(?: of them)? )?(?:(?:per|to a|on its own|on a(?: new)?) line|on separate lines)$/i;
const JOINED = /,? (?:all )?(?:separated|divided|delimited) (?:by|with) (commas?|a comma|semicolons?|spaces?)$/i;
/** The plan of what is asked about days, times, places and amounts in words of its own. */
function inOwnWords(body: string, parts: PlanningParts): Planned | undefined {
  if (parts.answers !== undefined || parts.pasted !== undefined || body.length > MAX_ASIDE || isListed(body))
    return undefined;
  // The figures of a table are no list.
  if (body.includes('\n') && isTableText(body.slice(body.indexOf('\n') + 1))) return undefined;
  const said = plain(body);
  const clause = { language: undefined, data: undefined, it: undefined, ...zoned(parts) };
  const [, sign] = JOINED.exec(said) ?? [];
  const list =
    sign === undefined ? undefined : planOf(`${said.replace(JOINED, '')}, then join them with ${sign}`, parts);
  if (list?.kind === 'plan' && list.steps.length === 2 && list.steps.every(({ task }) => task === 'text')) return list;
  const own = bySlots(said, clause);
  const ways =
    own.length > 0
      ? own
      : [
          ...(said.includes('\n') ? [] : [said, said.replace(IN_LINES, '')]),
          ...(/[.?!;\n]/.test(said) ? [] : respelled(said, [])).flatMap(({ text }) => bySlots(text, clause)),
        ];
  const lined = (plan: Planned): boolean =>
    plan.kind === 'plan' && plan.steps.every(({ input: { times, does } }) => Number(times) > 1 || does === 'list');
  const plans = [...new Set(ways)].flatMap((text) => {
    const best = bestOf({ ...clause, text }, parts.tasks);
    // The whole is read as one only where it is about chance.
    return isClear(best) &&
      (own.includes(text) || text !== said ? OF_THINGS.includes(best.task.name) : best.task.name === 'random')
      ? new Planning({ ...parts, written: text }, planOf).one(text)
      : [];
  });
  const [first, ...others] = plans.filter((one) => one.kind === 'plan' && (!IN_LINES.test(said) || lined(one)));
  const same = others.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return same ? first : undefined;
}

/** What a forwarded mail is called in instructions about it. */
const THIS_MAIL = /\b(?:this|the(?: following)?)(?: forwarded)? (?:e-?mail|mail|message)(?: below)?(?![\w' ]*[@“"])/gi;
const OF_THIS_MAIL = /\b (?:of|in|from) (?:this|the(?: following)?)(?: forwarded)? (?:e-?mail|mail|message)\b/gi;

/** The plan of what is said above a forwarded mail, with its text as the pasted one, unless it is about something else. */
function aboutForwarded(
  { above, mail }: { readonly above: string; readonly mail: string },
  parts: PlanningParts,
): Planned {
  const about = { ...parts, pasted: { data: mail, language: undefined } };
  const whole = planOf(above, about);
  if (whole.kind !== 'unclear' || above === '') return whole;
  const ways = [above.replace(THIS_MAIL, 'this text'), above.replace(OF_THIS_MAIL, '')].filter((one) => one !== above);
  for (const way of ways) {
    const planned = planOf(way, about);
    if (planned.kind === 'plan') return planned;
  }
  const alone = planOf(above, parts);
  return alone.kind === 'plan' ? alone : whole;
}

/** The plan without effects of a message in which every line is quoted. */
function ofQuoted(body: string, parts: PlanningParts): Planned | undefined {
  if (parts.answers !== undefined || !/^>/.test(body) || !body.split('\n').every((line) => /^(?:>|$)/.test(line)))
    return undefined;
  const planned = planOf(body.replace(/^(?:> ?)+/gm, ''), parts);
  return planned.kind === 'plan' && planned.steps.every(({ task }) => hasNoEffects(task, parts)) ? planned : undefined;
}

/**
 * The plan of an instruction without effects about the text beside it, of which no line is an instruction: "count the
 * lines" above or below some, "b, a, c - in alphabetical order".
 */
function aboutPlaced(body: string, parts: PlanningParts): Planned | undefined {
  if (parts.answers !== undefined || parts.pasted !== undefined || /^[ \t]*(?:```|~~~)/m.test(body)) return undefined;
  const plans = placedIn(body).flatMap((one) => aboutFigure(one, parts) ?? aboutText(one, parts) ?? []);
  const [first] = plans;
  return plans.some((one) => JSON.stringify(one) !== JSON.stringify(first)) ? undefined : first;
}

/** What one figure beside the instruction is called there: "this hex number". */
const FIGURE =
  /\b(?:this|that|the following) (?:((?:binary|hex(?:adecimal)?|octal)) )?(?:number|value|figure|code|mask)\b|\b(?:this|that|the following) ((?:unix |epoch )?timestamp)\b/i;
/** The plan of an instruction that names the figure beside it by what it is, with that figure in its place. */
function aboutFigure({ said, data }: Placed, parts: PlanningParts): Planned | undefined {
  const [name, base, other] = FIGURE.exec(said) ?? [];
  if (name === undefined || (base ?? other) === undefined || !/^(?=\S*\d)[\da-z]{1,64}$/i.test(data)) return undefined;
  const text = said.replace(name, () => `${base ?? other} ${data}`);
  const planned = new Planning({ ...parts, written: text }, planOf).one(text);
  return planned.kind === 'plan' && planned.steps.every(({ task }) => OF_THINGS.includes(task)) ? planned : undefined;
}

/** Several instructions in one sentence. */
const isChain = (said: string): boolean => atEachAnd(said).length > 1 || atThen(said).length > 1;
/** The maximum number of lines of a text that are read as instructions. */
const MAX_SEEN = 20;

function aboutText({ said, data, sure }: Placed, parts: PlanningParts): Planned | undefined {
  if (isCorrected({ text: said, ...NOTHING_PASTED })) return undefined;
  const clause = { language: undefined, it: undefined, ...zoned(parts) };
  const read = (text: string) => ({ text, best: bestOf({ ...clause, text, data }, parts.tasks) });
  const slips = respelled(said, [], data).map(({ text }) => plain(text));
  const lists = [said, ...slips].map((text) => [text, ...rewordings(text, data), ...orders(text, data)].map(read));
  const ways = lists.flatMap((all) => all.find(({ best }) => isClear(best)) ?? []);
  for (const { text, best } of ways) {
    if (best === undefined || best.task.effects !== 'none' || best.reading.sure < SURE_PASTED) continue;
    if (best.rival !== undefined) continue;
    const lines = sure || shows(said) || isTableText(data) ? [] : data.split('\n').filter((line) => line !== '');
    if (lines.some((line) => bestOf({ ...clause, text: plain(line), data: undefined }, parts.tasks) !== undefined))
      return undefined;
    const planned = new Planning(parts, planOf).all([
      { text, data, language: undefined, fenced: false, mark: undefined },
    ]);
    if (planned.kind === 'plan') return hasJoined(planned.steps, data) ? undefined : planned;
  }
  const isModified = modifiedIn({ text: said, data, language: undefined }).length > 0;
  const inOrder = reordered(said);
  if (ways.length > 0 || !(isModified || inOrder !== undefined || isChain(said))) return undefined;
  const isDone = (line: string): boolean => planOf(line, { ...parts, written: line }).kind === 'plan';
  if (!isModified && !sure && data.split('\n').slice(0, MAX_SEEN).some(isDone)) return undefined;
  for (const text of isModified ? [said] : inOrder !== undefined ? [inOrder] : [said, ...orders(said, data)]) {
    const planned = new Planning(parts, planOf).all([
      { text, data, language: undefined, fenced: false, mark: undefined },
    ]);
    if (planned.kind === 'plan' && planned.steps.every(({ task }) => hasNoEffects(task, parts))) return planned;
  }
  return undefined;
}
