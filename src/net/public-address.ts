import ipaddr from 'ipaddr.js';

/** All that the internet routes to is in it (RFC 4291, section 2.4; the IANA registry of IPv6 unicast). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637; newer than most lists. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');
/** RFC 6052: how networks without IPv4 reach it. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public, and is the host of a virtual machine, with its secrets, at Azure. */
const PLATFORM = new Set(['168.63.129.16']);

/**
 * Whether the address, in the notation that sockets use, is one that the internet routes to: not loopback, private,
 * link-local, shared, multicast, reserved, or for documentation or benchmarks; nor one of IPv6 that leads to such an
 * address of IPv4 through a tunnel or a translator. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] as string;
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return isPublicV4(ipaddr.IPv4.parse(plain));
  if (!ipaddr.IPv6.isValid(plain)) return false;
  const v6 = ipaddr.IPv6.parse(plain);
  if (v6.match(NAT64)) return isPublicV4(lastFour(v6));
  // With this go mapped, compatible and translated IPv4, unique-local and link-local addresses, multicast, ::1 and ::.
  if (!v6.match(GLOBAL_UNICAST) || v6.match(DOCUMENTATION)) return false;
  // 6to4, Teredo and other prefixes with a meaning of their own are no plain unicast here.
  if (v6.range() !== 'unicast') return false;
  return !isIsatap(v6) || isPublicV4(lastFour(v6));
}

const isPublicV4 = (v4: ipaddr.IPv4): boolean => v4.range() === 'unicast' && !PLATFORM.has(v4.toString());

const lastFour = (v6: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(v6.toByteArray().slice(12));

/** RFC 5214: an interface 0:5efe or 200:5efe, and an address of IPv4. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && ((parts[4] ?? 0) & ~0x0200) === 0;
