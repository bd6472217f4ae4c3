import { Field } from 'type-graphql';

type FieldType = NonNullable<Parameters<typeof Field>[0]>;

/** Declares a field that can be null, or one of an input that can be left out. The description says what null means. */
export const NullableField = (type: FieldType, description: string) => Field(type, { nullable: true, description });
