import type { Behavior } from '@mailroom/behavior';
import { short, wordsOf } from '../words.ts';

/** A description for an address whose owner wrote none: it is shown on its page and in link previews. */
export function lineFor(behavior: Behavior, settings: { readonly [name: string]: unknown }): string {
  // The words of the form speak to the owner.
  if (behavior.answered !== undefined) return behavior.description;
  const { line, verb } = wordsOf(behavior);
  const { describes } = behavior.looks ?? {};
  if (describes === undefined) return line;
  const [text, name] = [settings[describes.text], settings[describes.name]];
  const own = typeof text === 'string' ? firstSentence(text) : '';
  if (own !== '') return own;
  const called = typeof name === 'string' ? onOneLine(name) : '';
  return called === '' ? line : `${verb} ${short(called)}.`;
}

/** Characters of a text that are searched for its first sentence. */
const MAX_READ = 1_000;
/** A shorter sentence, such as “Hello!”, gets the next one too. */
const SENTENCE_LEAST = 20;
let sentences: Intl.Segmenter | undefined;

/** The first sentence of a Markdown text, as plain text of about 90 characters. */
export function firstSentence(markdown: string): string {
  const text = plain(markdown.slice(0, MAX_READ));
  let first = '';
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const { segment } of sentences.segment(text)) {
    first += segment;
    if (first.trim().length >= SENTENCE_LEAST) break;
  }
  return short(first);
}

/** Headings and code, which are no introduction. */
const ASIDE =
  /^ {0,3}(?:#{1,6}[ \t].*|(?:`{3,}|~{3,})[\s\S]*?(?:^ {0,3}(?:`{3,}|~{3,})[ \t]*$|$(?![\s\S]))|\S.*\n {0,3}(?:=+|-+)[ \t]*)$/gm;
const RULE = /^ {0,3}(?:([-=_*])(?:[ \t]*\1){2,}|[`~]{3,}.*)[ \t]*$/gm;

/** The first paragraph without the most common Markdown characters (CommonMark 0.31). */
function plain(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n');
  return firstBlock(text.replace(ASIDE, '')) || firstBlock(text);
}

function firstBlock(markdown: string): string {
  for (const block of markdown.replace(RULE, '').split(/\n\s*\n/)) {
    const lines = block.split('\n').map((line) => line.replace(/^[\s>]*(?:#{1,6}\s+|[-+*]\s+|\d{1,9}[.)]\s+)?/, ''));
    const text = onOneLine(withoutMarks(lines.join(' ')));
    if (text !== '') return text;
  }
  return '';
}

const withoutMarks = (text: string): string =>
  text
    .replace(/!?\[([^\][]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s[^()]*)?\)/g, '$1')
    .replace(/<((?:https?|mailto):[^<>\s]*)>/g, '$1')
    .replace(/(?<!\\)(\*{1,3}|~~|`+)(?=\S)(.*?)(?<=[^\s\\])\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}\\])(_{1,3})(?=\S)(.*?)(?<=[^\s\\])\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');

export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
