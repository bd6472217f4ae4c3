import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

test.each(['Acme\r\nBcc: x@y.example', 'Acme\nStatus', 'Acme\rStatus'])(
  'the name %j of a page is refused',
  async name => {
    const page = await createPage(service);
    const { json } = await service.graphql(
      `mutation ($id: ID!, $input: UpdatePageInput!) { updatePage(id: $id, input: $input) { userErrors { path message } } }`,
      { id: page.id, input: { name } },
    );
    expect(json.data.updatePage.userErrors).toEqual([
      { path: ['input', 'name'], message: expect.stringContaining('must be one line') },
    ]);
  },
);
