import { createRequire } from 'node:module';

/** The words that the tagger knows. It adds each word that it reads, and its number by the word. */
interface Lexemes {
  readonly list: readonly string[];
  readonly hash: Record<string, number>;
  readonly intrinsicSize: number;
}

interface Model {
  core(): { readonly features: { readonly lexeme: Lexemes } };
}

interface Wink {
  readDoc(text: string): { tokens(): { out(what: unknown): string[] } };
  readonly its: { readonly value: unknown; readonly pos: unknown };
}

// Both are CommonJS without types that fit `nodenext`.
const require = createRequire(import.meta.url);
const makeWink = require('wink-nlp') as (model: Model, pipe: string[]) => Wink;
const model = require('wink-eng-lite-web-model') as Model;

/** Added words are kept for good, some 100 bytes each, so that a new tagger, which takes 0.1 s, replaces one with so many. */
const MAX_ADDED = 200_000;

let lexemes: Lexemes;

function makeTagger(): Wink {
  const core = (): ReturnType<Model['core']> => {
    const made = model.core();
    lexemes = made.features.lexeme;
    return made;
  };
  return makeWink({ ...model, core }, ['sbd', 'pos']);
}

let wink = makeTagger();

/** The words, numbers and signs of a text, and their parts of speech, which depend on this text alone. */
export function tag(text: string): { values: string[]; tags: string[] } {
  if (lexemes.list.length > lexemes.intrinsicSize + MAX_ADDED) wink = makeTagger();
  const { list, hash } = lexemes;
  const lexemeCount = list.length;
  const tokens = wink.readDoc(text).tokens();
  const read = { values: tokens.out(wink.its.value), tags: tokens.out(wink.its.pos) };
  // Where it knows "man's" from a text before, it no longer divides it.
  for (let added = lexemeCount; added < list.length; added += 1) delete hash[list[added] as string];
  return read;
}
