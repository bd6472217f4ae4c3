/** Which messages that a recipient did not accept count, and how many in a row suspend it. */
export interface SuspensionRule {
  messages: number;
  /** Those refused since there is nobody at the address, or all that are not tried again. */
  counts: 'gone' | 'unaccepted';
  /** What a suspended recipient did, as the rest of a sentence about one. */
  description: string;
}

export const defaultSuspension: SuspensionRule = {
  messages: 3,
  counts: 'gone',
  description: 'refused three messages in a row because its address does not exist',
};
