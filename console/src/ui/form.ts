import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

/** Ctrl or Cmd with Enter sends the form, from a text of several lines, too. */
export function submitOnShortcut(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.requestSubmit();
}

const invalidControl = '[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input';

/** Focuses the first field with an error after each attempt: the button that was pressed may be screens below it. */
export function useErrorFocus(...errors: object[]): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt sets another object
  useEffect(() => form.current?.querySelector<HTMLElement>(invalidControl)?.focus(), errors);
  return form;
}
