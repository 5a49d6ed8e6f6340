/** What the rules of a mailbox do to a message, as it is stored with it. */
export interface AppliedRules {
  /** Of the rules that applied, in their order. */
  readonly ids: readonly string[];
  readonly labels?: readonly string[];
  /** Addresses as they are stored. */
  readonly forward_to?: readonly string[];
  /** The account of the member who takes care of its conversation. */
  readonly assign?: string;
  readonly review?: true;
  readonly answer?: false;
}
