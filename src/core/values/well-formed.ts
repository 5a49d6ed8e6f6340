/** A text as any database keeps it: U+0000 and halves of a surrogate pair, which PostgreSQL refuses, are marks. */
export const wellFormed = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed();
