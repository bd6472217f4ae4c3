import { useState } from 'react';
import { Field, TextField } from '../ui/field.tsx';
import { ImportForm } from './import-form.tsx';
import { ArchiveResult } from './report.tsx';
import { type ArchiveReport, toPassphraseFiles } from './send.ts';
import { useImport } from './use-import.ts';
import styles from './transfer.module.css';

/** Adds the pages of an archive: all of it, or nothing. */
export function ImportArchive() {
  const [file, setFile] = useState<File>();
  const [passphrase, setPassphrase] = useState('');
  const write = useImport<ArchiveReport>();
  const { report } = write;
  const send = (dryRun: boolean) =>
    write.mutate({
      from: 'archive',
      dryRun,
      files: [{ name: 'archive.zip', content: file! }, ...toPassphraseFiles(passphrase)],
    });
  const fields = (
    <>
      <Field label="Archive" hint="A ZIP file that All Clear has exported.">
        {attributes => (
          <input
            {...attributes}
            className={styles.upload}
            type="file"
            accept=".zip,application/zip"
            onChange={event => {
              write.reset();
              setFile(event.target.files?.[0]);
            }}
          />
        )}
      </Field>
      <TextField
        label="Passphrase (optional)"
        hint="The one that was given at the export. Without it, the secrets in the archive are not imported."
        type="password"
        autoComplete="off"
        value={passphrase}
        onChange={event => {
          write.reset();
          setPassphrase(event.target.value);
        }}
      />
    </>
  );
  const result = report && <ArchiveResult report={report} />;
  return (
    <ImportForm
      write={write}
      fields={fields}
      result={result}
      isComplete={file !== undefined}
      onSend={send}
      pageId={report?.pages[0]?.id}
    />
  );
}
