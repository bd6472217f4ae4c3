import type { TestService } from './service.js';

/** A record as /v1 returns it when it is created. Its path is not enumerable, so that tests can compare the record. */
// biome-ignore-start lint/suspicious/noExplicitAny: tests assert what they access
export interface CreatedRecord {
  id: any;
  path: string;
  [field: string]: any;
}
// biome-ignore-end lint/suspicious/noExplicitAny: as above

/** Creates a record with the write token; throws unless it is created. */
export async function createRecord(service: TestService, collection: string, values: object): Promise<CreatedRecord> {
  const { status, text, json, headers } = await service.post(collection, values);
  if (status !== 201) throw new Error(`POST ${collection} ${JSON.stringify(values)}: ${text}`);
  return Object.defineProperty(json.response, 'path', { value: headers.get('location') });
}

export const createPage = (service: TestService, overrides: object = {}) =>
  createRecord(service, '/v1/pages', { name: 'Acme', ...overrides });

/** `page` is the path of a page, here and below. */
export const createComponent = (service: TestService, page: string, overrides: object = {}) =>
  createRecord(service, `${page}/components`, { name: 'API', ...overrides });

export const createNotice = (service: TestService, page: string, overrides: object = {}) =>
  createRecord(service, `${page}/notices`, { subject: 'Disk full', ...overrides });

/** `notice` is the path of a notice. */
export const createUpdate = (service: TestService, notice: string, overrides: object = {}) =>
  createRecord(service, `${notice}/updates`, { content: 'We look into it.', ...overrides });

export const createTemplate = (service: TestService, page: string, overrides: object = {}) =>
  createRecord(service, `${page}/notice_templates`, { name: 'Outage', ...overrides });

export const createSubscriber = (service: TestService, page: string, overrides: object = {}) =>
  createRecord(service, `${page}/subscribers`, { email: 'ada@acme.example', ...overrides });
