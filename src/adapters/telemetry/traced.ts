import type {Tracer} from '../../ports/tracer.ts';

/** The same thing, with a span for each call of a method that answers later. While tracing is off it is the thing itself. */
export function traced<T extends object>(target: T, name: string, tracer: Tracer): T {
  if (!tracer.isOn) return target;
  return new Proxy(target, {
    get(own, key) {
      const member: unknown = Reflect.get(own, key, own);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const call = () => Reflect.apply(member, own, args) as unknown;
        return tracer.span(`${name} ${String(key)}`, {}, async () => call());
      };
    },
  });
}
