import type {BuiltinRoot} from './builtin-root.ts';

export const tags: BuiltinRoot = {
  nodes: [
    {
      namespace: 'Builtin',
      name: 'Tag',
      description: 'A word that objects can be marked with',
      icon: 'mdi:tag-multiple',
      include_in_menu: true,
      default_filter: 'name__value',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['name__value']],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'description', kind: 'Text', optional: true},
      ],
    },
  ],
};
