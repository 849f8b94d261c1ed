/** `vlan_id` becomes `Vlan Id`; a word that has capitals already stays as it is. */
export function labelOf(name: string): string {
  return name
    .split('_')
    .map(word => (word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join(' ');
}
