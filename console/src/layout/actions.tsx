import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { Button, ButtonLink } from '../ui/button.tsx';
import type { IconName } from '../ui/icon.tsx';

/** What a person can do on a screen. Its button, its line in the menu and its key come from this one definition. */
export interface Action {
  label: string;
  icon: IconName;
  /** The label where there is little room. */
  short?: string;
  /** A single key, as `KeyboardEvent.key` names it. */
  key?: string;
  /** Where it leads, or what it does. */
  href?: string;
  /** A document of the service beside the console. */
  address?: string;
  run?: () => void;
}

/** Does what an action says, or goes where it leads. */
export function usePerform(): (action: Action) => void {
  const [, navigate] = useLocation();
  return ({ href, address, run }) => {
    if (href) navigate(href);
    else if (address) location.assign(address);
    else run?.();
  };
}

interface Registry {
  actions: Action[];
  register(actions: Action[]): () => void;
}

const RegistryContext = createContext<Registry | null>(null);

export function ActionRegistry({ children }: { children: ReactNode }) {
  const [groups, setGroups] = useState<Action[][]>([]);
  const registry = useMemo<Registry>(
    () => ({
      actions: groups.flat(),
      register(actions) {
        setGroups(current => [...current, actions]);
        return () => setGroups(current => current.filter(group => group !== actions));
      },
    }),
    [groups],
  );
  return (
    <RegistryContext value={registry}>
      <ActionKeys actions={registry.actions} />
      {children}
    </RegistryContext>
  );
}

export const useAvailableActions = (): Action[] => use(RegistryContext)!.actions;

/** Makes actions available while a screen is shown. */
export function useActions(actions: Action[]): void {
  const register = use(RegistryContext)!.register;
  const key = actions.map(({ label, href }) => `${label} ${href}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal actions are compared by their text
  useEffect(() => register(actions), [key]);
}

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

function ActionKeys({ actions }: { actions: Action[] }) {
  const perform = usePerform();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (document.querySelector('dialog[open]')) return;
      const action = actions.findLast(({ key }) => key === event.key);
      if (!action) return;
      event.preventDefault();
      perform(action);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [actions, perform]);
  return null;
}

export function ActionButton({
  action,
  ...appearance
}: {
  action: Action;
  look?: 'primary' | 'secondary' | 'quiet' | 'danger';
  isLarge?: boolean;
}) {
  const { label, icon, key, href, run } = action;
  if (href)
    return (
      <ButtonLink href={href} icon={icon} aria-keyshortcuts={key} {...appearance}>
        {label}
      </ButtonLink>
    );
  return (
    <Button icon={icon} aria-keyshortcuts={key} onClick={run} {...appearance}>
      {label}
    </Button>
  );
}
