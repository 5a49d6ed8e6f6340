import type { JsonObject, Tool, ToolCall } from './tool.ts';

/** A prompt that a person may choose (MCP, "Prompts"). */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description: string;
    readonly required?: boolean;
    /** What a person may mean who typed this so far. */
    complete?(typed: string): readonly string[];
  }[];
  /** What stands in the conversation, each part as content of the protocol. */
  content(args: Readonly<Record<string, string>>): readonly JsonObject[];
}

/** One page of a list, and where the next begins. */
export interface ListPage {
  readonly items: readonly JsonObject[];
  readonly next?: string | undefined;
}

/** What a client may read (MCP, "Resources"). */
export interface Resources {
  readonly templates: readonly JsonObject[];
  /** A page of them. AppError `validation_error` for a cursor that it did not give. */
  list(cursor: string | undefined, signal: AbortSignal): Promise<ListPage>;
  /** The contents of a resource; undefined when there is none that the caller may read. Throws AppError. */
  read(uri: string, signal: AbortSignal): Promise<readonly JsonObject[] | undefined>;
}

/** A notification about an inbox, as `_meta` of the protocol has it. */
export interface InboxNotice {
  readonly 'mailroom/cursor': string;
  readonly 'mailroom/event': string;
  readonly 'mailroom/message': string;
  readonly 'mailroom/thread': string;
}

/** One inbox to which a caller subscribed. */
export interface InboxSubscription {
  readonly uri: string;
  /** Tells of each change until `signal` aborts; resolves when it ended, or the caller may not read it any more. */
  follow(tell: (notice: InboxNotice) => void, signal: AbortSignal): Promise<void>;
}

/** What one server offers to one caller: that of an address, or of a namespace. */
export interface Offer {
  readonly title: string;
  /** For models: what the server is for. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: Resources;
  /** What a client may subscribe to; absent for callers who list no messages. */
  readonly inboxes?: {
    /** An inbox; undefined for what is none, or none of the caller's. AppError `validation_error`. */
    subscription(uri: string): Promise<InboxSubscription | undefined>;
  };
  /** Counts an open subscription until `gone` aborts. AppError `rate_limited`. */
  countListen?(gone: AbortSignal): void;
  /** AppError for a caller whose access token lacks the scope of the tool; without it each tool may be called. */
  checkScope?(tool: Tool): Promise<void> | undefined;
  /** The means of a tool, for a call that has `progress` and `user` and ends with `signal`. */
  toolCall(of: Pick<ToolCall, 'progress' | 'user' | 'signal'>): ToolCall;
}
