/** What an entry takes beside its text, about. */
const ENTRY_CHARACTERS = 100;
/** Longer texts are written each time: few of them would take the room of many. */
const TEXT_CHARACTERS_MAX = 4_000;

/**
 * Texts of versions as documents show them. A version never changes, so none is ever told to forget; when all tables
 * together hold too much, those go that were not asked for since the last time.
 */
export class Fragments {
  readonly #halfMax: number;
  #characters = 0;
  #generation = 0;

  constructor(charactersMax: number) {
    this.#halfMax = charactersMax / 2;
  }

  get generation(): number {
    return this.#generation;
  }

  /** For one place of one document. */
  table(): FragmentTable {
    return new FragmentTable(this);
  }

  added(characters: number): void {
    this.#characters += characters + ENTRY_CHARACTERS;
    if (this.#characters <= this.#halfMax) return;
    this.#characters = 0;
    this.#generation += 1;
  }
}

export class FragmentTable {
  readonly #fragments: Fragments;
  #generation: number;
  #younger = new Map<string, string>();
  #older = new Map<string, string>();

  constructor(fragments: Fragments) {
    this.#fragments = fragments;
    this.#generation = fragments.generation;
  }

  get(version: string): string | undefined {
    if (this.#fragments.generation !== this.#generation) this.#age();
    const text = this.#younger.get(version);
    if (text !== undefined) return text;
    const old = this.#older.get(version);
    if (old !== undefined) this.set(version, old);
    return old;
  }

  set(version: string, text: string): void {
    if (text.length > TEXT_CHARACTERS_MAX) return;
    this.#younger.set(version, text);
    this.#fragments.added(text.length);
  }

  #age(): void {
    const isJustOver = this.#fragments.generation === this.#generation + 1;
    this.#older = isJustOver ? this.#younger : new Map();
    this.#younger = new Map();
    this.#generation = this.#fragments.generation;
  }
}
