import type { Behavior } from '../../core/ports/behavior.ts';
import { languageName } from '../../core/values/language-name.ts';
import { BLANKS, withoutTrailing } from '../../core/values/trailing.ts';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import type { FormWords } from './schema-form.ts';

/** The words for a behavior where people choose one. */
export interface BehaviorWords {
  /** On its card, as a verb. */
  readonly title: string;
  readonly line: string;
  /** On filters: what its addresses do. */
  readonly verb: string;
  /** A short message with its answer; none where the answer is not known before it is given. */
  readonly example?: { readonly body: string; readonly reply: Html };
  /** The heading of its settings. */
  readonly heading: string;
  /** Shown where it has no settings. */
  readonly nothing: string;
  readonly form: FormWords;
  /** Settings that are rarely needed. */
  readonly more: readonly string[];
}

type Described = Pick<Behavior, 'name' | 'title' | 'description' | 'example'>;
type BehaviorName = Partial<Omit<BehaviorWords, 'title' | 'line' | 'verb'>> &
  Pick<BehaviorWords, 'title' | 'line' | 'verb'>;

/** The languages that `hello` detects, the most common first. */
const LANGUAGES =
  'en es fr de pt it nl pl ru uk tr id ja ko zh sv no da fi cs ro hu el he th hi hy ka ca ar bg bn et fa gu hr is kn lt lv ml mr ms pa sk sl sq sr ta te tl ur vi'.split(
    ' ',
  );
const languages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    LANGUAGES.map((code): [string, string] => [code, languageName(code)]).sort(([, a], [, b]) => a.localeCompare(b)),
  );

const WORDS: Readonly<Record<string, BehaviorName>> = {
  agent: {
    title: 'Your own program',
    line: 'A program of yours answers, in any language, or you do, by hand.',
    verb: 'Asks its owner',
    heading: 'Who answers',
    form: {
      '/webhook_url': {
        label: 'Webhook',
        hint: 'Each message is POSTed to this URL, which begins with https://. Leave it empty for a program that asks for messages.',
      },
      '/by_hand': {
        label: 'I answer by hand',
        hint: 'You answer in the console. The address counts as online without a connected program.',
      },
      '/answer_within_seconds': {
        label: 'Seconds to answer',
        hint: 'From 60 to 604800, which is a week. A message without an answer by then fails. A day if left empty.',
      },
      '/max_messages_per_day': {
        label: 'Messages a day',
        hint: 'At most 100000. Further ones are refused until 00:00 UTC. No limit if left empty.',
      },
    },
    more: ['answer_within_seconds', 'max_messages_per_day'],
  },
  hello: {
    title: 'Introduce',
    line: 'Says who you are, in the writer’s language.',
    verb: 'Introduces',
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
  },
  proofread: {
    title: 'Proofread',
    line: 'Corrects a text and gives each reason.',
    verb: 'Proofreads',
    heading: 'How it proofreads',
    example: {
      body: 'It could of been worse',
      reply: html`It could <del>of</del> <ins>have</ins> been worse`,
    },
    form: {
      '/dialect': { label: 'English', hint: 'Sets the spelling, and words that differ between countries.' },
      '/engine': {
        label: 'Proofreader',
        hint: 'Harper runs on this server. “Model” sends the text to the language model that this service uses; without one, Harper is used.',
      },
    },
  },
  do: {
    title: 'Do tasks',
    line: 'Carries out plain instructions, step by step.',
    verb: 'Does tasks',
    heading: 'How it works',
    example: { body: 'Calculate 15% of 80', reply: html`15% * 80 = 12` },
  },
  assistant: {
    title: 'Assist',
    line: 'Follows your instructions, using a language model.',
    verb: 'Assists',
    heading: 'How it answers',
    form: {
      '/instructions': { hint: 'Who it is, what it knows and how it answers. Markdown works. Up to 16 KB.' },
      '/tasks': {
        label: 'What it may use',
        hint: 'Names of tasks, such as calculate or fetch.',
        add: 'Add another task',
      },
      '/examples': {
        label: 'Messages to begin with',
        hint: 'Up to eight, shown on its page.',
        add: 'Add another message',
      },
      '/time_zone': { label: 'Time zone', hint: 'For example Europe/Berlin.' },
    },
    more: ['examples', 'time_zone'],
  },
  auth: {
    title: 'Sign in',
    line: 'Lets people into your app without a password.',
    verb: 'Signs in',
    heading: 'Your app comes next',
    nothing:
      'There is nothing to set here. Once the address is made, open its console and add your app under “Your apps”: you get the issuer, client ID and secret that the app’s OpenID Connect library needs.',
    form: {
      '/trusted_issuers': {
        label: 'Identity providers you trust',
        hint: 'They may tell an app of yours which address it acts for, without asking (ID-JAG).',
        row: 'Provider',
        add: 'Add another provider',
      },
      '/trusted_issuers/*/issuer': { label: 'Issuer URL', hint: '' },
      '/trusted_issuers/*/client_id': { label: 'Only for this client ID', hint: 'Any of your apps if left empty.' },
      '/trusted_issuers/*/tenant': { label: 'Tenant', hint: 'Only if its assertions name one.' },
      '/trusted_issuers/*/match': {
        label: 'Who its people are',
        hint: '',
        options: { subject: 'Those listed below', email: 'Also by verified e-mail address' },
      },
      '/trusted_issuers/*/jwks_uri': { label: 'URL of its keys', hint: 'Found by itself if left empty.' },
      '/subjects': {
        label: 'Its people',
        hint: 'Which of your addresses each of them is.',
        row: 'Person',
        add: 'Add another person',
      },
      '/subjects/*/issuer': { label: 'Issuer URL', hint: '' },
      '/subjects/*/subject': { label: 'Subject (sub)', hint: '' },
      '/subjects/*/mailbox': { label: 'Address', hint: 'One of this namespace.' },
    },
    more: ['trusted_issuers', 'subjects'],
  },
};

