import type { Clause } from '../../../tasks/clause.ts';
import { askedSum, isSum, MAX_CLAUSE } from '../../../tasks/clause.ts';
import type { Task } from '../../../tasks/task.ts';
import type { Step } from '../plan/index.ts';
import type { Left } from './account.ts';
import { isTelling, leftOut } from './account.ts';
import { isBackground, isPolite, plain, singleSpaced } from './courtesy.ts';
import type { Judge, Piece } from './cut.ts';
import { cut, isListed, MAX_TEXT } from './cut.ts';
import type { Best, Part, Read } from './paraphrases.ts';
import {
  CLEAR,
  goingOn,
  isClear,
  isCorrected,
  isQuotation,
  isShown,
  NOTHING_PASTED,
  quantityOf,
  paraphrases,
  refersBack,
  noteOf,
} from './paraphrases.ts';
import { respelled } from './spelling.ts';
import { atAnd, atArrow, atThen } from './split.ts';

/** From here on a reading is taken; below it is a suggestion. */
const SURE_ENOUGH = 0.5;
/** Sure enough that nobody looks for another way to cut it. */
const SURE = 0.9;
/** What is asked of us, and nothing to be reminded of. */
const ASKS_US = /^(?:what|how|which|tell me|give me|show me|calculate|compute|convert|is|are)\b/i;
/** Sure enough for a clause that no verb begins. */
const SURE_FIGURE = 0.8;
/** So sure must be what follows an instruction that is clear with the text pasted to it, whatever else it says. */
const SURE_PASTED = 0.85;
/** Below it a clause may be two that share their beginning. */
const SURE_ALONE = 0.7;
/** A question that chance is to answer. */
const FOR_CHANCE =
  /^(?:(?:so )?who (?:pays|goes|starts|begins|gets|drives|cooks|cleans|does|wins|takes|buys|plays|speaks|presents|leads|should|shall|will|has to|is (?:next|first|up|it|to))|whose turn|(?:should|shall) (?:i|we)|where (?:should|shall|do) (?:i|we)|which one)\b[^,:]{0,60}$/i;
/** A line with what was pasted to it. */
type Pasted = Omit<Piece, 'mark'>;
/** The number that "it" gets while it is only looked whether something refers to it. */
const SOME = 9_999;

export interface PlanningParts {
  /** All tasks there are, whoever may use them: what is not allowed is understood and refused. */
  readonly tasks: readonly Task[];
  /** Those that this sender may use, where that is not all of them: only they are named. */
  readonly usable?: readonly Task[];
  readonly now: number;
  readonly time_zone: string;
  readonly max_steps: number;
  /** There is an answer before, in the thread. */
  readonly before: boolean;
  /** What people said when they were asked about an instruction: its number, and their words; in the order they were asked. */
  readonly answers?: readonly (readonly [number, string])[];
}

export type Planned =
  | { readonly kind: 'plan'; readonly steps: readonly Step[] }
  /** Something is not understood, or lacks: `at` is the instruction's number, from 0; -1: it is about all of it. */
  | {
      readonly kind: 'unclear';
      readonly at: number;
      readonly text: string;
      readonly question: string;
      readonly suggestions: readonly string[];
      readonly steps: readonly Step[];
    }
  | { readonly kind: 'too_much'; readonly detail: string };

/** Makes a plan of a message in English, without guessing. */
export function planOf(body: string, parts: PlanningParts): Planned {
  const sum = parts.answers === undefined && !isListed(body) ? askedSum(body) : undefined;
  if (sum !== undefined) return new Planning(parts).one(sum);
  const { pieces, doubt, endless } = cut(body, judgeOf(parts));
  if (doubt !== undefined) {
    const question = `Is “${doubt.text}” something to do, or part of the text above it? Put pasted text between lines of \`\`\`, or number the instructions.`;
    return { kind: 'unclear', at: -1, text: doubt.text, question, suggestions: [], steps: [] };
  }
  if (endless) {
    const detail = `These are more than ${MAX_TEXT} characters of instructions, or too many of them. Send it in parts, and put text to work on between lines of \`\`\`.`;
    return { kind: 'too_much', detail };
  }
  if (pieces.length > parts.max_steps) return tooMany(pieces.length, parts);
  return new Planning(parts).all(pieces);
}

