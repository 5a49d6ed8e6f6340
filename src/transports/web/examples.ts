import type { Behavior } from '../../core/behavior.ts';
import type { Mailbox } from '../../core/mailbox.ts';

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
const EXAMPLES_MOST = 3;

/** Messages to click that show what a mailbox does. */
export function examplesOf(
  mailbox: Pick<Mailbox, 'behavior' | 'settings'>,
  behavior: Behavior | undefined,
): readonly string[] {
  switch (mailbox.behavior) {
    case 'proofread':
      return ['Their going to the store', 'It could of been worse', 'She have a hour'];
    case 'hello': {
      const languages = Object.keys((mailbox.settings.languages as object | undefined) ?? {});
      const asked = languages.flatMap((language) =>
        Object.hasOwn(WHO_ARE_YOU, language) ? (WHO_ARE_YOU[language] ?? []) : [],
      );
      return ['Who are you?', ...asked].slice(0, EXAMPLES_MOST);
    }
    default:
      return behavior === undefined ? [] : [behavior.example.body];
  }
}
