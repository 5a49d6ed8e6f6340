/** Numbers of words of a text that were not read, by the reason. */
export type PassedOver = Readonly<Record<'other_language' | 'not_prose' | 'unknown', number>>;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Such as “12 words in another language and 3 unknown words were passed over.”; undefined where everything was read. */
export function passedOverText({ other_language, not_prose, unknown }: PassedOver): string | undefined {
  const parts: string[] = [];
  if (other_language > 0) parts.push(`${counted(other_language, 'word')} in another language`);
  if (not_prose > 0) parts.push(`${counted(not_prose, 'word')} of code, data or capitals`);
  if (unknown > 0) parts.push(counted(unknown, 'unknown word'));
  if (parts.length === 0) return undefined;
  const were = other_language + not_prose + unknown === 1 ? 'was' : 'were';
  return `${new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)} ${were} passed over.`;
}
