import { ObjectType } from 'type-graphql';
import { Brand } from './branding/brand.entity.js';
import { Theme } from './branding/theme.entity.js';
import { Refusal } from '../core/errors.js';
import { CustomDomain } from './custom-domain/custom-domain.entity.js';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import type { FieldReader } from '../records/field-reader.js';
import { PageChangePayload } from './page-change.payload.js';
import { Page } from './page.entity.js';

/** The write has succeeded, so a record that the page does not have is null in the payload and not an error. */
const nullIfNotFound = (record: Promise<unknown>): Promise<unknown> =>
  record.catch(error => {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null;
    throw error;
  });

@ObjectType({ description: 'The brand of a page, after it was changed.' })
export class BrandPayload extends PageChangePayload {
  @ReadField(() => Brand, 'The colours and images of the page.')
  brand(@InjectReader() read: FieldReader) {
    return read.one([[Page, this.pageId], [Brand]]);
  }
}

@ObjectType({ description: 'The custom domain of a page, after it was changed or deleted.' })
export class CustomDomainPayload extends PageChangePayload {
  @ReadField(() => CustomDomain, 'The custom domain. Null if there is none.', { nullable: true })
  customDomain(@InjectReader() read: FieldReader) {
    return nullIfNotFound(read.one([[Page, this.pageId], [CustomDomain]]));
  }
}

@ObjectType({ description: 'The theme of a page, after it was changed or deleted.' })
export class ThemePayload extends PageChangePayload {
  @ReadField(() => Theme, 'The theme. Null if there is none.', { nullable: true })
  theme(@InjectReader() read: FieldReader) {
    return nullIfNotFound(read.one([[Page, this.pageId], [Theme]]));
  }
}
