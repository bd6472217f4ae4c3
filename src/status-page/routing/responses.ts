import { toWellFormedJson } from '../../core/well-formed-json.js';
import type { RenderedResponse } from './public-route.js';

/** The `Cache-Control` of a URL that has the hash of its content. */
export const immutable = 'public, max-age=31536000, immutable';

export const renderText = (status: number, body: string, headers: Record<string, string> = {}): RenderedResponse => ({
  type: 'text/plain; charset=utf-8',
  body,
  status,
  headers,
});

/** 301: for everybody and for good; 303: for the same visitor, by GET. */
export const renderRedirect = (status: 301 | 303, url: string): RenderedResponse =>
  renderText(status, '', { Location: url });

export const renderJson = (body: object): RenderedResponse => ({
  type: 'application/json; charset=utf-8',
  body: toWellFormedJson(body),
});
