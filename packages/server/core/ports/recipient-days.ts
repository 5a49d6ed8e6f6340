/** Recipients that were counted on a UTC day, which is the number of days since 1970-01-01. */
export interface Counted {
  readonly recipients: number;
  readonly day: number;
}

/** To how many recipients mailboxes wrote on a UTC day, exact across nodes and restarts. */
export interface RecipientDays {
  /** Counts them all, or none where more than `max` would be counted: false then. */
  take(mailbox_id: string, counted: Counted, max: number): Promise<boolean>;
  giveBack(mailbox_id: string, counted: Counted): Promise<void>;
  /** Deletes up to `max` counts of before this day; how many were deleted. */
  trim(day: number, max: number): Promise<number>;
}
