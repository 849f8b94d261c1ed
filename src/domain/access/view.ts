import {BoundedMap} from '../../base/bounded-map.ts';
import {hfidPaths, labelPaths} from '../node/label.ts';
import {concreteKinds, implementations, kindOf} from '../schema/lookup.ts';
import type {Schema} from '../schema/schema.ts';
import type {Access} from './access.ts';
import {FULL_ACCESS} from './access.ts';

export type Label = 'display_label' | 'hfid';

/** What of a schema somebody may see on a branch. Kinds are those that have objects of their own. */
export interface View {
  /** Nothing is hidden. */
  readonly isWhole: boolean;
  shows(kind: string): boolean;
  showsAttribute(kind: string, attribute: string): boolean;
  /** Whether some attribute of the kind's objects is hidden. */
  hidesSome(kind: string): boolean;
  /** Whether everything may be seen that the label of the kind's objects is made of. */
  showsLabel(kind: string, label: Label): boolean;
}

const WHOLE: View = {
  isWhole: true,
  shows: () => true,
  showsAttribute: () => true,
  hidesSome: () => false,
  showsLabel: () => true,
};
const VIEWS_MAX = 20;

const views = new WeakMap<Access, BoundedMap<string, View>>();

/** Worked out once for each access and schema. */
export function viewOf(access: Access, schema: Schema, onDefaultBranch: boolean): View {
  if (access === FULL_ACCESS) return WHOLE;
  const known = views.get(access) ?? new BoundedMap<string, View>(VIEWS_MAX);
  views.set(access, known);
  const key = `${onDefaultBranch} ${schema.hash}`;
  const view = known.get(key) ?? makeView(access, schema, onDefaultBranch);
  known.set(key, view);
  return view;
}

function makeView(access: Access, schema: Schema, onDefaultBranch: boolean): View {
  const hidden = new Set<string>();
  const hiddenAttributes = new Set<string>();
  const hiding = new Set<string>();
  for (const {kind, attributes} of concreteKinds(schema)) {
    const need = {is: 'object', action: 'view', kind, onDefaultBranch} as const;
    if (!access.allows(need)) hidden.add(kind);
    for (const {name} of attributes) {
      if (access.allows({...need, attribute: name})) continue;
      hiddenAttributes.add(`${kind} ${name}`);
      hiding.add(kind);
    }
  }
  if (hidden.size === 0 && hiddenAttributes.size === 0) return WHOLE;
  const shows = (kind: string) => !hidden.has(kind);
  const showsAttribute = (kind: string, attribute: string) => !hiddenAttributes.has(`${kind} ${attribute}`);

  function showsPath(kindName: string, path: string): boolean {
    const [first = '', second = ''] = path.split('__');
    const field = kindOf(schema, kindName)?.fields.get(first);
    if (field?.is !== 'relationship') return showsAttribute(kindName, first);
    return implementations(schema, field.peer).every(peer => shows(peer) && showsAttribute(peer, second));
  }

  const labels = new Map<string, boolean>();
  function showsLabel(kindName: string, label: Label): boolean {
    const key = `${label} ${kindName}`;
    const known = labels.get(key);
    if (known !== undefined) return known;
    const kind = kindOf(schema, kindName);
    const paths = kind === undefined ? [] : label === 'hfid' ? hfidPaths(kind) : labelPaths(kind);
    const isShown = paths.every(path => showsPath(kindName, path));
    labels.set(key, isShown);
    return isShown;
  }

  return {isWhole: false, shows, showsAttribute, hidesSome: kind => hiding.has(kind), showsLabel};
}
