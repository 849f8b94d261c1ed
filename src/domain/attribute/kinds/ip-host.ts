import {formatAddress, parseInterface} from '../ip.ts';
import {accept, type Checked, refuse, shown, typeName} from './checked.ts';

/** An address with the length of its network: `10.0.0.1/24`; alone it is /32 or /128. */
export function checkIpHost(value: unknown): Checked {
  if (typeof value !== 'string') return refuse(`must be a text with an IP address, not ${typeName(value)}`);
  const host = parseInterface(value);
  if (host === null) {
    return refuse(`must be an IP address such as 192.0.2.1/24 or 2001:db8::1/64, ${shown(value)} is none`);
  }
  return accept(`${formatAddress(host)}/${host.prefixLength}`);
}