/** From where e-mail to the addresses arrives: from anywhere, from this machine alone, or not at all. */
export type TakesMail = 'anywhere' | 'machine' | 'no';

const WAYS: Readonly<Record<TakesMail, string>> = {
  anywhere: 'on its page, over HTTP and by e-mail.',
  machine: 'on its page, over HTTP and by e-mail from this machine.',
  no: 'on its page and over HTTP. E-mail to it is not delivered.',
};

/** How an address can be reached. */
export const reached = (mail: TakesMail): string => `It answers ${WAYS[mail]}`;
/** The same of addresses in general. */
export const reachedMany = (mail: TakesMail): string => `An address answers ${WAYS[mail]}`;

const MAX_LINE = 90;

/** The words of a behavior; one without an entry here gets its own title and description. */
export function wordsOf(behavior: Described): BehaviorWords {
  const { name, title, description, example } = behavior;
  const known: BehaviorName = Object.hasOwn(WORDS, name)
    ? (WORDS[name] as BehaviorName)
    : { title, line: description, verb: title };
  return {
    heading: 'Settings',
    nothing: 'There is nothing to set. It works as it is.',
    form: {},
    more: [],
    ...(example && { example: { body: short(example.body), reply: html`${short(example.reply)}` } }),
    ...known,
  };
}

/** What an address with this behavior does, in a word or two: “Proofreads”. */
export const verbOf = (behavior: string, title: string = behavior): string =>
  Object.hasOwn(WORDS, behavior) ? (WORDS[behavior] as BehaviorName).verb : title;

/** The first line, cut at a word. */
export function short(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  if (line.length <= MAX_LINE) return line;
  // Does not cut a surrogate pair where no word ends.
  const cut = line.slice(0, MAX_LINE).replace(/\s+\S*$|[\ud800-\udbff]$/, '');
  return `${withoutTrailing(cut, `${BLANKS},;:–—-`)}…`;
}
