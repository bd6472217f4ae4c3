import type { en } from './languages/en.js';

/** The name of a text. */
export type TextKey = keyof typeof en;

/** One form for each category of `Intl.PluralRules` that the language has; `{count}` in it is the number that chose. */
export type Plural = { readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string };

/** The texts of a language. One that is not there yet is said in English; a test holds that none is missing. */
export type Words = { readonly [key in TextKey]?: (typeof en)[key] extends string ? string : Plural };

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type FormsOf<Text> = Text extends string ? Text : Text[keyof Text];

/** What a text wants to be told: a value for each of its placeholders. */
export type ValuesFor<Key extends TextKey> = {
  readonly [name in NamesIn<FormsOf<(typeof en)[Key]>>]: name extends 'count' ? number : string | number;
};

/** The rest of the arguments of `t`: none where the text has no placeholder. */
export type ArgumentsFor<Key extends TextKey> = [keyof ValuesFor<Key>] extends [never] ? [] : [values: ValuesFor<Key>];
