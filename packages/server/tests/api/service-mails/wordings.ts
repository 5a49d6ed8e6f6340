/** What a service writes in one language: `{code}` stands where the code does. */
export interface Wordings {
  readonly codes: readonly (readonly [subject: string, text: string])[];
  readonly links: readonly (readonly [subject: string, text: string, button: string])[];
  /** Mails with neither. */
  readonly none: readonly (readonly [subject: string, text: string])[];
  readonly footer: string;
  /** What the link to unsubscribe says. */
  readonly unsubscribe: string;
  /** The fields of a mail that Outlook forwards. */
  readonly forwarded: readonly [from: string, sent: string, to: string, subject: string];
}
