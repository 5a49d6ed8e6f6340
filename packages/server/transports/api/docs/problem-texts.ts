import type { Code } from '@mailroom/behavior/values/error';
import { CONFLICT_TEXTS } from './conflict-texts.ts';
import type { ProblemText } from './problem-text.ts';

export const PROBLEM_TEXTS: Readonly<Record<Code, ProblemText>> = {
  malformed_json: {
    means: 'The body could not be parsed as JSON, so nothing was stored.',
    fixes: [
      'Let a JSON library write the body; text put together by hand breaks at the first quote or line break.',
      'Send it as UTF-8, without a byte order mark, and send all of it.',
      'In a shell, put the JSON between single quotes, so that the shell leaves its double quotes alone.',
    ],
    detail: 'The body is empty. Send a JSON object.',
  },
  malformed_request: {
    means: 'What arrived is not a valid HTTP/1.1 request, or it broke off halfway. It was not handled.',
    fixes: [
      'Check that `Content-Length` is the number of bytes, not of characters, of the body.',
      'Percent-encode the path: a `%` of its own is written `%25`.',
      'If the client looks right, check what is in between: a proxy may have cut the request off.',
    ],
    detail: 'The path is not valid: check its percent-encoding.',
  },
  missing_key: {
    means: 'This endpoint is not public, and the request came without an API key. A cookie is never enough.',
    fixes: [
      'Send `Authorization: Bearer mr_live_…`. In a shell, check that `$MAILROOM_KEY` is set.',
      'No key yet? `POST /api/v1/namespaces` needs none and answers with an owner key.',
      'Some HTTP clients drop the header when they follow a redirect to another host. Call the final URL.',
    ],
    detail: 'Send an API key: Authorization: Bearer mr_live_…. Creating a namespace gives you one.',
  },
  invalid_key: {
    means:
      'A key was sent, but it is not valid here: it is truncated or mistyped, was revoked, has expired, or belongs to another server. Public endpoints refuse it too, so that a mistake shows at once.',
    fixes: [
      'Copy the key again: it starts with `mr_live_` and has 54 characters.',
      'If it was revoked or has expired, make another with `POST /api/v1/keys`.',
      'If the owner key is lost, the operator can create a new one with `npm run owner-key -- NAMESPACE`.',
      'A thread token, `mt_…`, can only read, wait for and cancel messages of its thread.',
    ],
    detail: 'There is no such key, or it was revoked or has expired.',
  },
  recipient_not_allowed: {
    means:
      'The owner of the mailbox that would send it has said to whom it writes, and this recipient is not among them. Nothing was sent.',
    fixes: [
      'See `outgoing.allow` and `outgoing.block` of the mailbox; `errors` names each recipient that they refuse.',
      'An owner, or a key with `mail:review`, changes them with `PATCH /api/v1/mailboxes/{address}`.',
    ],
    detail: 'ada@acme does not write to eve@example.org, as its owner set it (outgoing.allow, outgoing.block).',
    errors: [{ pointer: '/to/0', message: 'ada@acme does not write to eve@example.org.' }],
  },
  review_not_found: {
    means: 'There is no such review, or it belongs to a mailbox that this key is not for.',
    fixes: [
      'List them with `GET /api/v1/mail/reviews`: ids begin with `rev_`.',
      'Use a key of the namespace of the mailbox with `mail:review`, bound to no other mailbox.',
    ],
    detail: 'There is no review rev_0d8m3xk2q5v7w9y1a3c0 that this key may see.',
  },
  review_changed: {
    means:
      'The message was changed after you read it, so your decision is not on what would leave. Nothing was decided.',
    fixes: ['Read the review again, look at its `message`, and decide with its `hash`.'],
    detail: 'It is not what you saw: it was changed meanwhile. Read it again, and decide then.',
  },
  invalid_signature: {
    means:
      'The request says by `Signature-Agent` which agent sends it, and its signature (Web Bot Auth, RFC 9421) does not prove that. Nothing was done.',
    fixes: [
      'Sign this very request: the method, path and host that it is sent to, with `created` not in the future and `expires` within 24 hours.',
      'Sign each request anew, with a `nonce` of its own: a signature works once.',
      'Publish the Ed25519 key at `/.well-known/http-message-signatures-directory` of the origin that `Signature-Agent` names, over https and at a public address; `keyid` is its JWK thumbprint.',
      'Or send the request without `Signature-Agent`, `Signature-Input` and `Signature`, as before.',
    ],
    detail: 'The signature has expired. Sign the request again.',
  },
  insufficient_scope: {
    means: 'The key is valid, but it lacks the scope for this. Nothing was changed.',
    fixes: [
      'See what it may do with `GET /api/v1/me`; each endpoint in the reference names the scope it takes.',
      'Make a key with that scope: `POST /api/v1/keys`. A key cannot create a key that can do more than itself, so use one that can.',
      'A key bound to a mailbox can create only keys bound to the same mailbox that expire no later than itself.',
    ],
    detail: 'This requires a key with the scope mailboxes:write. Create one with POST /api/v1/keys.',
  },
  sender_not_allowed: {
    means:
      '`from` names a mailbox that this key may not write as, or the owner of the recipient does not accept this sender. The message was not sent.',
    fixes: [
      'Leave `from` out: the message then comes from the key itself, or from the mailbox the key is bound to.',
      'To write as a mailbox, use a key of its namespace that is not bound to another mailbox.',
      'Check that the mailbox still exists: a deleted one cannot send.',
      'When the recipient accepts only some senders, ask its owner to add your address or namespace to `senders.allow`.',
    ],
    detail: 'from must be a mailbox of the namespace ada.',
  },
  access_denied: {
    means:
      'It exists, but you have no access to it: it belongs to another namespace, or does not accept messages from people without a key.',
    fixes: [
      'To change something, use a key of the namespace it belongs to, and one that is not bound to a mailbox.',
      'To write to a mailbox without a try-out, use `POST /api/v1/mail/send` with a key instead of `/mail/try`.',
    ],
    detail: 'This key belongs to another namespace. Use a key of "ada".',
  },
  not_found: {
    means: 'There is nothing at this path, or nothing that your key may see.',
    fixes: [
      'Compare the path with the reference, character by character. In the API a slash at the end is a different path.',
      'Keys: `GET /api/v1/keys` lists those that still work.',
      'A list of all paths, for programs, is at `GET /api/v1/openapi.json`.',
    ],
    detail: 'There is nothing at /api/v1/mail/sent. GET /api/v1/openapi.json lists what there is.',
  },
  namespace_not_found: {
    means: 'There never was a namespace of this name here.',
    fixes: [
      'Check the spelling. It is the part of an address between `@` and the domain: `ada` in `hello@ada.…`.',
      'If you want the name, it is free: create it with `POST /api/v1/namespaces`.',
    ],
    detail: 'There is no namespace "adda" here.',
  },
  mailbox_not_found: {
    means:
      'There is no mailbox at this address, or it is open only to keys of its own namespace. The answer is the same for both.',
    fixes: [
      'Check the spelling, the domain too: this service hosts only addresses in its own.',
      'Look it up in the directory: `GET /api/v1/mailboxes?query=…`. Unlisted mailboxes are not in it.',
      'If it is your own with `access: "key"`, send a key of its namespace.',
    ],
    detail: 'There is no mailbox nobody@ada here. Check the spelling.',
  },
  message_not_found: {
    means: 'There is no message or thread with this id, or your key may not see it. The answer is the same for both.',
    fixes: [
      'Use the id exactly as you received it, `msg_…` or `thr_…`, without quotes or spaces around it.',
      'Use the key that sent it, or one with `messages:read` of the sending or the receiving namespace.',
      'Messages are deleted with their mailbox.',
    ],
    detail: 'There is no message or thread msg_0d8m3xk2q5v7w9y1a3c0 that this key may see.',
  },
  method_not_allowed: {
    means: 'The path is right, the method is not.',
    fixes: [
      'The `Allow` header of the answer lists the methods this path takes.',
      'With curl, `-d` makes a `POST` of it, and `-X` names another method.',
    ],
    detail: 'DELETE is not for this path; it takes OPTIONS, POST.',
  },
  not_acceptable: {
    means: 'The `Accept` header excludes JSON, which is what this endpoint answers with. Nothing was done.',
    fixes: ['Send `Accept: application/json`, or leave the header out.', 'Add `*/*` at the end of a list of your own.'],
    detail: 'The answer is application/json. Send Accept: application/json, or leave the header out.',
  },
  request_timeout: {
    means: 'The request did not arrive completely in time. It was not handled.',
    fixes: [
      'Send the complete request again. This is safe: nothing of it was kept.',
      'Check that the client sends as many bytes as `Content-Length` says; if fewer come, the rest is waited for.',
      'To wait longer for an answer, use `Prefer: wait=N` or `?wait=N` instead.',
    ],
    detail: 'The request did not arrive in time. Send it again, whole.',
  },
  ...CONFLICT_TEXTS,
  body_too_large: {
    means: 'The JSON document or one of its fields is too large. Nothing was stored.',
    fixes: [
      '`errors` names the field if only one is too large; the maximum sizes are in the reference under Limits.',
      'Sizes are counted in bytes of UTF-8: most letters beyond ASCII take two to four.',
      'Send a long text in parts, one message each, in one thread.',
    ],
    detail: '/body: This has 300000 bytes; 262144 are allowed.',
    errors: [{ pointer: '/body', message: 'This has 300000 bytes; 262144 are allowed.' }],
  },
  unsupported_media_type: {
    means: 'The body came as something other than plain JSON, or compressed.',
    fixes: [
      'Send `Content-Type: application/json`. curl says something else with `-d`, so add the header with `-H`.',
      'Leave `Content-Encoding` out: requests are not taken compressed. Answers are compressed, if you ask for it.',
    ],
    detail: 'Send the body as JSON, with Content-Type: application/json.',
  },
  range_not_satisfiable: {
    means: 'The `Range` of the request begins after the end of the file.',
    fixes: [
      'Ask for a range within the size of the attachment, which is in `Content-Range: bytes */SIZE` of this answer.',
      'Leave the header out to get all bytes.',
    ],
    detail: 'The attachment has 1024 bytes, and the range begins after its end. Ask for another range.',
  },
  expectation_failed: {
    means: 'The request has an `Expect` header with something other than `100-continue`.',
    fixes: [
      'Leave the header out.',
      'If you did not set it, look for it in the settings of the HTTP client or the proxy.',
    ],
    detail: 'Only "Expect: 100-continue" can be met. Leave the header out.',
  },
  validation_error: {
    means: 'The request could be parsed, but something in it is not valid. Nothing was stored.',
    fixes: [
      '`errors` lists each wrong place with a sentence about it. `pointer` says where: `/to` is the field `to`, or the query parameter.',
      'Unknown fields are refused too, so that a misspelled field is not silently ignored.',
      'Each name may appear only once in an object, and no string may contain U+0000 or half of a surrogate pair.',
      'The same request gets the same answer: change it before you send it again.',
    ],
    detail: '/to: This is needed. (and 1 more, see errors)',
    errors: [
      { pointer: '/to', message: 'This is needed.' },
      { pointer: '/boddy', message: 'There is no such field. Remove it, or check its spelling.' },
    ],
  },
  idempotency_mismatch: {
    means:
      'This `Idempotency-Key` came with another request in the last 24 hours. The new one was not handled; the first one stays valid.',
    fixes: [
      'Use a new key for each new request, and reuse it only to repeat the same request.',
      'To repeat one, send the same JSON. Spaces and the order of names do not matter; newly generated times and random values do.',
    ],
    detail: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  },
  rate_limited: {
    means: 'More requests came than are allowed in this time. This one was not handled.',
    fixes: [
      'Wait as many seconds as `Retry-After` says, then send it again as it was.',
      'Look ahead: `RateLimit` on each counted answer says how many are left (`r`) and for how long (`t`).',
      'An owner may set how many messages an address takes a day (`max_messages_per_day`); it takes more from 00:00 UTC on.',
      'Sends are counted per key; try-outs and new namespaces per IP address, which you may share with others. To write more than a try-out allows, send with a key.',
      'Or continue at once: a try-out or a new namespace is accepted above the limit with a solved challenge. Get one from `POST /api/v1/challenges` and send its solution in the header `Altcha`.',
    ],
    detail: '10 try-outs a minute are allowed. Try again in 38 s.',
  },
  address_suppressed: {
    means:
      'Mail from this namespace to this address came back, or its owner reported it, so nothing more is sent there.',
    fixes: [
      'Check the spelling: most such addresses do not exist.',
      'If it takes mail again, lift the suppression: `DELETE /api/v1/mail/suppressions/ADDRESS`, `mailroom suppressions rm ADDRESS`, or in the settings of the console.',
    ],
    detail: 'Nothing is sent to ada@example.com, because an earlier mail bounced 5.1.1.',
  },
  mailbox_full: {
    means: 'Too many messages are waiting for this mailbox. This one was not accepted.',
    fixes: [
      'Wait as many seconds as `Retry-After` says, and send it again with the same `Idempotency-Key`.',
      'If the mailbox is yours, see whether it is paused: held messages count. `PATCH` it to `online`, or cancel what is no longer wanted.',
    ],
    detail: 'Too many messages are waiting for hello@ada. Send it again later.',
  },
  headers_too_large: {
    means: 'The headers of the request are larger than 16 KiB in all, the path included.',
    fixes: [
      'Look for a cookie or a query string that has grown. The API needs neither.',
      'Put long values into the body.',
    ],
    detail: 'The headers are larger than 16 KiB in all.',
  },
  internal: {
    means: 'Something failed on our side. Your request is not the cause, and the failure is in our log.',
    fixes: [
      'Send it again with the same `Idempotency-Key`: it takes effect once, whatever happened to the first attempt.',
      'A message whose id you received is stored and will be answered.',
      'If it happens again, send the operator of this service the `request_id`.',
    ],
    detail: 'Nothing you sent is lost if you were given its id. Try again; if it repeats, send us the request_id.',
  },
  unavailable: {
    means:
      'The service cannot write to its database at the moment, for instance because the disk is full or the database is restarting. The request was not acknowledged; repeated with its `Idempotency-Key` it takes effect once.',
    fixes: [
      'Wait as many seconds as `Retry-After` says, and send it again with the same `Idempotency-Key`.',
      'If you run it: `GET /readyz` says whether it is back, and the log says why it is not.',
    ],
    detail: 'The message store cannot write at the moment. Try again later.',
  },
  storage_full: {
    means:
      'The storage limit of this namespace, of the unclaimed namespaces created from this network, or of today’s guests of this network is reached. Nothing of the request was stored; reading, deleting and exporting still work.',
    fixes: [
      'Delete mailboxes you do not need, with everything they received. `GET /api/v1/namespaces/{name}/export` keeps a copy.',
      'If the namespace is unclaimed, claim it: open `/console/members` with its key and add your e-mail address. A claimed namespace may store more and no longer counts for the network.',
      'As a guest, wait until 00:00 UTC, as `Retry-After` says, or send with a key.',
      'If you run the service: adjust `LIMIT_STORAGE` and the related settings.',
    ],
    detail:
      'The namespace ada has stored 100 MiB, the maximum. Delete mailboxes that are not needed, with what they received, or claim the namespace: a person who becomes its owner at https://mail.example/console/members gets 1 GiB.',
  },
  loop_detected: {
    means:
      'Mailboxes wrote to one another until a chain of 8 messages was reached. The last was not sent, so that they stop.',
    fixes: [
      'Follow the thread back with `GET /api/v1/mail/threads/{id}` to see which two keep answering each other.',
      'Owners of both mailboxes find the event `mailbox.loop_detected` in `GET /api/v1/events` and on the Activity page of the console.',
      'Let one of them answer with a reply instead of a message of its own: a reply triggers nothing.',
    ],
    detail: '8 messages caused one another; this one was not sent.',
  },
};
