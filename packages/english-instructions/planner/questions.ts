import type { Task } from '../tasks/task.ts';
import { isOfWorld } from '../tasks/words/world.ts';
import { isTelling, type Left } from './account.ts';

const HELP_QUESTIONS = [
  'help(?: me)?',
  '(?:what|which things|what else|what kind of things|what sort of things) (?:can|do|could) (?:you do|i ask(?: you)?(?: for| to do)?)',
  'how do i (?:set|make|add|create|send|use|write|save) (?:an? )?(?:reminder|note|message|schedule|this|instruction)s?(?: with you| here)?',
  'what (?:are you|is this|can i (?:ask|do|write)|do you understand|else can you do)(?: (?:for me|here|to you|you))?',
  'how (?:does this|do you) work|who are you|commands|examples?|show me (?:some )?examples',
  'what are your (?:commands|features|skills)',
];
/** Questions about what the mailbox does. */
const HELP = new RegExp(`^(?:${HELP_QUESTIONS.join('|')})$`, 'i');
export const isHelpQuestion = (text: string): boolean => HELP.test(text);

/** A text as a question repeats it. */
export const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text);

/** What is said to a question about the world; undefined for another text. */
export const outOfReach = (text: string): string | undefined =>
  isOfWorld(text)
    ? `I cannot look up “${short(text)}”: prices, the weather, news and the like are out of my reach. I know what a message says, and the notes that you gave me.`
    : undefined;

/** The question about a figure that is to be kept and cannot be worked out. */
export const UNKNOWN_FIGURE =
  'I cannot work out that figure. If I should keep the words as they are, put them in quotation marks; if not, say it in other words.';

/** The question about words that would be ignored. */
export const leftText = (text: string, { words, taken }: Left): string =>
  taken
    ? `In “${short(text)}” I cannot tell what “${short(words)}” is to do. If it belongs to the text, put the text in quotation marks; if not, say it in other words.`
    : `I understand “${short(text)}”, but not what “${short(words)}” is to change in it. Say it without that, or in other words.`;

/** The question about words that may belong to a text or be something to do. */
export const doubtText = (text: string, words: string): string =>
  `In “${short(text)}” I cannot tell whether “${short(words)}” belongs to the text. If it does, put the whole text in quotation marks; if it is something else to do, number the instructions, each on a line of its own.`;

const words = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/\p{L}{3,}/gu)
      ?.filter((word) => isTelling(word))
      .slice(0, 60) ?? [],
  );

/**
 * Up to three examples that share at least two meaningful words with the text, or the first one. Only tasks that this
 * sender may use and that read and change nothing count, because the sender may choose one by its number.
 */
export function nearest(text: string, tasks: readonly Task[]): string[] {
  const wanted = words(text.slice(0, 500));
  const scored = tasks.flatMap(({ name, effects, examples }) => {
    if (effects !== 'none') return [];
    return examples.map((example) => {
      // The data of an example says nothing about its subject.
      const exampleWords = [...words(example.replace(/: [\s\S]*$|`[^`]*`|"[^"]*"|'[^']*'/g, ''))];
      const shared = exampleWords.filter((word) => wanted.has(word)).length;
      const [verb] = wanted;
      const related =
        shared > 1 || shared > exampleWords.length / 2 || (verb !== undefined && verb === exampleWords[0]);
      return { example, score: related ? shared * 2 + (wanted.has(name) ? 3 : 0) : 0 };
    });
  });
  const found = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return found.slice(0, 3).map(({ example }) => example);
}
