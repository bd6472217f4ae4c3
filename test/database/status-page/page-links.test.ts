import { beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { sentencesByField } from '../../support/user-errors.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian' })).id;
});

const update = (input: object) =>
  service.graphql(
    `mutation ($id: ID!, $input: UpdatePageInput!) {
      updatePage(id: $id, input: $input) { page { websiteUrl privacyUrl termsUrl } }
    }`,
    { id: page, input },
  );
const visit = () => requestPage(service.url, `${page}.localhost`, '/');
const listLinks = (body: string) =>
  [...body.matchAll(/<a href="(https:\/\/meridian[^"]*)"><bdi>([^<]*)/g)].map(([, url, text]) => [url, text]);

test('the footer links to the website, the privacy policy and the terms that the page has', async () => {
  expect(listLinks((await visit()).text)).toEqual([]);
  const input = {
    websiteUrl: 'https://meridian.example/',
    privacyUrl: 'https://meridian.example/privacy?a=1&b=2',
    termsUrl: 'https://meridian.example/terms',
  };
  const { json } = await update(input);
  expect(json.data.updatePage.page).toEqual(input);
  const { text } = await waitForResponse(visit, response => response.text.includes('terms'));
  expect(listLinks(text)).toEqual([
    ['https://meridian.example/', 'meridian.example'],
    ['https://meridian.example/privacy?a=1&amp;b=2', 'Privacy policy'],
    ['https://meridian.example/terms', 'Terms of use'],
  ]);
  await update({ termsUrl: null });
  const without = await waitForResponse(visit, response => !response.text.includes('terms'));
  expect(listLinks(without.text)).toHaveLength(2);
});

test.each(['javascript:alert(1)', 'meridian.example/privacy', `https://meridian.example/${'a'.repeat(255)}`])(
  'refuses %p',
  async privacyUrl => {
    const { json } = await update({ privacyUrl });
    expect(Object.keys(sentencesByField(json))).toEqual(['privacyUrl']);
  },
);
