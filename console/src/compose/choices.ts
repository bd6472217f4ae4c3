interface Chosen<Choice> {
  pageId: string;
  choice: Choice;
  others: Record<string, Choice>;
}

/** The pages that a draft is published on, its own first. In an object, keys that are whole numbers come first. */
export const listChoices = <Choice>({ pageId, choice, others }: Chosen<Choice>): (readonly [string, Choice])[] => [
  [pageId, choice],
  ...Object.entries(others),
];
