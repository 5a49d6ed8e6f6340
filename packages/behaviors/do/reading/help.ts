import type { Task } from '@mailroom/english-instructions/tasks/task';
import type { Party } from '@mailroom/steps/rights';

const LONGEST = 80;
const QUESTIONS = [
  '(?:please |can you |could you )?help(?: me)?(?: please)?',
  'what (?:all )?(?:can|do|could) you (?:all )?do(?: for me| here)?',
  'what (?:are you able to do|are your (?:tasks|commands|skills|abilities)|(?:tasks|commands) (?:do you know|are there))',
  'what (?:else|kind of things|sort of things|things) (?:can|could) (?:you do|i ask(?: you)?(?: for| to do)?)(?: for me| here)?',
  'what (?:can|could|may) i (?:ask|do|say|write|use)(?: you)?(?: to do)?(?: here)?',
  '(?:list|show)(?: me)?(?: all)?(?: your| the)? (?:tasks|commands|skills|features)',
  'commands',
  'how (?:do i use (?:this|you|it)|does (?:this|it) work|do you work)',
];
const HELP = new RegExp(`^(?:(?:hi|hello|hey)(?: there)?[,!.?]{0,3} )?(?:${QUESTIONS.join('|')})[?.! ]*$`, 'i');

/** Whether a message asks only for help. */
export const isHelp = (body: string): boolean => body.length <= LONGEST && HELP.test(body.trim());

/** The tasks that this sender may use, each with an example. */
export function helpText(tasks: readonly Task[], party: Party): string {
  if (tasks.length === 0) return 'You may use none of the tasks of this mailbox: its owner has not allowed you any.';
  const lines = tasks.map(({ name, description, examples: [first] }) => {
    const example = first === undefined ? '' : `: \`${first}\``;
    return `- **${name}**${example} — ${description.split(/(?<=\.) /)[0] ?? ''}`;
  });
  const more = party === 'guests' ? '\n\nWhoever writes with a key may have more done.' : '';
  return `Write what you want done, in plain English; one message may contain several instructions. You can use:\n\n${lines.join('\n')}${more}\n\nPut text to work on after a colon, or between lines of \`\`\`.`;
}
