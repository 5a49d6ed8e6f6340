import type { Step } from '../plan/index.ts';
import { plain } from './courtesy.ts';
import { masked } from './split.ts';

const MAX_TEXT = 1_000;
const MAX_JOINTS = 8;
/** What may separate words of a sender from something else to do. */
const JOINT = /[,;.!?]? (?:(?:and|n|&) )?(?:then|also|after that|afterwards|next)\b,? |,? (?:and|n|&) |[;.!?] /gi;
const WEAK = /^,? (?:and|n|&) $/i;
const ASKS_ME =
  /^(?:(?:please|pls|can you|could you|would you),? )*(?:(?:tell|show|give) me|let me know) (?:what|how|which|when|where|who|if|whether|the|\d)|^remind me\b/i;
const ASKS = /^(?:what|how (?:many|much|long|far|old)|which|calculate|compute|work out|convert)\b/i;

const POLITELY = /\b(?:can|could|would|will) (?:you|u|ya)\b[^?]*$/i;
/** The inputs that are sent or kept; those of schedules are planned by themselves. */
const KEPT: Readonly<Record<string, string>> = { send: 'body', remember: 'text', remind: 'text' };

/**
 * The end of words that are sent or kept which asks the mailbox something: "my seat is 14C and tell me what 5 + 5 is".
 * `written`: the message; `isSure`: whether an instruction is clear.
 */
export function askedBehind(
  { task, input }: Step,
  instruction: string,
  written: string,
  isSure: (text: string) => boolean,
): string | undefined {
  const text = input[KEPT[task] ?? ''];
  if (typeof text !== 'string' || text.length > MAX_TEXT || text.includes('\n') || /^ask\b/i.test(instruction))
    return undefined;
  if (instruction.includes(`"${text}"`) || instruction.includes(`“${text}”`)) return undefined;
  // The mark ends the request "could you tell a@b.c that …?".
  const [asked = ''] = /^[^?\n]{3,}\?(?= +\S)/.exec(text) ?? [];
  if (asked !== '' && POLITELY.test(written.slice(0, written.indexOf(asked)))) return text.slice(asked.length).trim();
  const sends = task === 'send';
  for (const { index, 0: joint } of [...masked(text).matchAll(JOINT)].slice(0, MAX_JOINTS)) {
    const behind = text.slice(index + joint.length).trim();
    const forUs = ASKS_ME.test(behind);
    if (forUs && !sends) return behind;
    const asked = plain(behind);
    // Who gets a message may be asked in it, and is not told to calculate.
    const isAsked = forUs || ASKS.test(asked);
    if (isAsked && !(sends && WEAK.test(joint) && !forUs && !/^c/i.test(asked)) && isSure(asked)) return behind;
  }
  return undefined;
}
