import 'reflect-metadata';
import { AlertSourceResolver } from './alerts/alert-source.resolver.js';
import { AlertGroupResolver, AlertPayloadResolver, AlertTrialResolver } from './alerts/received-alert.resolver.js';
import { AlertBrowserResolver } from './alerts/browser.resolver.js';
import { ComponentHistoryResolver } from './components/component-history.resolver.js';
import { SeveralComponentsResolver } from './components/several-components.resolver.js';
import { MetricPointsResolver } from './pages/metrics/metric-points.resolver.js';
import { MetricResolver } from './pages/metrics/metric.resolver.js';
import { UpstreamResolver } from './components/upstream/upstream.resolver.js';
import { ManualStatusResolver } from './components/manual-status.resolver.js';
import { ComponentResolver } from './components/component.resolver.js';
import { entities } from './entities.js';
import { NodeResolver } from './graphql/node.resolver.js';
import { NoticeResolver } from './notices/notice.resolver.js';
import { NoticeChangesResolver } from './notices/notice-changes.resolver.js';
import { NoticeActionsResolver } from './notices/notice-actions.resolver.js';
import { NoticeV1Resolver } from './notices/notice-v1.resolver.js';
import { DraftResolver } from './notices/drafts/draft.resolver.js';
import { MultiPageResolver } from './notices/multi-page/multi-page.resolver.js';
import { NoticeTemplateResolver } from './notices/templates/template.resolver.js';
import { RecurrenceResolver } from './notices/recurrence/recurrence.resolver.js';
import { NoticeOwnerResolver } from './notices/owner/owner.resolver.js';
import { NoticeUpdateResolver } from './notices/updates/update.resolver.js';
import { NextUpdateDeadlineResolver } from './notices/next-update/deadline.resolver.js';
import { BrandResolver } from './pages/branding/brand.resolver.js';
import { PageImageResolver } from './pages/images/page-image.resolver.js';
import { ThemeResolver } from './pages/branding/theme.resolver.js';
import { CustomDomainResolver } from './pages/custom-domain/custom-domain.resolver.js';
import { ChannelResolver } from './notifications/channels/channel.resolver.js';
import { PageChannelResolver } from './notifications/page-channels/page-channel.resolver.js';
import { WebhookResolver } from './notifications/webhooks/webhook.resolver.js';
import { PageChangesResolver } from './pages/page-changes.resolver.js';
import { PageBannerResolver } from './pages/page-banner.resolver.js';
import { PageResolver } from './pages/page.resolver.js';
import { TimeZoneResolver } from './pages/time-zone.resolver.js';
import { MonthReportResolver } from './status-page/reports/month-report.resolver.js';
import { BulkSubscribersResolver } from './subscribers/bulk.resolver.js';
import { SubscriberStatisticsResolver } from './subscribers/statistics.resolver.js';
import { SubscriberListResolver } from './subscribers/import.resolver.js';
import { PublicationProgressResolver } from './notifications/publication-progress.resolver.js';
import { DeliveryResolver, PublicationResolver } from './notifications/publication.resolver.js';
import { PreviewResolver } from './notifications/preview/preview.resolver.js';
import { SubscriberResolver } from './subscribers/subscriber.resolver.js';
import { AuditLogResolver } from './people/audit/audit-log.resolver.js';
import { PasskeyResolver } from './people/sign-in/passkey.resolver.js';
import { SignInResolver } from './people/sign-in/sign-in.resolver.js';
import { PersonResolver } from './people/person.resolver.js';
import { ImportedRecordResolver } from './transfer/importers/imported-record.resolver.js';
import { PersonDataResolver } from './transfer/person-data/person-data.resolver.js';
import { TokenResolver } from './people/token.resolver.js';
import { ViewerResolver } from './people/viewer.resolver.js';
import { AppearanceResolver } from './pages/branding/appearance.resolver.js';
import { DemoResolver } from './notices/demo/demo.resolver.js';
import { buildSchema } from './graphql/build-schema.js';

const resolvers = [
  NodeResolver,
  PageResolver,
  PageBannerResolver,
  ComponentResolver,
  ManualStatusResolver,
  UpstreamResolver,
  SeveralComponentsResolver,
  ComponentHistoryResolver,
  NoticeResolver,
  NoticeActionsResolver,
  NoticeOwnerResolver,
  NoticeUpdateResolver,
  NextUpdateDeadlineResolver,
  NoticeTemplateResolver,
  RecurrenceResolver,
  DraftResolver,
  AlertBrowserResolver,
  AlertSourceResolver,
  AlertPayloadResolver,
  AlertGroupResolver,
  AlertTrialResolver,
  MetricResolver,
  MetricPointsResolver,
  MultiPageResolver,
  SubscriberResolver,
  PublicationResolver,
  DeliveryResolver,
  PreviewResolver,
  BulkSubscribersResolver,
  SubscriberStatisticsResolver,
  SubscriberListResolver,
  BrandResolver,
  PageImageResolver,
  CustomDomainResolver,
  ThemeResolver,
  ChannelResolver,
  PageChannelResolver,
  WebhookResolver,
  TimeZoneResolver,
  MonthReportResolver,
  PageChangesResolver,
  NoticeChangesResolver,
  PublicationProgressResolver,
  ViewerResolver,
  TokenResolver,
  PersonResolver,
  ImportedRecordResolver,
  PersonDataResolver,
  SignInResolver,
  PasskeyResolver,
  AuditLogResolver,
  DemoResolver,
  AppearanceResolver,
] as const;

const recordNames = new Set(entities.map(({ name }) => name));

/** The GraphQL schema: types come from the entities, queries and mutations from the resolvers. */
export const schema = buildSchema({ resolvers, recordNames, hasNumberedPages: false, hasUserErrors: true });

/** The schema of the operations of /v1: the same records, its own lists, and what only /v1 takes. */
export const restSchema = buildSchema({
  resolvers: [...resolvers, NoticeV1Resolver],
  recordNames,
  hasNumberedPages: true,
  hasUserErrors: false,
});
