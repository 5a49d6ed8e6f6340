/** A mail as it was received, with what is known of its way. */
export interface ReceivedMail {
  readonly raw: Uint8Array;
  /** The return path; '' for a bounce. */
  readonly from: string;
  readonly recipients: readonly string[];
  /** The address of the client that handed it over; null where that is unknown. */
  readonly ip: string | null;
  /** What the client called itself (`HELO` or `EHLO`); '' where that is unknown. */
  readonly helo: string;
}

/** What a filter says about a mail. */
export type SpamVerdict =
  | {
      readonly kind: 'judged';
      /** Whether the filter would mark or refuse it. */
      readonly spam: boolean;
      readonly score: number;
      /** In the filter's words, such as `no action` or `reject`. */
      readonly action: string;
      /** The rules that counted, those first that counted most. At most 50. */
      readonly symbols: readonly { readonly name: string; readonly score: number }[];
    }
  /** It could not be asked, or did not answer in time. `reason` is a sentence for the log. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Judges mail of strangers. */
export interface SpamFilter {
  /** Rejects only with the signal's reason. */
  judge(mail: ReceivedMail, signal: AbortSignal): Promise<SpamVerdict>;
}
