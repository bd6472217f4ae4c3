import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { entities } from '../../../../src/entities.js';
import { listColumns, tableOf } from '../../../../src/records/entity-columns.js';
import { renderArchiveSchema } from '../../../../src/transfer/archive/json-schema.js';
import { fileKinds, sealedKinds } from '../../../../src/transfer/archive/kinds.js';
import { toFileName } from '../../../../src/transfer/archive/manifest.js';

test('archive.schema.json is up to date, and a JSON Schema', () => {
  const text = readFileSync('archive.schema.json', 'utf8');
  expect(text).toBe(renderArchiveSchema());
  new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text));
});

test('docs/archive.md describes every file as the schema does', () => {
  const document = readFileSync('docs/archive.md', 'utf8');
  const files = fileKinds.map(([name, { description }]) => `| \`${toFileName(name)}\` | ${description} |`);
  expect(document).toContain(files.join('\n'));
  const sealed = sealedKinds.map(([name, { description }]) => `| \`${name}\` | ${description} |`);
  expect(document).toContain(sealed.join('\n'));
});

test('a secret of an entity is sealed, but for the key of the links of subscribers', () => {
  const secrets = entities.flatMap(entity =>
    listColumns(entity).flatMap(({ name, isSecret }) => (isSecret ? [`${tableOf(entity)}.${name}`] : [])),
  );
  const listSecrets = (kinds: typeof fileKinds) =>
    kinds
      .flatMap(([, { table, fields }]) => Object.keys(fields).map(name => `${table}.${name}`))
      .filter(name => secrets.includes(name));
  expect(secrets).toContain('alert_source.hash');
  expect(listSecrets(fileKinds)).toEqual(['page.link_key']);
  expect(listSecrets(sealedKinds)).toEqual(['webhook.target']);
});
