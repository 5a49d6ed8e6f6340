let names: Intl.DisplayNames | undefined;

/** The English name of a language by its BCP 47 tag, such as “German” for `de`; a tag without a name as it is. */
export function languageName(tag: string): string {
  // Made at its first use, because it reads the names of all languages.
  names ??= new Intl.DisplayNames(['en'], { type: 'language' });
  return names.of(tag) ?? tag;
}
