import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Behavior } from '../../core/ports/behavior.ts';

const WHO_ARE_YOU: Readonly<Record<string, string>> = {
  de: 'Wer bist du?',
  es: '¿Quién eres?',
  fr: 'Qui es-tu ?',
  it: 'Chi sei?',
  nl: 'Wie ben je?',
  pl: 'Kim jesteś?',
  pt: 'Quem é você?',
  sv: 'Vem är du?',
  tr: 'Sen kimsin?',
};
const MAX_EXAMPLES = 3;

/** The examples that the owner chose. */
function ownExamples({ examples }: Mailbox['settings']): readonly string[] {
  if (!Array.isArray(examples)) return [];
  return examples.filter((one) => typeof one === 'string' && one.trim() !== '');
}
/** Tasks without effects, which everyone may use. */
const DO_THIS = [
  'Calculate 15% of 80, then convert it to hex',
  'What time is it in Tokyo?',
  'Convert 5 miles to km',
  'Sort these: pear, apple, fig',
  'Generate a UUID, then hash it with SHA-256',
];

/** Example messages to click that show what a mailbox does. */
export function examplesOf(
  mailbox: Pick<Mailbox, 'behavior' | 'settings'>,
  behavior: Behavior | undefined,
): readonly string[] {
  const own = ownExamples(mailbox.settings);
  if (own.length > 0) return own;
  switch (mailbox.behavior) {
    case 'proofread':
      return ['Their going to the store', 'It could of been worse', 'She have a hour'];
    case 'hello': {
      const languages = Object.keys((mailbox.settings.languages as object | undefined) ?? {});
      const asked = languages.flatMap((language) =>
        Object.hasOwn(WHO_ARE_YOU, language) ? (WHO_ARE_YOU[language] ?? []) : [],
      );
      return ['Who are you?', ...asked].slice(0, MAX_EXAMPLES);
    }
    case 'auth':
      return ['How do I sign people in?', 'What can an agent do here?'];
    case 'do':
      return DO_THIS;
    default:
      return behavior?.example === undefined ? [] : [behavior.example.body];
  }
}
