import { describe, expect, test } from '@jest/globals';
import { anyTimestamp, invalidBody } from '../../support/record-rules.js';
import { createPage, createSubscriber } from '../../support/factories.js';
import { customSubscriber, freshSubscriber } from '../../support/record-samples.js';
import { useService } from '../../support/service.js';

const service = useService();

const post = (page: string, fields: object) => service.post(`${page}/subscribers`, fields);
const subscriberPath = (page: string, { id }: { id: number }) => `${page}/subscribers/${id}`;

describe('creating a subscriber', () => {
  test('counts as consent, without a confirmation', async () => {
    const { id } = await createSubscriber(service, (await createPage(service)).path);
    const [row] = await service.database.query(
      'select consent_source, confirmed_at is not null as confirmed from subscriber where id = $1',
      [id],
    );
    expect(row).toEqual({ consent_source: 'interface', confirmed: true });
  });

  test.each(['first_name', 'last_name', 'nickname', 'company'])('limits %s to 255 characters', async field => {
    const { status, json } = await post((await createPage(service)).path, {
      email: 'a@acme.example',
      [field]: 'é'.repeat(256),
    });
    expect([status, json]).toEqual([422, invalidBody({ [field]: ['is too long (maximum is 255 characters)'] })]);
  });
});

describe('e-mail address and phone number', () => {
  const blank = invalidBody({ email: ["can't be blank"], phone_number: ["can't be blank"] });

  test('at least one is required', async () => {
    const { path: page } = await createPage(service);
    for (const fields of [{}, { email: '', phone_number: ' ' }, { email: null, first_name: 'Ada' }])
      expect((await post(page, fields)).json).toEqual(blank);
    expect((await post(page, { phone_number: '+447946000000' })).json.response).toMatchObject({
      email: null,
      phone_number: '+447946000000',
    });
  });

  test('an unreadable one is reported as invalid, not as missing', async () => {
    const { path: page } = await createPage(service);
    expect((await post(page, { email: ['ada@example.com'] })).json).toEqual(invalidBody({ email: ['is invalid'] }));
    expect((await post(page, { phone_number: { a: 1 } })).json).toEqual(invalidBody({ phone_number: ['is invalid'] }));
  });

  test('either can be cleared, but not the last one', async () => {
    const { path: page } = await createPage(service);
    const path = subscriberPath(page, await createSubscriber(service, page, { phone_number: '+447946000000' }));
    expect((await service.patch(path, { email: '' })).json.response.email).toBeNull();
    const { status, json } = await service.patch(path, { phone_number: null });
    expect([status, json]).toEqual([422, blank]);
  });

  test.each([
    'nobody',
    'a@b',
    'a@@acme.example',
    'a b@acme.example',
    '@acme.example',
    'a@192.0.2.1',
    `${'a'.repeat(65)}@acme.example`,
  ])('%j is not an address', async email => {
    expect((await post((await createPage(service)).path, { email })).json).toEqual(
      invalidBody({ email: ['is invalid'] }),
    );
  });

  test.each([
    '12345',
    '447946000000',
    '+0123456789',
    '+123456',
    '+1234567890123456',
    '+44 7946 CALL ME',
    '++447946000000',
  ])('%j is not a number', async phone_number => {
    expect((await post((await createPage(service)).path, { phone_number })).json).toEqual(
      invalidBody({ phone_number: ['is invalid'] }),
    );
  });

  test('spaces, hyphens and brackets in a number are removed', async () => {
    expect(
      (await createSubscriber(service, (await createPage(service)).path, { phone_number: '+44 (7946) 000-000' }))
        .phone_number,
    ).toBe('+447946000000');
  });

  test('a "+" that a form decodes to a space is restored', async () => {
    const { path: page } = await createPage(service);
    const asForm = await service.call('POST', `${page}/subscribers`, { form: 'phone_number=+447946000001' });
    expect(asForm.json.response.phone_number).toBe('+447946000001');
    const asQuery = await service.call('POST', `${page}/subscribers?phone_number=+447946000002`);
    expect(asQuery.json.response.phone_number).toBe('+447946000002');
  });

  test('an address is unique on its page, regardless of case', async () => {
    const { path: page } = await createPage(service);
    await createSubscriber(service, page, { email: 'Ada@acme.example' });
    const taken = invalidBody({ email: ['has already been taken'] });
    expect((await post(page, { email: 'ADA@ACME.example' })).json).toEqual(taken);
    const other = subscriberPath(page, await createSubscriber(service, page, { email: 'grace@acme.example' }));
    expect((await service.patch(other, { email: 'ada@Acme.example' })).json).toEqual(taken);
    expect((await post((await createPage(service)).path, { email: 'ada@acme.example' })).status).toBe(201);
    await service.delete(other);
    expect((await post(page, { email: 'grace@acme.example' })).status).toBe(201);
  });

  test.each([
    ['ada@acme.example', 'ada@ａcme.example'],
    ['ada@acme.example', 'ada@ac\u00ADme.example'],
    ['ada@acme.example', 'ada@acme。example'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@BÜCHER.example'],
  ])('%j and %j are the same address', async (email, again) => {
    const { path: page } = await createPage(service);
    await createSubscriber(service, page, { email });
    const taken = invalidBody({ email: ['has already been taken'] });
    expect((await post(page, { email: again })).json).toEqual(taken);
    const other = await createSubscriber(service, page, { email: 'other@acme.example' });
    expect((await service.patch(subscriberPath(page, other), { email: again })).json).toEqual(taken);
  });

  test('the case of an address is stored and can be changed', async () => {
    const { path: page } = await createPage(service);
    const path = subscriberPath(page, await createSubscriber(service, page, { email: 'Ada@acme.example' }));
    expect((await service.get(path)).json.response.email).toBe('Ada@acme.example');
    expect((await service.patch(path, { email: 'ADA@acme.example' })).json.response.email).toBe('ADA@acme.example');
  });

  test('a number is unique on its page, in any notation', async () => {
    const { path: page } = await createPage(service);
    await createSubscriber(service, page, { phone_number: '+447946000000' });
    const { status, json } = await post(page, { phone_number: '+44 7946-000 000' });
    expect([status, json]).toEqual([422, invalidBody({ phone_number: ['has already been taken'] })]);
    expect((await post(page, { email: 'ada@acme.example', phone_number: '+447946000000' })).json).toEqual(
      invalidBody({ email: ['has already been taken'], phone_number: ['has already been taken'] }),
    );
  });

  test('one of two simultaneous creates for an address succeeds', async () => {
    const { path: page } = await createPage(service);
    const responses = await Promise.all([
      post(page, { email: 'ada@acme.example' }),
      post(page, { email: 'Ada@acme.example' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});

describe('tags', () => {
  test.each([
    ['a text', ' vip , maths,, vip '],
    ['a list', ['vip', ' maths ', '', 'vip']],
    ['a list of texts with commas', ['vip,maths']],
  ])('can be sent as %s, and are returned as one text', async (_, tag_list) => {
    expect((await createSubscriber(service, (await createPage(service)).path, { tag_list })).tag_list).toBe(
      'vip,maths',
    );
  });

  test('are replaced, and cleared by a blank', async () => {
    const { path: page } = await createPage(service);
    const path = subscriberPath(page, await createSubscriber(service, page, { tag_list: 'a,b' }));
    expect((await service.patch(path, { tag_list: 'c' })).json.response.tag_list).toBe('c');
    expect((await service.patch(path, { company: 'Acme' })).json.response.tag_list).toBe('c');
    expect((await service.patch(path, { tag_list: '' })).json.response.tag_list).toBe('');
    expect((await service.patch(path, { tag_list: 'x'.repeat(256) })).json).toEqual(
      invalidBody({ tag_list: ['is too long (maximum is 255 characters)'] }),
    );
  });
});

describe('updating a subscriber', () => {
  test('keeps omitted fields, and clears null and blank ones', async () => {
    const { path: page } = await createPage(service);
    const subscriber = await createSubscriber(service, page, customSubscriber);
    const path = subscriberPath(page, subscriber);
    expect((await service.patch(path, { first_name: 'Augusta' })).json.response).toEqual({
      ...subscriber,
      first_name: 'Augusta',
      updated_at: anyTimestamp,
    });
    const cleared = { first_name: null, last_name: '', nickname: ' ', company: null, phone_number: '', tag_list: null };
    expect((await service.patch(path, cleared)).json.response).toEqual(freshSubscriber);
  });
});
