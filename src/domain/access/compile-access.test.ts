import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {FULL_ACCESS, type ObjectAction} from './access.ts';
import {compileAccess} from './compile-access.ts';
import {DECISION, NO_GRANTS, type ObjectGrant} from './grants.ts';
import {anyGrants, anyNeed, oracle} from './oracle-fixtures.ts';
import {splitKind} from './split-kind.ts';

test('compiled access decides as the rules do', () => {
  fc.assert(
    fc.property(anyGrants, fc.array(anyNeed, {maxLength: 30}), (grants, needs) => {
      const access = compileAccess(grants);
      for (const need of needs) expect(access.allows(need)).toBe(oracle(grants, need));
    }),
    {numRuns: 2000},
  );
});

const grant = (text: string): ObjectGrant => {
  const [namespace, name, action, decision, attribute] = text.split(':') as [
    string,
    string,
    ObjectAction,
    keyof typeof DECISION,
    string?,
  ];
  return {namespace, name, action, decision: DECISION[decision], attribute: attribute ?? ''};
};

const allowed = (grants: readonly string[], action: ObjectAction, attribute?: string) => {
  const access = compileAccess({global: [], object: grants.map(grant)});
  return [true, false].map(onDefaultBranch =>
    access.allows({
      is: 'object',
      action,
      kind: 'InfraDevice',
      onDefaultBranch,
      ...(attribute === undefined ? {} : {attribute}),
    }),
  );
};

describe('grants on objects', () => {
  test.each([
    ['nothing is allowed that nobody allows', [], [false, false]],
    ['an allowance is for the branches it names', ['*:*:any:allow_other'], [false, true]],
    [
      'a denial of a kind is stronger than an allowance for all',
      ['*:*:any:allow_all', 'Infra:Device:any:deny'],
      [false, false],
    ],
    [
      'an allowance of a kind is stronger than a denial for all',
      ['*:*:any:deny', 'Infra:Device:view:allow_all'],
      [true, true],
    ],
    ['allowances of equal standing add up', ['*:*:any:allow_other', '*:*:any:allow_default'], [true, true]],
    [
      'a denial in general does not undo an allowance of the action',
      ['*:*:any:deny', '*:*:view:allow_all'],
      [true, true],
    ],
    [
      'another kind does not matter',
      ['Infra:Site:view:allow_all', 'Core:Device:view:allow_all'],
      [false, false],
    ],
  ] as const)('%s', (_title, grants, expected) => {
    expect(allowed(grants, 'view')).toEqual(expected);
  });

  test('one attribute may be denied, and only for what the grant says', () => {
    const grants = ['*:*:any:allow_all', 'Infra:Device:view:deny:serial'];
    expect(allowed(grants, 'view', 'serial')).toEqual([false, false]);
    expect(allowed(grants, 'update', 'serial')).toEqual([true, true]);
    expect(allowed(grants, 'view', 'name')).toEqual([true, true]);
    expect(allowed(grants, 'view')).toEqual([true, true]);
    expect(allowed(['Infra:Device:view:allow_all:serial'], 'view', 'serial')).toEqual([false, false]);
  });
});

test('who administers the service may do everything, unless that is denied', () => {
  const admin = {action: 'super_admin', decision: DECISION.allow_all} as const;
  expect(compileAccess({...NO_GRANTS, global: [admin]})).toBe(FULL_ACCESS);
  const denied = compileAccess({...NO_GRANTS, global: [admin, {...admin, decision: DECISION.deny}]});
  expect(denied.allows({is: 'global', action: 'super_admin'})).toBe(false);
});

test('a kind is its namespace and its name', () => {
  expect(splitKind('InfraDevice')).toEqual({namespace: 'Infra', name: 'Device'});
  expect(splitKind('ProfileInfraDevice')).toEqual({namespace: 'Profile', name: 'InfraDevice'});
  expect(splitKind('Dc1VLANGroup')).toEqual({namespace: 'Dc1', name: 'VLANGroup'});
});
