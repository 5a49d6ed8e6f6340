import { type TProperties, type TSchema, Type } from 'typebox';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
type Named<P extends TProperties> = {
  [K in keyof P as K extends `${infer Name}?` ? Name : K]: K extends `${string}?`
    ? ReturnType<typeof optional<P[K]>>
    : P[K];
};

/** The schema of an object that has these properties and no others; those whose names end in `?` may be missing. */
export const closed = <P extends TProperties>(properties: P) => {
  const named = Object.entries(properties).map(([name, schema]) =>
    name.endsWith('?') ? [name.slice(0, -1), optional(schema)] : [name, schema],
  );
  return Type.Object(Object.fromEntries(named) as Named<P>, { additionalProperties: false });
};