const tooMany = (steps: number, { max_steps }: PlanningParts): Planned => ({
  kind: 'too_much',
  detail: `These are ${steps} steps or more; ${max_steps} are allowed in a message. Send it in parts.`,
});

/** How a line would be read if it stood alone, with something before it. */
const judgeOf =
  (parts: PlanningParts): Judge =>
  (text, pasted = false) => {
    const data = pasted ? 'a\nb' : undefined;
    const found = bestOf({ text, data, language: undefined, it: SOME, ...zoned(parts) }, parts.tasks);
    if (found === undefined) return undefined;
    const { task, reading } = found;
    const refers = 'input' in reading && JSON.stringify(reading.input).includes(`{{${SOME}`);
    return { sure: reading.sure, effects: task.effects !== 'none', refers, asks: 'ask' in reading };
  };

const zoned = ({ now, time_zone }: PlanningParts) => ({ now, time_zone });

/** The surest reading; undefined when there is none, or it is too long to be read. */
function bestOf(clause: Clause, tasks: readonly Task[]): (Best & { readonly rival?: Task }) | undefined {
  if (clause.text.length > MAX_CLAUSE) return undefined;
  const named = tasks.find(({ name }) => isNamed(clause.text, name));
  const own = named?.read(clause);
  // Whoever begins with a task's name means that task, and nobody else is asked.
  if (named !== undefined && own?.sure === 1) return { task: named, reading: own };
  let best: Best | undefined;
  let rival: Task | undefined;
  const sum = isSum(clause);
  for (const task of tasks) {
    if (sum && task.sums !== true) continue;
    const reading = task.read(clause);
    if (reading === undefined || reading.sure < SURE_ENOUGH) continue;
    if (best === undefined || reading.sure > best.reading.sure) {
      best = { task, reading };
      rival = undefined;
    } else if (reading.sure === best.reading.sure) rival = task;
  }
  return best && (rival === undefined ? best : { ...best, rival });
}

/** All up to the word before the last thing. */
const HEAD = /^(.{1,180}\b(?:in|to|for|into|until|till|since)) \S/i;
const LINK = /^(?:in|to|for|into|until|till|since) /i;

/** What is told to somebody may well say that it is sorry. */
const isTakenBack = (part: Part, best: Best | undefined): boolean => best?.task.name !== 'send' && isCorrected(part);

/** Whether it begins with the task's name. */
const isNamed = (text: string, name: string): boolean =>
  text.length > name.length && text[name.length] === ' ' && text.slice(0, name.length).toLowerCase() === name;

class Planning {
  readonly #parts: PlanningParts;
  readonly #steps: Step[] = [];
  /** How many of the answers have been read. */
  #answered = 0;

  constructor(parts: PlanningParts) {
    this.#parts = parts;
  }

  all(pieces: readonly Piece[]): Planned {
    for (const piece of pieces) {
      const unclear = this.#piece(piece);
      if (unclear !== undefined) return unclear;
      if (this.#steps.length > this.#parts.max_steps) return tooMany(this.#steps.length, this.#parts);
    }
    return this.#whole();
  }

  /** An instruction that is cut out already, and is the only one. */
  one(text: string): Planned {
    const part = { text, ...NOTHING_PASTED };
    return this.#single(part, this.#best(part), false) ?? this.#whole();
  }

  #whole(): Planned {
    if (this.#steps.length > 0) return { kind: 'plan', steps: this.#steps };
    return this.#part({ text: '', ...NOTHING_PASTED }) ?? this.#whole();
  }

  #piece(piece: Pasted): Planned | undefined {
    const text = singleSpaced(piece.text);
    if (text.length > MAX_TEXT) return this.#tooLong(text);
    for (const part of this.#partsOf({ ...piece, text })) {
      const unclear = this.#part(part);
      if (unclear !== undefined) return unclear;
    }
    return undefined;
  }

