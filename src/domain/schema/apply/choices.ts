import {sha1Hex} from '../../../base/hash.ts';
import type {Choice} from '../document.ts';
import type {ChoiceDefinition} from '../source.ts';

const PALETTE = [
  '#ffd7b5',
  '#b5e2fa',
  '#c1e1c1',
  '#f9c6d0',
  '#e0c3fc',
  '#fff1a8',
  '#a8e6cf',
  '#ffb7b2',
  '#bde0fe',
  '#d8e2dc',
  '#fcd5ce',
  '#cddafd',
  '#e2ece9',
  '#fde2e4',
  '#dfe7fd',
  '#f0efeb',
  '#d0f4de',
  '#fcf6bd',
  '#e4c1f9',
  '#a9def9',
] as const;

/** A choice keeps the label, colour and description it had; a new one without a colour is given a free one. */
export function declareChoices(
  stored: readonly ChoiceDefinition[] | null,
  choices: readonly Choice[],
): readonly ChoiceDefinition[] {
  const known = new Map(stored?.map(choice => [choice.name, choice]));
  const taken = new Set(choices.map(choice => choice.color ?? known.get(choice.name)?.color));
  return choices.map(choice => {
    const before = known.get(choice.name);
    const color = choice.color ?? before?.color ?? freeColor(choice.name, taken);
    taken.add(color);
    return {
      name: choice.name,
      label: choice.label ?? before?.label ?? null,
      color,
      description: choice.description ?? before?.description ?? null,
    };
  });
}

/** Chosen by the name, so that the same choice added on two branches looks the same. */
function freeColor(name: string, taken: ReadonlySet<string | undefined>): string {
  const first = Number.parseInt(sha1Hex(name).slice(0, 8), 16);
  const inOrder = PALETTE.map((_, index) => PALETTE[(first + index) % PALETTE.length] as string);
  return inOrder.find(color => !taken.has(color)) ?? (inOrder[0] as string);
}
