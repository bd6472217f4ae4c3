import { type Command, Option } from 'commander';
import { loadPage } from '../transfer/page-file/load-page.js';
import { derivePageFileFields } from '../transfer/page-file/page-file.fields.js';
import { renderPageFile } from '../transfer/page-file/render-page-file.js';
import { schema } from '../schema.js';
import { print } from './output/print.js';
import { addUrlOption, connect, runAsClient } from './page-file-service.js';

interface Options {
  page: string;
  format: 'yaml' | 'json';
  url?: string;
}

export function define(command: Command): void {
  addUrlOption(command)
    .description(
      'Prints a page as a file that allclear apply applies without a change. Talks to the API of a service, ' +
        'with the token in ALL_CLEAR_TOKEN. docs/pages-as-code.md describes the file.',
    )
    .requiredOption('--page <id>', 'the page')
    .addOption(new Option('--format <format>', 'of the file').choices(['yaml', 'json']).default('yaml'))
    .action(({ page, format, url }: Options) =>
      runAsClient('', async () => {
        const fields = derivePageFileFields(schema);
        await print(renderPageFile(await loadPage(connect(url), page, fields), fields, format));
        return 0;
      }),
    );
}
