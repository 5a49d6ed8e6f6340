/** `target` with some of its properties replaced; its methods stay bound to it, for its private fields. */
export const replaced = <T extends object>(target: T, by: Partial<T>): T =>
  new Proxy(target, {
    get(from, name) {
      const value: unknown = name in by ? by[name as keyof T] : Reflect.get(from, name, from);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
