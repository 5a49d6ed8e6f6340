/** The kind of the states that say whom else an answer is for, by the id of its reply, until they have it. */
export const ANSWER_TO_ALL = 'answer-to-all';
/** The kind of the states of what people send in a conversation, for as long as they may take it back. */
export const HELD_SEND = 'held-send';
/** The kind of the states that say by which keys a console of a namespace is open, for as long as it counts as open. */
export const CONSOLE_OPEN = 'console-open';
/** The kind of the states that say when each key of a namespace last saw in a console what waits. */
export const CONSOLE_LOOKED = 'console-looked';
/** The kind of the states that say that moving a message to the trash canceled it, by its id, for as long as that can be undone. */
export const CANCELED_BY_TRASH = 'canceled-by-trash';
/** The kind of the states that say what an account has let a client do, under which its tokens work. */
export const GRANT = 'oidc:Grant';
