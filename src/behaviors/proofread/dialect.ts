/** The dialects a mailbox can be set to, in the order of Harper's own numbers for them. */
export const DIALECTS = ['american', 'british', 'australian', 'canadian', 'indian'] as const;
export type Dialect = (typeof DIALECTS)[number];

export const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  american: 'American English',
  british: 'British English',
  australian: 'Australian English',
  canadian: 'Canadian English',
  indian: 'Indian English',
};
