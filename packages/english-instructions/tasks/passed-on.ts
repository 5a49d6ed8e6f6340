import { unquote } from './clause.ts';
import { ADDRESS } from './send-doubts.ts';
import { COURTESY } from './words/courtesies.ts';

const SOFT = '(?:(?:please|pls|plz|kindly|can you|could you|would you|will you|and),? )*';
const THAT = '(?:that|this|it)(?: (?:sentence|message|text|line|note|word for word))?(?: (?:on|along|over))?';
/** A sentence, and that it is to be passed on. */
const PASSED = new RegExp(
  `^("[^"\\n]+"|“[^”\\n]+”|[^\\n.!?]{3,400}(?:[.!…]|\\n))\\s+${SOFT}(?:(?:pass|forward|send|mail|e-?mail|relay|write) ${THAT} to (${ADDRESS.source})|(?:tell|let) (${ADDRESS.source})(?: know)?(?: (?:that|this|so))?)(?:,? ${COURTESY})*[.!?]*$`,
  'iu',
);

/** What a message states in one sentence and asks to pass on: "The lift is out of order. Please tell a@b.c." */
export function passedOn(text: string): { readonly to: string; readonly body: string } | undefined {
  const [, body = '', to, other] = text.length > 600 ? [] : (PASSED.exec(text) ?? []);
  const whom = to ?? other;
  return whom === undefined || body.includes('@') ? undefined : { to: whom, body: unquote(body.trim()) };
}
