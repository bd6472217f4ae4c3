import 'reflect-metadata';
import { Component } from './components/component.entity.js';
import { Notice } from './notices/notice.entity.js';
import { NoticeComponent } from './notices/notice-component.entity.js';
import { DemoRecord } from './demo/demo-record.entity.js';
import { Draft } from './drafts/draft.entity.js';
import { NoticeTemplate } from './notices/templates/template.entity.js';
import { NoticeTemplateComponent } from './notices/templates/template-component.entity.js';
import { NoticeUpdate } from './notices/updates/update.entity.js';
import { NoticeUpdateRevision } from './notices/updates/update-revision.entity.js';
import { NextUpdateDeadline } from './notices/next-update/deadline.entity.js';
import { Brand } from './branding/brand.entity.js';
import { BrandImage } from './branding/brand-image.entity.js';
import { CustomDomain } from './custom-domain/custom-domain.entity.js';
import { DomainReservation } from './custom-domain/domain-reservation.entity.js';
import { ChannelCredentials } from './notifications/page-channels/channel-credentials.entity.js';
import { OneTimeCode } from './auth/one-time-code.entity.js';
import { Page } from './pages/page.entity.js';
import { UsedAccessToken } from './pages/used-access-token.entity.js';
import { PageChannel } from './notifications/page-channels/page-channel.entity.js';
import { Theme } from './branding/theme.entity.js';
import { TimeZone } from './pages/time-zone.entity.js';
import { PageChange } from './db/change-feed/page-change.entity.js';
import { Attempt } from './notifications/delivery/attempt.entity.js';
import { DeliveryCount } from './notifications/delivery/delivery-count.entity.js';
import { Delivery } from './notifications/delivery/delivery.entity.js';
import { RecipientRefusals } from './notifications/delivery/recipient-refusals.entity.js';
import { Publication } from './notifications/publication.entity.js';
import { PublicationAudience, PublicationWarning } from './notifications/publication-audience.entity.js';
import { SigningKey } from './auth/signing-key.entity.js';
import { Subscriber } from './subscribers/subscriber.entity.js';
import { SubscriberComponent } from './subscribers/subscriber-component.entity.js';
import { SubscriptionRequest } from './subscribers/subscription-request.entity.js';
import { IdempotentResponse } from './http/idempotency.entity.js';
import { AuditChange } from './audit/audit-change.entity.js';
import { AuditEntry } from './audit/audit-entry.entity.js';
import { Membership } from './people/membership.entity.js';
import { Person } from './people/person.entity.js';
import { Session } from './people/session.entity.js';
import { SignInLink } from './people/sign-in-link.entity.js';
import { Identity, IdentityRequest } from './sign-in/identity.entity.js';
import { Passkey } from './sign-in/passkey.entity.js';
import { PasskeyChallenge } from './sign-in/passkey-challenge.entity.js';
import { Token } from './people/token.entity.js';

export const entities = [
  Page,
  Brand,
  BrandImage,
  CustomDomain,
  DomainReservation,
  Theme,
  ChannelCredentials,
  PageChannel,
  UsedAccessToken,
  Component,
  Notice,
  NoticeComponent,
  NoticeUpdate,
  NoticeUpdateRevision,
  NextUpdateDeadline,
  NoticeTemplate,
  DemoRecord,
  Draft,
  NoticeTemplateComponent,
  Subscriber,
  SubscriberComponent,
  SigningKey,
  SubscriptionRequest,
  TimeZone,
  Token,
  Person,
  Membership,
  Session,
  SignInLink,
  OneTimeCode,
  Passkey,
  PasskeyChallenge,
  Identity,
  IdentityRequest,
  AuditEntry,
  AuditChange,
  IdempotentResponse,
  PageChange,
  Publication,
  PublicationAudience,
  PublicationWarning,
  Delivery,
  DeliveryCount,
  Attempt,
  RecipientRefusals,
];
