import type {BuiltinRoot} from './builtin-root.ts';

export const profilesAndTemplates: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'Profile',
      description: 'Values that objects take unless they set their own',
      icon: 'mdi:shape-plus-outline',
      include_in_menu: false,
      generate_profile: false,
      default_filter: 'profile_name__value',
      display_labels: ['profile_name__value'],
      uniqueness_constraints: [['profile_name__value']],
      attributes: [
        {name: 'profile_name', kind: 'Text', unique: true, parameters: {min_length: 3, max_length: 32}},
        {name: 'profile_priority', kind: 'Number', optional: true, default_value: 1000},
      ],
    },
    {
      namespace: 'Core',
      name: 'ObjectTemplate',
      label: 'Object Template',
      description: 'A model from which objects are made',
      include_in_menu: false,
      generate_profile: false,
      default_filter: 'template_name__value',
      display_labels: ['template_name__value'],
      attributes: [{name: 'template_name', kind: 'Text', unique: true}],
    },
    {
      namespace: 'Core',
      name: 'ObjectComponentTemplate',
      label: 'Object Component Template',
      description: 'A part of a model from which objects are made',
      include_in_menu: false,
      generate_profile: false,
      default_filter: 'template_name__value',
      display_labels: ['template_name__value'],
      attributes: [{name: 'template_name', kind: 'Text'}],
    },
  ],
};
