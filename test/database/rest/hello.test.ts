import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a greeting begins with Hello', async () => {
  const answer = await service.get('/v1/hello');
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({ response: expect.stringMatching(/^Hello/) });
});

test('without a token there is no greeting', async () => {
  const answer = await service.get('/v1/hello', { token: null });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.json).toEqual({
    error: 'unauthenticated',
    error_description: 'This action requires authentication to continue.',
  });
});
