import type {BuiltinRoot} from './builtin-root.ts';

export const menu: BuiltinRoot = {
  generics: [
    {
      namespace: 'Core',
      name: 'Menu',
      description: 'An entry of the menu',
      include_in_menu: false,
      generate_profile: false,
      hierarchical: true,
      human_friendly_id: ['namespace__value', 'name__value'],
      display_labels: ['label__value'],
      attributes: [
        {name: 'namespace', kind: 'Text', parameters: {regex: '^[A-Z][a-z0-9]+$'}},
        {name: 'name', kind: 'Text'},
        {name: 'label', kind: 'Text', optional: true},
        {name: 'kind', kind: 'Text', optional: true},
        {name: 'path', kind: 'Text', optional: true},
        {name: 'description', kind: 'Text', optional: true},
        {name: 'icon', kind: 'Text', optional: true},
        {name: 'protected', kind: 'Boolean', default_value: false, optional: true, read_only: true},
        {name: 'order_weight', kind: 'Number', default_value: 2000, optional: true},
        {name: 'required_permissions', kind: 'List', optional: true},
        {
          name: 'section',
          kind: 'Text',
          enum: ['object', 'internal'],
          default_value: 'object',
          optional: true,
        },
      ],
    },
  ],
  nodes: [
    {
      namespace: 'Core',
      name: 'MenuItem',
      label: 'Menu Item',
      description: 'An entry of the menu',
      include_in_menu: false,
      generate_profile: false,
      inherit_from: ['CoreMenu'],
    },
  ],
};
