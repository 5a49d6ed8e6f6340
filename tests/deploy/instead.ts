/** Replaces a part of the text of a file, which must be there. */
export function instead(text: string, that: string | RegExp, put: string): string {
  const changed = text.replaceAll(that, put);
  if (changed === text) throw new Error(`The file has no ${that}`);
  return changed;
}
