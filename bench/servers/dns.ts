// A name server with the records by which the domains of the benchmark prove their mail: as many domains as the first
// argument says, whose DKIM key is the second one. It prints its address as a URL.
import { startDns, type Zone } from '../../tests/harness/dns.ts';

const [count = '0', key = ''] = process.argv.slice(2);
const zone: Record<string, Zone[string]> = {};
for (let at = 0; at < Number(count); at++) {
  const domain = `sender${at}.example`;
  zone[domain] = { TXT: ['v=spf1 ip4:127.0.0.1 -all'] };
  zone[`s._domainkey.${domain}`] = { TXT: [`v=DKIM1; k=rsa; p=${key}`] };
  zone[`_dmarc.${domain}`] = { TXT: ['v=DMARC1; p=reject'] };
}
const { address } = await startDns(zone);
process.stdout.write(`http://${address}\n`);
