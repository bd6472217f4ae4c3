import 'reflect-metadata';
import { AlertGroup } from './alerts/alert-group.entity.js';
import { AlertPayload } from './alerts/alert-payload.entity.js';
import { AlertSource } from './alerts/alert-source.entity.js';
import { Component } from './components/component.entity.js';
import { Upstream } from './components/upstream/upstream.entity.js';
import { Metric } from './pages/metrics/metric.entity.js';
import { ManualStatus } from './components/manual-status.entity.js';
import { Notice } from './notices/notice.entity.js';
import { NoticeComponent } from './notices/notice-component.entity.js';
import { Recurrence } from './notices/recurrence/recurrence.entity.js';
import { Draft } from './notices/drafts/draft.entity.js';
import { NoticeTemplate } from './notices/templates/template.entity.js';
import { NoticeUpdate } from './notices/updates/update.entity.js';
import { NoticeUpdateRevision } from './notices/updates/update-revision.entity.js';
import { Brand } from './pages/branding/brand.entity.js';
import { BrandImage } from './pages/branding/brand-image.entity.js';
import { CustomDomain } from './pages/custom-domain/custom-domain.entity.js';
import { Page } from './pages/page.entity.js';
import { PageChannel } from './notifications/page-channels/page-channel.entity.js';
import { Theme } from './pages/branding/theme.entity.js';
import { TimeZone } from './pages/time-zone.entity.js';
import { Attempt } from './notifications/delivery/attempt.entity.js';
import { DeliveryCount } from './notifications/delivery/delivery-count.entity.js';
import { Delivery } from './notifications/delivery/delivery.entity.js';
import { Publication } from './notifications/publication.entity.js';
import { PublicationAudience } from './notifications/publication-audience.entity.js';
import { Webhook } from './notifications/webhooks/webhook.entity.js';
import { Subscriber } from './subscribers/subscriber.entity.js';
import { AuditChange } from './people/audit/audit-change.entity.js';
import { AuditEntry } from './people/audit/audit-entry.entity.js';
import { Membership } from './people/membership.entity.js';
import { Person } from './people/person.entity.js';
import { Session } from './people/session.entity.js';
import { Passkey } from './people/sign-in/passkey.entity.js';
import { Token } from './people/token.entity.js';

/** The tables that the ORM or the API read; what SQL alone uses has no entity (src/db/migrations). */
export const entities = [
  Page,
  Brand,
  BrandImage,
  CustomDomain,
  Theme,
  PageChannel,
  Webhook,
  Component,
  ManualStatus,
  Upstream,
  Notice,
  NoticeComponent,
  NoticeUpdate,
  NoticeUpdateRevision,
  NoticeTemplate,
  Recurrence,
  Draft,
  AlertSource,
  Metric,
  AlertPayload,
  AlertGroup,
  Subscriber,
  TimeZone,
  Token,
  Person,
  Membership,
  Session,
  Passkey,
  AuditEntry,
  AuditChange,
  Publication,
  PublicationAudience,
  Delivery,
  DeliveryCount,
  Attempt,
];
