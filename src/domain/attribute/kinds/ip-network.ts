import {formatAddress, networkOf, parseInterface} from '../ip.ts';
import {accept, type Checked, refuse, shown, typeName} from './checked.ts';

export function checkIpNetwork(value: unknown): Checked {
  if (typeof value !== 'string') return refuse(`must be a text with an IP network, not ${typeName(value)}`);
  const given = parseInterface(value);
  if (given === null) {
    return refuse(`must be an IP network such as 192.0.2.0/24 or 2001:db8::/32, ${shown(value)} is none`);
  }
  const network = networkOf(given);
  const text = `${formatAddress(network)}/${network.prefixLength}`;
  if (network.bits === given.bits) return accept(text);
  return refuse(`must be a network without host bits: ${shown(value)} is an address in ${text}`);
}
