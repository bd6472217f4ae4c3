import '@github/markdown-toolbar-element';
import type { ComponentProps } from 'react';
import { Field, type FieldProps, TextControl } from './field.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './markdown-area.module.css';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Marks up what is selected in the text area with the id `for`, by the buttons in it. */
      'markdown-toolbar': HTMLAttributes<HTMLElement> & { for: string; 'data-no-focus': string };
    }
  }
}

/** Each with the name by which the toolbar knows what it does. */
const buttons = [
  { name: 'bold', icon: 'bold', label: 'Bold' },
  { name: 'link', icon: 'link', label: 'Link' },
  { name: 'unordered-list', icon: 'list', label: 'List' },
  { name: 'code', icon: 'code', label: 'Code' },
] as const satisfies { name: string; icon: IconName; label: string }[];

/** A text in Markdown, with buttons for what an update needs. */
export const MarkdownArea = ({
  label,
  hint,
  error,
  ...others
}: FieldProps & Omit<ComponentProps<'textarea'>, 'id'>) => (
  <Field label={label} hint={hint} error={error}>
    {attributes => (
      <>
        <markdown-toolbar for={attributes.id} data-no-focus="" aria-label="Formatting" className={styles.toolbar}>
          {buttons.map(button => (
            <button
              key={button.name}
              type="button"
              data-md-button={button.name}
              aria-label={button.label}
              title={button.label}
            >
              <Icon name={button.icon} />
            </button>
          ))}
        </markdown-toolbar>
        <TextControl {...others} {...attributes} />
      </>
    )}
  </Field>
);
