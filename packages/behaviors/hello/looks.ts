import type { Looks } from '@mailroom/behavior/looks';
import { languageName } from '@mailroom/behavior/values/language-name';

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

/** The languages that are detected, the most common first. */
const LANGUAGES =
  'en es fr de pt it nl pl ru uk tr id ja ko zh sv no da fi cs ro hu el he th hi hy ka ca ar bg bn et fa gu hr is kn lt lv ml mr ms pa sk sl sq sr ta te tl ur vi'.split(
    ' ',
  );
const languages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    LANGUAGES.map((code): [string, string] => [code, languageName(code)]).sort(([, a], [, b]) => a.localeCompare(b)),
  );

export const looks: Looks = {
  title: 'Introduce',
  line: 'Says who you are, in the writer’s language.',
  verb: 'Introduces',
  glyph: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.8 9.4a2.6 2.6 0 0 0 4.4 0M6 6.4v.01M10 6.4v.01',
  hue: 70,
  cover: 1,
  examples: ({ languages }) => {
    const questions = Object.keys((languages as object | undefined) ?? {}).flatMap((language) =>
      Object.hasOwn(WHO_ARE_YOU, language) ? (WHO_ARE_YOU[language] ?? []) : [],
    );
    // Catalogs take two at least.
    return ['Who are you?', ...questions, 'What do you do?'].slice(0, MAX_EXAMPLES);
  },
  needs: {
    words: { '/name': 'Required unless you write an introduction', '/introduction': 'Required unless you give a name' },
    missing: 'Write a name or an introduction.',
  },
  sample: { name: 'Ada', introduction: 'I am Ada, an engineer in Lagos.' },
  describes: { text: 'introduction', name: 'name' },
  heading: 'About you',
  form: {
    '/name': { hint: '', autocomplete: 'name' },
    '/introduction': { hint: 'Markdown works. Up to 8 KB.' },
    '/links': { hint: '', row: 'Link', add: 'Add another link' },
    '/links/*/label': { label: 'Name' },
    '/links/*/url': { label: 'Address' },
    '/type': {
      label: 'You are',
      hint: '',
      options: { Person: 'A person', Organization: 'An organization' },
      initial: 'Person',
    },
    '/languages': {
      label: 'In other languages',
      hint: 'A message in one of these languages gets its introduction.',
      row: 'Language',
      key: 'Language',
      value: 'Introduction',
      get keys() {
        return languages();
      },
      add: 'Add another language',
    },
    '/languages/*': { hint: '' },
  },
  more: ['type', 'languages'],
  reading:
    '`reply.body` is the self-introduction, as Markdown, in the language of the message where there is one for it. `reply.data` is a schema.org `Person` or `Organization` as JSON-LD.',
};
