import { Entity, ManyToOne } from '@mikro-orm/decorators/legacy';
import { Component } from '../components/component.entity.js';
import { Subscriber } from './subscriber.entity.js';

/** A component that a subscriber chose. */
@Entity({ tableName: 'subscriber_component' })
export class SubscriberComponent {
  @ManyToOne(() => Subscriber, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  subscriber!: Subscriber;

  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;
}
