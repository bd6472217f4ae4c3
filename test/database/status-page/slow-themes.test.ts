import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';
import { writeZip } from '../../support/zip-writer.js';

const service = useService();

const endlessWhenRenamed = `themed {{ page.name }}{% if page.name contains 'renamed' -%}
  {% for a in (1..3000) %}{% for b in (1..3000) %}{{ b }}{% endfor %}{% endfor %}{% endif %}`;

async function createThemedPage(): Promise<string> {
  const { id } = await createPage(service);
  const body = new FormData();
  const zip = writeZip([{ name: 'status-page.liquid', content: endlessWhenRenamed }]);
  body.append('zip', new Blob([new Uint8Array(zip)]), 'theme.zip');
  expect((await service.call('PUT', `/v1/pages/${id}/theme`, { body })).status).toBe(200);
  return id;
}

const visit = (page: string) => requestPage(service.url, `${page}.localhost`, '/');

test('a page without a theme shows its change before pages whose themes exceed their time', async () => {
  // More pages than are refreshed at the same time.
  const slow = [await createThemedPage(), await createThemedPage(), await createThemedPage(), await createThemedPage()];
  const plain = (await createPage(service)).id;
  for (const page of slow) expect((await visit(page)).text).toContain('themed');
  expect((await visit(plain)).text).not.toContain('themed');
  const rename = async (page: string) =>
    expect((await service.patch(`/v1/pages/${page}`, { name: 'renamed' })).status).toBe(200);
  await Promise.all(slow.map(rename));
  await rename(plain);
  await waitForResponse(
    () => visit(plain),
    ({ text }) => text.includes('renamed'),
  );
  for (const page of slow) expect((await visit(page)).text).not.toContain('renamed');
});
