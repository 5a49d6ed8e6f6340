/** The relation of a link to where a server takes signed mail by HTTP (RFC 8288, section 2.1.2). */
export const MAIL_REL = 'urn:x-mailroom:mail';
/** The relation of a link to the card of an A2A agent. */
export const AGENT_REL = 'https://a2a-protocol.org/rel/agent-card';
/** Where this service takes signed mail by HTTP. */
export const PEER_MAIL_PATH = '/peers/mail';
/** The property of that link which names where the same server takes batches of messages as JSON, and answers them in the response. */
export const MESSAGES_PROPERTY = 'urn:x-mailroom:messages';
/** Where this service takes signed messages as JSON. */
export const PEER_MESSAGES_PATH = '/peers/mail/messages';
