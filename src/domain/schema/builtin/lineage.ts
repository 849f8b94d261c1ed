import type {BuiltinRoot} from './builtin-root.ts';

export const lineage: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'Node',
      label: 'Node',
      description: 'Any object, whatever its kind',
      include_in_menu: false,
      generate_profile: false,
    },
    {
      namespace: 'Lineage',
      name: 'Owner',
      description: 'Who answers for a value',
      include_in_menu: false,
      generate_profile: false,
    },
    {
      namespace: 'Lineage',
      name: 'Source',
      description: 'Where a value comes from',
      include_in_menu: false,
      generate_profile: false,
    },
    {
      namespace: 'Core',
      name: 'TaskTarget',
      label: 'Task Target',
      description: 'An object that tasks are run for',
      include_in_menu: false,
      generate_profile: false,
    },
  ],
};
