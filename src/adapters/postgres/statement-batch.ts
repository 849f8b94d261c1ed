import type {Row, SqlValue} from '../sql/statement.ts';

/** A statement as one connection knows it: parsed by the server once, then called by its name. */
export interface Prepared {
  readonly name: string;
  /** As the room spells it, and as the engine does. */
  readonly sql: string;
  readonly text: string;
  /** Of the parameters; 0 where the server finds out. */
  readonly types: readonly number[];
  isParsed: boolean;
  /** How each column that comes back is read; told when the statement is parsed. */
  columns: readonly Decode[];
}

export interface Call {
  readonly prepared: Prepared;
  readonly values: readonly SqlValue[];
}

export interface Answer {
  readonly rows: readonly Row[];
  /** How many rows it changed or found. */
  readonly count: number;
  readonly tag: string;
}

type Decode = (text: string) => SqlValue;

const asText: Decode = text => text;
const asNumber: Decode = Number;
const asTruth: Decode = text => (text === 't' ? 1 : 0);

const BOOLEAN = 16;
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);

const decoderOf = (type: number): Decode =>
  NUMBERS.has(type) ? asNumber : type === BOOLEAN ? asTruth : asText;

/** The part of the driver's wire that a batch speaks to. */
export interface Wire {
  readonly stream: {cork(): void; uncork(): void};
  parse(message: {name: string; text: string; types: readonly number[]}): void;
  describe(message: {type: 'S'; name: string}): void;
  bind(message: {statement: string; values: readonly SqlValue[]; valueMapper: Mapper}): void;
  execute(message: {portal: string; rows: number}): void;
  close(message: {type: 'S'; name: string}): void;
  sync(): void;
}

type Mapper = (value: SqlValue) => string | null;
const asParameter: Mapper = value => (typeof value === 'number' ? String(value) : value);

/**
 * Calls of prepared statements that travel together: one packet there, one answer back, in order. When one fails the
 * server leaves out those behind it, and the batch fails as a whole.
 */
export class StatementBatch {
  readonly #calls: readonly Call[];
  readonly #forgotten: readonly Prepared[];
  readonly #answers: Answer[] = [];
  readonly #parsed = new Set<Prepared>();
  readonly #settle: (error: Error | undefined, answers: readonly Answer[]) => void;
  #rows: Row[] = [];

  constructor(
    calls: readonly Call[],
    forgotten: readonly Prepared[],
    settle: (error: Error | undefined, answers: readonly Answer[]) => void,
  ) {
    this.#calls = calls;
    this.#forgotten = forgotten;
    this.#settle = settle;
  }

  submit(wire: Wire): void {
    wire.stream.cork();
    for (const {name} of this.#forgotten) wire.close({type: 'S', name});
    for (const {prepared, values} of this.#calls) {
      const {name, text, types} = prepared;
      if (!prepared.isParsed) {
        wire.parse({name, text, types});
        wire.describe({type: 'S', name});
        prepared.isParsed = true;
        this.#parsed.add(prepared);
      }
      wire.bind({statement: name, values, valueMapper: asParameter});
      wire.execute({portal: '', rows: 0});
    }
    wire.sync();
    wire.stream.uncork();
  }

  /** After a failure: statements that came with it and that the server may not know. */
  get unsure(): readonly Prepared[] {
    return this.#calls
      .slice(this.#answers.length)
      .flatMap(({prepared}) => (this.#parsed.has(prepared) ? [prepared] : []));
  }

  handleRowDescription({fields}: {readonly fields: readonly {readonly dataTypeID: number}[]}): void {
    this.#current.columns = fields.map(field => decoderOf(field.dataTypeID));
  }

  handleDataRow({fields}: {readonly fields: readonly (string | null)[]}): void {
    const {columns} = this.#current;
    const row: SqlValue[] = [];
    for (let place = 0; place < fields.length; place += 1) {
      const text = fields[place]!;
      row.push(text === null ? null : columns[place]!(text));
    }
    this.#rows.push(row);
  }

  handleCommandComplete({text}: {readonly text: string}): void {
    const count = Number(/\d+$/.exec(text)?.[0] ?? 0);
    this.#answers.push({rows: this.#rows, count, tag: text});
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({text: ''});
  }

  handleReadyForQuery(): void {
    this.#settle(undefined, this.#answers);
  }

  handleError(error: Error): void {
    this.#settle(error, this.#answers);
  }

  get #current(): Prepared {
    return this.#calls[this.#answers.length]!.prepared;
  }
}
