import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Step } from '../plan/index.ts';
import { askedSum, isSum, MAX_CLAUSE } from '../tasks/clause.ts';
import { beginningOf, placed } from '../tasks/grammar/index.ts';
import type { Words } from '../tasks/task.ts';
import { behindList, ignoredIn, type Left, leftOut, quotedWithin } from './account.ts';
import { beginsWithContext } from './context.ts';
import { plain, singleSpaced, withoutChat } from './courtesy.ts';
import { MAX_TEXT } from './cut.ts';
import { alikeOf, chainOf, inTwo, isModified } from './joined.ts';
import { answered, isCounted, isRespelled, isTakenBack, ofSeveral, WHICH_RESULTS, zoneIn } from './judged.ts';
import { type Pasted, partsOf } from './line-parts.ts';
import { modifiedIn } from './modified.ts';
import { withFigure } from './named-figures.ts';
import { type Best, goingOn, isShown, isTotal, NOTHING_PASTED, type Part, paraphrases } from './paraphrases.ts';
import { PartReader } from './part-reader.ts';
import type { Piece } from './pieces.ts';
import { type Planned, type PlanningParts, TOO_MANY_WAYS, tooMany } from './plan.ts';
import { doubtText, isHelpQuestion, leftText, nearest, outOfReach, short, UNKNOWN_FIGURE } from './questions.ts';
import { type bestOf, isCovered, isFinal } from './readings.ts';
import { orders, rewordings } from './rewordings.ts';
import { bySlots } from './slots.ts';
import { type Respelled, respelled } from './spelling.ts';
import { ofSubjects } from './subjects.ts';
import { askedBehind } from './tails.ts';
import { withReferences, wordingOf } from './wording.ts';

const SURE = 0.9;
/** No month has such a day, so that a name that is a slip away from a month means none. */
const NO_DAY = /\b(?:3[2-9]|[4-9]\d)(?:st|nd|rd|th)\b/i;
/** Certainty needed for what follows an instruction that is clear with its pasted text. */
export const SURE_PASTED = 0.85;
const SURE_ALONE = 0.7;
/** The end of an instruction to send what is behind its colon. */
const BEFORE_TIME = /(?:\S@\S{1,300}|\b(?:message|note|line|e-?mail|mail|text)): $/i;
/** Words with which a line says that it is something else to do. */
const NEXT = /^(?:(?:and )?then|after that|afterwards|also|and also|next|finally|lastly|p\.?s\.?)\b/i;

/** The plan of instructions that were cut out of a message. */
export class Planning {
  readonly #parts: PlanningParts;
  readonly #planOf: (body: string, parts: PlanningParts) => Planned;
  readonly #reader: PartReader;
  readonly #steps: Step[];
  readonly #laterSteps: Step[] = [];
  #answered = 0;
  /** The message, or the answer that stands for an instruction of it. */
  #written: string;
  /** The instruction behind the one that is read, in the same line. */
  #next = '';

  /** `planOf`: how a message is planned that is sent later. */
  constructor(parts: PlanningParts, planOf: (body: string, parts: PlanningParts) => Planned) {
    this.#parts = parts;
    this.#reader = new PartReader(parts);
    this.#steps = this.#reader.steps;
    this.#written = parts.written ?? '';
    this.#planOf = planOf;
  }

