/** The kind of the states that say whom else an answer is for, by the id of what it answers, until they have it. */
export const ANSWER_TO_ALL = 'answer-to-all';
