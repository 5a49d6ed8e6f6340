/** Guests without a known network share one turn as a single caller. */
const GUESTS = 'guest:';

/** The caller that guests of a network count for; '' for those without a known one. */
export const guestCaller = (network: string): string => GUESTS + network;
export const isGuest = (caller: string): boolean => caller.startsWith(GUESTS);
