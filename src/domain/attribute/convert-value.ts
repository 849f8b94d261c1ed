import {canonicalJson, isJsonObject, type Json} from '../../base/json.ts';
import {accept, type Checked, refuse} from './kinds/checked.ts';
import {KIND_CHECKS} from './kinds/registry.ts';
import type {AttributeKind} from './kinds.ts';

const INTEGER = /^[+-]?\d{1,16}$/;

/**
 * A stored value of one kind as a value of another, or why it cannot be: what a change of an attribute's kind
 * does to the values that are there. What the new kind accepts as it is stays; else a number or a truth value is
 * written out or read from its text, and so is JSON.
 */
export function convertValue(from: AttributeKind, to: AttributeKind, value: Json): Checked {
  if (value === null || from === to) return accept(value);
  if (from === 'HashedPassword' || to === 'HashedPassword') {
    return refuse(`cannot turn from ${from} into ${to}: a hash stands for itself alone`);
  }
  const asItIs = KIND_CHECKS[to](value);
  if (asItIs.ok) return asItIs;
  const rewritten = rewrite(value, to);
  return rewritten === undefined ? asItIs : KIND_CHECKS[to](rewritten);
}

function rewrite(value: Json, to: AttributeKind): Json | undefined {
  if (typeof value === 'string') return fromText(value, to);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? undefined : canonicalJson(value);
}

function fromText(text: string, to: AttributeKind): Json | undefined {
  switch (to) {
    case 'Number':
    case 'Bandwidth':
    case 'NumberPool':
      return INTEGER.test(text) ? Number(text) : undefined;
    case 'Boolean':
    case 'Checkbox':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'List':
    case 'JSON':
      return parsedJson(text);
    default:
      return undefined;
  }
}

function parsedJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) || isJsonObject(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
