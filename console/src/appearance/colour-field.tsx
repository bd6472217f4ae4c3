import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { findContrast, toChannels, toHex } from './contrast.ts';
import styles from './appearance.module.css';

interface Props {
  label: string;
  value: string;
  error?: string;
  /** What it stands on, or what stands on it, and the contrast that WCAG 2 asks for. */
  against?: { background: string; minimum: number };
  onChange: (value: string) => void;
}

/** A colour by hand or by the picker of the system, with its contrast in figures. */
export function ColourField({ label, value, error, against, onChange }: Props) {
  const contrast = against && findContrast(value, against.background);
  const channels = toChannels(value);
  return (
    <Field label={label} error={error}>
      {attributes => (
        <div className={styles.colour}>
          <input
            type="color"
            aria-label={`${label}: pick`}
            value={channels ? toHex(channels) : '#000000'}
            onChange={event => onChange(event.target.value)}
          />
          <input
            {...attributes}
            className={styles.text}
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={event => onChange(event.target.value)}
          />
          {contrast != null && (
            <span className={contrast < against!.minimum ? styles.low : styles.enough}>
              <Icon name={contrast < against!.minimum ? 'alert' : 'check'} size={16} />
              {`Contrast ${contrast.toFixed(1)} : 1`}
              <small>{contrast < against!.minimum ? `needs ${against!.minimum}` : 'easy to read'}</small>
            </span>
          )}
        </div>
      )}
    </Field>
  );
}
