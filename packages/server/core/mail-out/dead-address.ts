/** Statuses (RFC 3463, section 3.2; RFC 7505, section 4.2) by which an address takes no mail, whatever the mail. */
const OF_ADDRESS = /^5\.1\.(?:[1236]|10)$/;
/** Those of the sender's address, of a policy, and of a mailbox that exists: it is full, or switched off for a while. */
const OF_OTHERS = /^(?:[24]\.|5\.1\.[78]$|5\.2\.[1-4]$|5\.7\.)/;
/** The status that a diagnostic names. */
export const STATUS = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** Characters of the words that are looked at. */
const MAX_WORDS = 1_000;
/** A name of a host, an address or a link, whose words say nothing about the failure. */
const isName = (word: string): boolean =>
  word.includes('@') || word.includes('://') || /[a-z][\w-]{0,62}\.[\w-]{1,63}\.[\w-]/i.test(word);

/** Lists of senders, which links to them name. */
const LISTED = /\bspam|black-?list|block-?list|dnsbl|\brbl\b/i;
/** Reasons that another mail, sender or day would not have met. */
const OTHER_REASON = new RegExp(
  [
    String.raw`\bfull\b|quota|exceed|over (?:the |its )?(?:\w{1,20} )?limit|storage|disk space|system resources|too (?:big|large|long|many|much|fast)`,
    String.raw`virus|malware|phish|\bblocked|block(?:ed)? ?list|black ?list|(?:is|are) listed|\bbann?ed|reputation|\babuse|\bpolicy|content|refused due to`,
    String.raw`\bsender|mail ?from\b|\bspf\b|\bdkim|\bdmarc|authenticat|authoriz|not allowed to send|not (?:a )?member|reverse|\bptr\b|\bhelo\b|\behlo\b`,
    String.raw`(?:relay|relaying) (?:access )?(?:denied|not|prohibited)|to relay\b|\bno relay|open relay`,
    String.raw`timed? ?out|expired|try again later|not found, try again|temporar|gr[ea]ylist|at a rate|\bloop|too many hops|hop count|could ?n.?t create`,
    String.raw`pleine?\b|bloqu[eé]|später|plus tard|más tarde`,
  ].join('|'),
  'i',
);
/** The mailbox exists, and may come back. */
const SWITCHED_OFF = /disabled|inactive|suspend|locked/i;

const ABSENT = '(?:unknown|not found|does(?: ?n.?t| not) exist|is not reachable)';
/** The domain does not exist, or takes no mail. */
const NO_SUCH_DOMAIN = new RegExp(
  [
    String.raw`\b(?:host|domain)(?: or domain)?(?: name)? (?:is )?${ABSENT}`,
    String.raw`\b(?:unknown|invalid|illegal|no such) (?:host|domain)\b|nxdomain|could ?n.?t find (?:any host named|a mail exchanger)|lookup failure: host .{0,60}not found`,
    'no mx (?:record )?found for domain|record indicated no smtp service|unrouteable address',
    `(?:host|domain) does(?: ?n.?t| not) (?:accept|receive) (?:e-?)?mail|because the domain ${ABSENT}|^5(?:21|56) .{0,100}not accept`,
  ].join('|'),
  'i',
);
/** Words of servers that know their own addresses, whenever they say it. */
const CERTAIN = new RegExp(
  [
    'recipient name is not recognized|not listed in .{1,40}(?:directory|address book)|^unknown user:|invalid final delivery userid',
    String.raw`no valid recipients for this|\baddress not found\b|\baddress could ?n.?t be found|adresse destinataire invalide|^55[04] .{0,60}does ?n.?t have an? .{1,60}account`,
    String.raw`^[\d .:[\]-]{0,20}recipient address rejected ?: access denied|#5\.1\.0 address rejected`,
  ].join('|'),
  'i',
);
const OWNER = '(?:user|recipient|mailbox|account|address|alias|addressee|customer|subscriber|userid)';
/** Words for an address that does not exist; of what a mail holds some servers say the same once they have read it. */
const NO_SUCH_ADDRESS = new RegExp(
  [
    String.raw`\b${OWNER}(?: name| address| id)? {0,3}(?:is |was |has )?(?:unknown|invalid|not (?:found|known|listed|recognized|valid)|does(?: ?n.?t| not) exist|no longer (?:exists?|valid|on server))`,
    String.raw`\b(?:unknown|invalid|no such|non-?existent|unrecognized|illegal)(?: or illegal)?(?: local| destination| remote)? ${OWNER}`,
    'that you tried to reach does not exist|no mailbox here|not our (?:user|customer)|recipient address rejected ?: access denied',
  ].join('|'),
  'i',
);

/** What is known of a failure. */
export interface Failure {
  /** RFC 3463, such as `5.1.1`; null when unknown. */
  readonly status: string | null;
  /** What the server said, on one line. */
  readonly words: string;
  /** It was said in reply to the recipient (RCPT), before the mail itself. */
  readonly of_recipient: boolean;
}

/**
 * Whether a failure says that the address itself takes no mail, so that no other mail is sent there: it does not exist, or
 * its domain does not. It is not when the status and the words disagree, or neither is certain.
 */
export function isDeadAddress({ status, words, of_recipient }: Failure): boolean {
  const read = words.slice(0, MAX_WORDS);
  const all = [status ?? '', STATUS.exec(read)?.[1] ?? ''];
  if (all.some((one) => OF_OTHERS.test(one)) || LISTED.test(read)) return false;
  const reason = read
    .split(/[\s<>"'’]/)
    .filter((word) => word !== '' && !isName(word))
    .join(' ');
  if (OTHER_REASON.test(reason)) return false;
  if (all.some((one) => OF_ADDRESS.test(one))) return true;
  if (SWITCHED_OFF.test(reason)) return false;
  return NO_SUCH_DOMAIN.test(reason) || CERTAIN.test(reason) || (of_recipient && NO_SUCH_ADDRESS.test(reason));
}
