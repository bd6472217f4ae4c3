import type { catalogue as en } from './en.js';

/** The key of a text, `group.name`. */
export type TextKey = keyof typeof en;

/** One form per `Intl.PluralRules` category of the language; `{count}` in it is the number that selected the form. */
export type PluralForms = { readonly other: string } & { readonly [category in Intl.LDMLPluralRule]?: string };

/** The texts of a language. A missing one falls back to English; a test fails for it. */
export type Catalogue = { readonly [key in TextKey]?: (typeof en)[key] extends string ? string : PluralForms };

type PlaceholdersIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholdersIn<Rest> : never;
type FormsOf<Text> = Text extends string ? Text : Text[keyof Text];

/** A value for each placeholder of a text. */
type TextValues<Key extends TextKey> = {
  readonly [name in PlaceholdersIn<FormsOf<(typeof en)[Key]>>]: name extends 'count' ? number : string | number;
};

/** The remaining arguments of `t`: none for a text without placeholders. */
export type TextArguments<Key extends TextKey> = [keyof TextValues<Key>] extends [never]
  ? []
  : [values: TextValues<Key>];
