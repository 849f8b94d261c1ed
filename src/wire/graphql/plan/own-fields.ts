import type {Found} from '../../../ports/graph-store.ts';
import type {Fragments} from './fragments.ts';
import type {WriteRun, Writer} from './write-run.ts';

/** A field of an object with what stands before its value. */
export interface PrefixedField {
  readonly prefix: string;
  readonly write: Writer;
  /** It tells nothing but what the version of the object says. */
  readonly isOwn: boolean;
}

/** The fields of objects of a kind, those that stand together and tell only of the object written once per version. */
export function nodeFields(fields: readonly PrefixedField[], fragments: Fragments): readonly Writer[] {
  const writers: Writer[] = [];
  for (let from = 0; from < fields.length; ) {
    let until = from;
    while (until < fields.length && fields[until]!.isOwn) until += 1;
    if (until === from) writers.push(prefixed(fields[until++]!));
    else writers.push(ownFields(fields.slice(from, until), fragments));
    from = until;
  }
  return writers;
}

export const prefixed =
  ({prefix, write}: PrefixedField): Writer =>
  (source, run) =>
    prefix + write(source, run);

/**
 * Where something is hidden from the caller the text depends on them, and a version that is still being written may
 * yet become another: then it is written anew.
 */
function ownFields(fields: readonly PrefixedField[], fragments: Fragments): Writer {
  const table = fragments.table();
  return (source, run) => {
    if (!run.view.isWhole || run.isRehearsal) return writeAll(fields, source, run);
    const {version} = (source as Found).node;
    const known = table.get(version);
    if (known !== undefined) return known;
    const text = writeAll(fields, source, run);
    table.set(version, text);
    return text;
  };
}

/** Joined, not added up: the text is kept and copied often, and an added one is put together anew each time. */
const writeAll = (fields: readonly PrefixedField[], source: unknown, run: WriteRun): string =>
  fields.map(({prefix, write}) => prefix + write(source, run)).join('');
