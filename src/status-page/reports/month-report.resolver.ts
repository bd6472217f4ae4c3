import { Arg, Ctx, Extensions, Field, FieldResolver, Float, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { Component } from '../../components/component.entity.js';
import { Timestamp } from '../../core/scalars.js';
import { NullableField } from '../../graphql/nullable-field.js';
import type { Context } from '../../graphql/context.js';
import { HasOwnMaximum } from '../../graphql/count-returned.js';
import { ReferenceField } from '../../graphql/entity-field-decorators.js';
import { ResolvedFrom } from '../../graphql/entity-field-decorators.js';
import { NextUpdateDeadlines } from '../../notices/next-update/deadline.resolver.js';
import { Notice } from '../../notices/notice.entity.js';
import { NoticeTypes } from '../../notices/notice.enums.js';
import { Page } from '../../pages/page.entity.js';
import { checkPeriod, maxMonths, maxNotices } from './report-period.js';
import { writeReportsCsv } from './reports-csv.js';

@ObjectType({ description: 'A component without children in a month.' })
class ComponentReport {
  @Field(() => ID, { description: 'The id of the component.' })
  componentId!: number;

  @ReferenceField(() => Component, 'componentId', { description: 'The component. Null: it is deleted.' })
  component?: Component;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => [String], { description: 'The names of its ancestors, from the root.' })
  groups!: string[];

  @NullableField(
    () => Float,
    'The share of the month without an outage, from 0 to 1, as `uptime` of a component counts it. Null: less than ' +
      'seven days are known.',
  )
  uptime!: number | null;

  @Field(() => Int, { description: 'The minutes in a partial or a major outage.' })
  outageMinutes!: number;
}

@ObjectType({ description: 'An incident or a maintenance that was in progress in a month.' })
class NoticeReport {
  @Field(() => ID, { description: 'The id of the notice.' })
  noticeId!: number;

  @ReferenceField(() => Notice, 'noticeId', { description: 'The notice. Null: it is deleted.' })
  notice?: Notice;

  @Field(() => NoticeTypes, { description: 'UNPLANNED or PLANNED.' })
  type!: 'unplanned' | 'planned';

  @Field(() => String, { description: 'The title.' })
  subject!: string;

  @Field(() => String, { description: 'The permanent URL on the public page.' })
  link!: string;

  @Field(() => Timestamp, { description: 'When it began.' })
  beganAt!: Date;

  @NullableField(() => Timestamp, 'When it ended. Null while it is open.')
  endedAt!: Date | null;

  @NullableField(
    () => Int,
    'From the beginning of an incident to its first update. Null for a maintenance, and for an incident that was ' +
      'over when it was entered.',
  )
  firstUpdateSeconds!: number | null;
}

@ObjectType({ description: 'A month of a page, in the time zone of the page. False alarms do not count.' })
export class PageMonthReport {
  @Field(() => String, { description: 'The month, such as 2026-10.' })
  month!: string;

  @Field(() => String, { description: 'The time zone of the page in the tz database, such as Europe/Berlin.' })
  timezone!: string;

  @Field(() => Timestamp, { description: 'The beginning of the month.' })
  beginsAt!: Date;

  @Field(() => Timestamp, { description: 'The end of the month, excluded.' })
  endsAt!: Date;

  @Field(() => [ComponentReport], {
    description: 'The components without children, the worst uptime first, and equal ones in the order of the tree.',
  })
  components!: ComponentReport[];

  @Field(() => Int, { description: 'The number of incidents that were in progress in the month.' })
  incidentCount!: number;

  @Field(() => Int, { description: 'The number of maintenances that were in progress in the month.' })
  maintenanceCount!: number;

  @Field(() => [NoticeReport], { description: `The last ${maxNotices} of both, newest first.` })
  notices!: NoticeReport[];

  @NullableField(
    () => Int,
    'The median time from the beginning of an incident to its first update, of the incidents that began in the ' +
      'month, without those that were over when they were entered. Null: there were none.',
  )
  medianFirstUpdateSeconds!: number | null;

  @NullableField(() => Int, 'The longest of these times. Null: there were none.')
  longestFirstUpdateSeconds!: number | null;

  @Field(() => NextUpdateDeadlines, { description: 'How the deadlines of next updates in the month were kept.' })
  nextUpdateDeadlines!: NextUpdateDeadlines;
}

const MonthArg = () =>
  Arg('month', () => String, { nullable: true, description: 'The last month. Null: the present one.' });
const CountArg = () =>
  Arg('count', () => Int, { defaultValue: 1, description: `The number of months, from 1 to ${maxMonths}.` });

@Resolver(() => Page)
export class MonthReportResolver {
  @RequiresAccess('viewer')
  @ResolvedFrom('id')
  @Extensions({ cost: 500, slow: true })
  @FieldResolver(() => [PageMonthReport], {
    description:
      'Reports of successive months, newest first: uptime, incidents, the time to their first update, and deadlines ' +
      'of next updates. Costs two more statements per page. BAD_REQUEST where the reports of a response would have ' +
      'more than 16 million characters.',
  })
  async monthReports(
    @Root() { id }: { id: string },
    @MonthArg() month: string | null | undefined,
    @CountArg() count: number,
    @Ctx() { services, run, inOrder, reports }: Context,
  ): Promise<PageMonthReport[]> {
    // The page can have been deleted since it was read.
    const period = checkPeriod(month, count);
    return (await inOrder.add(() => services.readMonthReports(run, id, period, reports))) ?? [];
  }

  @RequiresAccess('viewer')
  @ResolvedFrom('id')
  @HasOwnMaximum()
  @Extensions({ cost: 500, slow: true })
  @FieldResolver(() => String, {
    description:
      'The `monthReports` as CSV, a row for each figure of each month. Spreadsheets execute no cell of it as a ' +
      'formula. Costs two more statements per page. BAD_REQUEST where the reports of a response would have more than ' +
      '16 million characters.',
  })
  async monthReportsCsv(
    @Root() { id }: { id: string },
    @MonthArg() month: string | null | undefined,
    @CountArg() count: number,
    @Ctx() { services, run, inOrder, reports }: Context,
  ): Promise<string> {
    const period = checkPeriod(month, count);
    return writeReportsCsv((await inOrder.add(() => services.readMonthReports(run, id, period, reports))) ?? []);
  }
}