  all(pieces: readonly Piece[]): Planned {
    for (const [at, piece] of pieces.entries()) {
      const unclear = this.#piece(piece) ?? this.#goesOn(piece, pieces[at + 1]);
      if (this.#reader.exhausted) return TOO_MANY_WAYS;
      if (unclear !== undefined) return unclear;
    }
    return this.#whole();
  }

  one(text: string): Planned {
    const part = { text, ...NOTHING_PASTED };
    return this.#single(part, this.#reader.best(part), false) ?? this.#whole();
  }

  #whole(): Planned {
    if (this.#steps.length > 0)
      return {
        kind: 'plan',
        steps: ofSubjects(this.#steps),
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
    const best = task === 'remember' ? this.#reader.best({ text: plain(next.text), ...NOTHING_PASTED }) : undefined;
    if (best?.task.name === 'recall' && !('ask' in best.reading)) return undefined;
    // A line below a full stop begins something else.
    if (piece.data !== undefined || !piece.text.endsWith(text) || /[.!?…]$/.test(text)) return undefined;
    const question = `Is “${short(next.text)}” something to do, or part of the text above it? Put the text in quotation marks or behind a colon, or number the instructions.`;
    return { kind: 'unclear', at: -1, text: next.text, question, suggestions: [], steps: [] };
  }

  #piece(piece: Pasted): Planned | undefined {
    const text = singleSpaced(piece.text);
    if (text.length > MAX_TEXT) return this.#tooLong(text);
    this.#reader.allow(text.length);
    const parts = partsOf(this.#reader, { ...piece, text });
    for (const [index, part] of parts.entries()) {
      this.#next = parts[index + 1]?.text ?? '';
      const unclear = this.#part(part);
      if (unclear !== undefined) return unclear;
      if (this.#steps.length > this.#parts.max_steps) return tooMany(this.#steps.length, this.#parts);
    }
    return undefined;
  }

  #part(part: Part, joined = true): Planned | undefined {
    if (part.text === '' || part.text.length > MAX_CLAUSE) return this.#single(part, undefined, joined);
    if (this.#steps.length > 0 && isShown(part)) return undefined;
    const [only, more] = this.#steps;
    // The total of a tip is that of the bill with it.
    const hasSum = only?.task === 'calculate' && !/"expression":"[\d.]+% \*/.test(JSON.stringify(only.input));
    if (hasSum && more === undefined && isTotal(part)) return undefined;
    const best = this.#reader.best(part);
    const spoken = withoutChat(part.text);
    if (spoken !== part.text && spoken !== '' && this.#isChat(best, { ...part, text: spoken }))
      return this.#part({ ...part, text: spoken }, joined);
    if (isCovered(best) || isFinal(best) || isTakenBack(part, best)) return this.#single(part, best, joined);
    const { read } = this.#reader;
    const other = paraphrases(part, best, read);
    if (other !== undefined) {
      for (const one of other) {
        const unclear = this.#part(one, joined);
        if (unclear !== undefined) return unclear;
      }
      return undefined;
    }
    const modified = best === undefined ? modifiedIn(part).find((two) => isModified(this.#reader, ...two)) : undefined;
    if (modified !== undefined) return this.#part(modified[0], joined) ?? this.#part(modified[1]);
    if (joined) {
      const chain =
        best === undefined || ('ask' in best.reading && best.task.effects === 'none')
          ? chainOf(this.#reader, part)
          : undefined;
      if (chain !== undefined) {
        this.#steps.push(...chain);
        return undefined;
      }
      const both =
        (best === undefined || best.reading.sure < SURE || ('ask' in best.reading && best.task.effects === 'none')
          ? inTwo(this.#reader, part)
          : part.data !== undefined && best.task.effects === 'none'
            ? inTwo(this.#reader, part, SURE_PASTED)
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

  /** Whether emoji and interjections, without which the text is `spoken`, are no part of what it is about. */
  #isChat(best: Best | undefined, spoken: Part): boolean {
    const other = best?.task.effects === 'none' ? this.#reader.best(spoken) : undefined;
    return (
      best === undefined ||
      (other?.task.effects === 'none' &&
        (other.task !== best.task || (isCovered(other) && (!isCovered(best) || isCounted(other)))))
    );
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
      const alike = alikeOf(this.#reader, part);
      if (alike !== undefined) {
        this.#steps.push(...alike);
        return undefined;
      }
    }
    if (!isFinal(best) && (best === undefined || 'ask' in best.reading)) {
      const found = this.#asMeant(
        part,
        best === undefined || (best.task.effects === 'none' && !NO_DAY.test(part.text)),
      );
      if (found !== undefined) return found === 'done' ? undefined : found;
    }
    if (best === undefined) {
      if (part.data === undefined && isHelpQuestion(part.text)) {
        const usable = this.#parts.usable ?? this.#parts.tasks;
        const examples = usable.flatMap(({ effects, examples: [one] }) => (effects === 'none' ? (one ?? []) : []));
        return this.#unclear(part.text, 'I do what is written in plain words. What is to be done?', examples);
      }
      const far = part.data === undefined ? outOfReach(part.text) : undefined;
      if (far !== undefined) return this.#unclear(part.text, far, []);
      const begun = beginningOf(this.#reader.clause(part));
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
      const clause = this.#reader.clause(part);
      const behind = behindList(clause, reading.input);
      if (behind !== undefined)
        return this.#unclear(part.text, leftText(part.text, { words: behind, taken: true }), []);
      const limit = quotedWithin(clause, reading) ?? ignoredIn(clause, task, reading);
      if (limit !== undefined) return this.#withoutNames(part, limit, joined);
      for (const step of placed(reading.steps, this.#steps.length)) {
        const unclear = this.#add(step, part, reading.accounts);
        if (unclear !== undefined) return unclear;
      }
      return undefined;
    }
    const isPlainSum = isSum(part) || (part.data === undefined && askedSum(part.text) !== undefined);
    const left = isPlainSum ? undefined : leftOut(this.#reader.clause(part), task, reading);
    if (left !== undefined) return this.#withoutNames(part, left, joined);
    return this.#add({ task: task.name, input: reading.input }, part, reading.accounts, reading.head);
  }

  /** Words that are left over may only name the text that stands beside the instruction. */
  #withoutNames(part: Part, left: Left, joined: boolean): Planned | undefined {
    const found = joined && part.data !== undefined ? this.#asMeant(part, false) : undefined;
    if (found === 'done') return undefined;
    return found ?? this.#unclear(part.text, leftText(part.text, left), []);
  }

  /**
   * Does what an instruction means that is said in other words or whose words have slips, where that is one thing; slips in
   * a text stay. `slips`: whether its words may have some.
   */
  #asMeant(part: Part, slips: boolean): Planned | 'done' | undefined {
    const names = this.#parts.tasks.map(({ name }) => name);
    const read = ({ text, words }: Respelled) => {
      const best = this.#reader.best({ ...part, text });
      return best === undefined || 'ask' in best.reading || best.reading.sure < SURE ? [] : [{ text, words, best }];
    };
    const among = (all: readonly string[]) => all.flatMap((text) => read({ text, words: [] }));
    const near = among(rewordings(part.text, part.data));
    const reworded = near.length > 0 ? near : among(orders(part.text, part.data)).slice(0, 1);
    const own =
      reworded.length > 0 || part.data !== undefined || !slips
        ? reworded
        : bySlots(part.text, this.#reader.clause(part)).flatMap((text) => read({ text, words: [] }));
    const ways =
      own.length > 0 || !slips
        ? own
        : respelled(part.text, names).flatMap((one) => read({ ...one, text: plain(one.text) }));
    const [first, ...others] = ways;
    if (first === undefined) return undefined;
    const reading = JSON.stringify(first.best.reading);
    const clear = others.every(({ best }) => JSON.stringify(best.reading) === reading);
    if (clear && isRespelled(first.best, first.words, part))
      return this.#single({ ...part, text: first.text }, first.best, false) ?? 'done';
    return this.#unclear(
      part.text,
      `Do you mean “${short(first.text)}”?`,
      ways.slice(0, 3).map(({ text }) => text),
    );
  }

  /** Adds a step with the sender's own words as they were written; the question when it cannot tell where they end. */
  #add(step: Step, part: Part, accounts: readonly string[] = [], made = ''): Planned | undefined {
    const whole = ofSeveral(step, part.text, this.#steps);
    if (whole === undefined) return this.#unclear(part.text, WHICH_RESULTS);
    const found = this.#worded(whole, part, accounts, made);
    const isSure = (text: string): boolean => this.#reader.isSure({ text, ...NOTHING_PASTED }, step.task);
    const doubt = 'doubt' in found ? found.doubt : askedBehind(found, part.text, this.#written, isSure);
    if ('doubt' in found || doubt !== undefined)
      return { ...this.#unclear(part.text, doubtText(part.text, doubt ?? ''), []), task: step.task };
    const later = this.#later(found);
    if (later !== undefined) return this.#unclear(part.text, `I do not understand “${short(later)}”.`);
    const all = withFigure(this.#reader, found);
    if (all === undefined) return this.#unclear(part.text, UNKNOWN_FIGURE, []);
    this.#steps.push(...all);
    const zone = zoneIn(found);
    if (zone !== undefined) this.#reader.moveTo(zone);
    return undefined;
  }

  #worded(
    step: Step,
    { text: instruction, data }: Part,
    accounts: readonly string[],
    made: string,
  ): Step | { readonly doubt: string } {
    const words = this.#parts.tasks.find(({ name }) => name === step.task)?.words;
    const text = words === undefined || zoneIn(step) !== undefined ? undefined : step.input[words.input];
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
    const head = made !== '' ? made : BEFORE_TIME.test(before) ? before : undefined;
    if (data !== undefined && !text.startsWith('`') && instruction.split('"').length % 2 === 0) return { doubt: data };
    // Behind a note an instruction of its own is none of its words; behind others it may be.
    const next = step.task === 'remember' ? this.#next : '';
    const read = { accounts, instruction, next, goesOn: this.#next !== '' };
    const all = wordingOf(typedText, this.#written, words, read);
    const found =
      head !== undefined && (made !== '' || 'doubt' in all)
        ? wordingOf(typedText.slice(head.length), this.#written, words, read)
        : all;
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
    return planned.kind === 'unclear' || beginsWithContext(instructions) ? instructions : undefined;
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
