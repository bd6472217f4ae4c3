import { Component } from '../components/component.entity.js';
import { Notice } from '../notices/notice.entity.js';
import { NoticeComponent } from '../notices/notice-component.entity.js';
import { NoticeTemplate } from '../notices/template.entity.js';
import { NoticeUpdate } from '../notices/update.entity.js';
import { Brand } from '../pages/brand.entity.js';
import { CustomDomain } from '../pages/custom-domain.entity.js';
import { DomainReservation } from '../pages/domain-reservation.entity.js';
import { ChannelTarget } from '../pages/channel-target.entity.js';
import { Page } from '../pages/page.entity.js';
import { PageChannel } from '../pages/page-channel.entity.js';
import { Theme } from '../pages/theme.entity.js';
import { TimeZone } from '../pages/time-zone.entity.js';
import { PageChange } from './page-change.entity.js';
import { Attempt } from '../publishing/attempt.entity.js';
import { DeliveryCount } from '../publishing/delivery-count.entity.js';
import { Delivery } from '../publishing/delivery.entity.js';
import { Publication } from '../publishing/publication.entity.js';
import { PhoneCode } from '../subscribers/phone-code.entity.js';
import { SigningKey } from '../subscribers/signing-key.entity.js';
import { Subscriber } from '../subscribers/subscriber.entity.js';
import { SubscriberComponent } from '../subscribers/subscriber-component.entity.js';
import { SubscriptionRequest } from '../subscribers/subscription-request.entity.js';
import { IdempotentAnswer } from '../tokens/idempotency.entity.js';
import { Token } from '../tokens/token.entity.js';

export const entities = [
  Page,
  Brand,
  CustomDomain,
  DomainReservation,
  Theme,
  ChannelTarget,
  PageChannel,
  Component,
  Notice,
  NoticeComponent,
  NoticeUpdate,
  NoticeTemplate,
  Subscriber,
  SubscriberComponent,
  SigningKey,
  SubscriptionRequest,
  PhoneCode,
  TimeZone,
  Token,
  IdempotentAnswer,
  PageChange,
  Publication,
  Delivery,
  DeliveryCount,
  Attempt,
];
