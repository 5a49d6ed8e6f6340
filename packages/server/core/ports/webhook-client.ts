import type { Millis } from '@mailroom/behavior/values/clock';

/** One attempt to deliver a webhook. */
export interface WebhookRequest {
  readonly url: string;
  /** Identifies what is delivered, the same for every attempt: sent as `webhook-id`. */
  readonly id: string;
  /** JSON text. */
  readonly body: string;
  /** `whsec_…`; it is signed by each of them. None for what is not signed. */
  readonly secrets: readonly string[];
  /** Headers besides, or in place of, the usual ones, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is read of the body of the response, in bytes; 16 KiB by default. */
  readonly max_bytes?: number;
}

/** The result of one attempt. */
export type WebhookResponse =
  | {
      /** There was a response, of whatever status. A redirect is one too: it is not followed. */
      readonly kind: 'response';
      readonly status: number;
      /** Without parameters, in lower case; '' when there was none. */
      readonly media_type: string;
      readonly text: string;
      /** Whether the body was longer than `max_bytes`. */
      readonly cut: boolean;
      /** Of `Retry-After` (RFC 9110, section 10.2.3). */
      readonly retry_after_ms?: Millis;
    }
  /** No whole response came. `reason` is a sentence for the owner of the webhook; it names the host and nothing else. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Sends webhooks: a signed POST to a URL that an untrusted person named. */
export interface WebhookClient {
  /**
   * Why a URL cannot be a webhook, as a sentence that says how to fix it; undefined when it can. The name is looked up: one
   * that is not found is accepted, because it may be set up later.
   */
  urlError(url: string): Promise<string | undefined>;
  /**
   * Makes one attempt, of 15 s in all: signed, no redirect followed, and only to addresses that may be reached. Never
   * rejects, unless with the signal's reason.
   */
  post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse>;
}
