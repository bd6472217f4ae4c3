import { expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const service = useService();

test('answers with a text that starts with Hello', async () => {
  const response = await service.get('/v1/hello');
  expect(response.status).toBe(200);
  expect(response.json).toEqual({ response: expect.stringMatching(/^Hello/) });
});

test('answers 401 without a token', async () => {
  const response = await service.get('/v1/hello', { token: null });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(response.json).toEqual({
    error: 'unauthenticated',
    error_description: 'This action requires authentication to continue.',
  });
});
