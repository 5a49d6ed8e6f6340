import type { Behavior, Context, Outcome } from '@mailroom/behavior';
import { shortAddress } from '@mailroom/behavior/values/address';
import { JsonText } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import { LanguageReader } from './language-reader.ts';
import { looks } from './looks.ts';

const Introduction = Type.String({ minLength: 1, maxLength: 8192, description: 'Markdown, up to 8 KiB.' });
const Url = Type.String({ pattern: '^https?://[^\\s<>"()]+$', maxLength: 2048 });
const Link = Type.Object(
  { label: Type.String({ minLength: 1, maxLength: 100 }), url: Url },
  { additionalProperties: false },
);
const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'The name to introduce.' }),
  type: Type.Enum(['Person', 'Organization'], { description: 'What schema.org calls them; Person by default.' }),
  introduction: Introduction,
  links: Type.Array(Link, { maxItems: 20 }),
  languages: Type.Record(Type.String({ pattern: '^[a-z]{2}$' }), Introduction, {
    description: 'Other introductions, by ISO 639-1 code.',
    additionalProperties: false,
  }),
};
const Settings = Type.Partial(Type.Object(fields), { additionalProperties: false });

type Settings = Type.Static<typeof Settings>;

export default (): Behavior => makeHello() as Behavior;

/** The behavior `hello`: introduces the owner, in the language of the message where an introduction in it exists. */
export function makeHello(): Behavior<Settings> {
  const reader = new LanguageReader();
  /** By the mailbox as it was read last and by language, because one answers the same to each message. */
  const answers = new WeakMap<object, Map<string | null, Outcome>>();
  function answer(mailbox: Context<Settings>['mailbox'], settings: Settings, language: string | null): Outcome {
    const byLanguage = answers.get(mailbox) ?? new Map<string | null, Outcome>();
    const before = byLanguage.get(language);
    if (before !== undefined) return before;
    const outcome = introduction(mailbox, settings, language);
    answers.set(mailbox, byLanguage.set(language, outcome));
    return outcome;
  }
  return {
    name: 'hello',
    title: 'Profile',
    description: "Auto-replies with the owner's self-introduction.",
    looks,
    settings: Settings,
    immediate: true,
    example: {
      body: 'Who are you?',
      reply: "I'm Ada, and I write programs for engines.\n\n- [Notes](https://ada.example)",
    },
    handle({ body }, context) {
      const { mailbox, settings } = context;
      const { languages = {} } = settings;
      const language = Object.keys(languages).length > 0 ? reader.languageOf(body, context) : null;
      if (language instanceof Promise) return language.then((found) => answer(mailbox, settings, found));
      return answer(mailbox, settings, language);
    },
    close: () => reader[Symbol.asyncDispose](),
  };
}

function introduction(mailbox: Context<Settings>['mailbox'], settings: Settings, language: string | null): Outcome {
  const { type = 'Person', links = [], languages = {} } = settings;
  const name = settings.name ?? mailbox.display_name ?? shortAddress(mailbox.local_part, mailbox.namespace);
  const own = settings.introduction ?? `Hello, this is ${name}.`;
  const text = (language !== null && Object.hasOwn(languages, language) && languages[language]) || own;
  const list = links.map(({ label, url }) => `- [${label.replace(/[\\[\]]/g, '\\$&')}](${url})`).join('\n');
  return {
    kind: 'reply',
    body: list === '' ? text : `${text}\n\n${list}`,
    data: new JsonText(
      JSON.stringify({
        '@context': 'https://schema.org',
        '@type': type,
        name,
        description: text,
        url: links[0]?.url ?? null,
        sameAs: links.map(({ url }) => url),
      }),
    ),
  };
}
