import { type KeyboardEvent, useId, useState } from 'react';
import { Field, type FieldProps } from './field.tsx';
import styles from './combobox.module.css';
import fieldStyles from './field.module.css';

export interface Option {
  value: string;
  label: string;
  /** Searched like the label. */
  detail: string;
}

interface Props extends FieldProps {
  options: Option[];
  value: string;
  onChange: (value: string) => void;
}

/** "são paulo" and "America/Sao_Paulo" in the same letters. */
const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}+-]+/u)
    .filter(Boolean);

/** Those with a word that begins with each word of the text; those whose label begins with it are first. */
function search(options: Option[], text: string): Option[] {
  const wanted = toWords(text);
  const rank = ({ label }: Option) => (toWords(label).join(' ').startsWith(wanted.join(' ')) ? 0 : 1);
  return options
    .filter(({ label, detail }) => {
      const words = toWords(`${label} ${detail}`);
      return wanted.every(part => words.some(word => word.startsWith(part)));
    })
    .toSorted((one, other) => rank(one) - rank(other));
}

/** A list that is searched by typing: a combobox of the ARIA Authoring Practices, with automatic selection. */
export function Combobox({ label, hint, error, options, value, onChange }: Props) {
  const id = useId();
  /** What is searched for. Undefined: the list is closed. */
  const [text, setText] = useState<string>();
  const [active, setActive] = useState(0);
  const chosen = options.find(option => option.value === value);
  const found = text === undefined ? [] : text ? search(options, text) : options;
  const isOpen = text !== undefined;
  const choose = (option: Option | undefined) => {
    setText(undefined);
    if (option) onChange(option.value);
  };
  const open = () => {
    setText('');
    setActive(chosen ? options.indexOf(chosen) : 0);
  };
  const move = (by: number) => setActive((active + by + found.length) % Math.max(1, found.length));
  const keys: Record<string, () => void> = {
    ArrowDown: () => (isOpen ? move(1) : open()),
    ArrowUp: () => (isOpen ? move(-1) : open()),
    ...(isOpen && { Enter: () => choose(found[active]), Escape: () => setText(undefined) }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <Field label={label} hint={hint} error={isOpen ? undefined : error}>
      {attributes => (
        <div className={styles.combobox}>
          <input
            {...attributes}
            role="combobox"
            aria-expanded={isOpen}
            aria-autocomplete="list"
            aria-controls={isOpen ? `${id}-list` : undefined}
            aria-activedescendant={isOpen && found.length ? `${id}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            className={fieldStyles.control}
            value={text || (chosen?.label ?? value)}
            onFocus={({ target }) => target.select()}
            onClick={() => !isOpen && open()}
            onChange={({ target }) => {
              setText(target.value);
              setActive(0);
            }}
            onBlur={() => choose(text ? found[active] : undefined)}
            onKeyDown={onKeyDown}
          />
          {isOpen && (
            <div id={`${id}-list`} role="listbox" aria-label={String(label)} className={styles.list}>
              {found.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                <div
                  key={option.value}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  ref={index === active ? scrollIntoView : undefined}
                  onPointerDown={event => event.preventDefault()}
                  onClick={() => choose(option)}
                >
                  {option.label} <small>{option.detail}</small>
                </div>
              ))}
            </div>
          )}
          {isOpen && !found.length && (
            <p role="status" className={fieldStyles.hint}>
              Nothing matches “{text}”.
            </p>
          )}
        </div>
      )}
    </Field>
  );
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
