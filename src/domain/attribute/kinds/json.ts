import {canonicalJson, type Json} from '../../../base/json.ts';
import {jsonDepthMax, largeValueBytesMax} from '../limits.ts';
import {utf8Length} from '../utf8.ts';
import {accept, type Checked, refuse, typeName} from './checked.ts';
import {textProblem} from './text.ts';

export function checkJson(value: unknown): Checked {
  if (typeof value !== 'object' || value === null) {
    return refuse(`must be a JSON object or list, not ${typeName(value)}`);
  }
  return checkAnyJson(value);
}

/** Every value JSON has, within our bounds of depth and size. */
export function checkAnyJson(value: unknown): Checked {
  const problem = jsonProblem(value, 0);
  if (problem !== null) return refuse(problem);
  const json = value as Json;
  const bytes = utf8Length(canonicalJson(json));
  if (bytes > largeValueBytesMax) {
    return refuse(`must take at most ${largeValueBytesMax} bytes as JSON, it takes ${bytes}`);
  }
  return accept(json);
}

function jsonProblem(value: unknown, depth: number): string | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : `must not contain ${value}: JSON has no such number`;
  if (typeof value !== 'object') return `must be JSON, which has no ${typeof value}`;
  if (depth >= jsonDepthMax) return `must be nested at most ${jsonDepthMax} levels deep`;
  return Array.isArray(value) ? listProblem(value, depth) : objectProblem(value, depth);
}

function listProblem(list: readonly unknown[], depth: number): string | null {
  for (const item of list) {
    const problem = jsonProblem(item, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function objectProblem(object: object, depth: number): string | null {
  const prototype = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null)
    return 'must be JSON, which has only plain objects';
  for (const [key, item] of Object.entries(object)) {
    const problem = textProblem(key) ?? jsonProblem(item, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
