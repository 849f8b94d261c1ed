import {checkValue} from '../../attribute/check-value.ts';
import {declaredKinds} from '../lookup.ts';
import {problem} from '../problem.ts';
import {ownAttributes, type SchemaRule} from './rule.ts';

/** An enum lists values that its attribute could have. */
export const attributeEnum: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const {name, kind: attributeKind, enum: members} of ownAttributes(kind)) {
      if (members === null) continue;
      const path = `${kind.kind}.${name}.enum`;
      if (members.length === 0) {
        yield problem(
          path,
          `the enum of ${name} is empty, so no value would fit; list its values or remove it`,
        );
      } else if (attributeKind === 'Dropdown') {
        yield problem(path, `${name} is a Dropdown: list its values under choices instead of enum`);
      } else {
        for (const member of members) {
          const checked = checkValue(
            {name: `each value of the enum of ${name}`, kind: attributeKind, optional: false},
            member,
          );
          if (!checked.ok) yield problem(path, checked.problems.join('; '));
        }
      }
    }
  }
};
