export type IpVersion = 4 | 6;

export type IpInterface = {
  readonly version: IpVersion;
  readonly bits: bigint;
  readonly prefixLength: number;
};

export const addressWidth = (version: IpVersion): number => (version === 4 ? 32 : 128);

/**
 * `address` or `address/length`; after an IPv4 address the length may also be a netmask or a
 * hostmask. Octets with a leading zero and scope ids are refused: the first are octal to some
 * programs, the second mean something on one host only.
 */
export function parseInterface(text: string): IpInterface | null {
  const [addressText, lengthText, ...rest] = text.split('/') as [string, ...string[]];
  if (rest.length > 0) return null;
  const address = parseAddress(addressText);
  if (address === null) return null;
  const width = addressWidth(address.version);
  const prefixLength = lengthText === undefined ? width : parseLength(lengthText, address.version);
  return prefixLength === null ? null : {...address, prefixLength};
}

function parseAddress(text: string): Omit<IpInterface, 'prefixLength'> | null {
  const version = text.includes(':') ? 6 : 4;
  const bits = version === 4 ? parseV4(text) : parseV6(text);
  return bits === null ? null : {version, bits};
}

function parseV4(text: string): bigint | null {
  const octets = text.split('.');
  if (octets.length !== 4) return null;
  let bits = 0n;
  for (const octet of octets) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(octet) || Number(octet) > 255) return null;
    bits = (bits << 8n) | BigInt(octet);
  }
  return bits;
}

function parseV6(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] as string, halves.length === 1);
  const tail = halves[1] === undefined ? [] : parseGroups(halves[1], true);
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  let bits = 0n;
  for (const group of [...head, ...new Array<bigint>(missing).fill(0n), ...tail])
    bits = (bits << 16n) | group;
  return bits;
}

/** The 16-bit groups of one side of `::`; the last two may be written as an IPv4 address. */
function parseGroups(text: string, atEnd: boolean): bigint[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    if (atEnd && index === parts.length - 1 && part.includes('.')) {
      const v4 = parseV4(part);
      if (v4 === null) return null;
      groups.push(v4 >> 16n, v4 & 0xffffn);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(BigInt(`0x${part}`));
    } else {
      return null;
    }
  }
  return groups;
}

function parseLength(text: string, version: IpVersion): number | null {
  if (/^\d{1,3}$/.test(text)) {
    const length = Number(text);
    return length <= addressWidth(version) ? length : null;
  }
  const mask = version === 4 ? parseV4(text) : null;
  if (mask === null) return null;
  for (let length = 0; length <= 32; length++) {
    if (mask === netmaskBits(4, length)) return length;
  }
  for (let length = 0; length <= 32; length++) {
    if (mask === hostmaskBits(4, length)) return length;
  }
  return null;
}

export function hostmaskBits(version: IpVersion, prefixLength: number): bigint {
  return (1n << BigInt(addressWidth(version) - prefixLength)) - 1n;
}

export function netmaskBits(version: IpVersion, prefixLength: number): bigint {
  return ((1n << BigInt(addressWidth(version))) - 1n) ^ hostmaskBits(version, prefixLength);
}

export function networkOf(host: IpInterface): IpInterface {
  return {...host, bits: host.bits & netmaskBits(host.version, host.prefixLength)};
}

/** The one text of an address; IPv6 as RFC 5952 asks: lower case, the longest run of zeros as `::`. */
export function formatAddress(address: Pick<IpInterface, 'version' | 'bits'>): string {
  if (address.version === 4) {
    return [24n, 16n, 8n, 0n].map(shift => ((address.bits >> shift) & 0xffn).toString()).join('.');
  }
  const groups: string[] = [];
  for (let shift = 112n; shift >= 0n; shift -= 16n)
    groups.push(((address.bits >> shift) & 0xffffn).toString(16));
  const zeros = longestZeroRun(groups);
  if (zeros.length < 2) return groups.join(':');
  return `${groups.slice(0, zeros.start).join(':')}::${groups.slice(zeros.start + zeros.length).join(':')}`;
}

function longestZeroRun(groups: readonly string[]): {readonly start: number; readonly length: number} {
  let best = {start: 0, length: 0};
  let length = 0;
  for (const [index, group] of groups.entries()) {
    length = group === '0' ? length + 1 : 0;
    if (length > best.length) best = {start: index - length + 1, length};
  }
  return best;
}

/** All bits of the address as fixed-width text, which sorts as the addresses of its version do. */
export function addressHex(address: Pick<IpInterface, 'version' | 'bits'>): string {
  return address.bits.toString(16).padStart(addressWidth(address.version) / 4, '0');
}

export function addressBinary(address: Pick<IpInterface, 'version' | 'bits'>): string {
  return address.bits.toString(2).padStart(addressWidth(address.version), '0');
}
