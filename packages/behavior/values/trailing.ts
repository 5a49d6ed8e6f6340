/** The characters that `\\s` matches in regular expressions (ECMA-262, WhiteSpace and LineTerminator). */
export const BLANKS =
  ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * The text without the characters of `marks` at its end. Replaces `text.replace(/[…]+$/, '')`, which takes quadratic time
 * on a run of marks elsewhere in the text.
 */
export function withoutTrailing(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text[end - 1] as string)) end--;
  return end === text.length ? text : text.slice(0, end);
}
