import {declaredKinds} from '../lookup.ts';
import {problem} from '../problem.ts';
import {ownAttributes, type SchemaRule} from './rule.ts';

/** A dropdown has choices, each name once; nothing else has any. */
export const attributeChoices: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const attribute of ownAttributes(kind)) {
      const path = `${kind.kind}.${attribute.name}.choices`;
      const choices = attribute.choices ?? [];
      if (attribute.kind !== 'Dropdown') {
        if (attribute.choices !== null) {
          yield problem(
            path,
            `choices belong to a Dropdown, ${attribute.name} is a ${attribute.kind}; remove them`,
          );
        }
        continue;
      }
      if (choices.length === 0)
        yield problem(path, `${attribute.name} is a Dropdown and needs choices; add some`);
      const names = new Set(choices.map(choice => choice.name));
      if (names.size < choices.length) {
        const twice = choices.find((choice, index) => choices[index + 1]?.name === choice.name);
        yield problem(
          path,
          `the choice "${twice?.name}" of ${attribute.name} appears twice; keep one of them`,
        );
      }
    }
  }
};
