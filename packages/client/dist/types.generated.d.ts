/** A message with its status and reply. */
export type Message = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The thread it belongs to. Send it to continue the conversation. */
    readonly thread_id: string;
    /** The message or reply it answers, if any. */
    readonly in_reply_to: string | null;
    /** The failed message it repeats, if any. */
    readonly retry_of: string | null;
    /** The mailbox it was sent to, including the tag. */
    readonly to: string | null;
    /** The mailbox it was sent as; null without one. */
    readonly from: string | null;
    readonly recipients?: Recipients | undefined;
    /** Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled. */
    readonly copies?: readonly Copy[] | undefined;
    /** Who wrote it. */
    readonly sender: {
        /** A mailbox, a key, a guest without a key, or a stranger by e-mail. */
        readonly kind: 'mailbox' | 'key' | 'guest' | 'email';
        /** The mailbox, key or thread behind it; null once that was deleted. */
        readonly id: string | null;
        /** Of an e-mail: whether its address is proven, as `authentication` says. */
        readonly verified?: boolean | undefined;
        /** Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing. */
        readonly agent?: string | undefined;
    };
    /** How it was submitted. */
    readonly channel: 'api' | 'web' | 'smtp' | 'a2a' | 'mcp';
    /** A subject line, if there is one. */
    readonly subject: string | null;
    /** The text. */
    readonly body: string;
    /** The structured part in addition to the text: any JSON, or null. */
    readonly data: unknown;
    /** Its files. */
    readonly attachments: readonly Attachment[];
    /** Present, and true, of a reply that a person wrote: one that was given without a claim. */
    readonly by_hand?: boolean | undefined;
    /** Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers. */
    readonly answered_by?: {
        readonly kind?: 'member' | 'key' | undefined;
        /** The id of the member, or of the key. */
        readonly id?: string | undefined;
        /** The name of the member, or of the key. */
        readonly name?: string | null | undefined;
    } | undefined;
    /** `submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread. */
    readonly status: 'submitted' | 'working' | 'completed' | 'input_required' | 'failed' | 'canceled' | 'rejected';
    /** `approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing. */
    readonly waiting_for: 'approval' | 'answer' | 'review' | null;
    /** Present, and true, while it is not settled and a person has taken its thread over from the behavior. */
    readonly taken_over?: boolean | undefined;
    readonly approval?: Approval | undefined;
    /** Progress reports of the mailbox, the latest last; empty once the message is settled. */
    readonly progress: readonly Progress[];
    /** Why it was `failed` or `rejected`; else null. */
    readonly error: {
        /** `behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up. */
        readonly code: string;
        /** What went wrong, for people. */
        readonly message: string;
    } | null;
    readonly authentication?: Authentication | undefined;
    readonly not_answered?: 'auto_submitted' | 'precedence' | 'list' | 'null_path' | 'mailer_daemon' | 'own' | 'unverified' | 'quarantine' | 'suppressed' | 'too_many' | 'role' | 'cc' | 'rule' | 'spam' | 'blocked' | 'imported' | null | undefined;
    /** Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself. */
    readonly deliveries?: readonly EmailDelivery[] | undefined;
    /** Its labels in the mailbox by which it is read: for readers of that mailbox only. */
    readonly labels?: readonly string[] | undefined;
    /** Evidence on it, for readers of the mailbox that has it only. */
    readonly findings?: readonly Finding[] | undefined;
    /** The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only. */
    readonly rules?: readonly string[] | undefined;
    /** For keys of its writer's namespace alone. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | undefined;
    /** When it was accepted. It is on disk by then. */
    readonly created_at: string;
    /** When it was settled; null until then. */
    readonly settled_at: string | null;
    /** All replies to it. `reply` is the one that settled it; the thread shows each. */
    readonly replies_count: number;
    /** The answer; null until there is one. */
    readonly reply: Reply | null;
    /** Of a message with several recipients, for its sender: the replies that settled its copies, up to 20. */
    readonly replies?: readonly Reply[] | undefined;
};
/** Whom a message with several recipients is for. */
export type Recipients = {
    /** The mailbox it was sent to, including the tag. */
    readonly to: readonly string[];
    readonly cc: readonly string[];
    /** On the message of its sender alone. */
    readonly bcc?: readonly string[] | undefined;
};
/** What a recipient here has of a message with several recipients. */
export type Copy = {
    /** The message in the mailbox of this recipient. */
    readonly id: string;
    /** The mailbox it was sent to, including the tag. */
    readonly to: string;
    /** As of a message. */
    readonly status: string;
};
/** A file; its bytes are at `/api/v1/mail/attachments/{id}`. */
export type Attachment = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** Without paths and control characters. */
    readonly filename: string;
    /** As the sender declared it. */
    readonly content_type: string;
    /** Bytes. */
    readonly size: number;
    /** Of the bytes, in hexadecimal. */
    readonly sha256: string;
};
export type Approval = {
    /** Whose owner is asked: of the mailbox it was sent to, or of the one it was sent as. */
    readonly by: 'recipient' | 'sender';
    /** Exactly what runs after approval. */
    readonly plan: unknown;
    /** SHA-256 of the plan's JSON: name it to approve this plan and no other. */
    readonly plan_sha256: string;
};
export type Progress = {
    readonly text: string;
    readonly at: string;
};
/** What the checks of an e-mail say. */
export type Authentication = {
    /** The result by RFC 7208, section 2.6. */
    readonly spf: string;
    /** The result by RFC 8601, section 2.7.1, of the best signature. */
    readonly dkim: string;
    /** The result by RFC 9989. */
    readonly dmarc: string;
    /** The result by RFC 8617, section 5.2. */
    readonly arc: string;
    /** Whether the address in `From` is proven. Only then it gets automatic answers and has rights. */
    readonly verified: boolean;
    readonly verified_by?: 'dmarc' | 'dkim' | 'spf' | 'arc' | 'network' | undefined;
};
/** An e-mail on its way to one address. */
export type EmailDelivery = {
    /** The mailbox it was sent to, including the tag. */
    readonly to: string;
    /** The message or reply that leaves. */
    readonly message_id: string;
    /** `sent`: the next server took it. `deferred`: it is tried again, by this service (`next_attempt_at`) or by the server that took it. `bounced`: it could not be delivered and is not tried again. `complained`: its recipient reported it as unwanted. */
    readonly status: 'queued' | 'sent' | 'deferred' | 'bounced' | 'complained';
    /** Why the last attempt failed, as the server said it. */
    readonly error: string | null;
    /** How many attempts were made. */
    readonly attempts: number;
    /** When it was last changed. */
    readonly updated_at: string;
    /** Null when no attempt follows. */
    readonly next_attempt_at: string | null;
};
/** Something in a message that its reader should look at. */
export type Finding = {
    readonly kind: string;
    /** The field, with its offset and length in UTF-16 code units where it is at one place. */
    readonly where: string;
    readonly why: string;
};
export type Reply = {
    /** Its id: the message’s id with another last character. */
    readonly id: string;
    /** The message it answers. */
    readonly in_reply_to: string;
    /** The mailbox that answered. */
    readonly from: string;
    /** Markdown, made for people. */
    readonly body: string;
    /** The structured part of the answer, as the behavior describes it. */
    readonly data: unknown;
    /** Its files. */
    readonly attachments: readonly Attachment[];
    /** Present, and true, of a reply that a person wrote: one that was given without a claim. */
    readonly by_hand?: boolean | undefined;
    /** Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers. */
    readonly answered_by?: {
        readonly kind?: 'member' | 'key' | undefined;
        /** The id of the member, or of the key. */
        readonly id?: string | undefined;
        /** The name of the member, or of the key. */
        readonly name?: string | null | undefined;
    } | undefined;
    /** When it was created. */
    readonly created_at: string;
};
/** The answer to `Prefer: return=minimal`: what the sender of a message cannot know of it. */
export type MinimalMessage = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The thread it belongs to. Send it to continue the conversation. */
    readonly thread_id: string;
    /** `submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread. */
    readonly status: 'submitted' | 'working' | 'completed' | 'input_required' | 'failed' | 'canceled' | 'rejected';
    /** `approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing. */
    readonly waiting_for: 'approval' | 'answer' | 'review' | null;
    /** Why it was `failed` or `rejected`; else null. */
    readonly error: {
        /** `behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up. */
        readonly code: string;
        /** What went wrong, for people. */
        readonly message: string;
    } | null;
    /** The answer; null until there is one. */
    readonly reply: {
        readonly id: string;
        /** Markdown, made for people. */
        readonly body: string;
        /** Any JSON. */
        readonly data: unknown;
        readonly attachments: readonly Attachment[];
    } | null;
};
/** The draft that is sent at its time. */
export type ScheduledDraft = {
    /** The id of the draft. */
    readonly draft_id: string;
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** `draft` waits to be sent by you, `scheduled` for its `send_at`, `failed` could not be sent (see `error`), `sent` is the message `message_id`. */
    readonly status: 'draft' | 'scheduled' | 'failed' | 'sent';
    /** The mailbox it was sent to, including the tag. */
    readonly to: string | readonly string[] | null;
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added. */
    readonly reply_all?: boolean | null | undefined;
    /** Where answers by e-mail go: `Reply-To`. */
    readonly reply_to?: string | readonly string[] | null | undefined;
    /** An HTML part of its own for e-mail, up to 1 MiB. */
    readonly html?: string | null | undefined;
    /** Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`. */
    readonly headers?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Labels of the message in the mailbox that `from` names. */
    readonly labels?: readonly string[] | null | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** The mailbox it was sent as; null without one. */
    readonly from: string | null;
    /** A subject line, if there is one. */
    readonly subject: string | null;
    /** The text. */
    readonly body: string | null;
    /** The structured part in addition to the text: any JSON, or null. */
    readonly data: unknown;
    /** The thread it continues, if any. */
    readonly thread_id: string | null;
    /** The message or reply it answers, if any. */
    readonly in_reply_to: string | null;
    readonly caused_by: string | null;
    /** Its files. */
    readonly attachments: readonly Attachment[];
    /** Whether `POST …/send` waits for the reply. */
    readonly sync: boolean;
    /** When to send it. */
    readonly send_at: string | null;
    readonly message_id: string | null;
    /** Why it was `failed` or `rejected`; else null. */
    readonly error: {
        /** `behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up. */
        readonly code: string;
        /** What went wrong, for people. */
        readonly message: string;
    } | null;
    /** Its `ETag`, as `If-Match` takes it. */
    readonly etag: string;
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
};
export type Send = {
    /** A mailbox address or an address outside, or a list of them; with `cc` and `bcc` at most 50 distinct ones. Needed without `reply_all`. */
    readonly to?: string | readonly string[] | undefined;
    /** 1 byte to 256 KiB of UTF-8. */
    readonly body: string;
    /** Wait for the reply and answer with it. */
    readonly sync?: boolean | undefined;
    /** A subject line, up to 998 characters. */
    readonly subject?: string | null | undefined;
    /** Continue this thread. */
    readonly thread_id?: string | null | undefined;
    /** The message or reply that this one answers. */
    readonly in_reply_to?: string | null | undefined;
    /** A mailbox of the key's namespace to write as. */
    readonly from?: string | null | undefined;
    /** Any JSON of up to 64 KiB and 64 levels: a structured part in addition to the text. */
    readonly data?: unknown;
    /** Up to 20 files, within the size of the JSON document. Send larger ones as `multipart/form-data`. */
    readonly attachments?: readonly {
        readonly filename: string;
        /** `application/octet-stream` by default. */
        readonly content_type?: string | undefined;
        /** The bytes in base64 (RFC 4648, section 4). */
        readonly content: string;
    }[] | undefined;
    readonly caused_by?: string | null | undefined;
    /** When to send it. */
    readonly send_at?: string | null | undefined;
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added. */
    readonly reply_all?: boolean | null | undefined;
    /** Where answers by e-mail go: `Reply-To`. */
    readonly reply_to?: string | readonly string[] | null | undefined;
    /** An HTML part of its own for e-mail, up to 1 MiB. */
    readonly html?: string | null | undefined;
    /** Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`. */
    readonly headers?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Labels of the message in the mailbox that `from` names. */
    readonly labels?: readonly string[] | null | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
};
export type TriedMessage = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The thread it belongs to. Send it to continue the conversation. */
    readonly thread_id: string;
    /** The message or reply it answers, if any. */
    readonly in_reply_to: string | null;
    /** The failed message it repeats, if any. */
    readonly retry_of: string | null;
    /** The mailbox it was sent to, including the tag. */
    readonly to: string | null;
    /** The mailbox it was sent as; null without one. */
    readonly from: string | null;
    readonly recipients?: Recipients | undefined;
    /** Of a message with several recipients, for its sender: what those here have. It is `working` until each address in To has settled. */
    readonly copies?: readonly Copy[] | undefined;
    /** Who wrote it. */
    readonly sender: {
        /** A mailbox, a key, a guest without a key, or a stranger by e-mail. */
        readonly kind: 'mailbox' | 'key' | 'guest' | 'email';
        /** The mailbox, key or thread behind it; null once that was deleted. */
        readonly id: string | null;
        /** Of an e-mail: whether its address is proven, as `authentication` says. */
        readonly verified?: boolean | undefined;
        /** Present only if the request that sent it was signed by an agent (Web Bot Auth) and the signature was verified then: the origin that publishes the key. It says whose software sent it, and grants nothing. */
        readonly agent?: string | undefined;
    };
    /** How it was submitted. */
    readonly channel: 'api' | 'web' | 'smtp' | 'a2a' | 'mcp';
    /** A subject line, if there is one. */
    readonly subject: string | null;
    /** The text. */
    readonly body: string;
    /** The structured part in addition to the text: any JSON, or null. */
    readonly data: unknown;
    /** Its files. */
    readonly attachments: readonly Attachment[];
    /** Present, and true, of a reply that a person wrote: one that was given without a claim. */
    readonly by_hand?: boolean | undefined;
    /** Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers. */
    readonly answered_by?: {
        readonly kind?: 'member' | 'key' | undefined;
        /** The id of the member, or of the key. */
        readonly id?: string | undefined;
        /** The name of the member, or of the key. */
        readonly name?: string | null | undefined;
    } | undefined;
    /** `submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread. */
    readonly status: 'submitted' | 'working' | 'completed' | 'input_required' | 'failed' | 'canceled' | 'rejected';
    /** `approval`: an owner has to approve it first. `answer`: a program or a person outside answers it. Null: for nothing. */
    readonly waiting_for: 'approval' | 'answer' | 'review' | null;
    /** Present, and true, while it is not settled and a person has taken its thread over from the behavior. */
    readonly taken_over?: boolean | undefined;
    readonly approval?: Approval | undefined;
    /** Progress reports of the mailbox, the latest last; empty once the message is settled. */
    readonly progress: readonly Progress[];
    /** Why it was `failed` or `rejected`; else null. */
    readonly error: {
        /** `behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up. */
        readonly code: string;
        /** What went wrong, for people. */
        readonly message: string;
    } | null;
    readonly authentication?: Authentication | undefined;
    readonly not_answered?: 'auto_submitted' | 'precedence' | 'list' | 'null_path' | 'mailer_daemon' | 'own' | 'unverified' | 'quarantine' | 'suppressed' | 'too_many' | 'role' | 'cc' | 'rule' | 'spam' | 'blocked' | 'imported' | null | undefined;
    /** Of an e-mail that is read by itself: the answers on their way to its sender, or of one that a mailbox wrote to an address outside that mail itself. */
    readonly deliveries?: readonly EmailDelivery[] | undefined;
    /** Its labels in the mailbox by which it is read: for readers of that mailbox only. */
    readonly labels?: readonly string[] | undefined;
    /** Evidence on it, for readers of the mailbox that has it only. */
    readonly findings?: readonly Finding[] | undefined;
    /** The ids of the rules of its mailbox that applied as it arrived: for readers of that mailbox only. */
    readonly rules?: readonly string[] | undefined;
    /** For keys of its writer's namespace alone. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | undefined;
    /** When it was created. */
    readonly created_at: string;
    /** When it was settled; null until then. */
    readonly settled_at: string | null;
    /** All replies to it. `reply` is the one that settled it; the thread shows each. */
    readonly replies_count: number;
    /** The answer; null until there is one. */
    readonly reply: Reply | null;
    /** Of a message with several recipients, for its sender: the replies that settled its copies, up to 20. */
    readonly replies?: readonly Reply[] | undefined;
    /** Continues the thread here; as a Bearer token it reads, waits for and cancels its messages. */
    readonly thread_token: string;
};
export type Try = {
    /** A mailbox address. */
    readonly to: string;
    /** 1 byte to 8 KiB of UTF-8. */
    readonly body: string;
    /** The thread to continue. `thread_token` alone is enough. */
    readonly thread_id?: string | null | undefined;
    /** From the previous answer: continues its thread. */
    readonly thread_token?: string | null | undefined;
};
/** A message that is not sent so far. */
export type Draft = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** `draft` waits to be sent by you, `scheduled` for its `send_at`, `failed` could not be sent (see `error`), `sent` is the message `message_id`. */
    readonly status: 'draft' | 'scheduled' | 'failed' | 'sent';
    /** The mailbox it is for; null while there is none. */
    readonly to: string | readonly string[] | null;
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added. */
    readonly reply_all?: boolean | null | undefined;
    /** Where answers by e-mail go: `Reply-To`. */
    readonly reply_to?: string | readonly string[] | null | undefined;
    /** An HTML part of its own for e-mail, up to 1 MiB. */
    readonly html?: string | null | undefined;
    /** Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`. */
    readonly headers?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Labels of the message in the mailbox that `from` names. */
    readonly labels?: readonly string[] | null | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** The mailbox to write as; null without one. */
    readonly from: string | null;
    /** A subject line, if there is one. */
    readonly subject: string | null;
    /** The text; null while there is none. */
    readonly body: string | null;
    /** The structured part in addition to the text: any JSON, or null. */
    readonly data: unknown;
    /** The thread it continues, if any. */
    readonly thread_id: string | null;
    /** The message or reply it answers, if any. */
    readonly in_reply_to: string | null;
    readonly caused_by: string | null;
    /** Its files. */
    readonly attachments: readonly Attachment[];
    /** Whether `POST …/send` waits for the reply. */
    readonly sync: boolean;
    /** When to send it. */
    readonly send_at: string | null;
    readonly message_id: string | null;
    /** Why it was `failed` or `rejected`; else null. */
    readonly error: {
        /** `behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up. */
        readonly code: string;
        /** What went wrong, for people. */
        readonly message: string;
    } | null;
    /** Its `ETag`, as `If-Match` takes it. */
    readonly etag: string;
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
};
export type NewDraft = {
    /** The mailbox it was sent to, including the tag. */
    readonly to?: string | readonly string[] | null | undefined;
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added. */
    readonly reply_all?: boolean | null | undefined;
    /** Where answers by e-mail go: `Reply-To`. */
    readonly reply_to?: string | readonly string[] | null | undefined;
    /** An HTML part of its own for e-mail, up to 1 MiB. */
    readonly html?: string | null | undefined;
    /** Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`. */
    readonly headers?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Labels of the message in the mailbox that `from` names. */
    readonly labels?: readonly string[] | null | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** The text. */
    readonly body?: string | null | undefined;
    /** A subject line, if there is one. */
    readonly subject?: string | null | undefined;
    /** The thread it belongs to. Send it to continue the conversation. */
    readonly thread_id?: string | null | undefined;
    /** The message or reply it answers, if any. */
    readonly in_reply_to?: string | null | undefined;
    /** The mailbox it was sent as; null without one. */
    readonly from?: string | null | undefined;
    /** Any JSON of up to 64 KiB and 64 levels: a structured part in addition to the text. */
    readonly data?: unknown;
    /** Whether `POST …/send` waits for the reply. */
    readonly sync?: boolean | null | undefined;
    readonly caused_by?: string | null | undefined;
    /** When to send it. */
    readonly send_at?: string | null | undefined;
    /** Its files. */
    readonly attachments?: readonly {
        readonly filename: string;
        /** `application/octet-stream` by default. */
        readonly content_type?: string | undefined;
        /** The bytes in base64 (RFC 4648, section 4). */
        readonly content: string;
    }[] | null | undefined;
};
export type DraftPage = {
    /** One page of the list. */
    readonly items: readonly Draft[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A field that is left out stays as it is; null removes it. At least one field, or a file. */
export type DraftChange = {
    /** The mailbox it was sent to, including the tag. */
    readonly to?: string | readonly string[] | null | undefined;
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** With `in_reply_to`: to its author, with everyone else of its To and Cc in Cc, without your own addresses. What `to`, `cc` and `bcc` name is added. */
    readonly reply_all?: boolean | null | undefined;
    /** Where answers by e-mail go: `Reply-To`. */
    readonly reply_to?: string | readonly string[] | null | undefined;
    /** An HTML part of its own for e-mail, up to 1 MiB. */
    readonly html?: string | null | undefined;
    /** Up to 20 header fields of an e-mail: `X-…` but `X-Mailroom-…`, `Importance`, `List-Unsubscribe`, `List-Unsubscribe-Post`. */
    readonly headers?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Labels of the message in the mailbox that `from` names. */
    readonly labels?: readonly string[] | null | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** The text. */
    readonly body?: string | null | undefined;
    /** A subject line, if there is one. */
    readonly subject?: string | null | undefined;
    /** The thread it belongs to. Send it to continue the conversation. */
    readonly thread_id?: string | null | undefined;
    /** The message or reply it answers, if any. */
    readonly in_reply_to?: string | null | undefined;
    /** The mailbox it was sent as; null without one. */
    readonly from?: string | null | undefined;
    /** Any JSON of up to 64 KiB and 64 levels: a structured part in addition to the text. */
    readonly data?: unknown;
    readonly sync?: boolean | null | undefined;
    readonly caused_by?: string | null | undefined;
    /** When to send it. */
    readonly send_at?: string | null | undefined;
    /** Its files. */
    readonly attachments?: readonly {
        /** A file of the draft that stays; without the other fields. */
        readonly id?: string | undefined;
        readonly filename?: string | undefined;
        /** `application/octet-stream` by default. */
        readonly content_type?: string | undefined;
        /** The bytes in base64 (RFC 4648, section 4). */
        readonly content?: string | undefined;
    }[] | null | undefined;
};
/** Work for a program: find the counter, from 0 on, with which PBKDF2 over `nonce` followed by the counter (4 bytes, big-endian) gives a key that starts with `keyPrefix`. Any ALTCHA client does it. */
export type Challenge = {
    readonly parameters: {
        readonly algorithm: string;
        /** 16 bytes, in hex. */
        readonly nonce: string;
        /** 16 bytes, in hex. */
        readonly salt: string;
        /** Iterations for each key. */
        readonly cost: number;
        /** Bytes of a key. */
        readonly keyLength: number;
        /** How the key to be found starts, in hex. */
        readonly keyPrefix: string;
        readonly keySignature: string;
        /** Seconds since 1970. */
        readonly expiresAt: number;
        readonly data: {
            readonly for: string;
            readonly step: number;
        };
    };
    readonly signature: string;
};
export type MessagePage = {
    /** One page of the list. */
    readonly items: readonly Message[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
export type MessageChange = {
    /** Changes of its labels, made together or not at all. */
    readonly labels: {
        /** Labels to add. */
        readonly add?: readonly string[] | undefined;
        /** Labels to remove; one that is not there is no error. */
        readonly remove?: readonly string[] | undefined;
    };
};
export type Forward = {
    /** A mailbox address or an address outside, or a list of them; with `cc` and `bcc` at most 50 distinct ones. Needed without `reply_all`. */
    readonly to: string | readonly string[];
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** A mailbox of your namespace that sends it; the one that has the message by default. */
    readonly from?: string | null | undefined;
    /** What you say above it. */
    readonly body?: string | null | undefined;
    /** `keep`, the default, sends its files too. */
    readonly attachments?: 'keep' | 'none' | undefined;
    /** `inline`, the default: its head and text below yours. `attachment`: as a file `message/rfc822`, with its files in it, which is the original where that is kept. */
    readonly as?: 'inline' | 'attachment' | undefined;
};
export type MessageBatchResult = {
    /** One for each id, in their order. */
    readonly items: readonly {
        readonly id: string;
        /** As its own request would have been answered. */
        readonly status: number;
        readonly error?: {
            readonly code: string;
            readonly message: string;
        } | undefined;
    }[];
};
export type MessageBatch = {
    readonly ids: readonly string[];
    /** Changes of its labels, made together or not at all. */
    readonly labels?: {
        /** Labels to add. */
        readonly add?: readonly string[] | undefined;
        /** Labels to remove; one that is not there is no error. */
        readonly remove?: readonly string[] | undefined;
    } | undefined;
    /** Puts them into the trash. */
    readonly trash?: true | undefined;
    /** Takes them out of the trash. */
    readonly restore?: true | undefined;
};
export type AwaitedMessage = {
    /** Null when the time is over. */
    readonly message: Message | null;
    /** The one-time code as it is typed: digits without blanks, words with single ones; left out where none was found. */
    readonly code?: string | undefined;
    /** The link; left out where none was found. */
    readonly link?: string | undefined;
};
export type WaitRequest = {
    /** Only from this address, with or without the mail domain; `*@example.com` for any of a domain. */
    readonly from?: string | undefined;
    /** A part of the subject, ignoring case. */
    readonly subject?: string | undefined;
    /** Words, or parts of them, and phrases in quotes, each of which is in the subject, the body or an address, ignoring case. */
    readonly query?: string | undefined;
    /** A time (RFC 3339) or the id of a message: only what was received after it, as far back as events are kept. Left out: now. Take the time before you do what the mail answers. */
    readonly after?: string | undefined;
    /** Seconds to wait for it. */
    readonly wait?: number | undefined;
    /** What to find in it: a one-time code, or the link that confirms, resets or signs in. */
    readonly extract?: 'code' | 'link' | undefined;
};
export type ThreadSummaryPage = {
    /** One page of the list. */
    readonly items: readonly ThreadSummary[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A conversation as you see it. */
export type ThreadSummary = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** A subject line, if there is one. */
    readonly subject: string | null;
    /** Addresses of From, To and Cc, oldest first. */
    readonly participants: readonly string[];
    /** Your mailboxes that are in it. */
    readonly mailboxes: readonly string[];
    /** Messages and replies. */
    readonly messages_count: number;
    readonly unread_count: number;
    /** Of any of its messages, in your mailboxes. */
    readonly labels: readonly string[];
    /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
    readonly state?: 'open' | 'waiting' | 'done' | 'later' | undefined;
    /** When one for `later` opens again; null otherwise. */
    readonly until?: string | null | undefined;
    /** The id of the member who takes care of it. */
    readonly assignee?: string | null | undefined;
    readonly last: {
        readonly id: string;
        readonly from: string | null;
        /** The beginning of its text, up to 200 characters. */
        readonly snippet: string;
        readonly created_at: string;
    };
};
export type SearchPage = {
    /** One page of the list. */
    readonly items: readonly SearchHit[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
    /** Everything that was written until then is found. */
    readonly indexed_until: string;
};
export type SearchHit = {
    readonly message: Message;
    /** Where it says what was searched; at most 100. */
    readonly highlights: readonly {
        readonly field: 'subject' | 'body' | 'reply.body';
        /** In UTF-16 code units, as strings of JavaScript count. */
        readonly offset: number;
        readonly length: number;
    }[];
};
export type ThreadPage = {
    /** One page of the list. */
    readonly items: readonly ThreadItem[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
    /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
    readonly state?: 'open' | 'waiting' | 'done' | 'later' | undefined;
    /** When one for `later` opens again; null otherwise. */
    readonly until?: string | null | undefined;
    /** The id of the member who takes care of it. */
    readonly assignee?: string | null | undefined;
    /** What members noted of it, oldest first, up to the newest 200: for members and keys of an owner. Other keys have no notes. */
    readonly notes?: readonly ThreadNote[] | undefined;
};
/** A message or a reply, one after the other. */
export type ThreadItem = {
    /** Whether it is a message or a reply. */
    readonly kind: 'message' | 'reply';
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The thread it belongs to. Send it to continue the conversation. */
    readonly thread_id: string;
    /** The message or reply it answers, if any. */
    readonly in_reply_to: string | null;
    /** The mailbox it was sent as; null without one. */
    readonly from: string | null;
    /** The recipient; null for a reply to a sender without a mailbox. */
    readonly to: string | null;
    /** A subject line, if there is one. */
    readonly subject: string | null;
    /** The text. */
    readonly body: string;
    /** The structured part in addition to the text: any JSON, or null. */
    readonly data: unknown;
    /** Its files. */
    readonly attachments: readonly Attachment[];
    /** Present, and true, of a reply that a person wrote: one that was given without a claim. */
    readonly by_hand?: boolean | undefined;
    /** Of an answer by hand: who gave it, for readers of the mailbox that answered. Its sender gets the `name` alone, where the mailbox signs its answers. */
    readonly answered_by?: {
        readonly kind?: 'member' | 'key' | undefined;
        /** The id of the member, or of the key. */
        readonly id?: string | undefined;
        /** The name of the member, or of the key. */
        readonly name?: string | null | undefined;
    } | undefined;
    /** `submitted` and `working` continue; the others are settled for good. `input_required`: the reply asks back; write again in the thread. */
    readonly status: 'submitted' | 'working' | 'completed' | 'input_required' | 'failed' | 'canceled' | 'rejected';
    /** Why it was `failed` or `rejected`; else null. */
    readonly error: {
        /** `behavior_failed`, `rejected`, `behavior_unavailable`, `answer_timeout`, or `budget_exceeded`: today’s tokens of the language model are used up. */
        readonly code: string;
        /** What went wrong, for people. */
        readonly message: string;
    } | null;
    /** When it was created. */
    readonly created_at: string;
};
/** A note beside a thread: for those who read the mailbox, and for no one else. */
export type ThreadNote = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The conversation beside which it stands. */
    readonly thread_id: string;
    /** The mailbox whose readers see it. */
    readonly mailbox: string;
    /** Who wrote it, as they were called then. */
    readonly author: Actor;
    /** Its text, plain. */
    readonly body: string;
    /** The ids of the members whom it names by `@name`. */
    readonly mentions: readonly string[];
    /** When it was created. */
    readonly created_at: string;
};
/** A member, or a key of no member. */
export type Actor = {
    /** Whether it is a member, or a key of no member. */
    readonly kind: 'member' | 'key';
    /** The id of the member, or of the key. */
    readonly id: string;
    /** The name of the member, or of the key. */
    readonly name: string | null;
};
/** A thread in one mailbox: who answers it, where it stands, and who takes care of it. */
export type Thread = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The mailbox in which it is so. */
    readonly mailbox: string;
    /** Whether its messages wait for an answer by hand. */
    readonly taken_over: boolean;
    /** Since when; null where its mailbox answers. */
    readonly taken_over_at: string | null;
    /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
    readonly state: 'open' | 'waiting' | 'done' | 'later';
    /** When one for `later` opens again; null otherwise. */
    readonly until: string | null;
    /** The id of the member who takes care of it. */
    readonly assignee: string | null;
};
export type ThreadChange = {
    /** Which of your mailboxes it is about: needed where the thread is in several. */
    readonly mailbox?: string | undefined;
    /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
    readonly state?: 'open' | 'waiting' | 'done' | 'later' | undefined;
    /** With `later`, and needed there: when it opens again, in the future. */
    readonly until?: string | null | undefined;
    /** The id of a member who reads the mailbox, `me`, or null for none. */
    readonly assignee?: string | null | undefined;
};
export type NewNote = {
    /** Which of your mailboxes it is about: needed where the thread is in several. */
    readonly mailbox?: string | undefined;
    /** 1 to 10,000 characters. `@name` names a member, who is told. */
    readonly body: string;
};
export type Claimed = {
    /** One page of the list. */
    readonly items: readonly ClaimedMessage[];
};
export type ClaimedMessage = {
    readonly message: Message;
    /** The last 20 messages and replies before it, oldest first. */
    readonly thread: readonly ThreadItem[];
    /** From `POST /api/v1/mailboxes/{address}/claim`. */
    readonly claim: string;
    readonly lease_expires_at: string;
};
export type ClaimRequest = {
    /** How many messages at most. */
    readonly max?: number | undefined;
    /** Seconds to wait for the first message. */
    readonly wait?: number | undefined;
    /** After this time without progress another claim gets the message. */
    readonly lease_seconds?: number | undefined;
};
export type AnsweredMessage = Message & {
    /** The reply that this request added, and whether it settled the message. */
    readonly answer: {
        readonly id: string | null;
        readonly settles: boolean;
    };
};
export type Answer = {
    /** From `POST /api/v1/mailboxes/{address}/claim`. Left out: a person answers by hand, and the reply says so (by_hand). */
    readonly claim?: string | undefined;
    /** Markdown. Required unless the status is `failed` or `rejected`. */
    readonly body?: string | null | undefined;
    /** Any JSON: a structured part in addition to the text. */
    readonly data?: unknown;
    /** Up to 20 files, within the size of the JSON document. Send larger ones as `multipart/form-data`. */
    readonly attachments?: readonly {
        readonly filename: string;
        /** `application/octet-stream` by default. */
        readonly content_type?: string | undefined;
        /** The bytes in base64 (RFC 4648, section 4). */
        readonly content: string;
    }[] | undefined;
    /** `input_required`: the body asks back; the sender answers with a new message in the thread. */
    readonly status?: 'completed' | 'input_required' | 'rejected' | 'failed' | undefined;
    /** Why it failed or was rejected, shown to the sender: a text, or `{code, message}`. */
    readonly error?: string | {
        /** A name for programs; `behavior_failed` or `rejected` by default. */
        readonly code?: string | undefined;
        /** What went wrong, for people. */
        readonly message: string;
    } | null | undefined;
    /** The mailbox it was sent to, including the tag. */
    readonly to?: string | readonly string[] | null | undefined;
    /** Further recipients, whom all see. */
    readonly cc?: readonly string[] | null | undefined;
    /** Further recipients, of whom no other knows. */
    readonly bcc?: readonly string[] | null | undefined;
    /** Everyone else of its To and Cc gets the answer too. What `to`, `cc` and `bcc` name is added, by keys with `mail:send`. */
    readonly reply_all?: boolean | null | undefined;
};
export type AnswerResults = {
    /** One for each answer, in their order. */
    readonly items: readonly {
        readonly message_id: string;
        /** The reply that was added, and whether it settled the message. */
        readonly answer?: {
            readonly id: string | null;
            readonly settles: boolean;
        } | undefined;
        /** Why this message was not answered, as its own request would have said. */
        readonly problem?: {
            readonly status: number;
            readonly code: string;
            readonly title: string;
            readonly detail: string;
        } | undefined;
    }[];
};
export type AnswerBatch = {
    readonly answers: readonly {
        readonly message_id: string;
        /** From `POST /api/v1/mailboxes/{address}/claim`. */
        readonly claim: string;
        /** Markdown. Required unless the status is `failed` or `rejected`. */
        readonly body?: string | null | undefined;
        /** Any JSON: a structured part in addition to the text. */
        readonly data?: unknown;
        /** `input_required`: the body asks back; the sender answers with a new message in the thread. */
        readonly status?: 'completed' | 'input_required' | 'rejected' | 'failed' | undefined;
        /** Why it failed or was rejected, shown to the sender: a text, or `{code, message}`. */
        readonly error?: string | {
            /** A name for programs; `behavior_failed` or `rejected` by default. */
            readonly code?: string | undefined;
            readonly message: string;
        } | null | undefined;
    }[];
};
export type Lease = {
    /** From `POST /api/v1/mailboxes/{address}/claim`. */
    readonly claim: string;
    readonly lease_expires_at: string;
};
export type ProgressRequest = {
    /** From `POST /api/v1/mailboxes/{address}/claim`. */
    readonly claim: string;
    /** What the program is doing, for waiting senders. */
    readonly text?: string | undefined;
    /** The whole reply as written so far, for those who follow the message. */
    readonly draft?: string | undefined;
    /** The lease ends after this time. */
    readonly lease_seconds?: number | undefined;
};
export type ReleaseRequest = {
    /** From `POST /api/v1/mailboxes/{address}/claim`. */
    readonly claim: string;
    /** It can be claimed again after this time. */
    readonly after_seconds?: number | undefined;
};
export type Approve = {
    /** `approval.plan_sha256` of the message, to decide on that plan and no other. */
    readonly plan_sha256?: string | undefined;
};
export type Refuse = {
    /** `approval.plan_sha256` of the message, to decide on that plan and no other. */
    readonly plan_sha256?: string | undefined;
    /** Shown to the sender. */
    readonly reason?: string | undefined;
};
export type ReviewPage = {
    /** One page of the list. */
    readonly items: readonly Review[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A message that waits until an owner has seen it, and what was decided. */
export type Review = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    readonly status: 'pending' | 'approved' | 'rejected' | 'expired';
    /** The mailbox that it would leave. */
    readonly mailbox: string;
    /** The message that it answers, or that its sender wrote. */
    readonly message_id: string;
    /** The message as it would leave: exactly what `hash` covers. */
    readonly message: {
        readonly from: string;
        readonly to: readonly string[] | null;
        readonly cc: readonly string[] | null;
        readonly bcc: readonly string[] | null;
        readonly reply_to: readonly string[] | null;
        readonly headers: {
            readonly [name: string]: unknown;
        } | null;
        readonly subject: string | null;
        readonly body: string;
        readonly html: string | null;
        readonly data: string | null;
        readonly attachments: readonly {
            readonly filename: string;
            readonly content_type: string;
            readonly sha256: string;
        }[] | null;
        readonly in_reply_to: string | null;
    };
    /** Its texts as they were first written. Only where they were changed since. */
    readonly original?: {
        readonly subject: string | null;
        readonly body: string;
        readonly html: string | null;
    } | undefined;
    /** All whom it would reach. */
    readonly recipients: readonly string[];
    readonly findings: readonly Finding[];
    /** SHA-256 of the JSON of RFC 8785 of `message`, in hexadecimal. */
    readonly hash: string;
    readonly requested_at: string;
    /** When it stops working; null: never. */
    readonly expires_at: string;
    readonly decided_by: string | null;
    readonly decided_at: string | null;
    readonly reason: string | null;
    readonly receipt: string | null;
    /** Decisions that were refused, such as forged mails, oldest first, 10 at most. `from` is what they say, and may be false. */
    readonly refusals?: readonly {
        readonly from: string;
        readonly why: string;
        readonly at: string;
    }[] | undefined;
};
export type ApproveReview = {
    /** `hash` of the review as you saw it: what you do is on that text and no other. */
    readonly hash: string;
};
export type RejectReview = {
    /** For owners alone: no sender reads it. */
    readonly reason?: string | undefined;
    /** `hash` of the review as you saw it: what you do is on that text and no other. Without it, on whatever it is by now. */
    readonly hash?: string | undefined;
};
export type ReviewChange = {
    /** `hash` of the review as you read it, so that you overwrite no change that you have not seen. */
    readonly hash?: string | undefined;
    /** Of a message of its own alone. */
    readonly subject?: string | null | undefined;
    /** The text. */
    readonly body?: string | undefined;
    /** Of a message of its own alone. */
    readonly html?: string | null | undefined;
};
export type MailboxPage = {
    /** One page of the list. */
    readonly items: readonly Mailbox[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** An address that is served by an automated agent. */
export type Mailbox = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The whole address. */
    readonly address: string;
    /** The part before the `@`. */
    readonly local_part: string;
    /** Its addresses at the verified domains of the namespace, in the order of the alphabet. */
    readonly aliases: readonly string[];
    /** The name of its namespace. */
    readonly namespace: string;
    readonly display_name: string | null;
    /** What it does, in one line of up to 300 characters. */
    readonly description: string;
    /** `settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone. */
    readonly behavior: {
        /** A name from `GET /api/v1/behaviors`. */
        readonly name: string;
        /** As the behavior's `settings_schema` says. */
        readonly settings?: {
            readonly [name: string]: unknown;
        } | undefined;
    };
    /** `online` answers. `paused` (by its owner) and `offline` accept messages, hold them, and answer them later. */
    readonly status: 'online' | 'paused' | 'offline';
    /** `listed`: in the directory. `unlisted`: found by its address alone. */
    readonly visibility: 'listed' | 'unlisted';
    /** `public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false. */
    readonly access: 'public' | 'key';
    /** Whether people without a key may try it. */
    readonly try_out: boolean;
    /** Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`. */
    readonly wake: 'to' | 'cc' | 'mention';
    /** Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default. */
    readonly sign_answers: boolean;
    /** Pairs of text, for keys of its namespace. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | undefined;
    /** Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. Null for none. Shown as `senders` are. */
    readonly budget?: Budget | null | undefined;
    /** Who may write to it: present where `behavior.settings` are. */
    readonly senders?: Senders | undefined;
    readonly outgoing?: Outgoing | undefined;
    readonly rules?: readonly Rule[] | undefined;
    /** The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on. */
    readonly webhook?: {
        readonly status: 'on' | 'off';
        /** When the attempts began to fail. */
        readonly failing_since: string | null;
        /** When it was switched off. */
        readonly disabled_at: string | null;
        /** What went wrong last. */
        readonly last_error: string | null;
        /** Since when it gets the ids of messages alone, because the key that set it may not read them, or expires. */
        readonly limited_since?: string | undefined;
    } | undefined;
    /** Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it. */
    readonly webhook_secret?: string | undefined;
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
};
export type Budget = {
    /** Of all messages together; null for no limit. */
    readonly tokens_per_day: number | null;
    /** Of each sender: a namespace, an address outside, or the network of a person without a key; null for no limit. */
    readonly tokens_per_sender_per_day: number | null;
};
/** Who may write to a mailbox. Each entry is an address, `*@` and a domain, or a namespace. */
export type Senders = {
    /** Only these may write, by e-mail with proof that they did; when it is empty, everyone may. */
    readonly allow: readonly string[];
    /** These may not write, even when `allow` has them. */
    readonly block: readonly string[];
};
/** What may leave the mailbox, and what of it waits for a review. */
export type Outgoing = {
    /** Which messages wait until an owner approves them. `never`; `outside`: those with a recipient that is no mailbox here; `first_contact`: those to an address that wrote no verified message to this mailbox and was never approved; `findings`: those with findings; `always`. */
    readonly review: 'never' | 'outside' | 'first_contact' | 'findings' | 'always';
    /** Only these are written to, unless it is empty. Each entry is an address, `*@` and a domain, or a namespace. */
    readonly allow: readonly string[];
    /** These are not written to, even when `allow` has them. */
    readonly block: readonly string[];
    /** How many recipients it writes to on a UTC day. */
    readonly max_per_day: number | null;
    /** How long a message waits for its review. */
    readonly expires_seconds: number;
    /** What becomes of a message that was not decided on in time. `send` goes with `outside` and `first_contact` alone, and never sends what has a finding. */
    readonly on_expiry: 'discard' | 'send';
};
export type Rule = {
    /** 1 to 40 of a-z, 0-9, _ and -, once in the list. It is on the messages to which the rule applied. */
    readonly id: string;
    /** All conditions must hold; without any the rule applies to everything. */
    readonly if: {
        /** Its sender: an address, `*@` and a domain, or a namespace. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly from?: string | readonly string[] | undefined;
        /** One of its To or Cc, or the address that got it: entries as in `from`. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly to?: string | readonly string[] | undefined;
        /** The subject contains this text, without case. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly subject?: string | readonly string[] | undefined;
        /** The body contains this text, without case. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly body?: string | readonly string[] | undefined;
        /** It has a file. */
        readonly has?: 'attachment' | undefined;
        /** A finding of this kind was made in it. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly finding?: 'hidden_text' | 'reply_to_differs' | 'lookalike_sender' | 'instructions' | 'dangerous_attachment' | 'spam' | readonly ('hidden_text' | 'reply_to_differs' | 'lookalike_sender' | 'instructions' | 'dangerous_attachment' | 'spam')[] | undefined;
        /** Whether its sender is proven: of a mail by SPF, DKIM and DMARC; a key and a mailbox here are, a guest is not. */
        readonly verified?: boolean | undefined;
        /** How it came. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly channel?: 'api' | 'web' | 'smtp' | 'a2a' | 'mcp' | readonly ('api' | 'web' | 'smtp' | 'a2a' | 'mcp')[] | undefined;
        /** It has this label, by the service on arrival or by an earlier rule. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly label?: string | readonly string[] | undefined;
    };
    readonly then: {
        /** Labels to add. */
        readonly label?: readonly string[] | undefined;
        /** An address, here or outside. One outside gets nothing before it has confirmed by the link in a mail that it is sent. */
        readonly forward_to?: string | undefined;
        /** The id of a member who reads the mailbox, who takes care of the conversation unless another does. Of several rules the first one counts. */
        readonly assign?: string | undefined;
        /** Its answer waits for a review. */
        readonly review?: true | undefined;
        /** Nothing answers it: `completed`, with `not_answered: "rule"`. */
        readonly answer?: false | undefined;
        /** No later rule is looked at. */
        readonly done?: true | undefined;
    };
    /** Of a rule that forwards to an address outside: whether it has confirmed. Until then nothing is forwarded. */
    readonly forward_confirmed?: boolean | undefined;
    /** Of a rule that forwards: the key by which it does was revoked, or may not read the messages any more. Save the rules again, by another key. */
    readonly forward_stopped?: true | undefined;
};
export type NewMailbox = {
    /** 1 to 64 of a-z, 0-9, . _ and -, a letter or digit at both ends, no two dots in a row. */
    readonly local_part: string;
    /** How it should answer. */
    readonly behavior: {
        /** A name from `GET /api/v1/behaviors`. */
        readonly name: string;
        /** As the behavior's `settings_schema` says. */
        readonly settings?: {
            readonly [name: string]: unknown;
        } | undefined;
    };
    readonly display_name?: string | null | undefined;
    /** What it does, in one line of up to 300 characters. */
    readonly description?: string | undefined;
    /** `listed`: in the directory. `unlisted`: found by its address alone. */
    readonly visibility?: 'listed' | 'unlisted' | undefined;
    /** `public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false. */
    readonly access?: 'public' | 'key' | undefined;
    /** Whether people without a key may try it. */
    readonly try_out?: boolean | undefined;
    /** Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`. */
    readonly wake?: 'to' | 'cc' | 'mention' | undefined;
    /** Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default. */
    readonly sign_answers?: boolean | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. A field that is left out stays as it is; null or {} takes the budget away. */
    readonly budget?: {
        /** Of all messages together; null for no limit. */
        readonly tokens_per_day?: number | null | undefined;
        /** Of each sender: a namespace, an address outside, or the network of a person without a key; null for no limit. */
        readonly tokens_per_sender_per_day?: number | null | undefined;
    } | null | undefined;
    /** Who may write to it: each list is replaced as a whole, and one that is left out stays as it is. Each entry is an address, `*@` and a domain, or a namespace. */
    readonly senders?: {
        /** Only these may write, by e-mail with proof that they did; when it is empty, everyone may. */
        readonly allow?: readonly string[] | undefined;
        /** These may not write, even when `allow` has them. */
        readonly block?: readonly string[] | undefined;
    } | undefined;
    /** What may leave it: what is left out stays as it is. */
    readonly outgoing?: {
        /** Which messages wait until an owner approves them. `never`; `outside`: those with a recipient that is no mailbox here; `first_contact`: those to an address that wrote no verified message to this mailbox and was never approved; `findings`: those with findings; `always`. */
        readonly review?: 'never' | 'outside' | 'first_contact' | 'findings' | 'always' | undefined;
        /** Only these are written to, unless it is empty. Each entry is an address, `*@` and a domain, or a namespace. */
        readonly allow?: readonly string[] | undefined;
        /** These are not written to, even when `allow` has them. */
        readonly block?: readonly string[] | undefined;
        /** How many recipients it writes to on a UTC day. */
        readonly max_per_day?: number | null | undefined;
        /** How long a message waits for its review. */
        readonly expires_seconds?: number | undefined;
        /** What becomes of a message that was not decided on in time. `send` goes with `outside` and `first_contact` alone, and never sends what has a finding. */
        readonly on_expiry?: 'discard' | 'send' | undefined;
    } | undefined;
    /** Up to 50 rules, looked at in their order as a message arrives, before it is handled. They are replaced as a whole; [] removes them. Those with `forward_to` are set by a key with `messages:read` too that does not expire. */
    readonly rules?: readonly NewRule[] | undefined;
};
export type NewRule = {
    /** 1 to 40 of a-z, 0-9, _ and -, once in the list. It is on the messages to which the rule applied. */
    readonly id: string;
    /** All conditions must hold; without any the rule applies to everything. */
    readonly if: {
        /** Its sender: an address, `*@` and a domain, or a namespace. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly from?: string | readonly string[] | undefined;
        /** One of its To or Cc, or the address that got it: entries as in `from`. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly to?: string | readonly string[] | undefined;
        /** The subject contains this text, without case. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly subject?: string | readonly string[] | undefined;
        /** The body contains this text, without case. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly body?: string | readonly string[] | undefined;
        /** It has a file. */
        readonly has?: 'attachment' | undefined;
        /** A finding of this kind was made in it. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly finding?: 'hidden_text' | 'reply_to_differs' | 'lookalike_sender' | 'instructions' | 'dangerous_attachment' | 'spam' | readonly ('hidden_text' | 'reply_to_differs' | 'lookalike_sender' | 'instructions' | 'dangerous_attachment' | 'spam')[] | undefined;
        /** Whether its sender is proven: of a mail by SPF, DKIM and DMARC; a key and a mailbox here are, a guest is not. */
        readonly verified?: boolean | undefined;
        /** How it came. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly channel?: 'api' | 'web' | 'smtp' | 'a2a' | 'mcp' | readonly ('api' | 'web' | 'smtp' | 'a2a' | 'mcp')[] | undefined;
        /** It has this label, by the service on arrival or by an earlier rule. A list of up to 20, of which one is enough, or one alone; shown as a list. */
        readonly label?: string | readonly string[] | undefined;
    };
    readonly then: {
        /** Labels to add. */
        readonly label?: readonly string[] | undefined;
        /** An address, here or outside. One outside gets nothing before it has confirmed by the link in a mail that it is sent. */
        readonly forward_to?: string | undefined;
        /** The id of a member who reads the mailbox, who takes care of the conversation unless another does. Of several rules the first one counts. */
        readonly assign?: string | undefined;
        /** Its answer waits for a review. */
        readonly review?: true | undefined;
        /** Nothing answers it: `completed`, with `not_answered: "rule"`. */
        readonly answer?: false | undefined;
        /** No later rule is looked at. */
        readonly done?: true | undefined;
    };
};
export type MailboxChange = {
    readonly display_name?: string | null | undefined;
    /** What it does, in one line of up to 300 characters. */
    readonly description?: string | undefined;
    /** `listed`: in the directory. `unlisted`: found by its address alone. */
    readonly visibility?: 'listed' | 'unlisted' | undefined;
    /** `public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false. */
    readonly access?: 'public' | 'key' | undefined;
    /** Whether people without a key may try it. */
    readonly try_out?: boolean | undefined;
    /** Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`. */
    readonly wake?: 'to' | 'cc' | 'mention' | undefined;
    /** Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default. */
    readonly sign_answers?: boolean | undefined;
    /** Up to 20 pairs of text, which your namespace alone sees: names of 1 to 40 of `a-z 0-9 _ -`, values of up to 500 characters. */
    readonly metadata?: {
        readonly [name: string]: unknown;
    } | null | undefined;
    /** Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. A field that is left out stays as it is; null or {} takes the budget away. */
    readonly budget?: {
        /** Of all messages together; null for no limit. */
        readonly tokens_per_day?: number | null | undefined;
        /** Of each sender: a namespace, an address outside, or the network of a person without a key; null for no limit. */
        readonly tokens_per_sender_per_day?: number | null | undefined;
    } | null | undefined;
    /** Who may write to it: each list is replaced as a whole, and one that is left out stays as it is. Each entry is an address, `*@` and a domain, or a namespace. */
    readonly senders?: {
        /** Only these may write, by e-mail with proof that they did; when it is empty, everyone may. */
        readonly allow?: readonly string[] | undefined;
        /** These may not write, even when `allow` has them. */
        readonly block?: readonly string[] | undefined;
    } | undefined;
    /** What may leave it: what is left out stays as it is. */
    readonly outgoing?: {
        /** Which messages wait until an owner approves them. `never`; `outside`: those with a recipient that is no mailbox here; `first_contact`: those to an address that wrote no verified message to this mailbox and was never approved; `findings`: those with findings; `always`. */
        readonly review?: 'never' | 'outside' | 'first_contact' | 'findings' | 'always' | undefined;
        /** Only these are written to, unless it is empty. Each entry is an address, `*@` and a domain, or a namespace. */
        readonly allow?: readonly string[] | undefined;
        /** These are not written to, even when `allow` has them. */
        readonly block?: readonly string[] | undefined;
        /** How many recipients it writes to on a UTC day. */
        readonly max_per_day?: number | null | undefined;
        /** How long a message waits for its review. */
        readonly expires_seconds?: number | undefined;
        /** What becomes of a message that was not decided on in time. `send` goes with `outside` and `first_contact` alone, and never sends what has a finding. */
        readonly on_expiry?: 'discard' | 'send' | undefined;
    } | undefined;
    /** Up to 50 rules, looked at in their order as a message arrives, before it is handled. They are replaced as a whole; [] removes them. Those with `forward_to` are set by a key with `messages:read` too that does not expire. */
    readonly rules?: readonly NewRule[] | undefined;
    /** Another behavior, other settings, or both. */
    readonly behavior?: {
        /** A name from `GET /api/v1/behaviors`. */
        readonly name?: string | undefined;
        /** As the behavior's `settings_schema` says. */
        readonly settings?: {
            readonly [name: string]: unknown;
        } | undefined;
    } | undefined;
    /** `paused` holds messages; `online` answers them, including held ones. */
    readonly status?: 'online' | 'paused' | undefined;
};
export type RotatedWebhookSecret = {
    /** Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it. */
    readonly webhook_secret: string;
    readonly old_secret_expires_at: string;
};
/** What rules would have done. */
export type RuleTrial = {
    /** One page of the list. */
    readonly items: readonly {
        readonly message: {
            readonly id: string;
            readonly thread_id: string;
            readonly from: string | null;
            readonly subject: string | null;
            readonly created_at: string;
        };
        /** The ids of the rules that would have applied, in their order. */
        readonly rules: readonly string[];
        /** What all of them would have done together; empty where none applies. */
        readonly then: {
            readonly label?: readonly string[] | undefined;
            readonly forward_to?: readonly string[] | undefined;
            readonly assign?: string | undefined;
            readonly review?: true | undefined;
            readonly answer?: false | undefined;
        };
    }[];
};
export type RulesToTry = {
    /** Up to 50 rules, looked at in their order as a message arrives, before it is handled. They are replaced as a whole; [] removes them. Those with `forward_to` are set by a key with `messages:read` too that does not expire. */
    readonly rules: readonly NewRule[];
};
export type Usage = {
    /** One page of the list. */
    readonly items: readonly UsageDay[];
};
export type UsageDay = {
    /** The day in UTC. */
    readonly date: string;
    /** How often its messages were handled with the model; a message that is tried again counts again. */
    readonly runs: number;
    /** What the model read. */
    readonly input_tokens: number;
    /** What the model wrote. */
    readonly output_tokens: number;
    /** Both together. */
    readonly tokens: number;
    /** What runs that have not ended may still use. A run that a crash ended keeps its part until the end of the day. */
    readonly reserved: number;
    /** The `tokens_per_day` of the mailbox when the last run began; null for none. */
    readonly budget: number | null;
};
export type OutsideServers = {
    /** One page of the list. */
    readonly items: readonly OutsideServer[];
};
export type OutsideServer = {
    /** The name in the settings. */
    readonly name: string;
    readonly kind: 'mcp' | 'a2a';
    readonly url: string;
    /** The name that it gives itself; empty when it gives none or is not reached. */
    readonly title: string;
    /** Why it cannot be used; null when it can. */
    readonly error: string | null;
    readonly tools: readonly OutsideTool[];
    /** Of all these tools, for `accepted` in the settings; null when they are not known. */
    readonly tools_sha256: string | null;
    /** Whether the settings accept exactly these tools. */
    readonly accepted: boolean;
    /** How many tools are left out because of their number, name or size. */
    readonly left_out: number;
};
export type OutsideTool = {
    /** Its name in steps. */
    readonly task: string;
    readonly name: string;
    /** By the server itself; not checked. */
    readonly description: string;
    /** JSON Schema of its input, as it was listed. */
    readonly input_schema: {
        readonly [name: string]: unknown;
    };
    /** `reads` for what the server calls read-only. */
    readonly effects: 'reads' | 'writes';
    /** Whether each use waits for the approval of an owner. */
    readonly approval: boolean;
    /** Of its name, description, schema and annotations, and of the URL. */
    readonly sha256: string;
};
export type ClientPage = {
    /** One page of the list. */
    readonly items: readonly Client[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A service that lets people and agents sign in, without its secret. */
export type Client = {
    /** Its `client_id`. */
    readonly id: string;
    /** What its OpenID Connect library is given beside `client_id` and secret. */
    readonly issuer: string;
    /** `owner`: you registered it. `registration`: it registered itself with a token that you made. */
    readonly source: 'owner' | 'registration';
    /** The name people see when they sign in. */
    readonly name: string;
    /** Where people return to, compared exactly. */
    readonly redirect_uris: readonly string[];
    /** Where people may be sent after signing out. */
    readonly post_logout_redirect_uris: readonly string[];
    /** How it authenticates at the token endpoint. */
    readonly token_endpoint_auth_method: string;
    /** `web` or `native`. */
    readonly application_type: string;
    /** Its home page, if it has one. */
    readonly client_uri: string | null;
    /** Its picture, if it has one. */
    readonly logo_uri: string | null;
    /** Its public keys, with `private_key_jwt`. */
    readonly jwks: {
        /** JSON Web Keys (RFC 7517). */
        readonly keys: readonly {
            readonly [name: string]: unknown;
        }[];
    } | null;
    /** Where its public keys are, with `private_key_jwt`. */
    readonly jwks_uri: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
};
export type ClientWithSecret = {
    /** Its `client_id`. */
    readonly id: string;
    /** What its OpenID Connect library is given beside `client_id` and secret. */
    readonly issuer: string;
    /** `owner`: you registered it. `registration`: it registered itself with a token that you made. */
    readonly source: 'owner' | 'registration';
    /** The name people see when they sign in. */
    readonly name: string;
    /** Where people return to, compared exactly. */
    readonly redirect_uris: readonly string[];
    /** Where people may be sent after signing out. */
    readonly post_logout_redirect_uris: readonly string[];
    /** How it authenticates at the token endpoint. */
    readonly token_endpoint_auth_method: string;
    /** `web` or `native`. */
    readonly application_type: string;
    /** Its home page, if it has one. */
    readonly client_uri: string | null;
    /** Its picture, if it has one. */
    readonly logo_uri: string | null;
    /** Its public keys, with `private_key_jwt`. */
    readonly jwks: {
        /** JSON Web Keys (RFC 7517). */
        readonly keys: readonly {
            readonly [name: string]: unknown;
        }[];
    } | null;
    /** Where its public keys are, with `private_key_jwt`. */
    readonly jwks_uri: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
    readonly client_secret: string | null;
};
export type NewClient = {
    /** The name shown to people who sign in, one line of up to 100 characters. */
    readonly name: string;
    /** Where people are sent back to: compared exactly, without wildcards or fragments. `https`, or `http` on localhost, 127.0.0.1 or [::1]; of a native app also a scheme of its own, such as `com.example.app:/callback` or `app://host/callback`. Any port of the machine itself is accepted (RFC 8252, section 7.3). */
    readonly redirect_uris: readonly string[];
    /** Where people may be sent after signing out; the same rules apply. */
    readonly post_logout_redirect_uris?: readonly string[] | undefined;
    /** How it shows who it is at the token endpoint. `client_secret_basic` (the default) and `client_secret_post`: by its secret. `private_key_jwt`: by a key of its own, whose public half is in `jwks` or at `jwks_uri`. `none`: it cannot keep a secret. */
    readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none' | undefined;
    /** `web`, the default, or `native` for what runs on a person's own device: it may have a scheme of its own. */
    readonly application_type?: 'web' | 'native' | undefined;
    /** Its home page, `https`. */
    readonly client_uri?: string | undefined;
    /** Its picture, `https`. */
    readonly logo_uri?: string | undefined;
    /** Its public keys (RFC 7517, section 5), for `private_key_jwt`. */
    readonly jwks?: {
        /** JSON Web Keys (RFC 7517). */
        readonly keys: readonly {
            readonly [name: string]: unknown;
        }[];
    } | undefined;
    /** Where its public keys are, `https`, for `private_key_jwt`. */
    readonly jwks_uri?: string | undefined;
};
export type ClientChange = {
    /** The name shown to people who sign in, one line of up to 100 characters. */
    readonly name?: string | undefined;
    /** Where people are sent back to: compared exactly, without wildcards or fragments. `https`, or `http` on localhost, 127.0.0.1 or [::1]; of a native app also a scheme of its own, such as `com.example.app:/callback` or `app://host/callback`. Any port of the machine itself is accepted (RFC 8252, section 7.3). */
    readonly redirect_uris?: readonly string[] | undefined;
    /** Where people may be sent after signing out; the same rules apply. */
    readonly post_logout_redirect_uris?: readonly string[] | undefined;
    /** How it shows who it is at the token endpoint. `client_secret_basic` (the default) and `client_secret_post`: by its secret. `private_key_jwt`: by a key of its own, whose public half is in `jwks` or at `jwks_uri`. `none`: it cannot keep a secret. */
    readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none' | undefined;
    /** `web`, the default, or `native` for what runs on a person's own device: it may have a scheme of its own. */
    readonly application_type?: 'web' | 'native' | undefined;
    /** Its home page, if it has one. */
    readonly client_uri?: string | null | undefined;
    /** Its picture, if it has one. */
    readonly logo_uri?: string | null | undefined;
    /** Its public keys, with `private_key_jwt`. */
    readonly jwks?: {
        /** JSON Web Keys (RFC 7517). */
        readonly keys: readonly {
            readonly [name: string]: unknown;
        }[];
    } | null | undefined;
    /** Where its public keys are, with `private_key_jwt`. */
    readonly jwks_uri?: string | null | undefined;
};
export type RegistrationTokenPage = {
    /** One page of the list. */
    readonly items: readonly RegistrationToken[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A registration token, with which services register themselves, without its secret. */
export type RegistrationToken = {
    /** Identifies the token; it is not secret. */
    readonly id: string;
    /** What you call it. */
    readonly name: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** When it stops working. */
    readonly expires_at: string;
};
export type RegistrationTokenWithSecret = {
    /** Identifies the token; it is not secret. */
    readonly id: string;
    /** What you call it. */
    readonly name: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** When it stops working. */
    readonly expires_at: string;
    /** Shown only in this answer. Its holder can register any number of services until it expires or is removed, or the key that created it is revoked. */
    readonly token: string;
    /** Where to send it, as `Authorization: Bearer`. */
    readonly registration_endpoint: string;
};
export type NewRegistrationToken = {
    /** A name by which you recognize the token. */
    readonly name?: string | undefined;
    /** RFC 3339, in the future, at most 90 days ahead. A day from now unless said. */
    readonly expires_at?: string | undefined;
};
export type AllowedServicePage = {
    /** One page of the list. */
    readonly items: readonly AllowedService[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A service that a mailbox may sign in to without asking its owner. */
export type AllowedService = {
    /** Identifies the service within this mailbox. */
    readonly id: string;
    /** The issuer that the service uses. */
    readonly issuer: string;
    /** The service's `client_id`. */
    readonly client_id: string;
    /** Its name when it was allowed, or the name you gave it. */
    readonly name: string;
    /** When it was created. */
    readonly created_at: string;
};
export type NewAllowedService = {
    /** The issuer that the service uses: an issuer URL of this service, or just the namespace. */
    readonly issuer: string;
    /** The service's `client_id`: `cli_…`, or the https URL of its client metadata document. */
    readonly client_id: string;
    /** The name shown in the list; the service’s own name, or the host of its URL, by default. */
    readonly name?: string | undefined;
};
export type NamespaceCreated = {
    /** The namespace. */
    readonly namespace: Namespace;
    /** Its owner key. */
    readonly key: KeyWithSecret;
};
/** A label that groups mailboxes and is part of each of their addresses. */
export type Namespace = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The part of its addresses between the `@` and the domain. */
    readonly name: string;
    readonly display_name: string | null;
    /** When it was created. */
    readonly created_at: string;
};
export type KeyWithSecret = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** What you call it. */
    readonly name: string | null;
    /** The beginning of the secret, which identifies the key. */
    readonly prefix: string;
    /** The name of its namespace. */
    readonly namespace: string;
    /** What it may do. */
    readonly scopes: readonly ('mail:send' | 'mail:answer' | 'messages:read' | 'mail:review' | 'mailboxes:write' | 'webhooks:write' | 'keys:write' | 'auth:assert' | 'owner')[];
    /** The address it is bound to, if to one. */
    readonly mailbox: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** To the minute. */
    readonly last_used_at: string | null;
    /** When it stops working; null: never. */
    readonly expires_at: string | null;
    /** When it was revoked; null while it works. */
    readonly revoked_at: string | null;
    /** The key itself, shown only in this answer. Null in a repeated answer once the key was used. */
    readonly secret: string | null;
};
export type NewNamespace = {
    /** A DNS label: 2 to 63 of a-z, 0-9 and -, a letter or digit at both ends. Upper case is taken as lower. */
    readonly name: string;
    /** A name for people, one line of up to 100 characters. */
    readonly display_name?: string | undefined;
};
export type NamespaceWithMailboxes = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The part of its addresses between the `@` and the domain. */
    readonly name: string;
    readonly display_name: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** The first 50 listed ones. */
    readonly mailboxes: readonly Mailbox[];
};
export type NamespaceChange = {
    readonly display_name?: string | null | undefined;
};
/** A namespace at a glance. */
export type Overview = {
    /** Those to which most was sent in the last 24 hours first, then in the order they were made; up to 50. */
    readonly mailboxes: readonly {
        readonly id: string;
        readonly address: string;
        readonly local_part: string;
        /** Its addresses at the verified domains of the namespace, in the order of the alphabet. */
        readonly aliases: readonly string[];
        readonly namespace: string;
        readonly display_name: string | null;
        /** What it does, in one line of up to 300 characters. */
        readonly description: string;
        /** `settings` are there, as `senders`, `outgoing`, `rules` and `budget` are, where one mailbox is read, made or changed, for keys with `mailboxes:write` of its namespace only. Lists and events have the name alone. */
        readonly behavior: {
            /** A name from `GET /api/v1/behaviors`. */
            readonly name: string;
            /** As the behavior's `settings_schema` says. */
            readonly settings?: {
                readonly [name: string]: unknown;
            } | undefined;
        };
        readonly status: 'online' | 'paused' | 'offline';
        /** `listed`: in the directory. `unlisted`: found by its address alone. */
        readonly visibility: 'listed' | 'unlisted';
        /** `public`: anyone with the address may write. `key`: keys of its own namespace only; `try_out` is then false. */
        readonly access: 'public' | 'key';
        /** Whether people without a key may try it. */
        readonly try_out: boolean;
        /** Which messages it handles. `to`: those that it is one of To. `cc`: those that it is one of Cc or Bcc too, unless an answer to another message caused them. `mention`: of those the ones whose new text has its address, `@` and its local part, or `@` and its display name. Others are filed, with the label `cc` and `not_answered`. */
        readonly wake: 'to' | 'cc' | 'mention';
        /** Whether an answer by hand tells its sender the name of who gives it (`answered_by`), in mails in the name of From. It holds for answers given from then on; false by default. */
        readonly sign_answers: boolean;
        /** Pairs of text, for keys of its namespace. */
        readonly metadata?: {
            readonly [name: string]: unknown;
        } | undefined;
        /** Tokens of the language model that its messages may take on one UTC day; over it they are rejected with `budget_exceeded`. Null for none. Shown as `senders` are. */
        readonly budget?: Budget | null | undefined;
        readonly senders?: Senders | undefined;
        readonly outgoing?: Outgoing | undefined;
        readonly rules?: readonly Rule[] | undefined;
        /** The state of `behavior.settings.webhook_url`, where there is one, for keys that see the settings. It is switched off after five days of failure or when it answers 410; a change with `behavior` switches it on. */
        readonly webhook?: {
            readonly status: 'on' | 'off';
            /** When the attempts began to fail. */
            readonly failing_since: string | null;
            /** When it was switched off. */
            readonly disabled_at: string | null;
            /** What went wrong last. */
            readonly last_error: string | null;
            /** Since when it gets the ids of messages alone, because the key that set it may not read them, or expires. */
            readonly limited_since?: string | undefined;
        } | undefined;
        /** Verifies what is sent to `webhook_url` (Standard Webhooks). Shown once, where the webhook is set up or its secret replaced; keep it. */
        readonly webhook_secret?: string | undefined;
        readonly created_at: string;
        readonly updated_at: string;
        /** Its unread conversations. */
        readonly unread: number;
    }[];
    /** How many mailboxes there are. */
    readonly mailbox_count: number;
    /** The unread conversations of 100 mailboxes, those of `mailboxes` first. */
    readonly unread: number;
    /** The labels in those mailboxes. */
    readonly labels: readonly string[];
    /** Messages that no program answers at this moment, or that people have taken over. */
    readonly to_answer: {
        readonly count: number;
        /** Whether there are more than were counted. */
        readonly more: boolean;
    };
    /** Messages whose plan waits for the approval of this namespace, or that wait for a review. */
    readonly to_approve: {
        readonly count: number;
        /** Whether there are more than were counted. */
        readonly more: boolean;
    };
    /** Messages that could not be answered, in conversations that are not done. */
    readonly failed: {
        readonly count: number;
        /** Whether there are more than were counted. */
        readonly more: boolean;
    };
    /** Messages of its mailboxes to which the other side asked back, with nothing said since. */
    readonly asked_back: {
        readonly count: number;
        /** Whether there are more than were counted. */
        readonly more: boolean;
    };
    readonly storage: {
        readonly bytes: number;
        readonly max_bytes: number;
        readonly nearly_full: boolean;
    };
};
/** What arrived and how it ended. */
export type Activity = {
    readonly span: '24h' | '30d';
    readonly total: {
        readonly arrived: number;
        readonly failed: number;
        /** With an answer or a question. */
        readonly answered: number;
        /** From arrival to answer. */
        readonly median_ms: number | null;
        readonly p95_ms: number | null;
    };
    /** By the hour, or by the UTC day, oldest first; the last one is under way. */
    readonly buckets: readonly {
        readonly from: string;
        readonly to: string;
        readonly arrived: number;
        readonly failed: number;
        /** With an answer or a question. */
        readonly answered: number;
        /** From arrival to answer. */
        readonly median_ms: number | null;
        readonly p95_ms: number | null;
    }[];
    /** The busiest first, up to 50. */
    readonly mailboxes: readonly {
        readonly mailbox: Mailbox;
        readonly arrived: number;
        readonly failed: number;
        /** With an answer or a question. */
        readonly answered: number;
        /** From arrival to answer. */
        readonly median_ms: number | null;
        readonly p95_ms: number | null;
    }[];
    /** How many messages arrived in each mailbox, by its id, without a limit on mailboxes. */
    readonly arrived: {
        readonly [name: string]: unknown;
    };
    /** The mailboxes whose messages went in circles. */
    readonly loops: readonly Mailbox[];
};
export type MemberList = {
    /** One page of the list. */
    readonly items: readonly Member[];
    /** A namespace has few members: there is one page. */
    readonly next_cursor: null;
    /** Those that are open. */
    readonly invitations: readonly Invitation[];
};
/** A person or an agent that belongs to a namespace. */
export type Member = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** What other members call them. */
    readonly name: string;
    /** The whole address. */
    readonly address: string;
    /** `owner` may do everything. `editor`: `mailboxes:write`, `webhooks:write`, `messages:read`. `answerer`: `messages:read`, `mail:answer`, `mail:send`, `mail:review`. `reader`: `messages:read`. */
    readonly role: 'owner' | 'editor' | 'answerer' | 'reader';
    /** The addresses of the mailboxes that the role is for; null for the whole namespace. */
    readonly mailboxes: readonly string[] | null;
    /** When it was created. */
    readonly created_at: string;
};
/** An invitation that was not accepted so far. */
export type Invitation = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** What other members call them. */
    readonly name: string;
    /** The whole address. */
    readonly address: string;
    /** `owner` may do everything. `editor`: `mailboxes:write`, `webhooks:write`, `messages:read`. `answerer`: `messages:read`, `mail:answer`, `mail:send`, `mail:review`. `reader`: `messages:read`. */
    readonly role: 'owner' | 'editor' | 'answerer' | 'reader';
    /** The addresses of the mailboxes that the role is for; null for the whole namespace. */
    readonly mailboxes: readonly string[] | null;
    /** When it was created. */
    readonly created_at: string;
    /** When it stops working; null: never. */
    readonly expires_at: string;
};
export type DomainPage = {
    /** One page of the list. */
    readonly items: readonly Domain[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** A domain of an owner, beside the domain of the service. */
export type Domain = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** In A-labels (RFC 5890). */
    readonly domain: string;
    /** The name of its namespace. */
    readonly namespace: string;
    /** `pending`: until the TXT record of verification is found. `verified`: addresses of the domain reach the mailboxes of the namespace. `failed`: it was not found for three weeks, or for a week after it had been; another check may verify it. */
    readonly status: 'pending' | 'verified' | 'failed';
    /** What the last check says against it. */
    readonly error: string | null;
    /** The records to publish. Only the one of verification is required; without the MX no mail arrives. */
    readonly records: readonly {
        readonly about: 'verification' | 'mx' | 'spf' | 'dkim' | 'dmarc';
        readonly name: string;
        readonly type: 'TXT' | 'MX';
        /** Of an MX record its preference and its host; of a TXT record the text without quotes. */
        readonly value: string;
        /** What it is for. */
        readonly purpose: string;
        /** By the last check: `pending` was not found so far, `verified` is right, `failed` is missing or wrong. */
        readonly status: 'pending' | 'verified' | 'failed';
        /** What DNS said against it. */
        readonly error: string | null;
        /** What DNS had. */
        readonly found: readonly string[];
    }[];
    /** The keys of its mail, the newest first. */
    readonly keys: readonly {
        readonly selector: string;
        readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
        /** `waiting`: signs once DNS has the records of all new keys. `signing`: signs mail now. `replaced`: signs no more; its record verifies mail on its way, and may be deleted when the key is no longer listed, a week after the new ones began to sign. */
        readonly status: 'waiting' | 'signing' | 'replaced';
    }[];
    readonly checked_at: string | null;
    /** Null when it is checked only by request. */
    readonly next_check_at: string | null;
    /** Since when the record of verification of a verified domain is missing; after a week without it the domain fails. */
    readonly failing_since: string | null;
    readonly verified_at: string | null;
    /** When it was created. */
    readonly created_at: string;
};
export type NewDomain = {
    /** In any script; a name below one that you own, such as mail.example.com. */
    readonly domain: string;
};
/** One line; `type` says what it holds. */
export type ExportLine = ({
    readonly type: 'namespace';
    /** The time up to which data is included. */
    readonly exported_at: string;
} & Namespace) | ({
    readonly type: 'mailbox';
} & Mailbox) | ({
    readonly type: 'key';
} & Key) | ({
    readonly type: 'webhook';
} & Webhook) | ({
    readonly type: 'message';
} & Message) | {
    readonly type: 'conversation';
    readonly id: string;
    readonly mailbox: string;
    /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
    readonly state: 'open' | 'waiting' | 'done' | 'later';
    /** When one for `later` opens again; null otherwise. */
    readonly until: string | null;
    /** The id of the member who takes care of it. */
    readonly assignee: string | null;
} | ({
    readonly type: 'note';
} & ThreadNote) | {
    readonly type: 'end';
    /** The number of lines, including this one. */
    readonly lines: number;
};
/** An API key, without its secret. */
export type Key = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** What you call it. */
    readonly name: string | null;
    /** The beginning of the secret, which identifies the key. */
    readonly prefix: string;
    /** The name of its namespace. */
    readonly namespace: string;
    /** What it may do. */
    readonly scopes: readonly ('mail:send' | 'mail:answer' | 'messages:read' | 'mail:review' | 'mailboxes:write' | 'webhooks:write' | 'keys:write' | 'auth:assert' | 'owner')[];
    /** The address it is bound to, if to one. */
    readonly mailbox: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** To the minute. */
    readonly last_used_at: string | null;
    /** When it stops working; null: never. */
    readonly expires_at: string | null;
    /** When it was revoked; null while it works. */
    readonly revoked_at: string | null;
};
/** A URL to which events are posted, without its secret. */
export type Webhook = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed. */
    readonly url: string;
    /** Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default. */
    readonly types: readonly string[];
    /** Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone. */
    readonly batch: number;
    /** The only mailbox whose events it gets, if one. */
    readonly mailbox: string | null;
    /** A disabled webhook gets nothing; what happens meanwhile can be sent afterwards with `replay`. */
    readonly status: 'enabled' | 'disabled';
    /** `gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was switched off by `PATCH`, or in the console. */
    readonly disabled_reason: 'gone' | 'failing' | 'owner' | null;
    /** When it was switched off; null while it is on. */
    readonly disabled_at: string | null;
    /** Since when every attempt failed; null when the last one arrived. */
    readonly failing_since: string | null;
    /** Why attempts fail, or failed when it was switched off. */
    readonly error: string | null;
    /** The key that made it, or changed last what it sends. Messages are sent by its rights, also after it was revoked. */
    readonly key_id: string | null;
    /** Since when events have the id of a message in place of the message, because that key may not read the messages, or expires. Change the webhook with a key that may. */
    readonly limited_since: string | null;
    /** Until when requests are, or were, signed with the previous secret too. */
    readonly previous_secret_until: string | null;
    /** Until when each of the secrets before signs, or signed, too; the newest first. */
    readonly previous_secrets_until: readonly string[];
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
};
export type AuditPage = {
    /** One page of the list. */
    readonly items: readonly AuditEntry[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
export type AuditEntry = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    readonly at: string;
    readonly actor: AuditActor;
    /** By which way it came. */
    readonly origin: {
        readonly channel: 'api' | 'web' | 'smtp' | 'a2a' | 'mcp' | 'sign_in' | 'command' | 'service';
        /** The address, or the /64 of IPv6, that the request came from. */
        readonly network: string | null;
    };
    /** What was done, as `noun.verb`. */
    readonly action: string;
    readonly target: AuditTarget;
    /** The fields that changed, as they were. */
    readonly before?: {
        readonly [name: string]: unknown;
    } | undefined;
    /** The fields that changed, as they are since. No text of messages, no secret. */
    readonly after?: {
        readonly [name: string]: unknown;
    } | undefined;
    /** The `hash` of the entry before; 64 zeros in the first one. */
    readonly previous_hash: string;
    /** SHA-256 of this entry without `hash`, as canonical JSON (RFC 8785). */
    readonly hash: string;
};
/** Who did it. */
export type AuditActor = {
    /** `account`: signed in and no member; `operator`: by a command on the machine; `service`: of its own accord. */
    readonly kind: 'member' | 'key' | 'account' | 'guest' | 'operator' | 'service';
    /** The id of the member or the key. */
    readonly id: string | null;
    readonly name: string | null;
};
/** What it was done to. */
export type AuditTarget = {
    readonly kind: string;
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** Its name at that time. */
    readonly name: string | null;
};
/** One line; `type` says what it holds. */
export type AuditExportLine = {
    readonly type: 'audit';
    readonly namespace: string;
    readonly exported_at: string;
    /** The `previous_hash` of the first entry: 64 zeros where none was removed. */
    readonly previous_hash: string;
} | ({
    readonly type: 'entry';
} & AuditEntry) | {
    readonly type: 'end';
    readonly entries: number;
    /** The `hash` of the last entry. */
    readonly head: string;
};
export type ImportResult = {
    /** The message. */
    readonly id: string;
    /** `exists`: the mailbox had this mail, and nothing was added. */
    readonly status: 'imported' | 'exists';
    /** When the mail was written. */
    readonly created_at: string;
};
export type BehaviorList = {
    /** One page of the list. */
    readonly items: readonly Behavior[];
    /** Always null: the list has one page. */
    readonly next_cursor: null;
};
/** How a mailbox can answer. */
export type Behavior = {
    /** Its name, for `behavior.name` of a mailbox. */
    readonly name: string;
    /** Its name for people. */
    readonly title: string;
    /** What it does. */
    readonly description: string;
    /** Tasks it can carry out. */
    readonly tasks?: readonly Task[] | undefined;
    /** JSON Schema of `behavior.settings`. */
    readonly settings_schema: {
        readonly [name: string]: unknown;
    };
    /** A real message and its answer; null where a program of the owner or a person answers. */
    readonly example: {
        /** An example message. */
        readonly body: string;
        /** The reply to it. */
        readonly reply: string;
        readonly data?: unknown;
    } | null;
};
export type Task = {
    /** As it stands in `data.steps`. */
    readonly name: string;
    /** What it does. */
    readonly description: string;
    /** `none`: its result follows from its input, the clock and chance. `reads`: it looks at something outside. `writes`: it changes something. Guests may use only `none`. */
    readonly effects: 'none' | 'reads' | 'writes';
    /** JSON Schema of its input. */
    readonly input_schema: {
        readonly [name: string]: unknown;
    };
    /** JSON Schema of its output; `result` is what "it" means to the next step. */
    readonly output_schema: {
        readonly [name: string]: unknown;
    };
    /** Instructions to try. */
    readonly examples: readonly string[];
};
export type EventPage = {
    /** One page of the list. */
    readonly items: readonly Event[];
    /** Pass it as `cursor` for the following events. It is never null, so you can ask again later. */
    readonly next_cursor: string;
};
/** Something that happened to a message, a mailbox, a webhook or a domain of the namespace, or to the namespace. */
export type Event = {
    /** Its place in the log: ids sort in the order in which things happened. */
    readonly id: string;
    /** What happened. `message.received`: A message arrived and is waiting, or the reply to a message that this mailbox sent was filed in it. `message.waiting`: A message is waiting for the approval of its mailbox’s owner. `message.completed`: A message was answered. `message.input_required`: A message was answered with a question. `message.failed`: A message could not be handled. `message.canceled`: A message was canceled. `message.rejected`: A message was refused by the mailbox. `delivery.sent`: An e-mail left: the next server took it. `delivery.deferred`: An e-mail could not leave at the first attempt, and is tried again for up to five days; or the server that took it says that it still tries. `delivery.bounced`: An e-mail could not be delivered, and is not tried again. `delivery.complained`: The recipient of an e-mail reported it as unwanted; no more is sent to that address. `review.requested`: A message would leave a mailbox, and waits until an owner has seen it. `review.changed`: The text of a message that waits to leave was changed. `review.decided`: A message that waited to leave was approved or rejected. `review.decision_refused`: A decision on a message that waits to leave was refused: a forged or unclear mail, or one of who wrote the message. At most ten times a review. `review.expired`: A message that waited to leave was not decided on in time, or was canceled. `thread.taken_over`: A person took a thread over: its messages wait for an answer by hand. `thread.updated`: A conversation was put into another state, opened again at its time, or was assigned. `thread.note`: Something was noted beside a conversation, for the members who read its mailbox. `thread.handed_back`: A thread that was taken over was given back to the behavior of the mailbox. `mailbox.created`: A mailbox was created. `mailbox.updated`: A mailbox was changed, paused or resumed. `mailbox.loop_detected`: Messages to or from the mailbox caused one another 8 times, and the next one was not sent. At most once a minute for a mailbox. `mailbox.budget_nearly_spent`: The messages of a mailbox took 80 % or more of the tokens that its budget has for the day (UTC). At most once a day. `mailbox.budget_spent`: The budget of a mailbox is spent: its messages took all tokens of the day, or one was rejected because what is left is reserved by runs. It begins again at 00:00 UTC. At most once a day. `mailbox.webhook_disabled`: The webhook of an agent failed too long, or answered 410, and was switched off. `mailbox.limited`: Messages of a mailbox are pushed as ids alone, or not sent to servers of others, because the key that set it so may not read them, or expires. Save its settings with a key that may. `mailbox.deleted`: A mailbox was deleted; its other events are no longer listed. `webhook.disabled`: A webhook was switched off, because its endpoint answered 410 or nothing arrived for five days. `webhook.limited`: A webhook gets ids alone of messages, because the key that made it, or changed it last, may not read them, or expires. Change it with a key that may. `namespace.nearly_full`: The namespace stores 80 % or more of what it may. At most once a day. `domain.verified`: A domain of yours was verified: its addresses reach the mailboxes of the namespace. `domain.failed`: A domain of yours could not be verified for three weeks, or lost its record of verification: its addresses do not exist any more. `domain.keys_changed`: Other keys sign the mail of a domain of yours from now on: the new ones, once DNS has their records, or those before when it lost them. */
    readonly type: 'message.received' | 'message.waiting' | 'message.completed' | 'message.input_required' | 'message.failed' | 'message.canceled' | 'message.rejected' | 'delivery.sent' | 'delivery.deferred' | 'delivery.bounced' | 'delivery.complained' | 'review.requested' | 'review.changed' | 'review.decided' | 'review.decision_refused' | 'review.expired' | 'thread.taken_over' | 'thread.updated' | 'thread.note' | 'thread.handed_back' | 'mailbox.created' | 'mailbox.updated' | 'mailbox.loop_detected' | 'mailbox.budget_nearly_spent' | 'mailbox.budget_spent' | 'mailbox.webhook_disabled' | 'mailbox.limited' | 'mailbox.deleted' | 'webhook.disabled' | 'webhook.limited' | 'namespace.nearly_full' | 'domain.verified' | 'domain.failed' | 'domain.keys_changed';
    /** When it was created. */
    readonly created_at: string;
    /** The mailbox it happened in; null for an event of the namespace, such as `webhook.disabled`. */
    readonly mailbox: string | null;
    /** The message, the mailbox, the webhook, the domain, the review or the storage of the namespace, by the first part of `type`, as it stands when this is read; of a thread that was taken over or handed back its first message; of one that was updated or noted where it stands, and of a note who wrote it and whom it names, without its text; of a delivery the message with its `deliveries`. The labels of a message are those in the mailbox where it happened. */
    readonly data: Message | Mailbox | Webhook | DomainState | NamespaceStorage | ReviewNotice | ThreadNotice;
};
/** A domain of an owner as it stands. */
export type DomainState = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** In A-labels (RFC 5890). */
    readonly domain: string;
    /** `pending`: until the TXT record of verification is found. `verified`: addresses of the domain reach the mailboxes of the namespace. `failed`: it was not found for three weeks, or for a week after it had been; another check may verify it. */
    readonly status: 'pending' | 'verified' | 'failed';
    /** What the last check says against it. */
    readonly error: string | null;
    readonly verified_at: string | null;
};
/** How full a namespace is. */
export type NamespaceStorage = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    readonly name: string;
    /** What it stores. */
    readonly bytes: number;
    /** What it may store. Then writes are refused with 507 `storage_full`. */
    readonly max_bytes: number;
};
/** A review without what waits, which `GET /mail/reviews/{id}` shows. */
export type ReviewNotice = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    readonly status: 'pending' | 'approved' | 'rejected' | 'expired';
    /** The mailbox that it would leave. */
    readonly mailbox: string;
    /** The message that it answers, or that its sender wrote. */
    readonly message_id: string;
    readonly requested_at: string;
    /** When it stops working; null: never. */
    readonly expires_at: string;
    readonly decided_at: string | null;
};
/** Where a conversation stands; of a note without its text. */
export type ThreadNotice = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The mailbox in which it is so. */
    readonly mailbox: string;
    /** `open` until it is changed; `waiting`: for the other side, after an answer by hand; `done`; `later`: open again at `until`. A message that arrives opens it again. */
    readonly state: 'open' | 'waiting' | 'done' | 'later';
    /** When one for `later` opens again; null otherwise. */
    readonly until: string | null;
    /** The id of the member who takes care of it. */
    readonly assignee: string | null;
    /** The note that was written. */
    readonly note?: {
        readonly id: string;
        readonly author: Actor;
        /** The ids of the members whom it names by `@name`. */
        readonly mentions: readonly string[];
        readonly created_at: string;
    } | undefined;
};
export type WebhookPage = {
    /** One page of the list. */
    readonly items: readonly Webhook[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
export type WebhookWithSecret = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed. */
    readonly url: string;
    /** Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default. */
    readonly types: readonly string[];
    /** Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone. */
    readonly batch: number;
    /** The only mailbox whose events it gets, if one. */
    readonly mailbox: string | null;
    /** A disabled webhook gets nothing; what happens meanwhile can be sent afterwards with `replay`. */
    readonly status: 'enabled' | 'disabled';
    /** `gone`: its endpoint answered 410. `failing`: nothing arrived for five days. `owner`: it was switched off by `PATCH`, or in the console. */
    readonly disabled_reason: 'gone' | 'failing' | 'owner' | null;
    /** When it was switched off; null while it is on. */
    readonly disabled_at: string | null;
    /** Since when every attempt failed; null when the last one arrived. */
    readonly failing_since: string | null;
    /** Why attempts fail, or failed when it was switched off. */
    readonly error: string | null;
    /** The key that made it, or changed last what it sends. Messages are sent by its rights, also after it was revoked. */
    readonly key_id: string | null;
    /** Since when events have the id of a message in place of the message, because that key may not read the messages, or expires. Change the webhook with a key that may. */
    readonly limited_since: string | null;
    /** Until when requests are, or were, signed with the previous secret too. */
    readonly previous_secret_until: string | null;
    /** Until when each of the secrets before signs, or signed, too; the newest first. */
    readonly previous_secrets_until: readonly string[];
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
    /** Verifies the signatures (Standard Webhooks). Shown only in this answer. */
    readonly secret: string;
};
export type NewWebhook = {
    /** Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed. */
    readonly url: string;
    /** Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default. */
    readonly types?: readonly string[] | undefined;
    /** Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone. */
    readonly batch?: number | undefined;
    /** Only events of this mailbox of the namespace. A key bound to a mailbox makes webhooks of that one only. */
    readonly mailbox?: string | undefined;
};
export type WebhookChange = {
    /** Where events are posted: an `https://` URL of a public host, without user name, password and fragment. Redirects are not followed. */
    readonly url?: string | undefined;
    /** Types of events (`message.completed`), groups of them (`message.*`, `mailbox.*`, `delivery.*`, `webhook.*`), or `*` for all. `["message.*"]` by default. */
    readonly types?: readonly string[] | undefined;
    /** Maximum number of events in one request. 1 by default: the body is the event. With more, the body is a list of events, in order, signed as one; a list may hold one event alone. */
    readonly batch?: number | undefined;
    /** Only events of this mailbox; null for those of the whole namespace. */
    readonly mailbox?: string | null | undefined;
    /** `disabled` switches it off and gives up what waits. `enabled` switches it on, for events from now on. */
    readonly status?: 'enabled' | 'disabled' | undefined;
};
/** An event on its way to a webhook. */
export type WebhookDelivery = {
    /** Its id. Ids sort by creation time. */
    readonly id: string;
    /** The id of the event, sent as `webhook-id` where a request carries it alone. */
    readonly event_id: string;
    /** The type of the event. */
    readonly type: string;
    /** The message it is about, if about one. */
    readonly message_id: string | null;
    /** `queued`: the first attempt is to come or under way. `sent`: the endpoint answered 2xx. `deferred`: an attempt failed and another follows. `failed`: none follows. */
    readonly status: 'queued' | 'sent' | 'deferred' | 'failed';
    /** How many attempts were made. */
    readonly attempts: number;
    /** Why the last attempt failed. */
    readonly error: string | null;
    /** When it was created. */
    readonly created_at: string;
    /** When it was last changed. */
    readonly updated_at: string;
    /** Null when no attempt follows. */
    readonly next_attempt_at: string | null;
};
export type WebhookReplay = {
    /** RFC 3339, in the past. Every event since then that is still in the log is sent again. */
    readonly since: string;
};
export type WebhookDeliveryPage = {
    /** One page of the list. */
    readonly items: readonly WebhookDelivery[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
export type SuppressionPage = {
    /** One page of the list. */
    readonly items: readonly Suppression[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
/** An address outside to which nothing is sent from the namespace. */
export type Suppression = {
    /** The whole address. */
    readonly address: string;
    /** What came back. */
    readonly reason: string;
    /** When it was created. */
    readonly created_at: string;
};
export type KeyPage = {
    /** One page of the list. */
    readonly items: readonly Key[];
    /** Pass it as `cursor` for the following page; null on the last one. */
    readonly next_cursor: string | null;
};
export type NewKey = {
    /** What it may do. */
    readonly scopes: readonly ('mail:send' | 'mail:answer' | 'messages:read' | 'mail:review' | 'mailboxes:write' | 'webhooks:write' | 'keys:write' | 'auth:assert' | 'owner')[];
    /** What you call it, to tell your keys apart. */
    readonly name?: string | undefined;
    /** Bind it to this mailbox of the namespace: it sends as and reads that one only. */
    readonly mailbox?: string | undefined;
    /** RFC 3339, in the future. */
    readonly expires_at?: string | undefined;
    /** In place of `expires_at`: how many days it works. A repeated request is then the same one. */
    readonly expires_in_days?: number | undefined;
};
export type Me = {
    /** The key that was sent. */
    readonly key: Key;
    /** The namespace it belongs to. */
    readonly namespace: Namespace;
    /** What the key may do. */
    readonly scopes: readonly ('mail:send' | 'mail:answer' | 'messages:read' | 'mail:review' | 'mailboxes:write' | 'webhooks:write' | 'keys:write' | 'auth:assert' | 'owner')[];
    /** Whether the namespace has an owner who can sign in, as domains and mail to addresses outside require. */
    readonly claimed: boolean;
};
export type Jwks = {
    readonly keys: readonly Jwk[];
};
export type Jwk = {
    readonly kty: 'EC';
    readonly crv: 'P-256';
    readonly x: string;
    readonly y: string;
    /** Thumbprint of the key (RFC 7638). */
    readonly kid: string;
    readonly use: 'sig';
    readonly alg: 'ES256';
};
export type Alive = {
    /** Always `ok`; failures have another HTTP status. */
    readonly status: 'ok';
};
export type ProblemCodePage = {
    /** One page of the list. */
    readonly items: readonly ProblemCode[];
    /** Always null: the list has one page. */
    readonly next_cursor: null;
};
/** A problem code, explained. */
export type ProblemCode = {
    readonly code: string;
    readonly status: number;
    /** Its name for people. */
    readonly title: string;
    readonly type: string;
    /** What went wrong. */
    readonly means: string;
    /** How to fix it. */
    readonly mend: readonly string[];
    /** The path of its page. */
    readonly docs: string;
    /** A message and the answer to it. */
    readonly example: Problem;
};
/** What went wrong (RFC 9457). */
export type Problem = {
    /** A name for the kind of problem that never changes. */
    readonly type: string;
    /** The meaning of the code, in a few words; always the same for a code. */
    readonly title: string;
    /** The HTTP status code. */
    readonly status: number;
    /** What is wrong and how to fix it. */
    readonly detail: string;
    /** The value to branch on. Codes may be added but never change. */
    readonly code: 'malformed_json' | 'malformed_request' | 'missing_key' | 'invalid_key' | 'invalid_signature' | 'insufficient_scope' | 'sender_not_allowed' | 'recipient_not_allowed' | 'access_denied' | 'not_found' | 'namespace_not_found' | 'mailbox_not_found' | 'message_not_found' | 'review_not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'namespace_taken' | 'domain_taken' | 'mailbox_taken' | 'draft_sent' | 'not_waiting' | 'review_changed' | 'claim_lost' | 'webhook_disabled' | 'mailbox_gone' | 'namespace_gone' | 'raw_gone' | 'precondition_failed' | 'body_too_large' | 'unsupported_media_type' | 'range_not_satisfiable' | 'expectation_failed' | 'validation_error' | 'idempotency_mismatch' | 'address_suppressed' | 'rate_limited' | 'mailbox_full' | 'headers_too_large' | 'internal' | 'unavailable' | 'storage_full' | 'loop_detected';
    /** Where this code is explained. */
    readonly docs: string;
    /** Name it when you ask for help. */
    readonly request_id: string;
    /** Each invalid field, when fields can be named; else empty. */
    readonly errors: readonly {
        /** Where in the body (RFC 6901), or `/name` of a parameter. */
        readonly pointer: string;
        /** What is wrong there. */
        readonly message: string;
    }[];
};
