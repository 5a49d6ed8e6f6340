/** A text that any database can store: U+0000 and lone surrogates, which PostgreSQL refuses, are replaced. */
export const wellFormed = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed();
