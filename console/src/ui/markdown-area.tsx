import '@github/markdown-toolbar-element';
import { type ComponentProps, useRef } from 'react';
import { Field, type FieldProps, TextControl } from './field.tsx';
import { Icon, Lines } from './icon.tsx';
import styles from './markdown-area.module.css';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      /** Marks up what is selected in the text area with the id `for`, by the buttons in it. */
      'markdown-toolbar': HTMLAttributes<HTMLElement> & { for: string; 'data-no-focus': string };
    }
  }
}

const boldPath = 'M7 4h6.5a4 4 0 0 1 0 8H7zm0 8h7.5a4 4 0 0 1 0 8H7z';
const linkPath =
  'M10 14a4.5 4.5 0 0 0 6.5.5l3-3A4.5 4.5 0 0 0 13 5l-1.5 1.5' +
  'M14 10a4.5 4.5 0 0 0-6.5-.5l-3 3A4.5 4.5 0 0 0 11 19l1.5-1.5';
const imagePath = 'M4 5h16v14H4zM8.5 10a1 1 0 1 0 0-.01M4 17l5-5 4 4 3-3 4 4';

/** Each with the name by which the toolbar knows what it does. */
const buttons = [
  { name: 'bold', label: 'Bold', icon: <Lines path={boldPath} /> },
  { name: 'link', label: 'Link', icon: <Lines path={linkPath} /> },
  { name: 'unordered-list', label: 'List', icon: <Icon name="list" /> },
  { name: 'code', label: 'Code', icon: <Icon name="code" /> },
];

interface Props extends FieldProps, Omit<ComponentProps<'textarea'>, 'id'> {
  /** Gets an image that is pasted, dropped or chosen, and where in the text that was. */
  onImage: (file: File, position: number) => void;
}

/** A text in Markdown, with buttons for what an update needs. */
export function MarkdownArea({ label, hint, error, onImage, ...others }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const accept = (files: FileList | null): boolean => {
    const image = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (image) onImage(image, area.current!.selectionEnd);
    return Boolean(image);
  };
  return (
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
                {button.icon}
              </button>
            ))}
            <button type="button" aria-label="Image" title="Image" onClick={() => input.current!.click()}>
              <Lines path={imagePath} />
            </button>
          </markdown-toolbar>
          <input
            ref={input}
            type="file"
            accept="image/*"
            hidden
            aria-label="Image file"
            onChange={event => {
              accept(event.target.files);
              // The same file may be chosen again.
              event.target.value = '';
            }}
          />
          <TextControl
            {...others}
            {...attributes}
            ref={area}
            onPaste={event => accept(event.clipboardData.files) && event.preventDefault()}
            // Without this, the browser would leave the console for the file.
            onDragOver={event => event.dataTransfer.types.includes('Files') && event.preventDefault()}
            onDrop={event => {
              if (event.dataTransfer.types.includes('Files')) event.preventDefault();
              accept(event.dataTransfer.files);
            }}
          />
        </>
      )}
    </Field>
  );
}
