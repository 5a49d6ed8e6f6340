/** How many are in the lists beside the inbox, each counted to 100. */
export interface PlaceCounts {
  /** Drafts that are not sent, and answers that were begun. */
  readonly drafts: number;
  /** Messages among the newest 1,000 that were sent, which are not settled. */
  readonly sent: number;
  /** Conversations with something in the trash. */
  readonly trash: number;
  /** Conversations that come back later. */
  readonly later: number;
  /** By member, the conversations that are theirs and not done. */
  readonly assigned: Readonly<Record<string, number>>;
}

/** The lists of a namespace beside its inbox. */
export interface Places {
  counts(namespace_id: string): Promise<PlaceCounts>;
}
