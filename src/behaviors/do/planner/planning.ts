import { withoutTrailing } from '../../../core/values/trailing.ts';
import type { Clause, PlannedBefore, Previous } from '../../../tasks/clause.ts';
import { askedSum, isSum, MAX_CLAUSE } from '../../../tasks/clause.ts';
import { beginningOf, placed } from '../../../tasks/grammar/index.ts';
import type { Task, Words } from '../../../tasks/task.ts';
import type { Step } from '../../steps/plan/index.ts';
import { behindList, leftOut } from './account.ts';
import { isBackground, isPolite, plain, singleSpaced } from './courtesy.ts';
import { MAX_TEXT } from './cut.ts';
import type { Fence } from './lines.ts';
import type { Best, Part, Read } from './paraphrases.ts';
import {
  CLEAR,
  goingOn,
  isClear,
  isCorrected,
  isQuotation,
  isShown,
  NOTHING_PASTED,
  noteOf,
  paraphrases,
  refersBack,
  usesResult,
} from './paraphrases.ts';
import type { Piece } from './pieces.ts';
import { doubtText, leftText, nearest, short } from './questions.ts';
import { bestOf, isCovered, type Known, stepsOf } from './readings.ts';
import { respelled } from './spelling.ts';
import { atAnd, atArrow, atEachAnd, atThen, dataLast } from './split.ts';
import { withReferences, wordingOf } from './wording.ts';

const SURE = 0.9;
/** Questions to the mailbox, which are nothing to be reminded of. */
const ASKS_US = /^(?:what|how|which|tell me|give me|show me|calculate|compute|convert|is|are)\b/i;
const SURE_FIGURE = 0.8;
/** Certainty needed for what follows an instruction that is clear with its pasted text. */
export const SURE_PASTED = 0.85;
/** Questions about what the mailbox does. */
const HELP =
  /^(?:help(?: me)?|(?:what|which things) (?:can|do) you do|what (?:are you|is this|can i (?:ask|do|write)|do you understand|else can you do)(?: (?:for me|here|to you|you))?|how (?:does this|do you) work|who are you|commands|examples?|show me (?:some )?examples|what are your (?:commands|features|skills))$/i;
const SURE_ALONE = 0.7;
/** A question to be answered by chance. */
const FOR_CHANCE =
  /^(?:(?:so )?who (?:pays|goes|starts|begins|gets|drives|cooks|cleans|does|wins|takes|buys|plays|speaks|presents|leads|should|shall|will|has to|is (?:next|first|up|it|to))|whose turn|(?:should|shall) (?:i|we)|where (?:should|shall|do) (?:i|we)|which one)\b[^,:]{0,60}$/i;
/** The end of an instruction to send what is behind its colon. */
const BEFORE_TIME = /(?:\S@\S{1,300}|\b(?:message|note|line|e-?mail|mail|text)): $/i;
/** Words with which a line says that it is something else to do. */
const NEXT = /^(?:(?:and )?then|after that|afterwards|also|and also|next|finally|lastly|p\.?s\.?)\b/i;
type Pasted = Omit<Piece, 'mark'>;
/**
 * The characters that are read in all ways of splitting a message, for each of its own and for any message. Instructions
 * need two thirds of them at most; a text made to be split in many ways needs more.
 */
const MAX_READ = { each: 1.3, any: 1_200 };

export interface PlanningParts {
  /** All tasks, including those that this sender may not use, which are recognized and refused. */
  readonly tasks: readonly Task[];
  /** The tasks that this sender may use, where that is not all of them; only these are suggested. */
  readonly usable?: readonly Task[];
  readonly now: number;
  readonly time_zone: string;
  readonly max_steps: number;
  /** Whether the thread has an earlier result. */
  readonly before: boolean;
  /** The step that had that result. */
  readonly previous?: Previous | undefined;
  /** What the thread planned last. */
  readonly planned?: PlannedBefore | undefined;
  /** The sender's answers to questions, in the order asked: the instruction's number and the answer. */
  readonly answers?: readonly (readonly [number, string])[];
  /** The text of an attached file. */
  readonly pasted?: Fence | undefined;
  /** The message as it was written; by default the text that is planned. */
  readonly written?: string;
}

