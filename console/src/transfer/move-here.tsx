import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { Chips } from '../ui/chips.tsx';
import { Field, Options, Select, TextField } from '../ui/field.tsx';
import { ImportForm } from './import-form.tsx';
import { products } from './products.ts';
import { ProductResult } from './report.tsx';
import type { ProductReport } from './send.ts';
import { useImport } from './use-import.ts';
import styles from './transfer.module.css';

const emptyInput = { token: '', sourcePage: '', url: '', timeZone: '' };

/** Moves a page of another product to a page of this service. `pageId` is null: to a new one. */
export function MoveHere({ pageId }: { pageId: string | null }) {
  const session = useSession();
  const offered = products.filter(
    ({ needsPage, needsAllPages }) => !(needsPage && pageId === null) && !(needsAllPages && !session.has('OWNER')),
  );
  const [product, setProduct] = useState(offered[0]!);
  const [isByToken, setByToken] = useState(false);
  const [files, setFiles] = useState<File[]>([]);
  const [input, setInput] = useState(emptyInput);
  const write = useImport<ProductReport>();
  const { from, label, only, hasApi, sourcePage, needsTimeZone } = product;
  const usesToken = Boolean(hasApi) && isByToken;
  const set = (name: keyof typeof emptyInput) => (event: { target: { value: string } }) => {
    write.reset();
    setInput({ ...input, [name]: event.target.value });
  };
  const choose = (chosen: string) => {
    write.reset();
    setFiles([]);
    setProduct(offered.find(each => each.from === chosen)!);
  };
  const send = (dryRun: boolean) => {
    const content = usesToken
      ? [{ name: 'token', content: new Blob([input.token]) }]
      : files.map(file => ({ name: only ?? file.name, content: file }));
    const { timeZone, url } = input;
    const more = usesToken ? { url } : { timeZone: needsTimeZone ? timeZone : '' };
    const source = usesToken || only ? input.sourcePage : '';
    write.mutate({ from, dryRun, page: pageId, files: content, ...more, sourcePage: source });
  };
  const isComplete = usesToken
    ? Boolean(input.token && input.sourcePage)
    : files.length > 0 && (!needsTimeZone || Boolean(input.timeZone));
  const fields = (
    <>
      <Select label="Product" value={from} onChange={event => choose(event.target.value)}>
        <Options of={offered.map(each => [each.from, each.label])} />
      </Select>
      {hasApi && (
        <Chips
          legend="Read it from"
          values={[false, true]}
          chosen={isByToken}
          describe={byToken => (byToken ? 'The API, with a token' : 'Saved files')}
          onChoose={byToken => {
            write.reset();
            setByToken(byToken);
          }}
        />
      )}
      {usesToken ? (
        <TextField
          label="API token"
          hint={`A token of ${label} that may read. It is used once, and not stored.`}
          type="password"
          autoComplete="off"
          value={input.token}
          onChange={set('token')}
        />
      ) : (
        <Field label={only ? 'File' : 'Files'} hint={`You can choose: ${product.files}.`}>
          {attributes => (
            <input
              {...attributes}
              // Another product has other files.
              key={from}
              className={styles.upload}
              type="file"
              accept={product.accept}
              multiple={!only}
              onChange={event => {
                write.reset();
                setFiles([...(event.target.files ?? [])]);
              }}
            />
          )}
        </Field>
      )}
      {sourcePage && (usesToken || only) && (
        <TextField label={sourcePage} autoComplete="off" value={input.sourcePage} onChange={set('sourcePage')} />
      )}
      {usesToken && (
        <TextField
          label="Address of the API"
          hint={`Leave it empty for that of ${label}.`}
          type="url"
          placeholder="https://"
          value={input.url}
          onChange={set('url')}
        />
      )}
      {needsTimeZone && (
        <TextField
          label="Time zone"
          hint={`Of the times of ${label}, for example Europe/Berlin.`}
          value={input.timeZone}
          onChange={set('timeZone')}
        />
      )}
    </>
  );
  const { report } = write;
  const result = report && <ProductResult report={report} />;
  return (
    <ImportForm
      write={write}
      isComplete={isComplete}
      fields={fields}
      result={result}
      onSend={send}
      pageId={report?.pageId}
    />
  );
}
