import {accept, type Checked, refuse, shown, typeName} from './checked.ts';

/** Hexadecimal digits per group of each notation, for EUI-48 and EUI-64. */
const NOTATIONS: readonly {readonly groups: number; readonly width: number}[] = [
  {groups: 6, width: 2},
  {groups: 3, width: 4},
  {groups: 2, width: 6},
  {groups: 1, width: 12},
  {groups: 8, width: 2},
  {groups: 4, width: 4},
  {groups: 2, width: 8},
  {groups: 1, width: 16},
];

/** Any common notation of an EUI-48 or EUI-64 in, upper case pairs with dashes out. */
export function checkMacAddress(value: unknown): Checked {
  if (typeof value !== 'string') return refuse(`must be a text with a MAC address, not ${typeName(value)}`);
  const digits = macDigits(value);
  if (digits === null) {
    return refuse(
      `must be a MAC address such as AA:BB:CC:DD:EE:FF, aabb.ccdd.eeff or an EUI-64, ${shown(value)} is none`,
    );
  }
  return accept((digits.match(/../g) ?? []).join('-'));
}

/** Groups may drop leading zeros (`0:1b:77:49:54:fd`) where a separator still tells them apart. */
function macDigits(text: string): string | null {
  if (!/^[0-9a-f]+(?:([-:. ])[0-9a-f]+(?:\1[0-9a-f]+)*)?$/i.test(text)) return null;
  const groups = text.toUpperCase().split(/[-:. ]/);
  const longest = Math.max(...groups.map(group => group.length));
  for (const notation of NOTATIONS) {
    if (notation.groups !== groups.length || longest > notation.width) continue;
    const mayPad = notation.groups > 2;
    if (mayPad || groups.every(group => group.length === notation.width)) {
      return groups.map(group => group.padStart(notation.width, '0')).join('');
    }
  }
  return null;
}
