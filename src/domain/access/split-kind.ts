const KIND = /^([A-Z][a-z0-9]*)(.*)$/;

/** A namespace has one capital letter, its first; the name begins with the next. */
export function splitKind(kind: string): {readonly namespace: string; readonly name: string} {
  const [, namespace = '', name = ''] = KIND.exec(kind) ?? [];
  return {namespace, name};
}
