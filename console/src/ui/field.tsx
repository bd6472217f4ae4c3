import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** What is wrong with the value; it stands at the field until the next attempt. */
  error?: string;
}

interface FrameProps extends FieldProps {
  children: (attributes: { id: string; 'aria-invalid': boolean; 'aria-describedby'?: string }) => ReactNode;
}

/** A label, what it labels, and the hint and the error that describe it. */
export function Field({ label, hint, error, children }: FrameProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': describedBy || undefined })}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}

type Native<Tag extends 'input' | 'textarea' | 'select'> = FieldProps & Omit<ComponentProps<Tag>, 'id'>;

export const TextField = ({ label, hint, error, ...others }: Native<'input'>) => (
  <Field label={label} hint={hint} error={error}>
    {attributes => <input {...others} {...attributes} className={styles.control} />}
  </Field>
);

export const TextControl = (attributes: ComponentProps<'textarea'>) => (
  <textarea {...attributes} className={`${styles.control} ${styles.text}`} />
);

export const TextArea = ({ label, hint, error, ...others }: Native<'textarea'>) => (
  <Field label={label} hint={hint} error={error}>
    {attributes => <TextControl {...others} {...attributes} />}
  </Field>
);

export const Select = ({ label, hint, error, children, ...others }: Native<'select'>) => (
  <Field label={label} hint={hint} error={error}>
    {attributes => (
      <select {...others} {...attributes} className={`${styles.control} ${styles.select}`}>
        {children}
      </select>
    )}
  </Field>
);

/** The options of a `Select`: the value and the label of each. */
export const Options = ({ of: options }: { of: Iterable<readonly [value: string, label: ReactNode]> }) =>
  [...options].map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

export const Checkbox = ({ label, hint, ...others }: FieldProps & Omit<ComponentProps<'input'>, 'id'>) => {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input {...others} id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className={styles.hint}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
};

/** What failed that belongs to no field. */
export const FormError = ({ children }: { children: ReactNode }) =>
  children ? (
    <p role="alert" className={styles.formError}>
      {children}
    </p>
  ) : null;
