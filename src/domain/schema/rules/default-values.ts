import {checkValue} from '../../attribute/check-value.ts';
import {checkRegex} from '../../attribute/regex.ts';
import {declaredKinds} from '../lookup.ts';
import {problem} from '../problem.ts';
import {ownAttributes, type SchemaRule} from './rule.ts';

/** A default is a value that the attribute allows. */
export const defaultValues: SchemaRule = function* (schema) {
  for (const kind of declaredKinds(schema)) {
    for (const attribute of ownAttributes(kind)) {
      const {name, default_value, parameters} = attribute;
      if (default_value === null) continue;
      const path = `${kind.kind}.${name}.default_value`;
      if (parameters.regex && checkRegex(parameters.regex) !== null) continue;
      const checked = checkValue({...attribute, name: `the default of ${name}`}, default_value);
      if (!checked.ok) yield problem(path, `${checked.problems.join('; ')}; change the default`);
    }
  }
};
