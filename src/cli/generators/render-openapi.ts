import { readSettings } from '../../core/config.js';
import { createOfflineOrm } from '../../db/database.js';
import { entities } from '../../entities.js';
import { createOpenApiDocument, renderOpenApiDocument } from '../../rest/openapi/document.js';
import { prepareRoutes } from '../../rest/routes.js';
import { restSchema as schema } from '../../schema.js';

export function renderOpenApi(): string {
  const settings = readSettings({});
  const orm = createOfflineOrm({ settings, entities });
  return renderOpenApiDocument(createOpenApiDocument(prepareRoutes(schema), { database: { orm }, settings, schema }));
}
