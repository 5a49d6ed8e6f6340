/** A fragment as an item of a list: further lines belong to it. */
const itemOf = (fragment: string): string => `- ${fragment.trim().replace(/\n(?=.)/g, '\n  ')}`;

/**
 * The changelog with the section of a version, newest first, and that section's text. A section that is there as
 * `## VERSION (unreleased)` gets the date, and the fragments behind what it says; where neither is there, undefined.
 */
export function release(
  changelog: string,
  {
    version,
    date,
    fragments,
  }: { readonly version: string; readonly date: string; readonly fragments: readonly string[] },
): { readonly changelog: string; readonly section: string } | undefined {
  const [head = '', ...sections] = changelog.split(/^(?=## )/m);
  const unreleased = `## ${version} (unreleased)\n`;
  const index = sections.findIndex((section) => section.startsWith(unreleased));
  const written = index < 0 ? '' : (sections[index] as string).slice(unreleased.length).trim();
  const text = [written, fragments.map(itemOf).join('\n')].filter((part) => part !== '').join('\n\n');
  if (text === '') return undefined;
  const section = `## ${version} (${date})\n\n${text}\n`;
  const others = sections.filter((_, other) => other !== index);
  return {
    changelog: `${[head.trimEnd(), section.trimEnd(), ...others.map((other) => other.trimEnd())].join('\n\n')}\n`,
    section,
  };
}
