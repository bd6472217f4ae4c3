import { Arg, Extensions, Subscription } from 'type-graphql';
import { type Access, type Caller, RequiresAccess } from '../auth/access.js';
import { notFound, type RecordName } from '../core/errors.js';

/** The arguments of a subscription, after coercion. */
export type SubscriptionArguments = Record<string, unknown> & { after?: string | null };

export interface ChangeSource {
  /**
   * Selects the text `cursor` of the record, which is another whenever the record has changed, the `pageId` of its
   * page, and `isOpen`, whether callers without a token may follow it. No row: not found.
   */
  cursorSql: string;
  parameters(args: SubscriptionArguments, caller: Caller): unknown[];
  /** Whether no change of the page announces a change of the record: its cursor is read every second. */
  isPolled?: boolean;
  /** Whether it is not of one page: each caller reads those on which it has a role. */
  isOfAllPages?: boolean;
}

/** What the resolver of a subscription gets as its root. */
export interface ChangeEvent {
  /** Null: there is no such record, or none on a page on which the caller has a role. */
  cursor: string | null;
}

/** The cursor of an event. Refuses here where there is no record: the event may select nothing else. */
export function requireCursor({ cursor }: ChangeEvent, record: RecordName): string {
  if (cursor === null) throw notFound(record);
  return cursor;
}

/**
 * A subscription to the changes of a record. The method returns the payload of one event. `RecordSubscriptions`
 * calls it, as graphql-js would execute the operation for each client.
 */
export const ChangeSubscription =
  (type: () => unknown, access: Access, description: string, source: ChangeSource): MethodDecorator =>
  (target, key, descriptor) => {
    const subscribe = () => {
      throw new Error('Subscriptions are run by RecordSubscriptions.');
    };
    Subscription(type as never, { description, nullable: true, subscribe })(target, key, descriptor);
    (RequiresAccess(access) as MethodDecorator)(target, key, descriptor);
    (Extensions({ source }) as MethodDecorator)(target, key, descriptor);
  };

export const AfterArg = () =>
  Arg('after', () => String, {
    nullable: true,
    description:
      'The cursor of the last event that the client has. The first event is sent at once if it has another cursor, ' +
      'and ' +
      'always without `after`.',
  });

/** An id of an integer column; null if it cannot be one. */
export const parseRecordId = (id: unknown): number | null => {
  const number = /^\d{1,10}$/.test(String(id)) ? Number(id) : 0;
  return number > 0 && number < 2 ** 31 ? number : null;
};

export const cursorDescription = 'Pass it as `after` to continue where a lost connection ended.';
