/** A template that cannot be used, or a rendering that failed; the message is a sentence for its author. */
export class TemplateProblem extends Error {
  override name = 'TemplateProblem';
}
