import type {Json} from '../../../base/json.ts';
import {templateLengthMax} from '../limits.ts';
import {freeNames} from './free-names.ts';
import {readPieces, type TemplateOptions} from './lexer.ts';
import {parseStatements} from './parse-statement.ts';
import {TemplateProblem} from './problem.ts';
import {render} from './render.ts';
import type {Statement} from './syntax.ts';

/**
 * A subset of Jinja2 that is safe to run inside the service: no calls, no host objects, bounded
 * work and output. What is outside the subset is refused when the template is parsed, or is a
 * problem when it is rendered; what renders, renders as Jinja2 with StrictUndefined would.
 */
export type Template = {readonly statements: readonly Statement[]};

export type ParsedTemplate =
  | {readonly ok: true; readonly template: Template; readonly variables: readonly string[]}
  | {readonly ok: false; readonly problem: string};

export type RenderedTemplate =
  | {readonly ok: true; readonly text: string}
  | {readonly ok: false; readonly problem: string};

const DEFAULT_OPTIONS: TemplateOptions = {trimBlocks: false, lstripBlocks: false};

/** `variables` are the names the template reads from outside, sorted. */
export function parseTemplate(text: string, options: TemplateOptions = DEFAULT_OPTIONS): ParsedTemplate {
  if (text.length > templateLengthMax) {
    return {
      ok: false,
      problem: `a template may have at most ${templateLengthMax} characters, this has ${text.length}`,
    };
  }
  return caught(() => {
    const statements = parseStatements(readPieces(text, options));
    return {ok: true, template: {statements}, variables: freeNames(statements)};
  });
}

export function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, Json>>,
): RenderedTemplate {
  return caught(() => ({ok: true, text: render(template.statements, variables)}));
}

function caught<T>(action: () => T): T | {readonly ok: false; readonly problem: string} {
  try {
    return action();
  } catch (error) {
    if (error instanceof TemplateProblem) return {ok: false, problem: error.message};
    throw error;
  }
}
