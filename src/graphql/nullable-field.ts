import { Field } from 'type-graphql';

/** Declares a field that can be null, or one of an input that can be left out. The description says what null means. */
export const NullableField = (type: () => unknown, description: string) =>
  Field(type as never, { nullable: true, description });
