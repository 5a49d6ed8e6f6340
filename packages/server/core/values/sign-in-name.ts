/** The prefix of the names of keys with which accounts act. */
export const SIGN_IN_OF = 'Sign-in of';
