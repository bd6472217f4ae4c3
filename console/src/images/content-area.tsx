import { type ComponentProps, useState } from 'react';
import { MarkdownArea } from '../ui/markdown-area.tsx';
import { AddImage, type ChosenImage } from './add-image.tsx';

interface Props extends Omit<ComponentProps<typeof MarkdownArea>, 'label' | 'onChange' | 'onImage' | 'value'> {
  /** Those that show the text: each has its own copy of an image, at the same path. */
  pageIds: string[];
  value: string;
  onChange: (text: string) => void;
}

/** The text of a notice, in Markdown and with images. */
export function ContentArea({ pageIds, value, onChange, ...others }: Props) {
  const [image, setImage] = useState<ChosenImage>();
  const insert = (markdown: string) => {
    const before = value.slice(0, image!.position).trimEnd();
    const after = value.slice(image!.position).trimStart();
    onChange([before, markdown, after].filter(Boolean).join('\n\n'));
    setImage(undefined);
  };
  return (
    <>
      <MarkdownArea
        {...others}
        label="Text"
        value={value}
        onChange={event => onChange(event.target.value)}
        onImage={(file, position) => setImage({ file, position })}
      />
      {image && (
        <AddImage
          key={`${image.file.name} ${image.file.size} ${image.file.lastModified}`}
          image={image}
          pageIds={pageIds}
          onInsert={insert}
          onCancel={() => setImage(undefined)}
        />
      )}
    </>
  );
}
