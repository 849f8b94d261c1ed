import {AssertionFailed, must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {
  addressBinary,
  addressWidth,
  formatAddress,
  hostmaskBits,
  type IpInterface,
  netmaskBits,
  parseInterface,
} from './ip.ts';
import type {AttributeKind} from './kinds.ts';

export type Choice = {
  readonly name: string;
  readonly label?: string | null;
  readonly color?: string | null;
  readonly description?: string | null;
};

export type DropdownParts = {readonly label: string; readonly color: string; readonly description: string};

/** Of the chosen choice; empty texts when none is chosen. */
export function dropdownParts(value: Json, choices: readonly Choice[]): DropdownParts {
  const choice = choices.find(({name}) => name === value);
  return {label: choice?.label ?? '', color: choice?.color ?? '', description: choice?.description ?? ''};
}

export type IpHostParts = {
  readonly ip: string;
  readonly hostmask: string;
  readonly netmask: string;
  readonly prefixlen: number;
  readonly version: number;
  readonly with_hostmask: string;
  readonly with_netmask: string;
};

/** Of a stored IPHost. */
export function ipHostParts(value: string): IpHostParts {
  const host = storedInterface(value);
  return {ip: formatAddress(host), ...maskParts(host)};
}

export type IpNetworkParts = Omit<IpHostParts, 'ip'> & {
  readonly broadcast_address: string;
  /** Beyond 2^53 still exact: it is a power of two. */
  readonly num_addresses: number;
};

/** Of a stored IPNetwork. */
export function ipNetworkParts(value: string): IpNetworkParts {
  const network = storedInterface(value);
  const {version, bits, prefixLength} = network;
  return {
    broadcast_address: formatAddress({version, bits: bits | hostmaskBits(version, prefixLength)}),
    num_addresses: 2 ** (addressWidth(version) - prefixLength),
    ...maskParts(network),
  };
}

function maskParts(host: IpInterface): Omit<IpHostParts, 'ip'> {
  const {version, prefixLength} = host;
  const address = formatAddress(host);
  const hostmask = formatAddress({version, bits: hostmaskBits(version, prefixLength)});
  const netmask = formatAddress({version, bits: netmaskBits(version, prefixLength)});
  return {
    hostmask,
    netmask,
    prefixlen: prefixLength,
    version,
    with_hostmask: `${address}/${hostmask}`,
    with_netmask: `${address}/${netmask}`,
  };
}

export type MacAddressParts = {
  readonly oui: string;
  readonly ei: string;
  readonly version: number;
  readonly binary: string;
  /** Null for an EUI-64, which has no 48-bit form. */
  readonly eui48: string | null;
  readonly eui64: string;
  readonly bare: string;
  readonly dot_notation: string;
  readonly semicolon_notation: string;
  readonly split_notation: string;
};

/** Of a stored MacAddress: upper case pairs with dashes. */
export function macAddressParts(value: string): MacAddressParts {
  const pairs = value.split('-');
  const [oui, ei] = [pairs.slice(0, 3), pairs.slice(3)];
  const is48 = pairs.length === 6;
  const bare = pairs.join('');
  const lower = bare.toLowerCase();
  return {
    oui: oui.join('-'),
    ei: ei.join('-'),
    version: pairs.length * 8,
    binary: `0b${BigInt(`0x${bare}`).toString(2)}`,
    eui48: is48 ? value : null,
    eui64: is48 ? [...oui, 'FF', 'FE', ...ei].join('-') : value,
    bare,
    dot_notation: (lower.match(/.{4}/g) ?? []).join('.'),
    semicolon_notation: pairs.join(':').toLowerCase(),
    split_notation: `${lower.slice(0, 6)}:${lower.slice(6)}`,
  };
}

/**
 * What a path such as `address__binary_address` reads from a stored value; null of null.
 * `binary_address` is every bit as a digit, so its text sorts as the addresses of one version do.
 */
export function pathValue(kind: AttributeKind, property: string, value: Json): Json {
  if (property === 'value' || value === null) return value;
  if ((kind === 'IPHost' || kind === 'IPNetwork') && typeof value === 'string') {
    const host = storedInterface(value);
    if (property === 'version') return host.version;
    if (property === 'binary_address') return addressBinary(host);
    if (property === 'prefixlen') return host.prefixLength;
  }
  throw new AssertionFailed(`${kind} has no path property ${property}`);
}

function storedInterface(value: string): IpInterface {
  return must(parseInterface(value), `the address of the stored value "${value}"`);
}