export type Planned =
  /** `later`: the steps of what is planned for a later time, also within that. */
  | { readonly kind: 'plan'; readonly steps: readonly Step[]; readonly later?: readonly Step[] }
  /** Something is unclear or missing. `at`: the instruction's number from 0, or -1 for the message as a whole. */
  | {
      readonly kind: 'unclear';
      readonly at: number;
      readonly text: string;
      readonly question: string;
      readonly suggestions: readonly string[];
      readonly steps: readonly Step[];
      /** The task that asks; undefined where none is meant so far. */
      readonly task?: string;
    }
  | { readonly kind: 'too_much'; readonly detail: string };

const TOO_MANY_WAYS: Planned = {
  kind: 'too_much',
  detail:
    'This message can be split into instructions in too many ways. Put each instruction on a line of its own, and text to work on between lines of ```.',
};

const ASKS_YES_OR_NO: ReadonlySet<unknown> = new Set(['palindrome', 'anagram']);

/** In "is level a palindrome and how long is it" the word is meant, not the “yes”. */
function ofSubject(step: Step, steps: readonly Step[]): Step {
  const { text, op } = step.input;
  const at = typeof text === 'string' && op !== 'say' ? /^\{\{(\d{1,4})\}\}$/.exec(text)?.[1] : undefined;
  const asked = at === undefined ? undefined : steps[Number(at) - 1]?.input;
  const subject = asked !== undefined && ASKS_YES_OR_NO.has(asked.op) ? asked.text : undefined;
  return subject === undefined ? step : { ...step, input: { ...step.input, text: subject } };
}

/** The refusal of more steps than are allowed. */
export const tooMany = (steps: number, { max_steps }: PlanningParts): Planned => ({
  kind: 'too_much',
  detail: `This message has at least ${steps} steps; ${max_steps} are allowed. Send it in parts.`,
});

/** The zone and the time of a plan. */
export const zoned = ({ now, time_zone }: PlanningParts) => ({ now, time_zone });

const HEAD = /^(.{1,180}\b(?:in|to|for|into|until|till|since)) \S/i;
const LINK = /^(?:in|to|for|into|until|till|since) /i;

/** A message to send may contain a correction or an apology as part of its text. */
const isTakenBack = (part: Part, best: Best | undefined): boolean => best?.task.name !== 'send' && isCorrected(part);

/** The plan of instructions that were cut out of a message. */
export class Planning {
  readonly #parts: PlanningParts;
  readonly #planOf: (body: string, parts: PlanningParts) => Planned;
  readonly #steps: Step[] = [];
  readonly #laterSteps: Step[] = [];
  /** The readings so far, because a text is read in several ways of splitting it. */
  readonly #known = new Map<string, Known>();
  #answered = 0;
  /** The message, or the answer that stands for an instruction of it. */
  #written: string;
  #left = MAX_READ.any;

  /** `planOf`: how a message is planned that is sent later. */
  constructor(parts: PlanningParts, planOf: (body: string, parts: PlanningParts) => Planned) {
    this.#parts = parts;
    this.#written = parts.written ?? '';
    this.#planOf = planOf;
  }

