/** The kind of the states that say whom else an answer is for, by the id of what it answers, until they have it. */
export const ANSWER_TO_ALL = 'answer-to-all';
/** The kind of the states of what people send in a conversation, for as long as they may take it back. */
export const HELD_SEND = 'held-send';
/** The kind of the states that say when a console of a namespace was last open, by the namespace. */
export const CONSOLE_SEEN = 'console-seen';
/** The kind of the states that say that its owners were called since, by the namespace. */
export const OWNERS_CALLED = 'owners-called';
/** The kind of the states that say that moving a message to the trash canceled it, by its id, for as long as that can be undone. */
export const CANCELED_BY_TRASH = 'canceled-by-trash';
