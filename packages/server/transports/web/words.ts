import type { Behavior } from '@mailroom/behavior';
import type { FormWords, MarkedText } from '@mailroom/behavior/looks';
import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { type Html, html } from '../../http/html.ts';
import { looksOf } from './looks.ts';

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

type Described = Pick<Behavior, 'title' | 'description' | 'example' | 'looks'>;

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

/** The words of a behavior; one without looks has its own title and description. */
export function wordsOf({ title, description, example, looks }: Described): BehaviorWords {
  const card = looks?.card ?? (example && { body: short(example.body), reply: [short(example.reply)] });
  return {
    heading: 'Settings',
    nothing: 'There is nothing to set. It works as it is.',
    form: {},
    more: [],
    ...(looks ?? { title, line: description, verb: title }),
    ...(card && { example: { body: card.body, reply: html`${card.reply.map(marked)}` } }),
  };
}

const marked = (part: MarkedText): Html | string => {
  if (typeof part === 'string') return part;
  return 'deleted' in part ? html`<del>${part.deleted}</del>` : html`<ins>${part.inserted}</ins>`;
};

/** What an address with this behavior does, in a word or two: “Proofreads”. */
export const verbOf = (behavior: string, title: string = behavior): string => looksOf(behavior).verb ?? title;

/** The first line, cut at a word. */
export function short(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  if (line.length <= MAX_LINE) return line;
  // Does not cut a surrogate pair where no word ends.
  const cut = line.slice(0, MAX_LINE).replace(/\s+\S*$|[\ud800-\udbff]$/, '');
  return `${withoutTrailing(cut, `${BLANKS},;:–—-`)}…`;
}
