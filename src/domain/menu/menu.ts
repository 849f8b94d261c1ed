export type MenuSection = 'object' | 'internal';

/** One entry of the menu, before entries are put below each other. */
export interface MenuEntry {
  readonly namespace: string;
  readonly name: string;
  readonly label: string;
  readonly section: MenuSection;
  readonly orderWeight: number;
  readonly description?: string;
  readonly path?: string;
  readonly icon?: string;
  /** The kind whose objects it leads to. */
  readonly kind?: string;
  /** It comes with the service and cannot be changed. */
  readonly isProtected?: boolean;
  /** Permissions in their text form, of which the caller needs every one. */
  readonly permissions?: readonly string[];
}

export interface MenuItem extends MenuEntry {
  /** By weight, then by label. */
  readonly children: readonly MenuItem[];
}

export type Menu = Readonly<Record<MenuSection, readonly MenuItem[]>>;

/** Names an entry; kinds place themselves below one by it. */
export const identifierOf = ({namespace, name}: Pick<MenuEntry, 'namespace' | 'name'>): string =>
  namespace + name;
