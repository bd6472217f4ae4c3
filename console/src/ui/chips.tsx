import type { ReactNode } from 'react';
import styles from './chips.module.css';

interface Props<Value> {
  legend: string;
  values: Value[];
  /** Null: none yet. */
  chosen: Value | null;
  describe: (value: Value) => ReactNode;
  onChoose: (value: Value) => void;
}

/** One of a few values, each in one tap. */
export const Chips = <Value,>({ legend, values, chosen, describe, onChoose }: Props<Value>) => (
  <fieldset className={styles.chips}>
    <legend>{legend}</legend>
    {values.map(value => (
      <label key={String(value)}>
        <input type="radio" name={legend} checked={value === chosen} onChange={() => onChoose(value)} />
        <span>{describe(value)}</span>
      </label>
    ))}
  </fieldset>
);
