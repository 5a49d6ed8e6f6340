/** SQL that holds for the named column where it has the id of one of certain messages. */
export type Among = (column: string) => string;

/** Those that a statement selects. */
export const selectedBy =
  (selected: string): Among =>
  (column) =>
    `${column} in (${selected})`;

/**
 * Those with ids after `$1` and up to `$2` for which a condition holds. Each table looks in its own index for the range
 * first, so where it has nothing of these messages, as most have of most, no message is read.
 */
export const within =
  (holds: (id: string) => string): Among =>
  (column) =>
    `${column} > $1 and ${column} <= $2 and ${holds(column)}`;
