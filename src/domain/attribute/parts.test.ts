import {expect, test} from 'vitest';
import {ATTRIBUTE_KINDS, pathProperties} from './kinds.ts';
import {dropdownParts, ipHostParts, ipNetworkParts, macAddressParts, pathValue} from './parts.ts';

test('a Dropdown shows the label, colour and description of its choice', () => {
  const choices = [
    {name: 'active', label: 'Active', color: '#00ff00', description: 'In service'},
    {name: 'spare'},
  ];
  expect(dropdownParts('active', choices)).toEqual({
    label: 'Active',
    color: '#00ff00',
    description: 'In service',
  });
  expect(dropdownParts('spare', choices)).toEqual({label: '', color: '', description: ''});
  expect(dropdownParts(null, choices)).toEqual({label: '', color: '', description: ''});
});

test('an IPHost shows its address and masks', () => {
  expect(ipHostParts('192.0.2.5/24')).toEqual({
    ip: '192.0.2.5',
    hostmask: '0.0.0.255',
    netmask: '255.255.255.0',
    prefixlen: 24,
    version: 4,
    with_hostmask: '192.0.2.5/0.0.0.255',
    with_netmask: '192.0.2.5/255.255.255.0',
  });
  expect(ipHostParts('2001:db8::1/64')).toMatchObject({
    ip: '2001:db8::1',
    hostmask: '::ffff:ffff:ffff:ffff',
    with_netmask: '2001:db8::1/ffff:ffff:ffff:ffff::',
  });
});

test('an IPNetwork shows its last address and its size', () => {
  expect(ipNetworkParts('192.0.2.0/24')).toEqual({
    broadcast_address: '192.0.2.255',
    hostmask: '0.0.0.255',
    netmask: '255.255.255.0',
    prefixlen: 24,
    num_addresses: 256,
    version: 4,
    with_hostmask: '192.0.2.0/0.0.0.255',
    with_netmask: '192.0.2.0/255.255.255.0',
  });
  expect(ipNetworkParts('::/0')).toMatchObject({
    broadcast_address: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    num_addresses: 2 ** 128,
  });
});

test('a MAC address shows its notations', () => {
  expect(macAddressParts('60-23-6C-C4-9F-7E')).toEqual({
    oui: '60-23-6C',
    ei: 'C4-9F-7E',
    version: 48,
    binary: '0b11000000010001101101100110001001001111101111110',
    eui48: '60-23-6C-C4-9F-7E',
    eui64: '60-23-6C-FF-FE-C4-9F-7E',
    bare: '60236CC49F7E',
    dot_notation: '6023.6cc4.9f7e',
    semicolon_notation: '60:23:6c:c4:9f:7e',
    split_notation: '60236c:c49f7e',
  });
});

test('an EUI-64 has no 48-bit form', () => {
  expect(macAddressParts('01-23-45-67-89-AB-CD-EF')).toMatchObject({
    oui: '01-23-45',
    ei: '67-89-AB-CD-EF',
    version: 64,
    eui48: null,
    eui64: '01-23-45-67-89-AB-CD-EF',
    dot_notation: '0123.4567.89ab.cdef',
    split_notation: '012345:6789abcdef',
  });
});

test('path properties read parts of an address', () => {
  expect(pathValue('IPNetwork', 'value', '10.0.0.0/8')).toBe('10.0.0.0/8');
  expect(pathValue('IPNetwork', 'version', '10.0.0.0/8')).toBe(4);
  expect(pathValue('IPNetwork', 'prefixlen', '10.0.0.0/8')).toBe(8);
  expect(pathValue('IPHost', 'binary_address', '10.0.0.1/8')).toBe('00001010000000000000000000000001');
  expect(pathValue('IPHost', 'binary_address', '::1/128')).toBe('1'.padStart(128, '0'));
});

test('every path property of null is null', () => {
  for (const kind of ATTRIBUTE_KINDS) {
    for (const property of pathProperties(kind)) expect(pathValue(kind, property, null)).toBe(null);
  }
});