  /** The instructions of a line; what was pasted goes to one of them. */
  #partsOf({ text, data, language, fenced }: Pasted): readonly Part[] {
    const alone = { text: plain(text === '' ? nameOf(language) : text), data, language };
    // "my plate is AB-123. Please remember that": what was told is what is meant.
    const note = data === undefined ? noteOf(text, this.#reader) : undefined;
    if (note !== undefined) return [note];
    const arrow = atArrow(text);
    if (arrow !== undefined && this.#isConversion(plain(arrow))) return [{ ...alone, text: plain(arrow) }];
    const cuts = atThen(text);
    const about =
      data === undefined && cuts.length === 2 ? quantityOf(cuts[0] as string, this.#reader, cuts[1]) : undefined;
    if (about !== undefined && !isClear(this.#best({ text: plain(cuts[0] as string), ...NOTHING_PASTED })))
      return [about];
    const texts = this.#meant(cuts).map(plain);
    if (texts.length === 1) alone.text = texts[0] as string;
    if (texts.length < 2) return [alone];
    // A quotation that stands first is what the next one is about.
    const [first = '', ...others] = texts;
    if (data === undefined && isQuotation(first))
      return others.map((one, i) =>
        i === 0 ? { text: one, data: first, language } : { text: one, ...NOTHING_PASTED },
      );
    const later = this.#laterOf(alone, texts);
    if (later !== undefined) return later;
    const taker = fenced
      ? Math.max(
          0,
          texts.findIndex((one) => /\b(?:this|these|the following|below)\b/i.test(one)),
        )
      : this.#takerOf(alone, texts);
    return texts.map((one, i) => (i === taker ? { ...alone, text: one } : { text: one, ...NOTHING_PASTED }));
  }

  /**
   * Whose the text behind a colon is: the last instruction's, unless that goes on with what comes before it, and the first
   * is nothing without a text: "sort this and then join it with dashes: c, a, b".
   */
  #takerOf(pasted: Part, texts: readonly string[]): number {
    const last = texts.length - 1;
    const [first = '', end = ''] = [texts[0], texts[last]];
    if (pasted.data === undefined || !refersBack(end)) return last;
    const goesOn = this.#best({ text: end, ...NOTHING_PASTED }, 1);
    const without = this.#best({ text: first, ...NOTHING_PASTED });
    const takes = this.#best({ ...pasted, text: first });
    const lacks = without === undefined || 'ask' in without.reading;
    return lacks && isClear(goesOn) && isClear(takes) ? 0 : last;
  }

  /** Of an arrow between a thing and what it becomes: between two instructions it stands for "then". */
  #isConversion(text: string): boolean {
    const best = this.#best({ text, ...NOTHING_PASTED });
    return best?.task.name === 'convert' && best.reading.sure >= SURE_FIGURE;
  }

  /** Without greetings and thanks, and without what is told beside a request that is clear. */
  #meant(texts: readonly string[]): readonly string[] {
    const readAs = (text: string, more = 0): number =>
      this.#best({ text: plain(text), ...NOTHING_PASTED }, more)?.reading.sure ?? 0;
    const said = texts.filter((text) => !isPolite(text) || readAs(text) >= SURE);
    if (said.length < 2) return said.length === 0 ? texts : said;
    // What goes on with the result of the one before, as "the first word of it", is something to do.
    const clear = (text: string): boolean => readAs(text) >= SURE || (refersBack(text) && readAs(text, 1) >= CLEAR);
    const isOnlySaid = (text: string, at: number): boolean =>
      !clear(text) && (isBackground(text) || (FOR_CHANCE.test(text) && this.#isChance(said[at + 1])));
    const left = said.filter((text, at) => !isOnlySaid(text, at));
    return left.length > 0 && left.some(clear) ? left : said;
  }

  /**
   * What is to happen at some time: the instructions then are part of that, however many they are. Of a reminder only words
   * are: a question to us, or a sentence of its own that is something to do, is no part of it.
   */
  #laterOf(whole: Part, texts: readonly string[]): readonly Part[] | undefined {
    const task = this.#best(whole)?.task.name;
    if (task !== 'schedule' && task !== 'remind') return undefined;
    if (this.#best({ ...whole, text: texts[0] as string })?.task.name !== task) return undefined;
    const pastedTo = (at: number) => (at === texts.length - 1 ? whole : NOTHING_PASTED);
    const isOwn = (text: string, at: number): boolean => {
      const sentence = /[.!?;]\s*(?:(?:and|then|also|please|after that),?\s+)*$/i.test(
        whole.text.slice(0, Math.max(0, whole.text.lastIndexOf(text))),
      );
      return (ASKS_US.test(text) || sentence) && this.#isSure({ ...pastedTo(at), text });
    };
    const asked = texts.findIndex((text, at) => at > 0 && isOwn(text, at));
    if (task === 'schedule' || asked < 0) return [whole];
    const words = texts.slice(0, asked);
    const end = whole.text.indexOf(words.at(-1) as string) + (words.at(-1) as string).length;
    return [
      { text: whole.text.slice(0, end), ...NOTHING_PASTED },
      ...texts.slice(asked).map((text, at) => ({ ...pastedTo(asked + at), text })),
    ];
  }

  /** "Who pays? Pick one of Ann, Bob": the question is what chance is asked for. */
  #isChance(text: string | undefined): boolean {
    const best = text === undefined ? undefined : this.#best({ text: plain(text), ...NOTHING_PASTED });
    return isClear(best) && best.task.name === 'random';
  }

  #isSure(part: Part): boolean {
    const best = this.#best(part, 1);
    return isClear(best) && best !== undefined && best.reading.sure >= SURE;
  }

  #best(part: Part, more = 0, after?: string) {
    return bestOf(this.#clause(part, more, after), this.#parts.tasks);
  }

  readonly #reader: Read = (part, more, after) => this.#best(part, more, after);

  /** `joined`: there may be two in it. */
  #part(part: Part, joined = true): Planned | undefined {
    if (part.text === '' || part.text.length > MAX_CLAUSE) return this.#single(part, undefined, joined);
    if (this.#steps.length > 0 && isShown(part)) return undefined;
    const best = this.#best(part);
    if (isTakenBack(part, best)) return this.#single(part, best, joined);
    const read = this.#reader;
    const other = paraphrases(part, best, read);
    if (other !== undefined) {
      for (const one of other) {
        const unclear = this.#part(one, joined);
        if (unclear !== undefined) return unclear;
      }
      return undefined;
    }
    if (joined) {
      const both =
        (best === undefined || best.reading.sure < SURE
          ? this.#inTwo(part)
          : part.data !== undefined && best.task.effects === 'none'
            ? this.#inTwo(part, SURE_PASTED)
            : undefined) ?? goingOn(part, best, read);
      if (both !== undefined) {
        for (const one of both) {
          const unclear = this.#part(one);
          if (unclear !== undefined) return unclear;
        }
        return undefined;
      }
    }
    return this.#single(part, best, joined);
  }

  /** What is taken apart no further. */
  #single(part: Part, best: ReturnType<typeof bestOf>, joined: boolean): Planned | undefined {
    const answer = this.#parts.answers?.[this.#answered];
    // They are read where they were asked for: what is clear beside it stays as it was written.
    if (answer?.[0] === this.#steps.length) {
      this.#answered += 1;
      return this.#piece(answered(part, answer[1]));
    }
    if (part.text === '') {
      const { data } = part;
      if (data === undefined) return this.#unclear('', 'What is to be done? There is no instruction in it.');
      return this.#unclear(data, 'What is to be done with this text?');
    }
    if (part.text.length > MAX_CLAUSE) return this.#tooLong(part.text);
    if (isTakenBack(part, best)) {
      const question = `You corrected something in “${short(part.text)}”. Please write it once more, as it is meant.`;
      return this.#unclear(part.text, question);
    }
    if (joined && (best === undefined || best.reading.sure < SURE_ALONE)) {
      const alike = this.#alike(part);
      if (alike !== undefined) {
        this.#steps.push(...alike);
        return undefined;
      }
    }
    if (best === undefined) {
      // What changes something is not done on a word that is not there.
      const text = respelled(part.text);
      const meant = text === undefined ? undefined : this.#best({ ...part, text });
      if (meant !== undefined && meant.task.effects === 'none' && 'input' in meant.reading) {
        this.#steps.push({ task: meant.task.name, input: meant.reading.input });
        return undefined;
      }
    }
    if (best === undefined) return this.#unclear(part.text, `I do not understand “${short(part.text)}”.`);
    const { task, reading, rival } = best;
    if (rival !== undefined) {
      const question = `“${short(part.text)}” could be for ${task.name} or for ${rival.name}. Begin with the one you mean.`;
      return this.#unclear(part.text, question);
    }
    if ('ask' in reading) {
      return this.#unclear(part.text, reading.ask, []);
    }
    const plainSum = isSum(part) || (part.data === undefined && askedSum(part.text) !== undefined);
    const left = plainSum ? undefined : leftOut(this.#clause(part), task, reading);
    if (left !== undefined) return this.#unclear(part.text, leftText(part.text, left), []);
    const later = this.#later({ task: task.name, input: reading.input });
    if (later !== undefined) return this.#unclear(part.text, `I do not understand “${short(later)}”.`);
    this.#steps.push({ task: task.name, input: reading.input });
    return undefined;
  }

  /** What a step would do later, when that is nothing that can be done: "pick me up at 5". */
  #later({ task, input }: Step): string | undefined {
    if (task !== 'schedule' || typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
    const { instructions } = input as { readonly instructions?: unknown };
    if (typeof instructions !== 'string') return undefined;
    const { answers: _, ...parts } = this.#parts;
    return planOf(instructions, { ...parts, before: true }).kind === 'unclear' ? instructions : undefined;
  }

  /** Two instructions joined by "and", when both are ones. */
  #inTwo(part: Part, enough = CLEAR): readonly [Part, Part] | undefined {
    for (const [left, right] of atAnd(part.text)) {
      const first = { ...part, text: plain(left) };
      const second = { text: plain(right), ...NOTHING_PASTED };
      const one = this.#best(first);
      if (one === undefined || one.reading.sure < CLEAR) continue;
      // "The sum of 3 km, 200 m and 1 mile" is one list.
      if (/^[\d.]/.test(right) && /,/.test(left) && isClear(this.#best(part))) continue;
      const other = this.#best(second, 1, one.task.name);
      if (other !== undefined && other.reading.sure >= enough) return [first, second];
    }
    return undefined;
  }

  /** "What time is it in Tokyo and London": the same of several things, of what changes nothing. */
  #alike(part: Part): readonly Step[] | undefined {
    for (const [left, right] of part.data === undefined ? atAnd(part.text) : []) {
      const head = left.length <= 200 && right.length <= 60 ? HEAD.exec(left)?.[1] : undefined;
      if (head === undefined) continue;
      const last = `${head} ${right.replace(LINK, '')}`;
      const before = left.slice(head.length).trim().split(/, /);
      // "New York, London and Tokyo" are three, and "Paris, France and London" two.
      const found =
        this.#eachAlike([left, last]) ??
        (before.length > 1 && before.length < 10
          ? this.#eachAlike([...before.map((one) => `${head} ${one.replace(LINK, '')}`), last])
          : undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Each as a step, when they are clear and of one task. */
  #eachAlike(texts: readonly string[]): readonly Step[] | undefined {
    const steps: Step[] = [];
    let first: Task | undefined;
    for (const text of texts) {
      const seen = this.#best({ text: plain(text), ...NOTHING_PASTED });
      if (seen?.task.effects !== 'none' || 'ask' in seen.reading || seen.reading.sure < SURE_FIGURE) return undefined;
      first ??= seen.task;
      if (seen.task !== first) return undefined;
      steps.push({ task: first.name, input: seen.reading.input });
    }
    return steps;
  }

  /** `more`: so many steps are before it that are none yet; the last is `after`. */
  #clause(part: Part, more = 0, after = this.#steps[this.#steps.length + more - 1]?.task): Clause {
    const last = this.#steps.length + more;
    const it = last > 0 ? last : this.#parts.before ? 0 : undefined;
    const tasks = this.#steps.map(({ task }) => task);
    return { ...part, it, after, tasks, ...zoned(this.#parts) };
  }

  #tooLong(text: string): Planned {
    const question = `“${short(text)}” is longer than the ${MAX_CLAUSE} characters that are read as one instruction. What it is about can be any length: paste it behind a colon, or between lines of \`\`\`.`;
    return this.#unclear(text, question, []);
  }

  /** So many steps before it are clear: that is its number. */
  #unclear(
    text: string,
    question: string,
    suggestions = nearest(text, this.#parts.usable ?? this.#parts.tasks),
  ): Planned {
    return { kind: 'unclear', at: this.#steps.length, text, question, suggestions, steps: this.#steps };
  }
}

/** What the sender made of an instruction when they were asked: another one, or what was missing. */
const answered = (part: Part, text: string): Pasted => {
  const colon = /^([^:\n]{1,200}):\s+(\S[\s\S]*)$/.exec(text);
  if (part.data !== undefined || colon === null) return { ...part, text, fenced: true };
  return { ...part, text: colon[1] as string, data: colon[2], fenced: false };
};

/** What a fenced block alone means: a script is to be run. */
const nameOf = (language: string | undefined): string =>
  language === 'js' || language === 'javascript' || language === 'mjs' ? 'run' : '';

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

/** A question about words that nothing would be done with. */
const leftText = (text: string, { words, taken }: Left): string =>
  taken
    ? `In “${short(text)}” I cannot tell what “${short(words)}” is to do. If it belongs to the text, put the text in quotation marks; if not, say it in other words.`
    : `I understand “${short(text)}”, but not what “${short(words)}” is to change in it. Say it without that, or in other words.`;

/** The words of a text that say something. */
const words = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/\p{L}{3,}/gu)
      ?.filter((word) => isTelling(word))
      .slice(0, 60) ?? [],
  );

/**
 * Up to three examples that share two words with the text that say something, most of theirs, or the first: of tasks that this sender may use and that change
 * nothing and look at nothing, as one of them may be chosen by its number.
 */
function nearest(text: string, tasks: readonly Task[]): string[] {
  const wanted = words(text.slice(0, 500));
  const scored = tasks.flatMap(({ name, effects, examples }) => {
    if (effects !== 'none') return [];
    return examples.map((example) => {
      // What an example works on says nothing of what it is about.
      const own = [...words(example.replace(/: [\s\S]*$|`[^`]*`|"[^"]*"|'[^']*'/g, ''))];
      const shared = own.filter((word) => wanted.has(word)).length;
      const [verb] = wanted;
      const related = shared > 1 || shared > own.length / 2 || (verb !== undefined && verb === own[0]);
      return { example, score: related ? shared * 2 + (wanted.has(name) ? 3 : 0) : 0 };
    });
  });
  const found = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return found.slice(0, 3).map(({ example }) => example);
}
