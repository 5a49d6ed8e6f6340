import ipaddr from 'ipaddr.js';

/** A network, such as `10.0.0.0/8`, or one address. Undefined when the text is neither. */
function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether an address is in one of the networks; IPv4 addresses written as IPv6 are IPv4. RangeError for what is none. */
export function networks(list: readonly string[]): (ip: string) => boolean {
  const parsed = list.map((text) => {
    const network = parseNetwork(text.trim());
    if (network === undefined)
      throw new RangeError(`"${text}" is not a network, such as 10.0.0.0/8, or an IP address.`);
    return network;
  });
  return (ip) => {
    if (!ipaddr.isValid(ip)) return false;
    const address = ipaddr.process(ip);
    return parsed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  };
}
