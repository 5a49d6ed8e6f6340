import { QUOTED } from './send-doubts.ts';

const SUBJECT =
  /(?:^|(?<![\s,])[\s,]+)(?:with |and |using )?(?:an? |the )?(?:subject|title|subject line)(?: line)?(?: of| is| being| as)?[\s:]+/i;

export interface Cut {
  /** The instruction without the subject. */
  readonly text: string;
  readonly subject: string | undefined;
  /** The words before the subject, where there are words behind it too. */
  readonly above?: string;
}

/** Removes "with subject …" up to a closing quotation mark, words that introduce the text, "to" an address, or the end. */
export function withoutSubject(text: string): Cut {
  const found = SUBJECT.exec(text);
  if (found === null) return { text, subject: undefined };
  const head = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  const cut = (length: number, subject: string | undefined, sign: string): Cut => {
    const rest = after.slice(length);
    const both = head.trim() !== '' && rest.trim() !== '';
    return { text: `${head}${sign}${rest}`.trim(), subject: subject?.trim(), ...(both && { above: head.trim() }) };
  };
  const quoted = QUOTED.exec(after);
  if (quoted?.index === 0) return cut(quoted[0].length, quoted[1] ?? quoted[2], ' ');
  const end =
    /(?:,)? (?:and |with )?(?:(?:the )?(?:text|body|message|content)\b|saying\b)|,? to (?=\S+@)|: |$/i.exec(after)
      ?.index ?? after.length;
  return cut(end, after.slice(0, end), '');
}
