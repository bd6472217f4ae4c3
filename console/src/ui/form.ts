import type { KeyboardEvent } from 'react';

/** Ctrl or Cmd with Enter sends the form, from a text of several lines, too. */
export function submitOnShortcut(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
