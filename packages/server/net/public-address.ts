import ipaddr from 'ipaddr.js';

/** Contains everything that the internet routes to (RFC 4291, section 2.4; the IANA registry of IPv6 unicast). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637; newer than most lists. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');
/** RFC 6052: how IPv6-only networks reach IPv4. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public, but is the host of a virtual machine at Azure, which serves its secrets. */
const PLATFORM = new Set(['168.63.129.16']);

/**
 * Whether the internet routes to the address, in the notation of sockets: not loopback, private, link-local, shared,
 * multicast, reserved, or for documentation or benchmarks; nor an IPv6 address that leads to such an IPv4 address through
 * a tunnel or a translator. Text that is not an address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] as string;
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return isPublicV4(ipaddr.IPv4.parse(plain));
  if (!ipaddr.IPv6.isValid(plain)) return false;
  const v6 = ipaddr.IPv6.parse(plain);
  if (v6.match(NAT64)) return isPublicV4(lastFour(v6));
  // Excludes mapped, compatible and translated IPv4, unique-local and link-local addresses, multicast, ::1 and ::.
  if (!v6.match(GLOBAL_UNICAST) || v6.match(DOCUMENTATION)) return false;
  // 6to4, Teredo and other special prefixes are not plain unicast.
  if (v6.range() !== 'unicast') return false;
  return !isIsatap(v6) || isPublicV4(lastFour(v6));
}

const isPublicV4 = (v4: ipaddr.IPv4): boolean => v4.range() === 'unicast' && !PLATFORM.has(v4.toString());

const lastFour = (v6: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(v6.toByteArray().slice(12));

/** RFC 5214: an interface 0:5efe or 200:5efe, followed by an IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && ((parts[4] ?? 0) & ~0x0200) === 0;
