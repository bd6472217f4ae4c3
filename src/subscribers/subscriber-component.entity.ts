import { Entity, Index, ManyToOne } from '@mikro-orm/decorators/legacy';
import { Component } from '../components/component.entity.js';
import { Subscriber } from './subscriber.entity.js';

/** A component that a subscriber chose. An entity of its own for the index by component, which the fan-out needs. */
@Entity({ tableName: 'subscriber_component' })
export class SubscriberComponent {
  @ManyToOne(() => Subscriber, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  subscriber!: Subscriber;

  @Index()
  @ManyToOne(() => Component, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  component!: Component;
}
