/** Words that a bare verb follows, for a pattern. */
export const MODAL = "can|could|will|would|shall|should|may|might|must|'ll|n't|to|cannot";
/** Words that begin an object, for a pattern. */
export const OBJECT = 'a|an|the|my|your|his|her|its|our|their|this|that|these|those|it|them|me|us|him|any|some';
/** The months, for a pattern. */
export const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
/** The numbers of days in dates, for a pattern. */
export const DAY_NUMBERS = Array.from({ length: 31 }, (_, at) => at + 1).join('|');