  all(pieces: readonly Piece[]): Planned {
    for (const [at, piece] of pieces.entries()) {
      const unclear = this.#piece(piece) ?? this.#goesOn(piece, pieces[at + 1]);
      if (this.#left < 0) return TOO_MANY_WAYS;
      if (unclear !== undefined) return unclear;
    }
    return this.#whole();
  }

  one(text: string): Planned {
    const part = { text, ...NOTHING_PASTED };
    return this.#single(part, this.#best(part), false) ?? this.#whole();
  }

  #whole(): Planned {
    if (this.#steps.length > 0)
      return {
        kind: 'plan',
        steps: this.#steps.map((step) => ofSubject(step, this.#steps)),
        ...(this.#laterSteps.length > 0 && { later: this.#laterSteps }),
      };
    return this.#part({ text: '', ...NOTHING_PASTED }) ?? this.#whole();
  }

  /** The question about a line below one that ends with words of its sender, of which it may be a part. */
  #goesOn(piece: Piece, next: Piece | undefined): Planned | undefined {
    const { task, input } = this.#steps.at(-1) ?? {};
    const words = this.#parts.tasks.find(({ name }) => name === task)?.words;
    const text = words && input?.[words.input];
    const listed = next !== undefined && next.mark !== undefined && next.mark === piece.mark;
    if (typeof text !== 'string' || next === undefined || next.text === '' || listed || NEXT.test(next.text))
      return undefined;
    // What was kept is asked for by its name.
    const best = task === 'remember' ? this.#best({ text: plain(next.text), ...NOTHING_PASTED }) : undefined;
    if (best?.task.name === 'recall' && !('ask' in best.reading)) return undefined;
    // A line below a full stop begins something else.
    if (piece.data !== undefined || !piece.text.endsWith(text) || /[.!?…]$/.test(text)) return undefined;
    const question = `Is “${short(next.text)}” something to do, or part of the text above it? Put the text in quotation marks or behind a colon, or number the instructions.`;
    return { kind: 'unclear', at: -1, text: next.text, question, suggestions: [], steps: [] };
  }

  #piece(piece: Pasted): Planned | undefined {
    const text = singleSpaced(piece.text);
    if (text.length > MAX_TEXT) return this.#tooLong(text);
    this.#left += text.length * MAX_READ.each;
    for (const part of this.#partsOf({ ...piece, text })) {
      const unclear = this.#part(part);
      if (unclear !== undefined) return unclear;
      if (this.#steps.length > this.#parts.max_steps) return tooMany(this.#steps.length, this.#parts);
    }
    return undefined;
  }

  /** Splits a line into instructions and assigns its pasted text to one of them. */
  #partsOf({ text, data, language, fenced }: Pasted): readonly Part[] {
    const alone = { text: plain(text === '' ? nameOf(language) : text), data, language };
    // In "my plate is AB-123. Please remember that" the statement is the note.
    const note = data === undefined ? noteOf(text, this.#reader) : undefined;
    if (note !== undefined) return [note];
    if (this.#isOneText(text, alone)) return [alone];
    if (isCovered(this.#best(alone))) return [alone];
    alone.text = dataLast(alone.text);
    if (isCovered(this.#best(alone))) return [alone];
    const arrow = atArrow(text);
    if (arrow !== undefined && this.#isConversion(plain(arrow))) return [{ ...alone, text: plain(arrow) }];
    const texts = this.#meant(atThen(text)).map((one) => dataLast(plain(one)));
    if (texts.length === 1) alone.text = texts[0] as string;
    if (texts.length < 2) return [alone];
    // A quotation at the start is the subject of the next instruction.
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

  /** Whether a text is one instruction that ends with its sender's own words, of which no sentence is something to do. */
  #isOneText(text: string, whole: Part): boolean {
    const [first = '', ...others] = atThen(text);
    const best = others.length === 0 ? undefined : this.#best({ text: plain(first), ...NOTHING_PASTED });
    const { words } = best?.task ?? {};
    const own = words && best && 'input' in best.reading ? best.reading.input[words.input] : undefined;
    if (typeof own !== 'string' || !plain(first).endsWith(own)) return false;
    return (
      this.#best(whole)?.task === best?.task &&
      others.every((one) => isPolite(one) || !this.#isSure({ text: plain(one), ...NOTHING_PASTED }))
    );
  }

  /**
   * The instruction that the text after a colon belongs to: the last one, unless that continues with the result before it
   * and the first needs a text, as in "sort this and then join it with dashes: c, a, b".
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

  /** Whether an arrow stands between a thing and its target; between two instructions it means "then". */
  #isConversion(text: string): boolean {
    const best = this.#best({ text, ...NOTHING_PASTED });
    return best?.task.name === 'convert' && best.reading.sure >= SURE_FIGURE;
  }

  /** The instructions without greetings, thanks, and background to a clear request. */
  #meant(texts: readonly string[]): readonly string[] {
    const readAs = (text: string, more = 0): number =>
      this.#best({ text: plain(text), ...NOTHING_PASTED }, more)?.reading.sure ?? 0;
    const sentences = texts.filter((text) => !isPolite(text) || readAs(text) >= SURE);
    if (sentences.length < 2) return sentences.length === 0 ? texts : sentences;
    // A text that continues with the result before it, as "the first word of it" does, is an instruction.
    const clear = (text: string): boolean => readAs(text) >= SURE || (refersBack(text) && readAs(text, 1) >= CLEAR);
    const isOnlySaid = (text: string, at: number): boolean =>
      (isBackground(text) || (FOR_CHANCE.test(text) && this.#isChance(sentences[at + 1]))) && !clear(text);
    const left = sentences.filter((text, at) => !isOnlySaid(text, at));
    return left.length > 0 && left.length < sentences.length && left.some(clear) ? left : sentences;
  }

  /**
   * The part that happens at a later time, with all instructions that belong to it. A reminder contains only words: a
   * question or a separate sentence that is an instruction is no part of it.
   */
  #laterOf(whole: Part, texts: readonly string[]): readonly Part[] | undefined {
    const task = this.#best(whole)?.task.name;
    if (task !== 'schedule' && task !== 'remind') return undefined;
    if (this.#best({ ...whole, text: texts[0] as string })?.task.name !== task) return undefined;
    const pastedTo = (at: number) => (at === texts.length - 1 ? whole : NOTHING_PASTED);
    const isOwn = (text: string, index: number): boolean => {
      const sentence = /[.!?;]\s*(?:(?:and|then|also|please|after that),?\s+)*$/i.test(
        whole.text.slice(0, Math.max(0, whole.text.lastIndexOf(text))),
      );
      return (ASKS_US.test(text) || sentence) && this.#isSure({ ...pastedTo(index), text });
    };
    const instructionIndex = texts.findIndex((text, at) => at > 0 && isOwn(text, at));
    if (task === 'schedule' || instructionIndex < 0) return [whole];
    const words = texts.slice(0, instructionIndex);
    const end = whole.text.indexOf(words.at(-1) as string) + (words.at(-1) as string).length;
    return [
      { text: whole.text.slice(0, end), ...NOTHING_PASTED },
      ...texts.slice(instructionIndex).map((text, at) => ({ ...pastedTo(instructionIndex + at), text })),
    ];
  }

  /** In "Who pays? Pick one of Ann, Bob" the question is for chance to answer. */
  #isChance(text: string | undefined): boolean {
    const best = text === undefined ? undefined : this.#best({ text: plain(text), ...NOTHING_PASTED });
    return isClear(best) && best.task.name === 'random';
  }

  #isSure(part: Part): boolean {
    const best = this.#best(part, 1);
    return isClear(best) && best !== undefined && best.reading.sure >= SURE;
  }

  #best(part: Part, more = 0, after?: string): Known {
    const clause = this.#clause(part, more, after);
    const key = `${clause.it} ${clause.after} ${clause.tasks?.length} ${part.text}\0${part.data ?? ''}`;
    if (this.#known.has(key)) return this.#known.get(key);
    this.#left -= part.text.length;
    if (this.#left < 0) return undefined;
    const best = bestOf(clause, this.#parts.tasks);
    this.#known.set(key, best);
    return best;
  }

  readonly #reader: Read = (part, more, after) => this.#best(part, more, after);

  #part(part: Part, joined = true): Planned | undefined {
    if (part.text === '' || part.text.length > MAX_CLAUSE) return this.#single(part, undefined, joined);
    if (this.#steps.length > 0 && isShown(part)) return undefined;
    const best = this.#best(part);
    if (isCovered(best) || isTakenBack(part, best)) return this.#single(part, best, joined);
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
      const chain = best === undefined ? this.#chain(part) : undefined;
      if (chain !== undefined) {
        this.#steps.push(...chain);
        return undefined;
      }
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

  #single(part: Part, best: ReturnType<typeof bestOf>, joined: boolean): Planned | undefined {
    const answer = this.#parts.answers?.[this.#answered];
    // An answer replaces only the instruction it was asked about; clear instructions beside it keep their wording.
    if (answer?.[0] === this.#steps.length) {
      this.#answered += 1;
      const writtenText = this.#written;
      this.#written = answer[1];
      const unclear = this.#piece(answered(part, answer[1]));
      this.#written = writtenText;
      return unclear;
    }
    if (part.text === '') {
      const { data } = part;
      if (data === undefined) return this.#unclear('', 'What is to be done? There is no instruction in it.');
      return this.#unclear(data, 'What is to be done with this text?');
    }
    if (part.text.length > MAX_CLAUSE) return this.#tooLong(part.text);
    if (isTakenBack(part, best)) {
      const question = `You corrected something in “${short(part.text)}”. Please write it again the way you mean it.`;
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
      // A misspelled first word is corrected only for tasks without effects.
      const text = respelled(part.text);
      const meant = text === undefined ? undefined : this.#best({ ...part, text });
      if (meant !== undefined && meant.task.effects === 'none' && 'input' in meant.reading) {
        this.#steps.push({ task: meant.task.name, input: meant.reading.input });
        return undefined;
      }
    }
    if (best === undefined) {
      if (part.data === undefined && HELP.test(part.text)) {
        const own = this.#parts.usable ?? this.#parts.tasks;
        const examples = own.flatMap(({ effects, examples: [one] }) => (effects === 'none' ? (one ?? []) : []));
        return this.#unclear(part.text, 'I do what is written in plain words. What is to be done?', examples);
      }
      const begun = beginningOf(this.#clause(part));
      if (begun === undefined) return this.#unclear(part.text, `I do not understand “${short(part.text)}”.`);
      const question = `I understand “${short(begun.understood)}”; what is “${short(begun.rest)}”?`;
      return this.#unclear(part.text, question);
    }
    const { task, reading, rival } = best;
    if (rival !== undefined) {
      const question = `“${short(part.text)}” could be for ${task.name} or for ${rival.name}. Begin with the one you mean.`;
      return this.#unclear(part.text, question);
    }
    if ('ask' in reading) {
      return { ...this.#unclear(part.text, reading.ask, reading.suggestions ?? []), task: task.name };
    }
    if (reading.steps !== undefined) {
      const behind = behindList(this.#clause(part), reading.input);
      if (behind !== undefined)
        return this.#unclear(part.text, leftText(part.text, { words: behind, taken: true }), []);
      for (const step of placed(reading.steps, this.#steps.length)) {
        const unclear = this.#add(step, part);
        if (unclear !== undefined) return unclear;
      }
      return undefined;
    }
    const plainSum = isSum(part) || (part.data === undefined && askedSum(part.text) !== undefined);
    const left = plainSum ? undefined : leftOut(this.#clause(part), task, reading);
    if (left !== undefined) return this.#unclear(part.text, leftText(part.text, left), []);
    return this.#add({ task: task.name, input: reading.input }, part, reading.accounts);
  }

  /** Adds a step with the sender's own words as they were written; the question when it cannot tell where they end. */
  #add(step: Step, part: Part, accounts: readonly string[] = []): Planned | undefined {
    const found = this.#worded(step, part, accounts);
    if ('doubt' in found)
      return { ...this.#unclear(part.text, doubtText(part.text, found.doubt), []), task: step.task };
    const later = this.#later(found);
    if (later !== undefined) return this.#unclear(part.text, `I do not understand “${short(later)}”.`);
    this.#steps.push(found);
    return undefined;
  }

  #worded(
    step: Step,
    { text: instruction, data }: Part,
    accounts: readonly string[],
  ): Step | { readonly doubt: string } {
    const words = this.#parts.tasks.find(({ name }) => name === step.task)?.words;
    const text = words === undefined ? undefined : step.input[words.input];
    // Each item that is added to a list is a part of the instruction.
    if (words === undefined || typeof text !== 'string' || step.input.append === true) return step;
    if (/^\{\{\d{1,4}\}\}$/.test(text) || words.own?.includes(text) === true) return step;
    const pasted = this.#parts.pasted?.data ?? '';
    const typedText =
      pasted !== '' && text.endsWith(pasted) ? withoutTrailing(text.slice(0, -pasted.length), ': \n') : text;
    if (typedText === '') return step;
    // Between the words before a colon and those behind it the time of a schedule may stand.
    const before =
      data !== undefined && typedText.endsWith(data) && accounts.length > 0 ? typedText.slice(0, -data.length) : '';
    const head = BEFORE_TIME.test(before) ? before : undefined;
    if (data !== undefined && !text.startsWith('`') && instruction.split('"').length % 2 === 0) return { doubt: data };
    const read = { accounts, instruction };
    const all = wordingOf(typedText, this.#written, words, read);
    const found = 'doubt' in all && head !== undefined ? wordingOf(data as string, this.#written, words, read) : all;
    if ('doubt' in found) return found;
    const wording = this.#asFirstWritten(found, words);
    const whole = (found === all ? '' : head) + wording.text + text.slice(typedText.length);
    const known = withReferences(whole, this.#steps.length, this.#parts.before);
    return { ...step, input: { ...step.input, [words.input]: known } };
  }

  /** Words of the message that an answer repeats, with their signs and blanks. */
  #asFirstWritten(found: { readonly text: string }, words: Words): { readonly text: string } {
    const { written = '' } = this.#parts;
    const first = this.#written === written ? undefined : wordingOf(found.text, written, words);
    const longer = first === undefined || 'doubt' in first ? '' : first.text.replace(/\s+/g, ' ');
    const more = longer.slice(found.text.length);
    return first !== undefined && 'text' in first && longer.startsWith(found.text) && /^[.!?…]*$/.test(more)
      ? first
      : found;
  }

  /** The question about a scheduled instruction that no task can do, as in "pick me up at 5". */
  #later({ task, input }: Step): string | undefined {
    if (task !== 'schedule' || typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
    const { instructions, rule } = input as { readonly instructions?: unknown; readonly rule?: unknown };
    // A rule that is refused when it runs, as "every 10 seconds" is, stands for the whole.
    if (typeof instructions !== 'string' || instructions === rule) return undefined;
    const { answers: _, written: __, ...parts } = this.#parts;
    const planned = this.#planOf(instructions, { ...parts, before: true });
    if (planned.kind === 'plan') this.#laterSteps.push(...planned.steps, ...(planned.later ?? []));
    return planned.kind === 'unclear' ? instructions : undefined;
  }

  /** The steps of three or more instructions, each of which works on the result before it, so that each is read once. */
  #chain({ text, data }: Part): readonly Step[] | undefined {
    const texts = data === undefined ? atEachAnd(text) : [];
    const steps: Step[] = [];
    const goesOn = (one: string, at: number): boolean => {
      const best = this.#best({ text: plain(one), ...NOTHING_PASTED }, steps.length, steps.at(-1)?.task);
      if (!isClear(best) || !isCovered(best) || best.task.effects !== 'none' || (at > 0 && !usesResult(best)))
        return false;
      steps.push(...placed(stepsOf(best), this.#steps.length + steps.length));
      return steps.length <= this.#parts.max_steps;
    };
    return texts.length > 2 && (texts.every(goesOn) || steps.length > this.#parts.max_steps) ? steps : undefined;
  }

  #inTwo(part: Part, enough = CLEAR): readonly [Part, Part] | undefined {
    for (const [head, tail] of atAnd(part.text)) {
      const first = { ...part, text: plain(head) };
      const best = this.#best(first);
      if (best === undefined || best.reading.sure < CLEAR) continue;
      const second = { text: plain(tail), ...NOTHING_PASTED };
      // "The sum of 3 km, 200 m and 1 mile" is one list.
      if (/^[\d.]/.test(tail) && /,/.test(head) && isClear(this.#best(part))) continue;
      const other = this.#best(second, 1, best.task.name);
      if (other !== undefined && other.reading.sure >= enough) return [first, second];
    }
    return undefined;
  }

  /** Splits "what time is it in Tokyo and London" into the same read-only task for several things. */
  #alike(part: Part): readonly Step[] | undefined {
    for (const [start, tail] of part.data === undefined ? atAnd(part.text) : []) {
      const head = start.length <= 200 && tail.length <= 60 ? HEAD.exec(start)?.[1] : undefined;
      if (head === undefined) continue;
      const last = `${head} ${tail.replace(LINK, '')}`;
      const items = start.slice(head.length).trim().split(/, /);
      // "New York, London and Tokyo" is three items, and "Paris, France and London" two.
      const found =
        this.#eachAlike([start, last]) ??
        (items.length > 1 && items.length < 10
          ? this.#eachAlike([...items.map((one) => `${head} ${one.replace(LINK, '')}`), last])
          : undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

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

  /** `more`: the number of earlier steps that are not planned yet; the last of them is of the task `after`. */
  #clause(part: Part, more = 0, after = this.#steps[this.#steps.length + more - 1]?.task): Clause {
    const last = this.#steps.length + more;
    const it = last > 0 ? last : this.#parts.before ? 0 : undefined;
    const tasks = this.#steps.map(({ task }) => task);
    const previous = it === 0 ? this.#parts.previous : undefined;
    const planned = last > 0 ? undefined : this.#parts.planned;
    return {
      ...part,
      it,
      after,
      tasks,
      ...zoned(this.#parts),
      ...(previous && { previous }),
      ...(planned && { planned }),
    };
  }

  #tooLong(text: string): Planned {
    const question = `“${short(text)}” is longer than the ${MAX_CLAUSE} characters that are read as one instruction. What it is about can be any length: paste it behind a colon, or between lines of \`\`\`.`;
    return this.#unclear(text, question, []);
  }

  #unclear(
    text: string,
    question: string,
    suggestions: readonly string[] = nearest(text, this.#parts.usable ?? this.#parts.tasks),
  ): Extract<Planned, { kind: 'unclear' }> {
    return { kind: 'unclear', at: this.#steps.length, text, question, suggestions, steps: this.#steps };
  }
}

/** An instruction with the sender's answer, which replaces it or adds what was missing. */
const answered = (part: Part, text: string): Pasted => {
  const colon = /^([^:\n]{1,200}):\s+(\S[\s\S]*)$/.exec(text);
  if (part.data !== undefined || colon === null) return { ...part, text, fenced: true };
  return { ...part, text: colon[1] as string, data: colon[2], fenced: false };
};

/** The instruction for a fenced block alone: run it as a script. */
const nameOf = (language: string | undefined): string =>
  language === 'js' || language === 'javascript' || language === 'mjs' ? 'run' : '';
